"""What the writer asks for beside edits: add a word, dismiss a finding, disable a type.

In: the arguments of a command, first the document. Out: nothing, or the error that the editor shows. Words and
dismissed findings go into the plain files that all of permend reads; a type is disabled until the session ends, and the
message says how to keep that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from pygls.exceptions import JsonRpcException

from permend.documents.checker import Finding
from permend.documents.dictionary import PersonalDictionary, finding_id
from permend.documents.reports.rules import RULES
from permend.errors import PermendError
from permend.lsp.opened import OpenDocument, is_one_move
from permend.lsp.protocol import INVALID_PARAMS, REQUEST_FAILED
from permend.lsp.session import Session
from permend.text.edits import Edit


class Commands:
    """Carries commands out."""

    def __init__(self, session: Session) -> None:
        """Take the session that they change."""
        self._session = session

    async def add_word(self, *arguments: Any) -> None:
        """Add a word to the user's dictionary or the project's."""
        document, (word, where) = self._read(arguments, 2)
        if where not in ("user", "project"):
            raise JsonRpcException("the dictionary is the user's or the project's", INVALID_PARAMS)
        await self._write(lambda: document.words.add(word, project=where == "project"))

    async def dismiss(self, *arguments: Any) -> None:
        """Dismiss a finding for good, in the project's file where there is a project."""
        document, (name,) = self._read(arguments, 1)
        project = document.words.project is not None and self._session.folder_of(document.path)[1] is not None
        every = [found.finding for found in document.found()]
        meant = [each for each in every if each.id == name]
        if not meant:
            raise JsonRpcException("there is no such finding", INVALID_PARAMS)
        both = [each for each in every if each in meant or any(is_one_move(each, one) for one in meant)]
        await self._write(lambda: _dismiss(document.words, both, project))

    async def disable_type(self, *arguments: Any) -> None:
        """Report a type no more."""
        _, (kind,) = self._read(arguments, 1)
        if kind not in RULES:
            raise JsonRpcException("there is no such type", INVALID_PARAMS)
        self._session.disable(kind)
        self._session.show_message(f'Off until the editor ends. To keep it so, set "disabledTypes": ["{kind}"].')

    def _read(self, arguments: tuple[Any, ...], count: int) -> tuple[OpenDocument, tuple[str, ...]]:
        if len(arguments) != count + 1 or not all(isinstance(each, str) for each in arguments):
            raise JsonRpcException(f"a document and {count} more texts are wanted", INVALID_PARAMS)
        return self._session.find(arguments[0]), arguments[1:]

    async def _write(self, change: Callable[[], object]) -> None:
        try:
            await asyncio.to_thread(change)
        except (PermendError, OSError) as error:
            raise JsonRpcException(str(error), REQUEST_FAILED) from None
        self._session.equip_all()


def _dismiss(words: PersonalDictionary, findings: Iterable[Finding], project: bool) -> None:
    """Dismiss findings as lines that people can read, or by their ids where their places are not plain."""
    for finding in findings:
        edit = _edit_of(finding)
        if edit is None:
            words.ignore_id(finding.id, project)
        else:
            words.ignore(finding.sentence, edit, project)


def _edit_of(finding: Finding) -> Edit | None:
    """Return a finding as an edit of its sentence."""
    before, sentence = finding.before, finding.sentence
    for start in range(len(sentence) - len(before) + 1):
        edit = Edit(start, start + len(before), before, finding.after)
        if sentence.startswith(before, start) and finding_id(sentence, edit) == finding.id:
            return edit
    return None
