"""Sends files that Python, pytest or the grader might read instead of their own. Earns nothing."""

EARNS = ()
SAYS = ("should have shape",)


FILES = {
    "sitecustomize.py": "open('/tmp/@CANARY@', 'w')",
    "usercustomize.py": "open('/tmp/@CANARY@', 'w')",
    "conftest.py": "open('/tmp/@CANARY@', 'w')",
    "torch.py": "open('/tmp/@CANARY@', 'w')",
    "pytest.py": "open('/tmp/@CANARY@', 'w')",
    "grader/__init__.py": "open('/tmp/@CANARY@', 'w')",
    "solutions/__init__.py": "open('/tmp/@CANARY@', 'w')",
    "exercises/__init__.py": "open('/tmp/@CANARY@', 'w')",
    "tests/exercises/test_ex2_attention.py": "open('/tmp/@CANARY@', 'w')",
    "setup.py": "open('/tmp/@CANARY@', 'w')",
    "evil.pth": "import os; open('/tmp/@CANARY@', 'w')",
    "pytest.ini": "[pytest]\naddopts = --collect-only\n",
    "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--collect-only'\n",
}
