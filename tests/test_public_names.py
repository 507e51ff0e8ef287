"""What permend promises: its public names, and how little importing it loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

import permend

HEAVY = ("torch", "transformers", "spacy", "errant", "matplotlib", "onnxruntime", "fastapi", "pygls")


def test_the_public_names() -> None:
    assert sorted(permend.__all__) == [
        "Checker",
        "Correction",
        "Corrector",
        "Edit",
        "Finding",
        "Hypothesis",
        "InputError",
        "Labeler",
        "Options",
        "PermendError",
        "PersonalDictionary",
        "Plan",
        "SubwordTokenizer",
        "WordTokenizer",
        "Words",
        "apply",
        "diff",
        "search",
    ]
    assert all(hasattr(permend, name) for name in permend.__all__)
    assert set(permend.__all__) <= set(dir(permend))
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        permend.Nothing  # noqa: B018


def test_importing_the_package_and_its_command_line_loads_nothing_heavy() -> None:
    code = "import sys, permend, permend.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {name.partition(".")[0] for name in loaded} & set(HEAVY)


def test_importing_the_package_alone_loads_next_to_nothing() -> None:
    code = "import sys; before = set(sys.modules); import permend; print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in loaded if name.startswith("permend")] == ["permend"]
    assert not {"numpy", "tokenizers", "click", "rapidfuzz"} & set(loaded)
