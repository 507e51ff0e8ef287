"""A text that comes in annotated pieces, as editors and other programs send it: text, and markup that stands between.

In: pieces. Out: a document to check, whose offsets count text and markup alike, and in which only text can change.

>>> pieces = [Piece("<p>", True), Piece("He "), Piece("<b>", True), Piece("go"), Piece("</b>", True), Piece(" home.")]
>>> [block] = AnnotatedDocument.of(pieces)
>>> [sentence] = block.sentences
>>> sentence.prose, sentence.start, [block.text[start:end] for start, end in sentence.protected]
('He go home.', 3, ['<b>', '</b>'])

Markup may say what it is to be read as: a line break, a name for a piece of code. What is shown to a corrector is read
as plain text, and every stretch of it is then led back to the pieces that it came from.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from permend.documents import plain
from permend.documents.document import Block, Document
from permend.documents.paragraphs import Paragraph, Run


@dataclass(frozen=True)
class Piece:
    """A stretch of text, or of markup."""

    text: str
    markup: bool = False
    read_as: str = ""
    """What markup is to be read as."""

    @property
    def shown(self) -> str:
        """What a corrector sees of it."""
        return self.read_as if self.markup else self.text


@dataclass(frozen=True)
class AnnotatedDocument(Document):
    """A document of text and markup; one block."""

    pieces: Sequence[Piece] = field(default=())

    @classmethod
    def of(cls, pieces: Iterable[Piece], language: str = "") -> AnnotatedDocument:
        """Take pieces, which together are the document."""
        return cls((), "plain", language=language, pieces=tuple(piece for piece in pieces if piece.text))

    def __iter__(self) -> Iterator[Block]:
        """Yield the block."""
        text = "".join(piece.text for piece in self.pieces)
        shown = "".join(piece.shown for piece in self.pieces)
        back = _WayBack(self.pieces)
        paragraphs = [back.lead(paragraph) for paragraph in plain.scan(shown).paragraphs]
        yield Block(0, text, [each for each in paragraphs if each.runs], plain.special, self.language or "en")


class _WayBack:
    """Leads from what is shown to the pieces it was made of."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self._starts = list(accumulate((len(piece.text) for piece in pieces), initial=0))
        self._shown = list(accumulate((len(piece.shown) for piece in pieces), initial=0))

    def lead(self, paragraph: Paragraph) -> Paragraph:
        """Return a paragraph of what is shown as one of the document."""
        parts = (self._split(run) if run.editable else [self._whole(run)] for run in paragraph.runs)
        return Paragraph(tuple(_with_markup(run for group in parts for run in group)), paragraph.fragment)

    def _split(self, run: Run) -> Iterator[Run]:
        """Yield the parts of a run that come from different pieces."""
        for place in range(self._piece(run.start), len(self._pieces)):
            start, end = max(run.start, self._shown[place]), min(run.end, self._shown[place + 1])
            if start >= run.end:
                break
            if start == end:
                continue
            shown = run.shown[start - run.start : end - run.start]
            if self._pieces[place].markup:
                yield Run(self._starts[place], self._starts[place + 1], shown)
            else:
                shift = self._starts[place] - self._shown[place]
                yield Run(start + shift, end + shift, shown, editable=True)

    def _whole(self, run: Run) -> Run:
        """Return a run that never changes, with all of the pieces that it goes through."""
        start, end = self._original(run.start), self._original(run.end, of_end=True)
        return Run(start, max(start, end), run.shown, placeholder=run.placeholder)

    def _piece(self, shown: int) -> int:
        """Return the piece that shows a character."""
        return min(bisect_right(self._shown, shown) - 1, len(self._pieces) - 1)

    def _original(self, shown: int, of_end: bool = False) -> int:
        """Return where in the document the character stands that is shown here; of an end, behind the one before."""
        place = self._piece(shown - of_end)
        if self._pieces[place].markup:
            return self._starts[place + of_end]
        return self._starts[place] + shown - self._shown[place]


def _with_markup(runs: Iterable[Run]) -> Iterator[Run]:
    """Put in what is hidden between runs: nobody may write across it."""
    end: int | None = None
    for run in runs:
        if end is not None and end < run.start:
            yield Run(end, run.start, "")
        yield run
        end = max(run.end, end or 0)
