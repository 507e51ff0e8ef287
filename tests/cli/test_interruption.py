"""Ctrl-C and requests to end are obeyed at once, from the first moment on, and leave nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from permend.batch.places import Place
from permend.cli.process import tidily
from tests.model.tiny import exported

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")

ROOT = Path(__file__).parents[2]
START = """
import os, permend.cli.process as process
from permend.__main__ import main

obey = process.obey
process.obey = lambda: (obey(), os.write(1, b"."))
main()
"""
EARLY = """
import os, runpy, signal, sys

class Interrupting:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
runpy.run_module("permend", run_name="__main__")
"""
SOON = 20.0  # seconds; a second is meant, but a machine may be busy

STUCK = """
import hashlib, os
from permend.__main__ import main
from permend.corrector.corrector import Corrector
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was

class Stuck(HandMade):
    def encode(self, ids, mask):
        os.write(1, b".")
        hashlib.pbkdf2_hmac("sha256", b"", b"", 1_000_000_000)  # minutes outside of Python

Corrector.from_pretrained = lambda *_, **__: Corrector.of(Stuck(replace_was), TOKENIZER)
main()
"""

WORKERS = """
import os, sys, time
from permend.cli.process import obey, tidily
from permend.synthesis.generate import Job, Paragraph, make_corruptions

class Slow:
    def corrupt(self, sentence, random):
        os.write(1, b".")
        time.sleep(600)

def any_sentence(sentence):
    return None

if __name__ == "__main__":
    obey()
    with tidily():
        chunks = ([Paragraph(0, number, "All is well with us today.")] for number in range(9))
        try:
            list(make_corruptions(chunks, Job(Slow(), judge=any_sentence), workers=2))
        except KeyboardInterrupt:
            sys.exit(130)
"""

IGNORING = """
import os, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
from permend.cli.process import obey, tidily
obey()
os.kill(os.getpid(), signal.SIGINT)
with tidily():
    os.kill(os.getpid(), signal.SIGINT)
    print("still here")
"""


@contextmanager
def started(*arguments: str | Path, marks: int = 1) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program, and wait until it has begun its work."""
    with subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        try:
            assert process.stdout
            for _ in range(marks):
                assert process.stdout.read(1) == b"."
            yield process
        finally:
            process.kill()


def end(process: subprocess.Popen[bytes], number: signal.Signals) -> str:
    """Send a signal, and return what was said; nobody who could still say something is left."""
    began = time.monotonic()
    process.send_signal(number)
    said = process.communicate(timeout=60)[1].decode()
    assert time.monotonic() - began < SOON
    return said


@pytest.mark.parametrize("module", ["permend.cli", "permend.cli.process", "permend.cli.main", "click"])
def test_ctrl_c_shows_no_traceback_from_the_first_module_on(module: str) -> None:
    done = subprocess.run([sys.executable, "-c", EARLY, module], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("delay", [0.0, 0.05, 0.2, 0.8])
def test_signals_end_a_command_while_it_loads_and_while_it_waits_for_input(
    number: signal.Signals, code: int, delay: float
) -> None:
    with started("-c", START, "correct", "--model", exported()[1], "-") as process:
        time.sleep(delay)
        said = end(process, number)
    assert process.returncode == code
    assert said.strip() in ("", "Aborted!")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_counts_though_a_library_makes_another_error_of_it(number: signal.Signals, code: int) -> None:
    program = """
import os, signal, sys
from permend.cli.process import obey, tidily
obey()
from permend.cli.ending import carry_out

def import_a_library():
    try:
        os.kill(os.getpid(), int(sys.argv[1]))
        signal.pause()
    except BaseException as error:
        raise ImportError("the extension could not be initialised") from error

with tidily():
    sys.exit(carry_out(import_a_library))
"""
    done = subprocess.run([sys.executable, "-c", program, str(int(number))], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (code, b"")


def test_no_half_of_a_file_is_left_by_a_command_at_work(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("".join(f"w{number % 90} w6 w7 w8.\n" for number in range(60_000)))
    with started("-c", START, "correct", "--model", exported()[1], "-o", tmp_path / "new.txt", text) as process:
        deadline = time.monotonic() + 60
        while len(list(tmp_path.iterdir())) == 1 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(list(tmp_path.iterdir())) == 2, "it has begun to write"
        assert end(process, signal.SIGINT).strip() == "Aborted!"
    assert (process.returncode, list(tmp_path.iterdir())) == (130, [text])


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, SystemExit])
def test_a_file_that_was_begun_in_the_moment_of_a_signal_is_taken_away(
    interruption: type[BaseException], tmp_path: Path
) -> None:
    sink = Place.of(str(tmp_path / "a.jsonl")).sink()

    def begin() -> None:
        with tidily():
            sink.__enter__()
            assert len(list(tmp_path.iterdir())) == 1
            raise interruption

    with pytest.raises(interruption):
        begin()
    sink.file.close()  # as the end of the process does
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_computation_that_does_not_return_holds_nobody_up(
    tmp_path: Path, number: signal.Signals, code: int, threads: str
) -> None:
    (tmp_path / "text.txt").write_text("I was busy.\n")
    with started("-c", STUCK, "correct", "--threads", threads, "--in-place", tmp_path / "text.txt") as process:
        assert len(list(tmp_path.iterdir())) == 2, "it has begun to write"
        end(process, number)
    assert process.returncode == code
    assert [path.read_text() for path in tmp_path.iterdir()] == ["I was busy.\n"]


def test_a_second_signal_does_not_wait(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("I was busy.\n")
    with started("-c", STUCK, "correct", "--threads", "1", "--in-place", tmp_path / "text.txt") as process:
        process.send_signal(signal.SIGINT)
        end(process, signal.SIGINT)
    assert process.returncode == 130
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_worker_processes_end_with_their_parent(number: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "workers.py"  # which the workers import, too
    script.write_text(WORKERS)
    with started(script, marks=2) as process:
        said = end(process, number)  # which waits for the end of the output, and that is the workers', too
    assert process.returncode == {2: 130, 15: 143, 9: -9}[number]
    assert said == "" or number == signal.SIGKILL, "Python's own clearing up is heard then"


def test_signals_that_were_to_be_ignored_are_ignored() -> None:
    result = subprocess.run([sys.executable, "-c", IGNORING], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "still here\n", "")


@pytest.mark.parametrize("command", [("correct",), ("correct", "--lines"), ("check", "--threads", "2")])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_a_command_that_waits_for_a_pipe_that_nobody_writes_to(
    tmp_path: Path, command: tuple[str, ...], number: signal.Signals, code: int
) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    with started("-c", START, *command, "--model", exported()[1], tmp_path / "pipe.txt") as process:
        time.sleep(1)
        end(process, number)
    assert process.returncode == code
    assert [path.name for path in tmp_path.iterdir()] == ["pipe.txt"]
