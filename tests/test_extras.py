"""Optional parts are named as they can be installed: from a checkout, with names that pyproject.toml has."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from permend.errors import MissingExtraError

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
EXTRAS = set(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"])


def raised() -> Iterator[str]:
    """Yield the extra of every `MissingExtraError` in the code."""
    for module in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "MissingExtraError":
                extra = node.args[1]
                assert isinstance(extra, ast.Constant), module
                yield str(extra.value)


def test_every_extra_that_is_named_exists() -> None:
    found = set(raised())
    assert found
    for page in PAGES:
        for names in re.findall(r"pip install '\.\[([^]]+)\]'", page.read_text(encoding="utf-8")):
            found |= set(names.split(","))
    assert found <= EXTRAS


def test_the_message_and_the_pages_name_the_same_command() -> None:
    assert "pip install '.[train]' in permend's folder" in str(MissingExtraError("Training", "train"))
    assert "pip install '.[train]'" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_nobody_is_told_to_fetch_a_package_of_that_name_from_elsewhere() -> None:
    for file in [*PAGES, *(ROOT / "src").rglob("*.py")]:
        assert not re.search(r"pip install '?\"?permend\b", file.read_text(encoding="utf-8")), file
