"""Diagnostics for editors that ask: of one document, and of all documents in the workspace folders.

In: a session and the protocol's questions, with the names of the results that the editor has. Out: reports, *unchanged*
where the editor has the same already.

An answer does not wait for a long document: after half a second it is what is known so far, and the editor is told to
ask again when there is more, if it understands that. Files in folders are checked one after the other, below all
documents that somebody is writing; each is reported when it is done, where the editor takes partial results.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.uris import from_fs_path

from permend.documents.document import read_document
from permend.documents.files import DocumentFinder
from permend.documents.formats import format_of
from permend.errors import PermendError
from permend.lsp.diagnostics import diagnostics, result_id
from permend.lsp.opened import OpenDocument
from permend.lsp.protocol import SERVER_CANCELLED, Protocol
from permend.lsp.session import Session
from permend.lsp.text import EditorText

logger = logging.getLogger(__name__)

SOON = 0.5
"""Seconds after which a part of the diagnostics is better than to wait."""
_LANGUAGES = {"plain": "plaintext", "rst": "restructuredtext"}  # as editors name formats


@dataclass
class Puller:
    """Answers."""

    session: Session
    protocol: Protocol
    _results: dict[Path, tuple[Any, str]] = field(default_factory=dict)
    """For a file: its state when it was checked, and the name of the result."""

    async def document(self, params: types.DocumentDiagnosticParams) -> dict[str, Any]:
        """Report on an open document."""
        document = self.session.find(params.text_document.uri)
        if not await self._known(document):
            message = "the document has changed"
            raise JsonRpcException(message, SERVER_CANCELLED, {"retriggerRequest": True})
        return _report(diagnostics(document), params.previous_result_id)

    async def _known(self, document: OpenDocument) -> bool:
        """Wait until enough is known of a document; return False where it has changed meanwhile."""
        if not self.session.can("workspace.diagnostics.refresh_support"):
            return await document.watch()
        text = document.text
        while True:
            try:
                return await asyncio.wait_for(document.watch(), SOON)
            except TimeoutError:
                if document.text is not text:
                    return False
                if document.has_findings:
                    self.session.partly.add(document)
                    return True

    async def workspace(self, params: types.WorkspaceDiagnosticParams) -> dict[str, Any]:
        """Report on all documents in the workspace folders, and on all that are open."""
        previous = {each.uri: each.value for each in params.previous_result_ids}
        token, bar = params.partial_result_token, params.work_done_token
        if bar is not None:
            self.session.server.work_done_progress.begin(bar, types.WorkDoneProgressBegin("Checking"))
        items = []
        try:
            async for report in self._reports(previous, bar):
                if token is None:
                    items.append(report)
                else:
                    self.protocol.send(types.PROGRESS, {"token": token, "value": {"items": [report]}})
        finally:
            if bar is not None:
                self.session.server.work_done_progress.end(bar, types.WorkDoneProgressEnd())
                self.session.server.work_done_progress.tokens.pop(bar, None)
        return {"items": items}

    async def _reports(self, previous: dict[str, str], bar: int | str | None) -> AsyncIterator[dict[str, Any]]:
        done: set[Path | None] = set()  # paths, for an editor may write the same address otherwise than we do
        for document in list(self.session.documents.values()):
            done.add(document.path)
            if await document.watch():
                report = _report(diagnostics(document), previous.get(document.uri))
                yield {"uri": document.uri, "version": document.version, **report}
        for folder, root in list(self.session.folders.items()):
            settings = self.session.settings_for(folder)
            if not settings.workspace_diagnostics:
                continue
            files = await asyncio.to_thread(_files, root, settings.exclude)
            for number, path in enumerate(files):
                if path in done:
                    continue
                done.add(path)
                if bar is not None:
                    shown = types.WorkDoneProgressReport(message=path.name, percentage=100 * number // len(files))
                    self.session.server.work_done_progress.report(bar, shown)
                uri = from_fs_path(str(path)) or ""
                found = await self._file(path, uri, previous.get(uri))
                if found is not None:
                    yield {"uri": uri, "version": None, **found}

    async def _file(self, path: Path, uri: str, previous: str | None) -> dict[str, Any] | None:
        """Report on a file; None where it cannot be read."""
        try:
            found = os.stat(path)
        except OSError:
            return None
        form = format_of(path)
        document = OpenDocument(uri, _LANGUAGES.get(form, form), EditorText("", self.session.unit), None, path)
        self.session.equip(document)
        state = found.st_mtime_ns, found.st_size, document.settings, document.words
        known = self._results.get(path)
        if known is not None and known == (state, previous):
            return {"kind": "unchanged", "resultId": previous}
        try:
            content = await asyncio.to_thread(_content, path)
        except (PermendError, OSError) as error:
            logger.warning("a file cannot be checked: %s", error)
            return None
        document.change(EditorText(content, self.session.unit), None)
        self.session.desk.put(document, below=True)
        try:
            await document.watch()
            report = _report(diagnostics(document), previous)
        finally:
            self.session.desk.remove(document)
        self._results[path] = state, report["resultId"]
        return report


def _report(items: list[dict[str, Any]], previous: str | None) -> dict[str, Any]:
    name = result_id(items)
    if name == previous:
        return {"kind": "unchanged", "resultId": name}
    return {"kind": "full", "resultId": name, "items": items}


def _files(root: Path, exclude: tuple[str, ...]) -> list[Path]:
    """Return the documents in a folder."""
    finder = DocumentFinder(lambda error: logger.info("%s", error), exclude)
    return [Path(path) for path in finder.find([str(root)])]


def _content(path: Path) -> str:
    return "".join(read_document(path).chunks)
