"""Our test programs, and what of a program is no comment, for tests."""

from __future__ import annotations

import ast
import io
import tokenize

from tree_sitter import Node, Parser

from permend.documents import Block, Document
from permend.documents.comments.grammars import load_grammar
from permend.documents.formats import SOURCE_FORMATS
from permend.text.edits import Edit
from tests.documents.reading import PAGES

LANGUAGES = list(SOURCE_FORMATS)


def read_program(language: str) -> str:
    """Return our test program of a language, or our test message."""
    return (PAGES / f"nasty.{language}.txt").read_text(encoding="utf-8")


def code_of(text: str, language: str) -> list[object]:
    """Return what a program is to those who run it: tokens, and for Python its tree."""
    if language == "python":
        return [*_python_tokens(text), ast.dump(_Undocumented().visit(ast.parse(text)))]
    tree = Parser(load_grammar(language)).parse(text.encode())
    assert not tree.root_node.has_error, language
    return _leaves(tree.root_node, text.encode())


class _Undocumented(ast.NodeTransformer):
    """Takes the text out of strings that are statements."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return ast.Expr(ast.Constant("documented"))
        return node


def _python_tokens(text: str) -> list[object]:
    tokens = list(tokenize.generate_tokens(io.StringIO(text, newline="").readline))
    kept: list[object] = []
    for before, token, behind in zip([tokens[0], *tokens], tokens, [*tokens[1:], tokens[-1]], strict=False):
        if token.type in (tokenize.COMMENT, tokenize.NL):
            continue
        is_statement = before.type in (
            tokenize.NEWLINE,
            tokenize.INDENT,
            tokenize.DEDENT,
            tokenize.NL,
            tokenize.COMMENT,
        )
        is_docstring = token.type == tokenize.STRING and behind.type == tokenize.NEWLINE and is_statement
        kept.append((token.type, "documented" if is_docstring or before is token else token.string))
    return kept


def _leaves(root: Node, data: bytes) -> list[object]:
    found: list[object] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if "comment" in node.type:
            continue
        waiting += reversed(node.children)
        if not node.children:
            found.append((node.type, data[node.start_byte : node.end_byte]))
    return found


def change_every_word(block: Block, after: str = "word") -> str:
    """Return a block in which each word that is shown has become another one, as far as that is allowed."""
    edits = []
    for sentence in block.sentences:
        words, at = sentence.prose.split(), 0
        found = []
        for word in words:
            start = sentence.prose.index(word, at)
            at = start + len(word)
            found.append(Edit(start, at, word, after))
        edits += sentence.map_edits(found)
    return block.apply(edits)


def change(text: str, language: str, after: str = "word") -> str:
    """Return a program in which every word of its prose has become another one."""
    return "".join(change_every_word(block, after) for block in Document.from_text(text, language))
