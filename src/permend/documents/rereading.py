r"""A text that changes while somebody writes it: only the pieces that have changed are read again.

In: a text, its format, and the pieces that it had before. Out: its pieces now, whose texts together are the text; those
that stand where they could not be read otherwise are the very same objects, with all that is known of them.

>>> text = "\n\n".join(f"This is paragraph {number}, and it is as long as paragraphs are." for number in range(200))
>>> before = read_pieces(text, "markdown")
>>> after = read_pieces(text.replace("paragraph 100,", "the paragraph 100,"), "markdown", known=before)
>>> len(after), sum(piece not in before for piece in after)
(6, 1)

A piece is a block that counts from its own beginning, so that it may move. How it is read depends on the characters
that were looked at to find its end (`seen`), on whether the document begins or ends with it, and on the comments that
are open before it. Where all of these are as they were, so is the piece: there is no record of edits that could be
wrong. A piece ends where the first window of 2,048, 4,096, … characters behind its beginning has a good place for it,
so the pieces of a text do not depend on what the text was before. Formats that cannot be cut are read whole and
compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from permend.documents.document import FIRST, Block, Document, find_cut
from permend.documents.formats import find_format
from permend.documents.ignoring import Open, leave_out
from permend.documents.paragraphs import Format

_CUT = frozenset({"plain", "markdown", "html", "latex", "rst", "asciidoc"})
"""Formats that are read from any place where the one before could be cut."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A block of a text, and all that the reading of it has depended on."""

    block: Block
    """Its offsets count from its own beginning."""
    seen: str
    """What was looked at, from its beginning on."""
    first: bool = False
    """Whether the text begins with it."""
    last: bool = False
    """Whether all of the text was seen."""
    before: Open = ()
    after: Open = ()

    def stands(self, text: str, at: int) -> bool:
        """Whether it would be read the same way here, the comments before it being the same."""
        return text.startswith(self.seen, at) and (at + len(self.seen) == len(text)) == self.last


def read_pieces(text: str, format: str, language: str = "en", known: Iterable[Piece] = ()) -> list[Piece]:  # noqa: A002
    """Read a text, but for the pieces that are `known` from a text of the same format and language."""
    if format not in _CUT:
        return _read_whole(text, format, language, known)
    scanner = find_format(format)
    remembered = {(piece.seen[:FIRST], piece.first, piece.before): piece for piece in known}
    pieces: list[Piece] = []
    at, before = 0, Open()
    while at < len(text):
        piece = remembered.get((text[at : at + FIRST], at == 0, before))
        if piece is None or not piece.stands(text, at):
            piece = _read(text, at, before, scanner, language)
        pieces.append(piece)
        at, before = at + len(piece.block.text), piece.after
    return pieces


def _read(text: str, at: int, before: Open, scanner: Format, language: str) -> Piece:
    """Read the piece that begins at a place."""
    size = FIRST // 2
    clean, cut, last = True, 0, False
    while not cut:
        size *= 2
        seen, last = text[at : at + size], at + size >= len(text)
        clean, cut = (True, len(seen)) if last else find_cut(seen, scanner, at == 0)
    paragraphs, after = leave_out(seen[:cut], scanner.scan(seen[:cut], at == 0), before, goes_on=not clean)
    block = Block(0, seen[:cut], paragraphs, scanner.special, language)
    return Piece(block, seen, at == 0, last, before, after)


def _read_whole(text: str, format_: str, language: str, known: Iterable[Piece]) -> list[Piece]:
    """Read all of a text; a piece is known where the same text has the same paragraphs."""
    remembered = {piece.seen: piece for piece in known}
    pieces = []
    for block in Document.from_text(text, format_, language):
        piece = remembered.get(block.text)
        if piece is None or piece.block.paragraphs != block.paragraphs:
            piece = Piece(replace(block, start=0), block.text)
        pieces.append(piece)
    return pieces
