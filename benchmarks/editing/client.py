"""A client for language servers, as small as can be: it knows nothing of pygls, so it shares none of its mistakes.

    async with Client.start([sys.executable, "-m", "permend", "lsp"]) as client:
        await client.initialize(folders=["file:///book"])
        document = client.open("file:///book/one.md", "markdown", "He go home.")
        client.edit(document, 3, 5, "goes")
        await client.settle(document)
        document.diagnostics

Positions are counted here by encoding the text, in whichever unit was agreed on. All versions of a document that the
server may still speak of are kept.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from asyncio.subprocess import PIPE, Process
from bisect import bisect_right
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

KEPT = 800
"""Versions of a document that are kept."""
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
_LINE = re.compile(r"\r\n|\r|\n")
_PUBLISH = "textDocument/publishDiagnostics"


@dataclass(eq=False)
class ClientDocument:
    """A document as the editor has it."""

    uri: str
    text: str
    unit: str
    version: int = 1
    diagnostics: list[dict[str, Any]] = field(default_factory=list)
    known: int = 0
    """The version that the diagnostics are of."""
    versions: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=KEPT))

    def position(self, offset: int, text: str | None = None) -> dict[str, int]:
        """Return a place as the protocol has it."""
        text = self.text if text is None else text
        line = bisect_right(_starts(text), offset) - 1
        return {"line": line, "character": self._units(text[_starts(text)[line] : offset])}

    def _units(self, text: str) -> int:
        codec, width = _CODECS[self.unit]
        return len(text.encode(codec, "surrogatepass")) // width

    def slice(self, place: dict[str, Any], text: str | None = None) -> str:
        """Return what stands between two places."""
        text = self.text if text is None else text
        return text[self._offset(place["start"], text) : self._offset(place["end"], text)]

    def _offset(self, place: dict[str, int], text: str) -> int:
        codec, width = _CODECS[self.unit]
        start = _starts(text)[place["line"]]
        found = _LINE.search(text, start)
        row = text[start : found.start() if found else len(text)].encode(codec, "surrogatepass")
        assert width * place["character"] <= len(row), "a place behind the end of its line"
        return start + len(row[: width * place["character"]].decode(codec, "surrogatepass"))


@lru_cache(2)
def _starts(text: str) -> list[int]:
    return [0, *(end.end() for end in _LINE.finditer(text))]


class ServerError(Exception):
    """A request was answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code, self.data = error["code"], error.get("data")


class Client:
    """Talks with a server."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.unit = "utf-16"
        self.capabilities: dict[str, Any] = {}
        self.documents: dict[str, ClientDocument] = {}
        self.settings: Callable[[str | None], Any] = lambda scope: None
        self.answer_with: dict[str, Any] = {}
        """What is answered to the server's requests, right or wrong, by method."""
        self.heard: list[dict[str, Any]] = []
        """Notifications and requests of the server, but for diagnostics."""
        self.unasked: list[dict[str, Any]] = []
        """Answers to nothing that was asked, as for what is no JSON."""
        self.on_publish: Callable[[ClientDocument, dict[str, Any]], None] = lambda document, params: None
        self.published = 0
        self._number = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._news = asyncio.Event()
        self._reading = asyncio.get_running_loop().create_task(self._read())

    @classmethod
    @asynccontextmanager
    async def start(cls, command: Sequence[str], **environment: str) -> AsyncIterator[Client]:
        """Start a server, and end it."""
        surroundings = os.environ | environment
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env=surroundings, limit=2**26)
        client = cls(process)
        try:
            yield client
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
            client._reading.cancel()
            process._transport.close()  # type: ignore[attr-defined]  # or it is told off when the loop is gone

    async def initialize(
        self, capabilities: dict[str, Any] | None = None, folders: Sequence[str] = (), options: Any = None
    ) -> dict[str, Any]:
        """Begin."""
        params = {
            "processId": os.getpid(),
            "rootUri": folders[0] if folders else None,
            "capabilities": capabilities or {},
            "workspaceFolders": [{"uri": uri, "name": uri.rpartition("/")[2]} for uri in folders] or None,
            "initializationOptions": options,
        }
        result = await self.request("initialize", params)
        self.capabilities = result["capabilities"]
        self.unit = self.capabilities.get("positionEncoding", "utf-16")
        self.notify("initialized", {})
        return self.capabilities

    async def end(self) -> int:
        """Say good-bye, and return the exit code."""
        await self.request("shutdown", None)
        self.notify("exit", None)
        return await asyncio.wait_for(self.process.wait(), 30)

    def send_bytes(self, body: bytes) -> None:
        """Send whatever it is."""
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method: str, params: Any) -> None:
        """Say something."""
        self.send({"method": method} if params is None else {"method": method, "params": params})

    def ask(self, method: str, params: Any) -> tuple[int, asyncio.Future[Any]]:
        """Ask something; return the number of the request, by which it can be cancelled, and the answer to come."""
        self._number += 1
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[self._number] = answer
        message = {"id": self._number, "method": method}
        self.send(message if params is None else message | {"params": params})
        return self._number, answer

    async def request(self, method: str, params: Any) -> Any:
        """Ask something, and wait for the answer."""
        return await asyncio.wait_for(self.ask(method, params)[1], 60)

    def cancel(self, number: int) -> None:
        """Take a request back."""
        self.notify("$/cancelRequest", {"id": number})

    def open(self, uri: str, language: str, text: str) -> ClientDocument:
        """Open a document."""
        document = self.documents[uri] = ClientDocument(uri, text, self.unit)
        document.versions.append((1, text))
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return document

    def close(self, document: ClientDocument) -> None:
        """Close a document."""
        del self.documents[document.uri]
        self.notify("textDocument/didClose", {"textDocument": {"uri": document.uri}})

    def edit(self, document: ClientDocument, start: int, end: int, new: str) -> None:
        """Replace some characters."""
        place = {"start": document.position(start), "end": document.position(end)}
        document.text = document.text[:start] + new + document.text[end:]
        self._changed(document, {"range": place, "text": new})

    def rewrite(self, document: ClientDocument, text: str) -> None:
        """Replace all of a text."""
        document.text = text
        self._changed(document, {"text": text})

    def _changed(self, document: ClientDocument, change: dict[str, Any]) -> None:
        document.version += 1
        document.versions.append((document.version, document.text))
        name = {"uri": document.uri, "version": document.version}
        self.notify("textDocument/didChange", {"textDocument": name, "contentChanges": [change]})

    def apply(self, edit: dict[str, Any]) -> None:
        """Carry an edit of the workspace out, the last change first."""
        changes = edit.get("changes") or {
            each["textDocument"]["uri"]: each["edits"] for each in edit["documentChanges"]
        }
        for uri, edits in changes.items():
            document = self.documents[uri]
            text = document.text
            spans = [
                (document._offset(each["range"]["start"], text), document._offset(each["range"]["end"], text), each)
                for each in edits
            ]
            for start, end, each in sorted(spans, key=lambda span: span[:2], reverse=True):
                text = text[:start] + each["newText"] + text[end:]
            self.rewrite(document, text)

    async def settle(self, document: ClientDocument, seconds: float = 60) -> None:
        """Wait until there are all diagnostics of the latest version: whoever asks for them waits so long."""
        async with asyncio.timeout(seconds):
            while document.known != document.version:
                await self.news()
            await self.ask("textDocument/diagnostic", {"textDocument": {"uri": document.uri}})[1]

    async def news(self) -> None:
        """Wait until something comes."""
        self._news.clear()
        await self._news.wait()

    async def _read(self) -> None:
        assert self.process.stdout
        while header := await self.process.stdout.readline():
            size = 0
            while header.strip():
                name, _, value = header.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
                header = await self.process.stdout.readline()
            self._hear(json.loads(await self.process.stdout.readexactly(size)))
            self._news.set()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(EOFError("the server has ended"))

    def _hear(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            answer = self._waiting.pop(message.get("id") or 0, None)
            if answer is None:
                self.unasked.append(message)
            elif "error" in message:
                answer.set_exception(ServerError(message["error"]))
            else:
                answer.set_result(message.get("result"))
        elif message["method"] == _PUBLISH:
            self._take(message["params"])
        else:
            self.heard.append(message)
            if "id" in message:
                self._answer(message)

    def _take(self, params: dict[str, Any]) -> None:
        self.published += 1
        document = self.documents.get(params["uri"])
        if document is not None and "version" in params:
            document.diagnostics, document.known = params["diagnostics"], params["version"]
            self.on_publish(document, params)

    def _answer(self, message: dict[str, Any]) -> None:
        result = None
        if message["method"] in self.answer_with:
            self.send({"id": message["id"], **self.answer_with[message["method"]]})
            return
        if message["method"] == "workspace/configuration":
            result = [self.settings(item.get("scopeUri")) for item in message["params"]["items"]]
        self.send({"id": message["id"], "result": result})
