#!/usr/bin/env bash
# Gradescope runs this for each submission. The student's code runs in a locked-down process of its own; where the
# container offers no isolation, grading stops. Then there is no results.json, and Gradescope says that the autograder
# failed: it is never taken for a zero.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}
class=$(mktemp -d)
reports=$(mktemp -d)
cp --recursive --no-dereference "$root/submission" "$class/student"
cd "$root/source"
"$root/venv/bin/grader" grade "$class" --out "$reports" --jobs 1 @GRADE@
"$root/venv/bin/grader" export "$reports" --to gradescope @EXPORT@
cp "$reports/exports/gradescope/student.json" "$root/results/results.json"
