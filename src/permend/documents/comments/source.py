r"""Source code: its comments and docstrings as paragraphs.

In: a program. Out: what in its comments is prose; all else is never shown, and never changes.

>>> text = "# The *first* of ``them``\n# goes home.\nx = '# no comment'  # type: ignore\n"
>>> [paragraph.text for paragraph in Source("python").scan(text).paragraphs]
['The first of Python goes home.']

Docstrings of Python are read as reStructuredText, all other comments as Markdown.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from permend.documents import markdown, rst
from permend.documents.comments.comment import Comment, Line
from permend.documents.comments.extract import Extract
from permend.documents.comments.identifiers import Names, find_code
from permend.documents.comments.layout import lay_out
from permend.documents.paragraphs import Format, Paragraph, Scan, Span, unite

_DECLARATION = re.compile(r"\s*(?:func|type|var|const)\b[^\n]{0,300}")
_FIRST_WORD = re.compile(r"\w+")
_TAG = re.compile(r"\{@\w{1,30}[^{}]{0,500}\}")  # it may go on in the next line


@dataclass(frozen=True)
class Source:
    """A programming language as a format of documents."""

    language: str
    special: frozenset[str] = frozenset()
    """Each paragraph has its own."""

    def __post_init__(self) -> None:
        """Load what is needed, so that a missing extra is told at once."""
        if self.language != "python":
            from permend.documents.comments.grammars import load_grammar

            load_grammar(self.language)

    def scan(self, text: str, first: bool = True) -> Scan:
        """Find the paragraphs of a program, which is all there."""
        comments = self.comments(text)
        spans = [span for comment in comments for span in comment.parts]
        names = Names.of(text, spans)
        paragraphs = [each for comment in comments for each in self._paragraphs(text, comment, names)]
        return Scan(paragraphs, 0, spans)

    def comments(self, text: str) -> list[Comment]:
        """Find the comments and docstrings of a program."""
        if self.language == "python":
            from permend.documents.comments.python import find_comments

            return find_comments(text)
        from permend.documents.comments import grammars

        return grammars.find_comments(text, self.language)

    def _paragraphs(self, text: str, comment: Comment, names: Names) -> list[Paragraph]:
        """Read a comment as the format that its writers think of."""
        lines = lay_out(text, comment)
        if not any(lines):
            return []
        extract = Extract(text)
        tags = [tag.span() for tag in _TAG.finditer(text, comment.start, comment.end)]
        for line in lines:
            if line is None:
                extract.end_paragraph()
                continue
            start = line.start if line is not lines[0] else self._behind_name(text, comment, line.start)
            code = [(line.start, start)] if line.start < start else []
            code += find_code(text, start, line.end, names)
            code = list(unite(code, _inside(tags, line)))
            extract.add(line.start, line.end, code, line.indent if comment.is_docstring else 0)
        reader: Format = rst if comment.is_docstring else markdown
        fixed = comment.fixed | (frozenset(":") if self.language == "python" else frozenset())
        return extract.back(reader.scan(extract.text, first=False), reader.special, fixed)

    def _behind_name(self, text: str, comment: Comment, start: int) -> int:
        """Return where a comment goes on that begins, as in Go, with the name of what is declared below."""
        word = _FIRST_WORD.match(text, start)
        declared = _DECLARATION.match(text, comment.end) if self.language == "go" else None
        if word and declared and re.search(rf"\b{word.group()}\b", declared.group()):
            return word.end()
        return start


def _inside(spans: list[Span], line: Line) -> Iterator[Span]:
    """Yield the parts of spans that stand on a line."""
    for start, end in spans[max(bisect_left(spans, (line.start,)) - 1, 0) :]:
        if start >= line.end:
            return
        if end > line.start:
            yield max(start, line.start), min(end, line.end)
