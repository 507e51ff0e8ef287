"""What a writer has set in the editor, under ``permend``, and which documents that concerns.

In: the values that the editor sends, for all or for one folder. Out: `Settings`; of a value that cannot be used its
name is told, and the one from before stays.

>>> told = []
>>> settings = read_settings({"mode": "precise", "minConfidence": 7, "disabledTypes": ["PUNCT"]}, tell=told.append)
>>> settings.mode, settings.min_confidence, settings.allows("M:PUNCT"), settings.allows("R:VERB:SVA"), told
('precise', None, False, True, ['minConfidence must be a number from 0 to 1'])
>>> settings.format_of("markdown"), settings.format_of("json", Path("data.json"))
('markdown', None)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from permend.documents.files import is_ignored, make_rules
from permend.documents.formats import FORMATS, format_of, is_prose
from permend.model.options import NAMES

LANGUAGE_FORMATS = {
    "asciidoc": "asciidoc",
    "bash": "shell",
    "bibtex": None,
    "c": "c",
    "commit": "commit",
    "cpp": "cpp",
    "git-commit": "commit",
    "gitcommit": "commit",
    "go": "go",
    "html": "html",
    "java": "java",
    "javascript": "javascript",
    "javascriptreact": "javascript",
    "latex": "latex",
    "mail": "plain",
    "markdown": "markdown",
    "mdx": "markdown",
    "pandoc": "markdown",
    "plaintex": "latex",
    "plaintext": "plain",
    "python": "python",
    "quarto": "markdown",
    "restructuredtext": "rst",
    "rmd": "markdown",
    "rst": "rst",
    "rust": "rust",
    "sh": "shell",
    "shellscript": "shell",
    "tex": "latex",
    "text": "plain",
    "typescript": "typescript",
    "typescriptreact": "tsx",
    "xhtml": "html",
    "zsh": "shell",
}
"""Names that editors have for what a document is written in, and our formats; None is not read whatever its ending."""

SEVERITIES = {"error": 1, "warning": 2, "information": 3, "hint": 4}


@dataclass(frozen=True)
class Settings:
    """What holds for a document."""

    mode: str | None = None
    min_confidence: float | None = None
    disabled_types: frozenset[str] = frozenset()
    """Types that are not reported: ``PUNCT``, ``VERB:SVA``, or with what is done, ``M:PUNCT``."""
    dictionaries: tuple[str, ...] = ()
    """Files with a word a line, beside the user's own and the project's."""
    languages: frozenset[str] | None = None
    """Languages, as the editor names them, that are checked; all that are known where it is None."""
    formats: Mapping[str, str] = field(default_factory=dict)
    """Formats for further languages, or other ones."""
    exclude: tuple[str, ...] = ()
    """Patterns in the syntax of ``.gitignore``, relative to the workspace folder."""
    severity: int = SEVERITIES["information"]
    fix_on_save: bool = False
    workspace_diagnostics: bool = True
    """Whether documents are checked that are not open, when the editor asks for a folder."""

    def allows(self, kind: str) -> bool:
        """Whether a type of error is reported."""
        return kind not in self.disabled_types and kind.partition(":")[2] not in self.disabled_types

    def format_of(self, language: str, path: Path | None = None, root: Path | None = None) -> str | None:
        """Return the format of a document; None where it is not to be checked."""
        if self.languages is not None and language not in self.languages:
            return None
        if path and root and self.excludes(path, root):
            return None
        if language in self.formats:
            return self.formats[language]
        if language in LANGUAGE_FORMATS:
            name = LANGUAGE_FORMATS[language]
            return name if name in FORMATS else None
        return format_of(path) if path and is_prose(path) else None

    def excludes(self, path: Path, root: Path) -> bool:
        """Whether a file, or a folder that it is in, is passed by."""
        if not self.exclude or not path.is_relative_to(root):
            return False
        rules = make_rules(self.exclude, str(root))
        way = [path, *(each for each in path.parents if root in each.parents)]
        return any(is_ignored(rules, str(each), is_folder=each != path) for each in way)


def read_settings(
    values: Any, base: Settings | None = None, tell: Callable[[str], None] = lambda line: None
) -> Settings:
    """Read what an editor sends; what is not there, or cannot be used, stays as in `base`."""
    settings = base or Settings()
    if not isinstance(values, dict):
        return settings
    for key, (name, read, wanted) in _READERS.items():
        if key not in values:
            continue
        try:
            settings = replace(settings, **{name: read(values[key])})
        except (TypeError, ValueError, KeyError, AttributeError):
            tell(f"{key} must be {wanted}")
    return settings


def _mode(value: Any) -> str | None:
    if value is not None and value not in NAMES:
        raise ValueError
    return None if value is None else str(value)


def _share(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not 0 <= value <= 1:
        raise ValueError
    return float(value)


def _strings(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str) or not all(isinstance(each, str) for each in value):
        raise TypeError
    return tuple(value)


def _paths(value: Any) -> tuple[str, ...]:
    return tuple(os.path.expanduser(each) for each in _strings(value))


def _languages(value: Any) -> frozenset[str] | None:
    return None if value is None else frozenset(_strings(value))


def _formats(value: Any) -> dict[str, str]:
    if value is None:
        return {}
    if not all(name in FORMATS for name in value.values()):
        raise ValueError
    return dict(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


_Reader = tuple[str, Callable[[Any], Any], str]
_READERS: dict[str, _Reader] = {
    "mode": ("mode", _mode, f"one of {', '.join(NAMES)}"),
    "minConfidence": ("min_confidence", _share, "a number from 0 to 1"),
    "disabledTypes": ("disabled_types", lambda value: frozenset(_strings(value)), "a list of types"),
    "dictionaries": ("dictionaries", _paths, "a list of files"),
    "languages": ("languages", _languages, "a list of languages as the editor names them"),
    "formats": ("formats", _formats, f"languages with one of {', '.join(FORMATS)}"),
    "exclude": ("exclude", _strings, "a list of patterns"),
    "severity": ("severity", lambda value: SEVERITIES[value], f"one of {', '.join(SEVERITIES)}"),
    "fixOnSave": ("fix_on_save", _flag, "true or false"),
    "workspaceDiagnostics": ("workspace_diagnostics", _flag, "true or false"),
}
"""The editor's name for a setting, ours, how it is read, and what it must be."""
