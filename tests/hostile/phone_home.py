"""Calls a listening socket by address, by name and by abstract name; otherwise right. Earns all."""

AT_EVERY_LEVEL = True
EARNS = "all"
SAYS = ()

import socket
import urllib.request

for family, address in ((socket.AF_INET, ("127.0.0.1", int("@PORT@"))), (socket.AF_UNIX, "\0@CANARY@")):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            with socket.socket(family, kind) as phone:
                phone.connect(address)
                phone.send(b"secret")
        except OSError:
            pass
try:
    urllib.request.urlopen("http://localhost:@PORT@/secret", timeout=1)
except OSError:
    pass
