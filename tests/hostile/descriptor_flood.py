"""Opens files until no more are to be had; otherwise right. Earns all."""

EARNS = "all"
SAYS = ()

kept = []
try:
    while True:
        kept.append(open("/dev/null"))
except OSError:
    pass
