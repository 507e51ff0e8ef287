"""What a format's scanner finds in a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from permend.documents.runs import Paragraph


@dataclass(frozen=True)
class Scan:
    """The paragraphs of a text, and how far they do not depend on what follows."""

    paragraphs: list[Paragraph]
    safe: int
    """A document may be cut here: what stands behind reads the same by itself. 0 where there is no such place."""


class Format(Protocol):
    """A format of documents, as a module."""

    special: frozenset[str]
    """Signs that are markup."""

    def scan(self, text: str, first: bool = True) -> Scan:
        """Find the paragraphs of a text, which is the beginning of a document or goes on behind a safe place."""
