"""Which format a document has: by name, or by the ending of its file.

>>> format_of("notes.MD"), format_of("paper.tex"), format_of("letter")
('markdown', 'latex', 'plain')
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import cast

from permend.documents.scan import Format
from permend.errors import ArgumentError

FORMATS = ("plain", "markdown", "html", "latex", "rst", "asciidoc")
"""Names of formats; each is a module, which is loaded when it is asked for."""

_ENDINGS = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
    ".rmd": "markdown",
    ".qmd": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".tex": "latex",
    ".latex": "latex",
    ".ltx": "latex",
    ".rst": "rst",
    ".rest": "rst",
    ".adoc": "asciidoc",
    ".asciidoc": "asciidoc",
    ".asc": "asciidoc",
}


def format_of(path: str | Path) -> str:
    """Return the name of a file's format; what is not known is plain text."""
    return _ENDINGS.get(Path(path).suffix.lower(), "plain")


def find_format(name: str) -> Format:
    """Return a format by its name."""
    if name not in FORMATS:
        raise ArgumentError(f"{name!r} is no format of documents; there are {', '.join(FORMATS)}")
    return cast(Format, import_module(f"permend.documents.{name}"))
