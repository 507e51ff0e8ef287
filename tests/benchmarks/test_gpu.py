"""The benchmark for a GPU runs through on a processor, also on a machine that has little beside torch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.model.tiny import exported, texts

WITHOUT = """
import importlib.util, runpy, sys
gone, find = sys.argv.pop(1).split(","), importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in gone else find(name, package)
sys.modules.update(dict.fromkeys(gone))
runpy.run_module("benchmarks.gpu", run_name="__main__")
"""
FEW = ("--device", "cpu", "--compared", "30", "--piece", "30", "--pieces", "1")


def run(*arguments: str | Path, gone: str = "nothing") -> subprocess.CompletedProcess[str]:
    """Run it where something is missing."""
    command = [sys.executable, "-c", WITHOUT, gone, *FEW, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_one_run_says_all_and_what_onnxruntime_found_may_come_from_elsewhere(tmp_path: Path) -> None:
    sentences, reference = tmp_path / "sentences.txt", tmp_path / "reference.json"
    sentences.write_text("".join(f"{text}.\n" for text in texts(40)))
    given = ("--model", exported()[1], "--sentences", sentences, "--reference", reference)
    done = run(*given, "--processes", "1", "--processes", "2")
    assert done.returncode == 0, done.stderr
    lines = [line.partition(":")[0] for line in done.stdout.splitlines()]
    assert lines[:5] == ["one core, onnxruntime", *["cpu, 1 processes"] * 2, *["cpu, 2 processes"] * 2]
    assert "times one core" in lines[5]
    assert "findings: 0 of 30" in done.stdout
    known = json.loads(reference.read_text())
    known["findings"][0] = [[0, 0, "x"]]
    reference.write_text(json.dumps(known))
    bare = run(*given, "--processes", "1", gone="onnx,onnxruntime,onnxscript,rich,sentencex,ray,pyarrow,fsspec,numba")
    assert bare.returncode == 0, bare.stderr
    assert "findings: 1 of 30" in bare.stdout
    assert "times one core" in bare.stdout
    other = run(*given, "--compared", "31", gone="onnxruntime")
    assert (other.returncode, other.stdout) == (2, "")
    assert "made with other sentences" in other.stderr


def test_what_is_missing_is_named() -> None:
    done = run(gone="rapidfuzz,transformers")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [
        "Error: this needs transformers, rapidfuzz, of permend's own and its train extra"
    ]
