"""A corpus on a device: the same rows from any number of processes, and a clear word where there is none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.batch.corpora import contents
from tests.model.tiny import exported, texts

WITHOUT_TORCH = "import sys; sys.modules['torch'] = None\nfrom permend.__main__ import main; main()"
WITHOUT_GPU = "import torch; torch.cuda.is_available = lambda: False\nfrom permend.__main__ import main; main()"


def permend(*arguments: str | Path, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run the program, where something is missing if need be."""
    start = ["-c", before] if before else ["-m", "permend"]
    return subprocess.run([sys.executable, *start, *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Return a folder of sentences that are corrected in several pieces."""
    path = tmp_path / "corpus"
    path.mkdir()
    for number in range(4):
        (path / f"{number}.txt").write_text("".join(f"{text}.\n" for text in texts(200)[number:]))
    return path


def test_processes_on_a_device_write_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    made = []
    for workers in ("1", "2"):
        out = tmp_path / workers
        command = ("batch", corpus, "-o", out, "--sentences", "--model", exported()[1], "--workers", workers)
        done = permend(*command, "--device", "cpu")
        assert done.returncode == 0, done.stderr
        made.append(contents(out))
    assert made[0] == made[1]
    other = permend("batch", corpus, "-o", tmp_path / "1", "--sentences", "--model", exported()[1])
    assert other.returncode == 2
    assert "was begun with other settings (device)" in other.stderr


@pytest.mark.parametrize("command", ["batch", "check", "explain"])
def test_without_torch_every_command_says_what_to_install(command: str, corpus: Path, tmp_path: Path) -> None:
    given = {"batch": (corpus, "-o", tmp_path / "out"), "check": (corpus,)}.get(command, ("w5 w6",))
    done = permend(command, *given, "--device", "cuda", "--model", exported()[1], before=WITHOUT_TORCH)
    assert (done.returncode, done.stdout) == (2, "")
    assert "The device 'cuda' needs an optional part: run pip install '.[train]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["batch", "correct"])
def test_a_device_that_is_not_there_is_told_before_anything_is_written(
    command: str, corpus: Path, tmp_path: Path
) -> None:
    given = {"batch": (corpus, "-o", tmp_path / "out"), "check": (corpus,)}.get(command, ("w5 w6",))
    done = permend(command, *given, "--device", "cuda:63", "--model", exported()[1])
    assert (done.returncode, done.stdout) == (2, "")
    assert "the device 'cuda:63' cannot be used" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_auto_without_a_gpu_is_no_device(corpus: Path, tmp_path: Path) -> None:
    command = ("batch", corpus, "--sentences", "--model", exported()[1])
    assert permend(*command, "-o", tmp_path / "auto", "--device", "auto", before=WITHOUT_GPU).returncode == 0
    assert permend(*command, "-o", tmp_path / "none").returncode == 0
    assert contents(tmp_path / "auto") == contents(tmp_path / "none")


def test_ray_with_a_device_is_refused(corpus: Path, tmp_path: Path) -> None:
    done = permend("batch", corpus, "-o", tmp_path / "out", "--device", "cpu", "--ray")
    assert done.returncode == 2
    assert "--device and --ray exclude each other" in done.stderr
