"""Checked documents made by hand: a text and what is wrong in it."""

from __future__ import annotations

from collections.abc import Iterator

from permend.corrector.correction import Suggestion
from permend.documents import Block, Document
from permend.documents.checker import CheckedBlock, CheckedDocument, Finding

TEXT = "Hi 😀, all is well.\nHe go to cinema.\n\nShe go to to bed .\n"
CHANGES = (
    ("He go", 3, "go", "goes", "R:VERB:SVA"),
    ("to cinema", 2, "", " the", "M:DET"),
    ("to to bed", 2, " to", "", "U:PREP"),
    ("bed .", 3, " ", "", "R:ORTH"),
)
"""Where, how far behind it, before, after, type."""


def checked(text: str = TEXT, changes: tuple[tuple[str, int, str, str, str], ...] = CHANGES) -> list[CheckedBlock]:
    """Return the blocks of a plain text with the changes that belong to each."""
    findings = []
    for near, shift, before, after, kind in changes:
        start = text.index(near) + shift
        end = start + len(before)
        sentence = next(each.prose for each in Document.from_text(text).sentences if each.start <= start <= each.end)
        options = (Suggestion("went", 0.04),) if before == "go" else ()
        findings.append(Finding(start, end, before, after, 0.9, kind, f"Because of {kind}.", options, sentence))
    return [_checked(block, findings) for block in Document.from_text(text)]


def _checked(block: Block, findings: list[Finding]) -> CheckedBlock:
    here = tuple(each for each in findings if block.start <= each.start < block.start + len(block.text))
    return CheckedBlock(block, here, block.apply(here))


def document(name: str = "a.txt", blocks: list[CheckedBlock] | None = None) -> Iterator[CheckedDocument]:
    """Yield one checked document."""
    yield CheckedDocument(name, iter(checked() if blocks is None else blocks))
