# Two commands do everything on a fresh machine with Python 3.11 or newer:
#   make demo   grades the bundled sample class and says where the reports are
#   make test   runs all tests
# and one more before a change to the course lands:
#   make audit  tries every known answer on the laws that name its fault

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
export OMP_NUM_THREADS := 1

.PHONY: demo test audit clean

demo: $(READY)
	$(BIN)/grader demo

test: $(READY)
	$(BIN)/grader build --check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile

audit: $(READY)
	$(BIN)/grader audit --quick

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[grader,nbgrader,dev]"
	touch $@

clean:
	rm -rf $(VENV) demo-reports audit-report
