"""From a recipe to corrections without torch: 64 pairs learned by heart, every one corrected exactly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from permend.corpora.pairs import read_pairs

ROOT = Path(__file__).parent.parent
PAIRS = ROOT / "experiments" / "recipes" / "toy" / "pairs.tsv"

CORRECT = """
import sys
sys.modules["torch"] = None  # importing it is an error from here on
from permend import Corrector
corrector = Corrector.from_pretrained(sys.argv[1], threads=1)
for correction in corrector.correct_batch(sys.stdin.read().splitlines()):
    print(correction.text)
"""


def run(*command: str | Path, text: str = "") -> str:
    """Run Python in a process of its own, on one thread: small networks get slower with more."""
    result = subprocess.run(
        [sys.executable, *map(str, command)],
        input=text,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_a_recipe_becomes_a_corrector_without_torch(tmp_path: Path) -> None:
    run("-m", "permend", "train", "experiments/recipes/toy.toml", f"output.folder={tmp_path / 'run'}")
    run("-m", "permend", "export", tmp_path / "run" / "last", tmp_path / "model", "--sentences", PAIRS)
    pairs = list(read_pairs(PAIRS))
    sources = "\n".join(pair.source for pair in pairs)
    corrected = run("-c", CORRECT, tmp_path / "model", text=sources).splitlines()
    assert len(pairs) == 64
    assert corrected == [pair.target for pair in pairs]
