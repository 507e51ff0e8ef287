"""Messages of git commits: subject and body are prose, what programs read in them is not."""

from __future__ import annotations

import re

import pytest

from permend.documents import Document, format_of
from permend.documents.formats import is_code_or_data, is_prose
from permend.text.edits import Edit
from tests.documents.comments.programs import change, read_program
from tests.documents.reading import prose, times_offered

OFFERED = """
    the door were open
    The door have been open since Python, and Python were not called.
    the first item are here and it go on
    another
    Revert it when Python are there.
"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_exactly_the_prose_is_offered(line_end: str) -> None:
    text = read_program("commit").replace("\n", line_end)
    assert prose(text, "commit") == [line.strip() for line in OFFERED.strip().split("\n")]


def test_nothing_protected_is_offered_or_changed() -> None:
    text = read_program("commit")
    counts = times_offered(text, list(Document.from_text(text, "commit")))
    assert not any(any(counts[slice(*word.span())]) for word in re.finditer(r"\w*XX\w*", text))
    changed = change(text, "commit")
    assert changed != text
    assert re.findall(r"\w*XX\w*", changed) == re.findall(r"\w*XX\w*", text)
    assert changed[changed.index("Fixes #12") :] == text[text.index("Fixes #12") :]


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("Mend the door", ["Mend the door"]),
        ("fixup! Mend the door", ["Mend the door"]),
        ("squash! fixup! feat(api)!: mend the door", ["mend the door"]),
        ("feat: mend the door", ["mend the door"]),
        ("docs/api: mend the door", ["mend the door"]),
        ("[ui] Mend the door", ["Mend the door"]),
        ("Merge branch 'main' into door", []),
        ("Mend the `door` of foo_bar", ["Mend the Python of Python"]),
    ],
)
def test_prefixes_of_the_subject_stay(subject: str, expected: list[str]) -> None:
    assert prose(f"{subject}\n", "commit") == expected


def test_no_full_stop_or_capital_letter_is_asked_for_in_a_subject() -> None:
    [block] = Document.from_text("mend the door\n", "commit")
    [sentence] = block.sentences
    end = len(sentence.prose)
    assert not sentence.map_edits([Edit(end, end, "", ".")])
    assert not sentence.map_edits([Edit(0, 4, "mend", "Mend")])
    assert sentence.map_edits([Edit(5, 8, "the", "a")])


def test_comments_and_what_is_cut_off_are_no_part_of_the_message() -> None:
    text = "# Write here.\n\nMend it\n# Not this.\n# ------ >8 ------\n# Or this.\nThe diff are here.\n"
    assert prose(text, "commit") == ["Mend it"]
    assert prose("# Nothing else.\n", "commit") == prose("", "commit") == []


def test_files_of_git_are_known_by_their_names() -> None:
    for name in ("COMMIT_EDITMSG", ".git/MERGE_MSG"):
        assert format_of(name) == "commit"
        assert is_prose(name)
        assert not is_code_or_data(name)
