r"""Comments and docstrings of Python.

In: a program. Out: its comments, and its strings that are statements of their own: docstrings, and those below
attributes. The `tokenize` module finds them. Where a program is wrong, what stands before that place is read.

>>> text = "'A module.'\nx = '# no comment'  # one\n'What x is.'\nprint('no docstring')\n"
>>> [text[comment.start : comment.end] for comment in find_comments(text)]
["'A module.'", '# one', "'What x is.'"]
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import accumulate
from tokenize import COMMENT, DEDENT, ENDMARKER, ERRORTOKEN, INDENT, NEWLINE, NL, STRING, TokenError, generate_tokens

from permend.documents.comments.comment import Comment, dedented, gather
from permend.documents.paragraphs import Span, find_rows

_STRING = re.compile(r"([rRuU]?)(\"{3}|'{3}|\"|')")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LONE_RETURN = re.compile(r"\r(?!\n)")


def find_comments(text: str) -> list[Comment]:
    """Return comments and docstrings in the order of the text."""
    comments: list[Span] = []
    strings: list[Span] = []
    statement: Span | None = None  # a string with which a statement begins
    begins = True
    for kind, span in _tokens(text):
        if kind == COMMENT:
            comments.append(span)
        elif kind in (NEWLINE, ENDMARKER):
            strings += [statement] if statement else []
            statement, begins = None, True
        elif kind not in (NL, INDENT, DEDENT):
            statement = span if begins and kind == STRING else None
            begins = False
    found = [*gather(text, comments), *(each for start, end in strings if (each := _docstring(text, start, end)))]
    return sorted(found, key=lambda comment: comment.start)


def _tokens(text: str) -> Iterator[tuple[int, Span]]:
    """Yield kinds of tokens and where they stand, up to what cannot be read."""
    readable = _LONE_RETURN.sub("\n", _SURROGATE.sub("?", text))  # each sign for one
    lines = list(
        accumulate((len(line) for line in readable.split("\n")), lambda at, length: at + length + 1, initial=0)
    )
    try:
        for token in generate_tokens(io.StringIO(readable, newline="\n").readline):
            if token.type == ERRORTOKEN and token.string[:1] in ("'", '"'):
                return  # a string that is not closed: who knows where it should end
            places = token.start, token.end
            start, end = (min(lines[min(row, len(lines)) - 1] + column, len(text)) for row, column in places)
            yield token.type, (start, end)
    except (TokenError, SyntaxError, UnicodeError):
        return


def _docstring(text: str, start: int, end: int) -> Comment | None:
    opening = _STRING.match(text, start, end)
    if not opening:
        return None
    quote = opening[2]
    first, last = opening.end(), end - len(quote)
    head, *rest = [(first + row.start, first + row.end, row.column) for row in find_rows(text[first:last])] or [
        (0, 0, 0)
    ]
    lines = (*dedented(text, [(*head[:2], 0)]), *dedented(text, rest))
    return Comment(start, end, lines, opening.group(), ((start, end),), frozenset(quote[0] + "\\"))
