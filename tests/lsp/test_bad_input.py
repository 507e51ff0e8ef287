"""Clients that get it wrong are answered as the protocol wants, and the server goes on; its log has no texts in it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.editing.client import Client, ServerError
from tests.lsp.sessions import SERVER, converse, words

SECRET = "xyzzyx"


async def refused(client: Client, method: str, params: Any) -> int:
    with pytest.raises(ServerError) as caught:
        await client.request(method, params)
    assert isinstance(caught.value.code, int)
    return caught.value.code


def test_what_is_no_message_is_refused(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        await client.initialize()
        for body in (b"{", b"\xff\xfe", b"[" * 100_000, b"[]", b"7", b'{"id": 5}', b'{"jsonrpc": "1.0", "id": 6}'):
            client.send_bytes(body)
        client.send_bytes(json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": SECRET}).encode())
        while len(client.unasked) < 7:
            await client.news()
        codes = [(each.get("id"), each["error"]["code"]) for each in client.unasked]
        assert codes == [(None, -32700)] * 3 + [(None, -32600)] * 2 + [(5, -32600), (6, -32600)]
        assert await refused(client, "textDocument/hover", {"position": SECRET}) == -32602
        assert await refused(client, "textDocument/hover", None) == -32602
        assert await refused(client, f"{SECRET}/method", {}) == -32601
        assert await refused(client, "workspace/executeCommand", {"command": SECRET}) == -32602
        assert (
            await refused(client, "workspace/executeCommand", {"command": "permend.addWord", "arguments": [7]})
            == -32602
        )
        assert await refused(client, "initialize", {"processId": None, "rootUri": None, "capabilities": {}}) == -32600
        client.notify(f"{SECRET}/notice", {SECRET: SECRET})
        document = client.open("file:///a.md", "markdown", f"Teh {SECRET}.")
        await client.settle(document)
        assert words(document) == ["Teh"], "and the server goes on"

    converse(talk, tmp_path)
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert log.count("something came that is no JSON") == 3
    assert "parameters of textDocument/hover cannot be used" in log
    assert SECRET not in log


@pytest.mark.parametrize("answer", [{}, {"result": None}, {"result": []}, {"result": ["x"]}, {"error": "no"}])
def test_an_editor_that_cannot_say_what_is_set_gets_its_findings(answer: Any, tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        client.answer_with = {"workspace/configuration": answer}
        await client.initialize({"workspace": {"configuration": True}})
        document = client.open("file:///a.md", "markdown", "Teh cat.")
        await client.settle(document)
        assert words(document) == ["Teh"]

    converse(talk, tmp_path)


def test_paths_that_none_can_have_are_no_dictionaries(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        await client.initialize(options={"dictionaries": ["a\0b", "\ud83d", str(tmp_path)]})
        document = client.open("file:///a.md", "markdown", "Teh cat.")
        await client.settle(document)
        assert words(document) == ["Teh"]

    converse(talk, tmp_path)
    assert (tmp_path / "log").read_text(encoding="utf-8").count("a dictionary cannot be read") == 3


@pytest.mark.parametrize("params", [{}, {"params": None}])
def test_initialized_needs_no_parameters(params: dict[str, Any], tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        await client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        client.send({"method": "initialized", **params})
        document = client.open("file:///a.md", "markdown", "Teh cat.")
        await client.settle(document)
        assert words(document) == ["Teh"]

    converse(talk, tmp_path)


def test_documents_that_are_not_there_and_places_outside_of_them(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        await client.initialize()
        nowhere = {"textDocument": {"uri": "file:///nowhere.md"}}
        assert (
            await refused(client, "textDocument/hover", nowhere | {"position": {"line": 0, "character": 0}}) == -32602
        )
        assert await refused(client, "textDocument/diagnostic", nowhere) == -32602
        client.notify(
            "textDocument/didChange", {"textDocument": {"uri": "file:///x", "version": 2}, "contentChanges": []}
        )
        client.notify("textDocument/didClose", nowhere)
        document = client.open("file:///a.md", "markdown", f"Teh {SECRET}.\n")
        again = {"uri": document.uri, "languageId": "markdown", "version": 1, "text": document.text}
        client.notify("textDocument/didOpen", {"textDocument": again})

        def change(version: int, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
            place = [{"line": line, "character": units} for line, units in (start, end)]
            changes = [{"range": {"start": place[0], "end": place[1]}, "text": text}]
            name = {"uri": document.uri, "version": version}
            client.notify("textDocument/didChange", {"textDocument": name, "contentChanges": changes})

        change(-3, (0, 999), (0, 9999), " He go")
        change(-3, (9999, 3), (9999, 7), "He go.")
        change(-4, (0, 3), (0, 0), "the")
        change(2**31 - 1, (0, 0), (2**31 - 1, 2**31 - 1), f"He go to {SECRET}.")
        document.text, document.version = f"He go to {SECRET}.", 2**31 - 1
        await client.settle(document)
        assert words(document) == ["go"]
        place = {"textDocument": {"uri": document.uri}, "position": {"line": 77, "character": 77}}
        assert await client.request("textDocument/hover", place) is None
        beyond = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 99}}
        question = {"textDocument": {"uri": document.uri}, "range": beyond, "context": {"diagnostics": []}}
        assert (await client.request("textDocument/codeAction", question))[0]["title"] == "go → goes"
        client.cancel(4711)

    converse(talk, tmp_path)
    log = (tmp_path / "log").read_text(encoding="utf-8")
    for line in (
        "a document was changed that is not open",
        "a document was closed that is not open",
        "a document was opened twice",
        "version -3 follows version 1",
        "a change lies outside of the text",
        "something was asked about a document that is not open",
    ):
        assert line in log
    assert SECRET not in log


def test_everything_has_its_time(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        place = {"textDocument": {"uri": "file:///a.md"}, "position": {"line": 0, "character": 0}}
        assert await refused(client, "textDocument/hover", place) == -32002
        client.open("file:///early.md", "markdown", "Teh")
        await client.initialize()
        await client.request("shutdown", None)
        assert await refused(client, "textDocument/hover", place) == -32600
        client.notify("exit", None)
        assert await client.process.wait() == 0

    converse(talk, tmp_path)


@pytest.mark.parametrize("last", ["exit", "nothing", "half a message"])
def test_an_editor_that_goes_without_a_word_leaves_no_server_behind(last: str, tmp_path: Path) -> None:
    async def talk() -> int:
        async with Client.start(SERVER, HOME=str(tmp_path), PERMEND_TEST_LOG=str(tmp_path / "log")) as client:
            await client.initialize()
            client.open("file:///a.md", "markdown", "Teh cat.")
            assert client.process.stdin
            if last == "exit":
                client.notify("exit", None)
            else:
                client.process.stdin.write(b"Content-Length: 100\r\n\r\n{" if last == "half a message" else b"")
                client.process.stdin.close()
            return await asyncio.wait_for(client.process.wait(), 60)

    assert asyncio.run(talk()) == 1


def test_words_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        await client.initialize()
        document = client.open("file:///a.md", "markdown", "Teh cat.")
        for arguments, code in (
            ([document.uri, "#", "user"], -32803),
            ([document.uri, "a", "nobody"], -32602),
            ([document.uri], -32602),
        ):
            command = {"command": "permend.addWord", "arguments": arguments}
            assert await refused(client, "workspace/executeCommand", command) == code
        for command in (
            {"command": "permend.dismiss", "arguments": [document.uri, "0123456789"]},
            {"command": "permend.disableType", "arguments": [document.uri, "NOTHING"]},
        ):
            assert await refused(client, "workspace/executeCommand", command) == -32602

    converse(talk, tmp_path)
