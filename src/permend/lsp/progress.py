"""Progress of long checks, shown by editors that can, and given up where the writer says so.

In: a document each time that more is known of it. Out: a bar in the editor, from its beginning to its end.
"""

from __future__ import annotations

import asyncio
import logging
from uuid import uuid4

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from permend.lsp.opened import OpenDocument

logger = logging.getLogger(__name__)

MANY = 8
"""Pieces that are worth a bar: a thousand words and more."""


class _Bar:
    def __init__(self) -> None:
        self.token = f"permend {uuid4()}"
        self.begun = False
        self.percent = 0


class ProgressBars:
    """The bars in an editor."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._bars: dict[OpenDocument, _Bar] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def show(self, document: OpenDocument) -> None:
        """Show how much of a document is checked."""
        if document.is_settled:
            self.end(document)
        elif bar := self._bars.get(document):
            self._report(bar, document)
        elif len(document.waiting) >= MANY and get_capability(
            self._server.client_capabilities, "window.work_done_progress"
        ):
            bar = self._bars[document] = _Bar()
            task = asyncio.get_running_loop().create_task(self._begin(bar, document))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _begin(self, bar: _Bar, document: OpenDocument) -> None:
        try:
            await self._server.work_done_progress.create_async(bar.token)
        except JsonRpcException:
            logger.warning("the editor shows no progress")
            return
        if self._bars.get(document) is bar:
            bar.begun = True
            name = document.path.name if document.path else "text"
            begin = types.WorkDoneProgressBegin("Checking", cancellable=True, message=name, percentage=0)
            self._server.work_done_progress.begin(bar.token, begin)

    def _report(self, bar: _Bar, document: OpenDocument) -> None:
        total = max(1, len(document.pieces))
        percent = 100 * (total - len(document.waiting)) // total
        if bar.begun and percent > bar.percent:
            bar.percent = percent
            self._server.work_done_progress.report(bar.token, types.WorkDoneProgressReport(percentage=percent))

    def end(self, document: OpenDocument) -> None:
        """Take a bar away."""
        bar = self._bars.pop(document, None)
        if bar is not None and bar.begun:
            self._server.work_done_progress.end(bar.token, types.WorkDoneProgressEnd())
        if bar is not None:
            self._server.work_done_progress.tokens.pop(bar.token, None)

    def find(self, token: int | str) -> OpenDocument | None:
        """Return the document that a bar belongs to."""
        return next((document for document, bar in self._bars.items() if bar.token == token), None)
