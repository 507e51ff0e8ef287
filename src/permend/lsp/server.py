"""The language server: which message is answered by what.

In: a function that makes correctors. Out: a server, to be started on standard input and output or on a port.

    server = make_server(ModelLoader())
    server.start_io()
    server.exit_code

An editor opens documents and hears what is wrong in them while somebody types: diagnostics are pushed, or given where
the editor asks. Everything is made of findings of `permend.documents.checker`; the answers of other files of this room
are put together here.
"""

from __future__ import annotations

import logging
from typing import Any, cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from permend import __version__
from permend.lsp.actions import ADD_WORD, DISABLE_TYPE, DISMISS, FIX_ALL, KINDS, code_actions, text_edits
from permend.lsp.commands import Commands
from permend.lsp.diagnostics import SOURCE, describe_finding, shown_range
from permend.lsp.engine import Engine, Load
from permend.lsp.protocol import Protocol
from permend.lsp.pulling import Puller
from permend.lsp.session import Session

logger = logging.getLogger(__name__)


class PermendServer(LanguageServer):
    """A server for one editor."""

    def __init__(self, load: Load) -> None:
        """Take what makes correctors."""
        super().__init__("permend", __version__, protocol_cls=Protocol, max_workers=2)
        protocol = cast(Protocol, self.protocol)
        self.session = Session(self, protocol, Engine(load))
        protocol.on_open, protocol.on_change = self.session.open, self.session.change
        protocol.on_close = self.session.close

    @property
    def exit_code(self) -> int:
        """What the process ends with: 1 where the editor has not said good-bye."""
        return 0 if cast(Protocol, self.protocol).has_been_shut_down else 1

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Write a line into the log, and answer what nobody has answered."""
        cast(Protocol, self.protocol).answer_trouble(error)


def make_server(load: Load) -> PermendServer:
    """Put a server together."""
    server = PermendServer(load)
    session, protocol = server.session, cast(Protocol, server.protocol)
    _answer_life(server, session)
    _answer_documents(server, session)
    _answer_pulls(server, Puller(session, protocol))
    commands = Commands(session)
    for name, command in (
        (ADD_WORD, commands.add_word),
        (DISMISS, commands.dismiss),
        (DISABLE_TYPE, commands.disable_type),
    ):
        server.command(name)(_as_function(command))
    return server


def _as_function(method: Any) -> Any:
    """Wrap a method, to which pygls cannot attach its notes."""

    async def call(*arguments: Any) -> Any:
        return await method(*arguments)

    return call


def _answer_life(server: PermendServer, session: Session) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        session.begin(params)

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        await session.begin_work()

    @server.feature(types.SHUTDOWN)
    def shutdown(params: None) -> None:
        session.end()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def change_configuration(params: types.DidChangeConfigurationParams) -> None:
        await session.pull_settings(params.settings)

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def change_folders(params: types.DidChangeWorkspaceFoldersParams) -> None:
        session.change_folders(params.event)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def change_files(params: types.DidChangeWatchedFilesParams) -> None:
        session.equip_all()

    @server.feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def cancel_progress(params: types.WorkDoneProgressCancelParams) -> None:
        if document := session.bars.find(params.token):
            document.give_up()
            session.desk.put(document)


def _answer_documents(server: PermendServer, session: Session) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def save(params: types.DidSaveTextDocumentParams) -> None:
        session.save(params)

    @server.feature(types.TEXT_DOCUMENT_WILL_SAVE_WAIT_UNTIL)
    async def will_save(params: types.WillSaveTextDocumentParams) -> list[types.TextEdit] | None:
        document = session.find(params.text_document.uri)
        if not document.settings.fix_on_save or not await document.watch():
            return None
        return text_edits(document, document.found())

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        document = session.find(params.text_document.uri)
        at = document.text.offset(params.position.line, params.position.character)
        for found in document.found():
            start, end = shown_range(document.text, found)
            if start <= at <= end:
                kinds = session.server.client_capabilities.text_document
                formats = kinds.hover.content_format if kinds and kinds.hover else None
                markdown = types.MarkupKind.Markdown in (formats or ())
                kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
                place = document.text.range(start, end)
                stretch = types.Range(types.Position(**place["start"]), types.Position(**place["end"]))
                return types.Hover(types.MarkupContent(kind, describe_finding(found.finding, markdown)), stretch)
        return None

    options = types.CodeActionOptions(code_action_kinds=list(KINDS))

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, options)
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = session.find(params.text_document.uri)
        if any(FIX_ALL.startswith(getattr(kind, "value", kind)) for kind in params.context.only or ()):
            await document.watch()  # all means all
        return code_actions(document, params, session.can("workspace.workspace_edit.document_changes"))


def _answer_pulls(server: PermendServer, puller: Puller) -> None:
    options = types.DiagnosticOptions(inter_file_dependencies=False, workspace_diagnostics=True, identifier=SOURCE)

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def diagnostic(params: types.DocumentDiagnosticParams) -> dict[str, Any]:
        return await puller.document(params)

    @server.feature(types.WORKSPACE_DIAGNOSTIC)
    async def workspace_diagnostic(params: types.WorkspaceDiagnosticParams) -> dict[str, Any]:
        return await puller.workspace(params)
