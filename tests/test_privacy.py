"""Text never leaves the machine: correcting opens no connection."""

from __future__ import annotations

import subprocess
import sys

from tests.model.tiny import exported

CORRECT = """
import sys

def refuse(event, arguments):
    if event.startswith("socket."):
        raise SystemExit(f"a socket was touched: {event} {arguments}")

sys.addaudithook(refuse)
from permend import Corrector
print(Corrector.from_pretrained(sys.argv[1]).correct("w5 w6 w7").source)
"""


def test_correcting_touches_no_socket() -> None:
    _, folder = exported()
    result = subprocess.run([sys.executable, "-c", CORRECT, str(folder)], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "w5 w6 w7\n"), result.stderr


def test_the_check_can_fail() -> None:
    code = CORRECT.partition("from permend")[0] + "import socket; socket.socket().connect(('127.0.0.1', 9))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "a socket was touched" in result.stderr
