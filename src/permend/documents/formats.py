"""What a file's name says of its content: its format, and whether it is prose at all.

In: a path. Out: the name of a format, whose module reads it (`find_format`); and whether the file is prose, which is
read and may be changed, or code or data, which a correction would break. Where it is neither, the name does not tell.

>>> format_of("notes.MD"), format_of("paper.tex"), format_of("letter")
('markdown', 'latex', 'plain')
>>> [is_prose(name) for name in ("letter.txt", "page.html", "data.json", "requirements-dev.txt", "README")]
[True, True, False, False, False]
>>> [is_code_or_data(name) for name in ("data.json", "Makefile", "requirements-dev.txt", ".bashrc", "notes.txt.bak")]
[True, True, True, True, False]
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from permend.errors import ArgumentError

if TYPE_CHECKING:
    from permend.documents.paragraphs import Format

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
    return cast("Format", import_module(f"permend.documents.{name}"))


_PLAIN = frozenset({".txt", ".text"})
PROSE_ENDINGS = (*_ENDINGS, *sorted(_PLAIN))
"""Endings of files that are prose."""

_PROGRAMS = """
    .ada .adb .ads .applescript .asm .astro .awk .bash .bat .bicep .c .cc .cjs .clj .cljs .cls .cmake .cmd .coffee
    .cpp .cr .cs .csh .cu .cxx .d .dart .ejs .el .elm .erb .erl .ex .exs .f .f90 .f95 .fish .for .fs .fsx .go
    .gradle .groovy .gvy .h .haml .hbs .hh .hpp .hrl .hs .hxx .inc .ino .ipynb .j2 .jade .java .jinja .jinja2 .jl
    .js .jsp .jsx .ksh .kt .kts .lisp .lua .m .mak .mjs .mk .ml .mli .mm .mustache .nim .nix .njk .pas .php .pl .pm
    .ps1 .psm1 .pug .pxd .py .pyi .pyw .pyx .r .rake .rb .rkt .rs .s .sass .sbt .scala .scm .scss .sh .sol .sql .sty
    .sv .svelte .swift .tcl .tf .tpl .ts .tsx .twig .v .vb .vba .vbs .vhd .vhdl .vim .vue .wat .zig .zsh
"""
_DATA = """
    .arb .arff .atom .aux .avsc .bbl .bib .bst .cfg .cnf .conf .config .conll .conllu .crt .csproj .css .csv
    .desktop .diff .dot .dtd .editorconfig .env .ftl .geojson .gpx .graphql .gv .hcl .ics .iml .ini .json .json5
    .jsonc .jsonl .kml .less .lock .log .map .mod .ndjson .opml .patch .pem .plist .po .pom .pot .prefs .prisma
    .properties .proto .rdf .reg .rej .resx .rss .sarif .service .sln .srx .strings .styl .sum .svg .tfvars .thrift
    .tmx .toc .toml .tsv .ttl .vcf .webmanifest .xlf .xliff .xml .xsd .xsl .xslt .yaml .yml
"""
_CODE_OR_DATA = frozenset(f"{_PROGRAMS} {_DATA}".split())
_CODE_IN_TEXT_FILES = re.compile(r"(?i)(cmakelists|robots|(requirements|constraints)[-.\w]*)\.txt")
_BUILD_FILES = re.compile(
    r"(?i)(gnu)?makefile|(brew|caddy|container|docker|doxy|gem|jenkins|just|pip|pod|proc|rake|snake|vagrant)file"
    r"|codeowners|sconscript|sconstruct"
)
"""Their names up to the first dot: there are a ``Dockerfile`` and a ``Dockerfile.dev``."""

_PACKED = frozenset(".doc .docx .epub .odp .ods .odt .pages .pdf .ppt .pptx .rtf .xls .xlsx".split())
"""Files of office programs: they are told from text by their content."""


def is_prose(path: str | Path) -> bool:
    """Whether a file has the ending of a format that is read, or of plain text."""
    return _has_prose_ending(path) and not _CODE_IN_TEXT_FILES.fullmatch(Path(path).name)


def is_code_or_data(path: str | Path) -> bool:
    """Whether a file's name is that of a program, its settings or data; a hidden file without ending holds settings."""
    name, ending = Path(path).name, Path(path).suffix.lower()
    if _has_prose_ending(path):
        return not is_prose(path)
    return (
        ending in _CODE_OR_DATA
        or bool(_BUILD_FILES.fullmatch(name.partition(".")[0]))
        or (name.startswith(".") and not ending)
    )


def names_file(word: str) -> bool:
    """Whether a word ends as the names of files do, known ones at least.

    >>> [names_file(word) for word in ("letter.docx", "main.c", "example.com", "it.so", "a.m", "Ph.D", "e.g.")]
    [True, True, False, False, False, False, False]
    """
    path = Path(word)
    ending = path.suffix.lower()
    is_short = len(path.suffix) == 2 and len(path.stem) <= 2  # an abbreviation
    return _has_prose_ending(path) or ending in _PACKED or (ending in _CODE_OR_DATA and not is_short)


def _has_prose_ending(path: str | Path) -> bool:
    return format_of(path) != "plain" or Path(path).suffix.lower() in _PLAIN
