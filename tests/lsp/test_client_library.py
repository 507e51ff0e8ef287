"""The server and pygls' own client, which checks every message against the protocol's types."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from tests.model.tiny import exported

URI = "file:///book/one.md"


def test_a_whole_session_with_a_model(tmp_path: Path) -> None:
    async def session() -> None:
        _, folder = exported()
        client = LanguageClient("test", "1")
        heard: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def publish(params: types.PublishDiagnosticsParams) -> None:
            heard.put_nowait(params)

        await client.start_io(sys.executable, "-m", "permend", "lsp", "--model", str(folder))
        begun = await client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
        assert begun.server_info
        assert begun.server_info.name == "permend"
        client.initialized(types.InitializedParams())
        item = types.TextDocumentItem(URI, "markdown", 1, "w5 w6 w7.\n\nw6 w7.\n")
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        published = await asyncio.wait_for(heard.get(), 60)
        assert (published.uri, published.version) == (URI, 1)
        change = types.TextDocumentContentChangePartial(
            types.Range(types.Position(0, 0), types.Position(0, 2)), text="w8"
        )
        name = types.VersionedTextDocumentIdentifier(2, URI)
        client.text_document_did_change(types.DidChangeTextDocumentParams(name, [change]))
        versions = [1]  # reported after the first sentence, and when all is known
        while versions[-1] != 2:
            versions.append((await asyncio.wait_for(heard.get(), 60)).version or 0)
        assert set(versions) == {1, 2}
        report = await client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(types.TextDocumentIdentifier(URI))
        )
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        question = types.HoverParams(types.TextDocumentIdentifier(URI), types.Position(0, 0))
        await client.text_document_hover_async(question)
        assert all(heard.get_nowait().version == 2 for _ in range(heard.qsize())), "nothing more of the older text"
        await client.shutdown_async(None)
        client.exit(None)
        await client.stop()  # type: ignore[no-untyped-call]

    asyncio.run(session())
