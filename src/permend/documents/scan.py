"""What a format's scanner finds in a text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from permend.documents.runs import Paragraph, Span


@dataclass(frozen=True)
class Scan:
    """The paragraphs of a text, and how far they do not depend on what follows."""

    paragraphs: list[Paragraph]
    safe: int
    """A document may be cut here: what stands behind reads the same by itself. 0 where there is no such place."""
    comments: list[Span] = field(default_factory=list)
    """Where comments stand that are markup, not part of code."""
    tables: list[Span] = field(default_factory=list)
    """Where tables stand whose cells are paragraphs: a comment above one means all of it."""


class Format(Protocol):
    """A format of documents, as a module."""

    special: frozenset[str]
    """Signs that are markup."""

    def scan(self, text: str, first: bool = True) -> Scan:
        """Find the paragraphs of a text, which is the beginning of a document or goes on behind a safe place."""
