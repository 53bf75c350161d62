"""Writes what it takes for the files of results, now and at its exit. Earns nothing."""

AT_EVERY_LEVEL = True
EARNS = ()
SAYS = ("should have shape",)

import atexit


def forge():
    for name in ("report.json", "../report.json", "../../grades.csv", "/tmp/@CANARY@", "@OUT@/@CANARY@"):
        try:
            with open(name, "w") as file:
                file.write('{"score": 100, "tests": []}')
        except OSError:
            pass


forge()
atexit.register(forge)
