"""``permend lsp``: on a port, with a log, without its extra, and ended from outside."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.model.tiny import exported
from tests.test_privacy import traced

SECRET = "w7 w8 w9"


def framed(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


SESSION = b"".join(
    framed(each)
    for each in (
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {
            "method": "textDocument/didOpen",
            "params": {"textDocument": {"uri": "file:///a.md", "languageId": "markdown", "version": 1, "text": SECRET}},
        },
        {"id": 2, "method": "textDocument/diagnostic", "params": {"textDocument": {"uri": "file:///a.md"}}},
    )
)
END = framed({"id": 3, "method": "shutdown"}) + framed({"method": "exit"})


def start(*arguments: str) -> subprocess.Popen[bytes]:
    _, folder = exported()
    command = [sys.executable, "-m", "permend", "lsp", "--model", str(folder), *arguments]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def read_until(stream: Any, wanted: bytes) -> bytes:
    heard = b""
    while wanted not in heard:
        more = os.read(stream.fileno(), 65_536)
        assert more, heard
        heard += more
    return heard


@pytest.mark.parametrize("with_text", [False, True])
def test_the_log_has_texts_only_where_they_are_wanted(with_text: bool, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with start("--log-file", str(log), *(["--log-text"] if with_text else [])) as process:
        assert process.stdin
        process.stdin.write(SESSION)
        process.stdin.flush()
        assert b"resultId" in read_until(process.stdout, b"resultId")
        _, err = process.communicate(END, timeout=120)
    assert (process.returncode, err) == (0, b"")
    assert (SECRET in log.read_text(encoding="utf-8")) == with_text


def test_an_editor_may_come_through_a_port() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with start("--tcp", "--port", str(port)) as process:
        until = time.monotonic() + 60
        while True:
            try:
                connection = socket.create_connection(("127.0.0.1", port))
                break
            except ConnectionRefusedError:
                assert time.monotonic() < until
                time.sleep(0.05)
        with connection:
            connection.sendall(SESSION)
            heard = b""
            while b"resultId" not in heard:
                heard += connection.recv(65_536)
            connection.sendall(END)
            while connection.recv(65_536):
                pass
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (0, b"", b"")


def test_it_opens_no_connection(tmp_path: Path) -> None:
    _, folder = exported()
    script = f"""
import subprocess, sys
command = [sys.executable, "-m", "permend", "lsp", "--model", {str(folder)!r}]
subprocess.run(command, input={SESSION + END!r}, stdout=subprocess.DEVNULL, check=True)
"""
    assert traced(script, home=tmp_path / "home") == []


def test_a_signal_ends_it() -> None:
    with start() as process:
        assert process.stdin
        process.stdin.write(SESSION)
        process.stdin.flush()
        read_until(process.stdout, b"resultId")
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 143


def test_a_model_that_is_not_there_is_told_in_the_editor(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "permend", "lsp", "--model", str(tmp_path / "nothing")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(SESSION)
        process.stdin.flush()
        heard = read_until(process.stdout, b"resultId")
        process.communicate(END, timeout=120)
    assert b"permend cannot check documents" in heard
    assert process.returncode == 0


def test_an_editor_that_is_gone_at_once_does_no_harm() -> None:
    command = [sys.executable, "-m", "permend", "lsp"]  # with the model that takes longest to load
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", b"")


def test_without_its_extra_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ModuleNotFoundError(name='pygls')", encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-m", "permend", "lsp"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: The language server needs an optional part: run pip install '.[lsp]'")
    assert done.stderr.count("\n") == 1


def test_asyncio_is_not_needed_to_list_commands() -> None:
    code = "import sys, permend.cli.main; print('asyncio' in sys.modules, 'pygls' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
