r"""Comments of languages other than Python, through tree-sitter (the ``code`` extra).

In: a program and the name of its language. Out: its comments. Nothing that only looks like one is among them.

>>> text = 'let a = "// no"; // é one\n/* two */ let b = `// no`;\n'
>>> [text[comment.start : comment.end] for comment in find_comments(text, "javascript")]
['// é one', '/* two */']

A program that is wrong is read as far as that can be done: its grammar goes on behind an error. But behind a string
that is never closed nobody can tell comments from text, so nothing is read there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from permend.documents.comments.comment import Comment, gather
from permend.documents.paragraphs import Span
from permend.errors import MissingExtraError

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Tree

_MODULES = {
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "rust": ("tree_sitter_rust", "language"),
    "go": ("tree_sitter_go", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "java": ("tree_sitter_java", "language"),
    "shell": ("tree_sitter_bash", "language"),
}
_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_MARKER = re.compile(rb"//|/\*|#")
_QUOTES = re.compile(rb"[\"'`]")


@cache
def load_grammar(name: str) -> Language:
    """Load the grammar of a language."""
    module, function = _MODULES[name]
    try:
        from tree_sitter import Language

        return Language(getattr(import_module(module), function)())
    except ImportError:
        raise MissingExtraError("Reading the comments of languages other than Python", "code") from None


def find_comments(text: str, language: str) -> list[Comment]:
    """Return the comments of a program in the order of the text."""
    from tree_sitter import Parser

    data = _SURROGATE.sub("?", text).encode()
    tree = Parser(load_grammar(language)).parse(data)
    nodes = list(_comments_and_errors(tree, data))
    doubtful = min((at for node in nodes if node.is_error for at in _quotes(node, data)), default=len(data))
    kept = [(node.start_byte, node.end_byte) for node in nodes if not node.is_error and node.end_byte <= doubtful]
    return gather(text, ((start, start + len(text[start:end].rstrip())) for start, end in _places(data, kept)))


def _comments_and_errors(tree: Tree, data: bytes) -> Iterator[Node]:
    """Yield nodes in the order of the text, with a cursor: queries take long where an error has many children."""
    cursor = tree.walk()
    while True:
        node = cursor.node
        assert node is not None
        is_comment = node.type in _COMMENTS
        if node.is_error or (is_comment and _MARKER.match(data, node.start_byte)):  # an error may shift a node
            yield node
        if not is_comment and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _quotes(error: Node, data: bytes) -> Iterator[int]:
    """Yield where quotation marks stand in an error that belong to no string."""
    at = error.start_byte
    for child in error.children:
        if child.child_count == 0 and not child.is_extra:
            continue  # with what stands between the others
        yield from (quote.start() for quote in _QUOTES.finditer(data, at, child.start_byte))
        at = child.end_byte
    yield from (quote.start() for quote in _QUOTES.finditer(data, at, error.end_byte))


def _places(data: bytes, spans: Iterable[Span]) -> Iterator[Span]:
    """Turn places in bytes into places in characters."""
    if data.isascii():
        yield from spans
        return
    done = place = 0
    for start, end in spans:
        first = place + len(data[done:start].decode())
        place = first + len(data[start:end].decode())
        done = end
        yield first, place
