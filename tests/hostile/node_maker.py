"""Makes links, pipes and devices, and opens the host's; otherwise right. Earns all."""

AT_EVERY_LEVEL = True
EARNS = "all"
SAYS = ()

import os
import stat

for make in (
    lambda: os.symlink("/etc/passwd", "@CANARY@-link"),
    lambda: os.link("/etc/passwd", "@CANARY@-hard"),
    lambda: os.mkfifo("/tmp/@CANARY@-pipe"),
    lambda: os.mknod("@CANARY@-disk", stat.S_IFBLK | 0o600, os.makedev(8, 0)),
    lambda: open("/dev/kmsg", "w").write("@CANARY@"),
    lambda: open("/proc/self/oom_score_adj", "w").write("-1000"),
    lambda: open("/proc/sysrq-trigger", "w").write("h"),
):
    try:
        make()
    except OSError:
        pass
