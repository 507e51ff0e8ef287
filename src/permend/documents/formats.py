"""What a file's name says of its content: its format, and whether it is prose at all.

In: a path. Out: the name of a format, whose module reads it (`find_format`); and whether the file is prose, which is
read and may be changed, or code or data, which a correction would break. Where it is neither, the name does not tell.

>>> format_of("notes.MD"), format_of("paper.tex"), format_of("letter"), format_of(".git/COMMIT_EDITMSG")
('markdown', 'latex', 'plain', 'commit')
>>> [is_prose(name) for name in ("letter.txt", "page.html", "data.json", "requirements-dev.txt", "README")]
[True, True, False, False, False]
>>> [is_code_or_data(name) for name in ("data.json", "Makefile", "requirements-dev.txt", ".bashrc", "notes.txt.bak")]
[True, True, True, True, False]

The comments of source code are prose, too, where somebody asks for them: by a file's ending, or by the name that an
editor has for the language.

>>> [source_format_of(name) for name in ("main.py", "lib.RS", "App.tsx", "notes.md")]
['python', 'rust', 'tsx', None]
>>> [format_of_language(name) for name in ("typescriptreact", "shellscript", "git-commit", "markdown", "cobol")]
['tsx', 'shell', 'commit', 'markdown', None]
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from permend.errors import ArgumentError

if TYPE_CHECKING:
    from permend.documents.paragraphs import Format

PROSE_FORMATS = ("plain", "markdown", "html", "latex", "rst", "asciidoc", "commit")
"""Names of formats of prose; each is a module, which is loaded when it is asked for."""

SOURCE_FORMATS = ("python", "javascript", "typescript", "tsx", "rust", "go", "c", "cpp", "java", "shell")
"""Programming languages whose comments are read (`permend.documents.comments`)."""

FORMATS = PROSE_FORMATS + SOURCE_FORMATS

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
_MESSAGES = frozenset({"COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "TAG_EDITMSG"})
"""Files in which git has messages written."""

_SOURCE_ENDINGS = {
    "python": ".py .pyi .pyw",
    "javascript": ".js .mjs .cjs .jsx",
    "typescript": ".ts .mts .cts",
    "tsx": ".tsx",
    "rust": ".rs",
    "go": ".go",
    "c": ".c",
    "cpp": ".cc .cpp .cxx .h .hh .hpp .hxx",
    "java": ".java",
    "shell": ".sh .bash .ksh .zsh",
}
_SOURCE_FORMAT_OF = {ending: name for name, endings in _SOURCE_ENDINGS.items() for ending in endings.split()}

_LANGUAGES = {
    "plain": "plaintext text",
    "latex": "tex plaintex",
    "rst": "restructuredtext",
    "html": "xhtml",
    "commit": "git-commit gitcommit",
    "javascript": "javascriptreact javascript.jsx js jsx",
    "typescript": "ts",
    "tsx": "typescriptreact typescript.tsx",
    "cpp": "c++ cuda-cpp",
    "shell": "shellscript sh bash zsh",
}
_FORMAT_OF_LANGUAGE = {each: name for name, others in _LANGUAGES.items() for each in others.split()}


def format_of(path: str | Path) -> str:
    """Return the name of a file's format, unless it is source code; what is not known is plain text."""
    if Path(path).name in _MESSAGES:
        return "commit"
    return _ENDINGS.get(Path(path).suffix.lower(), "plain")


def source_format_of(path: str | Path) -> str | None:
    """Return the name of the format that reads the comments of a program, by its ending; None where there is none."""
    return _SOURCE_FORMAT_OF.get(Path(path).suffix.lower())


def format_of_language(language: str) -> str | None:
    """Return the name of the format for what an editor calls a language, as the `languageId` of its protocol does."""
    name = language.lower()
    return name if name in FORMATS else _FORMAT_OF_LANGUAGE.get(name)


def is_read_whole(name: str) -> bool:
    """Whether documents of a format can only be read as a whole: source code makes no sense from the middle on."""
    return name in SOURCE_FORMATS or name == "commit"


def find_format(name: str) -> Format:
    """Return a format by its name."""
    if name not in FORMATS:
        raise ArgumentError(f"{name!r} is no format of documents; there are {', '.join(FORMATS)}")
    if name in SOURCE_FORMATS:
        return cast("Format", import_module("permend.documents.comments.source").Source(name))
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
