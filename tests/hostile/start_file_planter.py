"""Plants code where Python runs it at its next start: a .pth file, sitecustomize. Otherwise right: earns all."""

AT_EVERY_LEVEL = True
EARNS = "all"
SAYS = ()

import os
import site
import sys

for folder in {*site.getsitepackages(), site.getusersitepackages(), *sys.path, os.getcwd()}:
    for name in ("@CANARY@.pth", "sitecustomize.py", "usercustomize.py"):
        try:
            with open(os.path.join(folder, name), "x") as file:
                file.write("import os; open('/tmp/@CANARY@', 'w')")
        except OSError:
            pass
