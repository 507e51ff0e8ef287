"""What is set holds for the documents that it is meant for, and nothing that is set wrongly breaks anything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from permend.documents.formats import FORMATS
from permend.lsp.settings import _READERS, LANGUAGE_FORMATS, Settings, read_settings

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@given(st.dictionaries(st.sampled_from(sorted(_READERS)), ANYTHING) | ANYTHING)
def test_no_value_breaks_anything(values: Any) -> None:
    told: list[str] = []
    settings = read_settings(values, tell=told.append)
    settings.allows("R:VERB")
    settings.format_of("markdown", Path("/book/a.md"), Path("/book"))
    assert all(line.split()[0] in _READERS for line in told), "and values are not repeated in the log"


def test_what_cannot_be_used_leaves_what_was_there() -> None:
    base = read_settings({"mode": "precise", "minConfidence": 0.5})
    assert read_settings({"mode": "perfect", "minConfidence": "high", "other": 1}, base) == base
    assert read_settings({"mode": None, "minConfidence": None}, base) == Settings()


@pytest.mark.parametrize("language", sorted(LANGUAGE_FORMATS))
def test_a_language_is_read_by_a_format_that_is_there_or_not_at_all(language: str) -> None:
    assert Settings().format_of(language) in {*FORMATS, None}


def test_a_document_of_an_unknown_language_goes_by_its_name() -> None:
    assert Settings().format_of("", Path("a.rst")) == "rst"
    assert Settings().format_of("fountain", Path("a.txt")) == "plain"
    assert Settings().format_of("json", Path("a.json")) is None
    assert read_settings({"formats": {"json": "plain"}}).format_of("json", Path("a.json")) == "plain"


def test_patterns_are_those_of_gitignore() -> None:
    settings = read_settings({"exclude": ["drafts/", "*.log.txt", "!keep.log.txt"]})
    root = Path("/book")
    excluded = [
        settings.format_of("markdown", root / name, root) is None
        for name in ("one.md", "drafts/one.md", "a/drafts/b/one.md", "x.log.txt", "keep.log.txt")
    ]
    assert excluded == [False, True, True, True, False]
    assert settings.format_of("markdown", Path("/elsewhere/drafts/one.md"), root) == "markdown"
