r"""Words in comments that programs read: tags of documentation, directives of tools, licences, markers.

In: a line. Out: what it is, and where its prose begins.

>>> [is_directive(line) for line in ("noqa: E501", "eslint-disable-next-line", "go:build linux", "ruff is a linter")]
[True, True, True, False]
>>> text = "@param {string} [name=x] - the name of it"
>>> tag = read_tag(text, 0, len(text))
>>> tag.kind, text[tag.prose :]
('prose', 'the name of it')
>>> read_tag("@module a", 0, 9).kind, read_tag("at home", 0, 7), find_marker("TODO(ann): mend it", 0, 18)
('data', None, 11)
"""

from __future__ import annotations

import re
from typing import NamedTuple

_LICENCE = re.compile(
    r"(?i)copyright\b|\(c\)\s*\d{4}|©|SPDX-|@(?:license|licence|preserve)\b|\blicen[sc]ed\s+under|hereby\s+granted"
    r"|all\s+rights\s+reserved|do\s+not\s+edit\b|@generated\b|WITHOUT\s+WARRANT"
)

_TOOLS = """
    biome-ignore c8 checkstyle clang-format codespell coding cppcheck cspell deno-fmt-ignore deno-lint-ignore dprint
    eslint eslint-disable eslint-enable eslint-env exported fallthrough flake8 fmt global globals hadolint istanbul
    isort iwyu jscs jshint jslint lgtm lint mypy nocover noformat noinspection nolint nolintbegin nolintend
    nolintnextline noqa nosec nosemgrep nosonar permend-ignore permend-ignore-end permend-ignore-start pragma
    prettier-ignore pylint pyre-ignore pyright pytype ruff rustfmt shellcheck skipcq sourcemappingurl spell-checker
    standard stylelint stylelint-disable tslint type v8 vim webpackchunkname yamllint yapf ex vi
"""
_DIRECTIVE = re.compile(
    rf"(?i)\W{{0,4}}(?:{'|'.join(sorted(_TOOLS.split(), key=len, reverse=True))})"
    r"(?:[:=]|-\w|\s+(?:ignore|disable|enable|skip|off|on)\b|\s*$|\b(?=\()|\s--)"
    r"|\W{0,4}(?:noqa|nolint|nosec|nosonar|istanbul|c8|v8|eslint-\S+|tslint:\S+|permend-ignore\S*|iwyu pragma)\b"
    r"|\W?#(?:end)?region\b|globals?\s+[\w$]+\s*[,:]|@ts-\w+|@formatter:|@(?:flow|jsx|jest-environment|vitest-environment)\b|\s*(?:end)?region\b(?:\s*:|\s+\w+\s*$|\s*$)"
    r"|[-=\s]*(?:\{\{\{|\}\}\})|-\*-|!|/?\s*<(?:reference|amd)|\+build\b|[@#]__\w+__|\#\s*sourceMappingURL|MARK:"
    r"|[\w-]+:(?=[\w-])[\w:.-]+(?:\s|$)(?!\w+\s\w+\s\w+\s\w+)"
)
_BEHIND = re.compile(r"(?:^|\s)\#\s*(?:noqa|type:|pylint:|nosec|pragma:|fmt:|mypy:|pyright:|ruff:|isort:)")
_MARKER = re.compile(
    r"(?:TODO|FIXME|XXX|HACK|BUG|NOTE|NB|SAFETY|WARNING|WARN|OPTIMI[ZS]E|REVIEW|INVARIANT|PANICS?|INFO|IMPORTANT|CAUTION"
    r"|DANGER|TIP|PERF|IDEA|QUESTION|DEPRECATED|REFERENCES?|[A-Z]+-\d+)\b(?:\s?[(\[][^()\[\]]{0,80}[)\]])?\s*[:!-]*\s*"
)

_PROSE = frozenset(
    "abstract apiNote attention brief bug classdesc deprecated desc description details fileoverview implNote implSpec"
    " important invariant li note overview par post pre privateRemarks remark remarks result return returns sa short"
    " summary todo warning yields".split()
)
"""Tags with prose behind them."""
_NAMED = frozenset(
    "arg argument exception field keyword param parameter prop property raises retval template throw throws tparam"
    " typeParam".split()
)
"""Tags with a name or a type first."""
_CODE = frozenset("code dot example msc snippet startuml verbatim".split())
_TAG = re.compile(r"[@\\](?P<name>[A-Za-z]\w*)(?:\[[\w, ]*\])?(?=[\s{:]|$)[ \t]*")
_NAME = re.compile(r"(?:\[[^\[\]\n]*(?:\[[^\[\]\n]*\][^\[\]\n]*)*\]|[^\s:]+)(?:\s+-+|\s*:)?[ \t]*")
_DASH = re.compile(r"(?:-+|–|:)[ \t]+")


class Tag(NamedTuple):
    """A tag at the beginning of a line."""

    kind: str
    """``prose``, ``code`` (all up to the next tag) or ``data``."""
    name: str
    prose: int
    """Where what it says begins."""


def is_licence(text: str) -> bool:
    """Whether a comment is a licence, or says that a program wrote the file."""
    return bool(_LICENCE.search(text))


def is_directive(line: str) -> bool:
    """Whether a line is for a program."""
    return bool(_DIRECTIVE.match(line))


def directive_behind(text: str, start: int, end: int) -> int:
    """Return where a directive begins at the end of a line; the line's end where there is none."""
    found = _BEHIND.search(text, start, end)
    return start + len(text[start : found.start()].rstrip()) if found else end


def find_marker(text: str, start: int, end: int) -> int:
    """Return where the prose begins behind a marker such as ``TODO(ann):``; the beginning where there is none."""
    marker = _MARKER.match(text, start, end)
    return marker.end() if marker and (marker.end() == end or not text[marker.end() - 1].isalnum()) else start


def read_tag(text: str, start: int, end: int) -> Tag | None:
    """Read the tag that a line begins with, if it does."""
    tag = _TAG.match(text, start, end)
    if not tag:
        return None
    name, at = tag["name"], tag.end()
    if name in _CODE:
        return Tag("code", name, end)
    if name not in _PROSE | _NAMED:
        return Tag("data", name, end)
    behind_type = _behind_braces(text, at, end)
    if name in _NAMED and (behind_type == at or name not in ("throws", "throw", "exception", "raises", "yields")):
        behind = _NAME.match(text, behind_type, end)
        behind_type = behind.end() if behind else behind_type
    dash = _DASH.match(text, behind_type, end)
    return Tag("prose", name, dash.end() if dash else behind_type)


def _behind_braces(text: str, at: int, end: int) -> int:
    """Return where a type in braces ends; the place itself where there is none."""
    if text[at : at + 1] != "{":
        return at
    depth = 0
    for place in range(at, end):
        depth += (text[place] == "{") - (text[place] == "}")
        if not depth:
            return place + 1 + len(text[place + 1 : end]) - len(text[place + 1 : end].lstrip())
    return end
