"""A session with an editor: its documents, folders and settings, and what it is told.

In: what the editor says, as the protocol's parameters. Out: diagnostics that are pushed to editors that do not ask for
them, and the documents that all answers are made from.

    session = Session(server, Engine(load))
    session.begin(params)          # initialize: what the editor can do, where it works
    session.open(params)           # and change, close, save
    session.find(uri)              # the open document, or the error that the protocol has for it
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from permend.documents.dictionary import user_folder
from permend.errors import PermendError
from permend.lsp.desk import Desk
from permend.lsp.diagnostics import diagnostics
from permend.lsp.dictionaries import Dictionaries
from permend.lsp.engine import Engine
from permend.lsp.opened import OpenDocument
from permend.lsp.progress import ProgressBars
from permend.lsp.protocol import INVALID_PARAMS, Protocol
from permend.lsp.settings import Settings, read_settings
from permend.lsp.text import UNITS, EditorText

logger = logging.getLogger(__name__)

SECTION = "permend"
PATIENCE = 2.0
"""Seconds to wait for an editor's settings before documents are checked without them."""
REFRESH = 1.0
"""Seconds between two requests to ask for diagnostics again."""


class Session:
    """All that is known in a session."""

    def __init__(self, server: LanguageServer, protocol: Protocol, engine: Engine) -> None:
        """Take whom to talk to, and what checks."""
        self.server, self._protocol = server, protocol
        self.documents: dict[str, OpenDocument] = {}
        self.folders: dict[str, Path] = {}
        self.unit = "utf-16"
        self.desk = Desk(engine, self._tell, self._tell_trouble)
        self.bars = ProgressBars(server)
        self.partly: set[OpenDocument] = set()
        """Documents for which an editor has got a part of their diagnostics."""
        self._settings: dict[str | None, Settings] = {None: Settings()}
        self._disabled: frozenset[str] = frozenset()
        self._dictionaries = Dictionaries()
        self._troubles: set[str] = set()
        self._refreshing: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    def can(self, capability: str) -> bool:
        """Whether the editor can do something."""
        return bool(get_capability(self.server.client_capabilities, capability))

    @property
    def pushes(self) -> bool:
        """Whether diagnostics are sent unasked: an editor that asks would show them twice."""
        return not self.can("text_document.diagnostic")

    def begin(self, params: types.InitializeParams) -> None:
        """Learn where the editor works."""
        encodings = get_capability(params.capabilities, "general.position_encodings") or []
        names = [getattr(each, "value", each) for each in encodings]
        self.unit = next((name for name in names if name in UNITS), "utf-16")
        for folder in params.workspace_folders or []:
            self._add_folder(folder.uri)
        if not params.workspace_folders and params.root_uri:
            self._add_folder(params.root_uri)
        self._read_settings(None, params.initialization_options)
        self.desk.warm_up(self._settings[None])

    async def begin_work(self) -> None:
        """Learn what the writer has set, and check."""
        self._register()
        await self.pull_settings()
        self.desk.start()

    def _register(self) -> None:
        """Ask to be told of settings and dictionaries that change."""
        registrations = []
        if self.can("workspace.did_change_configuration.dynamic_registration"):
            options = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
            registrations.append((types.WORKSPACE_DID_CHANGE_CONFIGURATION, options))
        if self.can("workspace.did_change_watched_files.dynamic_registration"):
            watchers = [types.FileSystemWatcher("**/.permend/{words,ignored}.txt")]
            user = user_folder()
            if user and self.can("workspace.did_change_watched_files.relative_pattern_support"):
                pattern = types.RelativePattern(user.as_uri(), "{words,ignored}.txt")
                watchers.append(types.FileSystemWatcher(pattern))
            files = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            registrations.append((types.WORKSPACE_DID_CHANGE_WATCHED_FILES, files))  # type: ignore[arg-type]
        if registrations:
            wanted = [types.Registration(f"permend {method}", method, options) for method, options in registrations]
            asked = self.server.client_register_capability_async(types.RegistrationParams(wanted))
            self.keep(self._ignoring_refusal(asked))

    async def _ignoring_refusal(self, asked: Any) -> None:
        try:
            await asked
        except JsonRpcException:
            logger.warning("the editor does not register what it says it can")

    def keep(self, work: Any) -> None:
        """Let something run by itself."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def pull_settings(self, pushed: Any = None) -> None:
        """Ask the editor for its settings, for all and for each folder; one that cannot say has pushed them."""
        if self.can("workspace.configuration"):
            scopes = [None, *self.folders]
            items = [types.ConfigurationItem(scope_uri=scope, section=SECTION) for scope in scopes]
            try:
                asked = self.server.workspace_configuration_async(types.ConfigurationParams(items))
                values = await asyncio.wait_for(asked, PATIENCE)
            except (JsonRpcException, TimeoutError):
                logger.warning("the editor has not said what is set")
            else:
                for scope, value in zip(scopes, values or (), strict=False):
                    self._read_settings(scope, value)
        elif isinstance(pushed, dict):
            self._read_settings(None, pushed.get(SECTION, pushed))
        self.equip_all()

    def _read_settings(self, scope: str | None, values: Any) -> None:
        values = values.get(SECTION, values) if isinstance(values, dict) else values
        base = None if scope is None else self._settings[None]
        self._settings[scope] = read_settings(values, base, lambda line: logger.warning("setting: %s", line))

    def settings_for(self, folder: str | None) -> Settings:
        """Return what holds in a workspace folder, or outside of all."""
        settings = self._settings.get(folder, self._settings[None])
        return replace(settings, disabled_types=settings.disabled_types | self._disabled)

    def disable(self, kind: str) -> None:
        """Report a type of error no more, until the end of the session."""
        self._disabled |= {kind}
        self.equip_all()

    def change_folders(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Learn that the editor works elsewhere, too."""
        for folder in event.removed:
            self.folders.pop(folder.uri, None)
            self._settings.pop(folder.uri, None)
        for folder in event.added:
            self._add_folder(folder.uri)
        self.keep(self.pull_settings())

    def _add_folder(self, uri: str) -> None:
        if path := file_path(uri):
            self.folders[uri] = path

    def folder_of(self, path: Path | None) -> tuple[str | None, Path | None]:
        """Return the innermost workspace folder around a file; for a text without a file, the first one."""
        if path is None:
            return next(iter(self.folders.items()), (None, None))
        around = [(uri, folder) for uri, folder in self.folders.items() if path.is_relative_to(folder)]
        return max(around, key=lambda each: len(each[1].parts), default=(None, None))

    def equip(self, document: OpenDocument) -> bool:
        """Give a document the settings and words that hold for it; return whether they are others than before."""
        folder, root = self.folder_of(document.path)
        settings = self.settings_for(folder)
        form = settings.format_of(document.language, document.path, root)
        words = self._dictionaries.find(document.path, root, settings.dictionaries)
        return document.set(settings, form, words)

    def equip_all(self) -> None:
        """Look at settings and words again, for all documents."""
        changed = [document for document in self.documents.values() if self.equip(document)]
        for document in changed:
            self.desk.put(document)
        if changed and not self.pushes:
            self.refresh()

    def open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Take a document."""
        item = params.text_document
        if item.uri in self.documents:
            logger.warning("a document was opened twice: %s", item.uri)
            self._drop(item.uri)
        text = EditorText(item.text, self.unit)
        document = OpenDocument(item.uri, item.language_id, text, item.version, file_path(item.uri))
        self.documents[item.uri] = document
        self.equip(document)
        self.desk.put(document)

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Take changes of a document, one after the other."""
        name = params.text_document
        document = self.documents.get(name.uri)
        if document is None:
            logger.warning("a document was changed that is not open: %s", name.uri)
            return
        if document.version is not None and name.version <= document.version:
            logger.warning("version %s follows version %s: %s", name.version, document.version, name.uri)
        text = document.text
        for change in params.content_changes:
            if isinstance(change, types.TextDocumentContentChangePartial):
                start, end = change.range.start, change.range.end
                self._log_bad_range(text, change.range, name.uri)
                text = text.replaced((start.line, start.character), (end.line, end.character), change.text)
            else:
                text = EditorText(change.text, self.unit)
        document.change(text, name.version)
        self.equip(document)
        self.desk.put(document)

    def _log_bad_range(self, text: EditorText, stretch: types.Range, uri: str) -> None:
        places = [(place.line, place.character) for place in (stretch.start, stretch.end)]
        if places != sorted(places) or any(not text.has(*place) for place in places):
            logger.warning("a change lies outside of the text: %s", uri)

    def save(self, params: types.DidSaveTextDocumentParams) -> None:
        """Look whether what was saved is a dictionary."""
        self.equip_all()

    def close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Forget a document."""
        uri = params.text_document.uri
        if uri not in self.documents:
            logger.warning("a document was closed that is not open: %s", uri)
            return
        self._drop(uri)
        if self.pushes:
            self._protocol.send(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, {"uri": uri, "diagnostics": []})

    def _drop(self, uri: str) -> None:
        document = self.documents.pop(uri)
        self.desk.remove(document)
        self.bars.end(document)
        self.partly.discard(document)

    def find(self, uri: str) -> OpenDocument:
        """Return an open document."""
        if uri not in self.documents:
            logger.warning("something was asked about a document that is not open: %s", uri)
            raise JsonRpcException("this document is not open", INVALID_PARAMS)
        return self.documents[uri]

    def _tell(self, document: OpenDocument) -> None:
        """Hear that more is known of a document."""
        if self.documents.get(document.uri) is not document:
            return  # one that lies in a folder
        self.bars.show(document)
        if self.pushes:
            params: dict[str, Any] = {"uri": document.uri, "diagnostics": diagnostics(document)}
            if document.version is not None:
                params["version"] = document.version
            self._protocol.send(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)
        elif document in self.partly:
            self.refresh()

    def refresh(self) -> None:
        """Have the editor ask for diagnostics again, not too often."""
        if self._refreshing is None and self.can("workspace.diagnostics.refresh_support"):
            self._refreshing = asyncio.get_running_loop().call_later(REFRESH, self._refresh)

    def _refresh(self) -> None:
        self._refreshing = None
        self.partly = {document for document in self.partly if not document.is_settled}
        self.keep(self._ignoring_refusal(self.server.workspace_diagnostic_refresh_async(None)))

    def _tell_trouble(self, error: PermendError) -> None:
        """Say once that nothing can be checked."""
        if str(error) not in self._troubles:
            self._troubles.add(str(error))
            self.show_message(f"permend cannot check documents: {error}", types.MessageType.Error)

    def show_message(self, text: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Show something to the writer."""
        self.server.window_show_message(types.ShowMessageParams(kind, text))

    def end(self) -> None:
        """Work no more."""
        self.desk.stop()


def file_path(uri: str) -> Path | None:
    """Return the path of a document that is a file."""
    if not uri.startswith("file:"):
        return None
    path = to_fs_path(uri)
    return Path(path) if path else None
