"""What permend promises: its public names, and how little importing it loads."""

from __future__ import annotations

import subprocess
import sys

import permend

HEAVY = ("torch", "transformers", "spacy", "errant", "matplotlib", "onnxruntime", "fastapi", "pygls")


def test_the_public_names() -> None:
    assert sorted(permend.__all__) == [
        "Correction",
        "Corrector",
        "Edit",
        "Hypothesis",
        "InputError",
        "Labeler",
        "Options",
        "PermendError",
        "Plan",
        "SubwordTokenizer",
        "WordTokenizer",
        "apply",
        "diff",
        "search",
    ]
    assert all(hasattr(permend, name) for name in permend.__all__)


def test_importing_the_package_and_its_command_line_loads_nothing_heavy() -> None:
    code = "import sys, permend, permend.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {name.partition(".")[0] for name in loaded} & set(HEAVY)
