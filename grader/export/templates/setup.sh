#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image (Ubuntu 22.04 or newer).
set -euo pipefail
source=/autograder/source
apt-get update
apt-get install -y libseccomp2
# The course needs Python 3.11: in Ubuntu 22.04 it is a package of its own, newer ones bring a newer Python.
if apt-get install -y python3.11 python3.11-venv; then python=python3.11; else
    apt-get install -y python3 python3-venv
    python=python3
fi
"$python" -m venv /autograder/venv
pip=/autograder/venv/bin/pip
"$pip" install --constraint "$source/constraints.txt" --editable "$source[grader]"
