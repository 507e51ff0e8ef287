r"""A paragraph as one text: its lines without the indents, quotation marks and line ends between them.

In: where the contents of its lines stand. Out: the text to find markup in, and the way back to the document.

>>> text = "  See *the\n  page*."
>>> found = ParagraphBuilder(text)
>>> inline = Inline(found, [(2, 10), (13, 19)])
>>> inline.text, inline.place(9)
('See *the\npage*.', 13)
>>> inline.prose(0, 8), inline.end_line(8, 9), inline.prose(9, 15), found.end()
(None, None, None, None)
>>> found.finished[0].text
'See *the page*.'
"""

from __future__ import annotations

import re
from bisect import bisect_right

from permend.documents.paragraphs import ParagraphBuilder


class Inline:
    """The text of a paragraph, from which runs are added to those found."""

    def __init__(self, found: ParagraphBuilder, lines: list[tuple[int, int]]) -> None:
        self.found, self.lines = found, lines
        self.text = "\n".join(found.text[start:end] for start, end in lines)
        self.starts = [0]
        for start, end in lines:
            self.starts.append(self.starts[-1] + end - start + 1)
        self._unclosed: dict[re.Pattern[str], int] = {}

    def place(self, at: int, end: bool = False) -> int:
        """Return where a character of the paragraph stands in the document; an end stays on its line."""
        line = bisect_right(self.starts, at - end) - 1
        return self.lines[line][0] + at - self.starts[line]

    def prose(self, start: int, end: int) -> None:
        """Offer characters of one line."""
        if start < end:
            self.found.prose(self.place(start), self.place(end, end=True))

    def hide(self, start: int, end: int) -> None:
        """Keep characters from a corrector."""
        self.show(start, end, "")

    def show(self, start: int, end: int, shown: str) -> None:
        """Show something else than what stands there."""
        if start < end:
            self.found.show(self.place(start), self.place(end, end=True), shown)

    def fix(self, start: int, end: int) -> None:
        """Show characters as they stand, but keep them from being changed."""
        self.show(start, end, self.text[start:end].replace("\n", " "))

    def placeholder(self, start: int, end: int) -> None:
        """Show a noun for characters."""
        self.found.placeholder(self.place(start), self.place(end, end=True))

    def end_line(self, start: int, end: int) -> None:
        """Show a space for a line's end and what stands before the next line's content."""
        self.found.show(self.place(start, end=True), self.place(end), " ")

    def prose_before(self, start: int, end: int) -> None:
        """Offer characters of one line but for the last one, which tells that markup begins behind it."""
        last = max(start, end - 1)
        self.prose(start, last)
        self.fix(last, end)

    def fix_behind(self, at: int, end: int, markup: str) -> int:
        """Fix the character that tells that markup ends before it, unless more markup begins there; go on behind."""
        if at >= end or self.text[at] in markup:
            return at
        self.fix(at, at + 1)
        return at + 1

    def stray(self, start: int, end: int, at: int) -> int:
        """Fix signs that are no markup where they stand, with the spaces that make it so; offer what is before them."""
        if self.text[start - 1 : start].strip():
            self.prose(at, start)
        else:
            self.prose_before(at, start)
        last = end + self.text.startswith(" ", end)
        self.fix(start, last)
        return last

    def find_close(self, close: re.Pattern[str], at: int, end: int) -> re.Match[str] | None:
        """Find the group `close` of a pattern.

        Where there is none is remembered, so that unclosed markup does not make anybody read a text again and again.
        """
        at = max(at, self._unclosed.get(close, 0))
        for match in close.finditer(self.text, at, end):
            if match.lastgroup == "close":
                return match
        self._unclosed[close] = end
        return None
