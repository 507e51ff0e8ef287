"""``permend correct`` typed at a terminal: sentences come back as they are typed; one key ends it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.model.tiny import exported

pytestmark = pytest.mark.skipif(not shutil.which("setsid"), reason="needs terminals of its own")

CTRL_C, CTRL_D = b"\x03", b"\x04"


@pytest.mark.parametrize(
    ("arguments", "key", "code"),
    [
        (["correct"], CTRL_D, 0),
        (["correct"], CTRL_C, 130),
        (["correct", "--diff"], CTRL_D, 0),
        (["check", "-"], CTRL_D, 0),
    ],
)
def test_typing_ends_with_one_key(arguments: list[str], key: bytes, code: int) -> None:
    ours, theirs = os.openpty()
    command = ["setsid", "--ctty", sys.executable, "-m", "permend", *arguments, "--model", str(exported()[1])]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        os.close(theirs)
        assert process.stdout
        assert process.stderr
        os.write(ours, b"w5 w6 w7\n")
        if arguments == ["correct"]:
            assert process.stderr.readline().startswith(b"Type a sentence")
            assert process.stdout.readline() == b"w5 w6 w7\n", "it comes before the next one is typed"
        os.write(ours, key)
        _, said = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == code
    assert said.strip() in (b"", b"Aborted!")
