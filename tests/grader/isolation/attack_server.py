"""A stand-in for `grader.worker.serve`: runs whatever Python text it is sent, as hostile code would."""

import json
import os
import socket
import traceback
from typing import Any


def serve(sock: socket.socket) -> None:
    """One line of JSON in, code whose `result` (or error) goes out as one line of JSON."""
    stream = sock.makefile("rw", encoding="utf-8")
    for line in stream:
        names: dict[str, Any] = {"result": None}
        try:
            exec(json.loads(line), names)
            answer = {"result": names["result"]}
        except BaseException as error:
            answer = {"error": type(error).__name__, "text": traceback.format_exc()}
        stream.write(json.dumps(answer) + "\n")
        stream.flush()
    os._exit(0)
