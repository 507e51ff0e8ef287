"""What a writer gets in an editor: findings while typing, fixes, words, settings."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from benchmarks.editing.client import Client, ServerError
from tests.lsp.sessions import PULLING, actions, converse, execute, pull, titled, words

TEXT = "# Teh title\n\nWe saw 😀 that he go home , and `teh` cat.\n\nTeh end.\n"


def test_findings_follow_the_writer(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        capabilities = await client.initialize()
        assert capabilities["textDocumentSync"]["change"] == 2, "incremental"
        document = client.open("file:///book/one.md", "markdown", TEXT)
        await client.settle(document)
        assert words(document) == ["Teh", "go", " ,", "Teh"]
        first = document.diagnostics[0]
        assert (first["source"], first["code"], first["message"]) == ("permend", "R:SPELL", "Not “Teh”.")
        client.edit(document, 2, 5, "The")
        client.edit(document, document.text.index("go home"), document.text.index("go home") + 2, "goes")
        await client.settle(document)
        assert words(document) == [" ,", "Teh"]
        client.rewrite(document, "teh")
        await client.settle(document)
        assert words(document) == ["teh"]
        client.close(document)
        other = client.open("file:///book/data.json", "json", '{"teh": 1}')
        await client.settle(other)
        assert other.diagnostics == []

    converse(talk, tmp_path)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "python",
            'def f():\n    """See teh cat."""\n    return "now , then"  # We saw teh end of it.\n',
            ["teh", "teh"],
        ),
        ("typescript", 'const text = "now , then"; // We saw teh cat.\n', ["teh"]),
        ("javascript", 'const text = "now , then"; /* We saw teh cat. */\n', ["teh"]),
        ("rust", "/// See teh cat.\nfn main() {}\n", ["teh"]),
        ("go", '// Main shows teh cat.\nfunc main() { text := "now , then" }\n', ["teh"]),
        ("c", 'char *text = "now , then"; /* We saw teh cat. */\n', ["teh"]),
        ("cpp", 'auto text = "now , then"; // We saw teh cat.\n', ["teh"]),
        ("java", '/** We saw teh cat. */\nclass One { String text = "now , then"; }\n', ["teh"]),
        ("shellscript", '#!/bin/sh\n# We saw teh cat.\necho "now , then"\n', ["teh"]),
        ("c", "int teh; /* We saw teh cat , too. */\n", [" ,"]),  # a name of the program
        ("git-commit", "fix(teh): see teh cat\n\n# Please enter teh message\n", ["teh"]),
    ],
)
def test_of_programs_and_commits_the_prose_is_checked(
    language: str, text: str, expected: list[str], tmp_path: Path
) -> None:
    async def talk(client: Client) -> None:
        await client.initialize()
        document = client.open(f"file:///book/one.{language}", language, text)
        await client.settle(document)
        assert words(document) == expected
        client.edit(document, len(text), len(text), "\n")
        await client.settle(document)
        assert words(document) == expected

    converse(talk, tmp_path)


@pytest.mark.parametrize("offered", [["utf-8", "utf-16"], ["utf-32"], ["utf-7", "utf-16"], None])
def test_places_are_counted_as_the_editor_counts(offered: list[str] | None, tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        capabilities = await client.initialize({"general": {"positionEncodings": offered}} if offered else {})
        assert capabilities["positionEncoding"] == next((name for name in offered or [] if name != "utf-7"), "utf-16")
        document = client.open("untitled:one", "plaintext", "Ça 😀 é teh 语 go.\r\nHe go 👩‍👩‍👧 , teh.")
        await client.settle(document)
        assert words(document) == ["teh", "go", " ,", "teh"]
        found = await actions(client, document, document.text.index("teh"), only=["source.fixAll"])
        client.apply(found[0]["edit"])
        assert document.text == "Ça 😀 é the 语 go.\r\nHe goes 👩‍👩‍👧, the."

    converse(talk, tmp_path)


def test_fixes_are_a_key_away(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        await client.initialize({"workspace": {"workspaceEdit": {"documentChanges": True}}})
        document = client.open("file:///book/one.md", "markdown", TEXT)
        await client.settle(document)
        found = await actions(client, document, document.text.index("go home"))
        assert [each["title"] for each in found[:3]] == ["go → goes", "go → went", "go → is going"]
        assert [each.get("isPreferred", False) for each in found[:3]] == [True, False, False]
        assert found[0]["diagnostics"] == [document.diagnostics[1]]
        assert found[0]["edit"]["documentChanges"][0]["textDocument"]["version"] == 1
        everything = titled(found, "Fix all 4 findings")
        assert everything["kind"] == "source.fixAll.permend"
        client.apply(found[1]["edit"])
        await client.settle(document)
        assert "he went home" in document.text
        found = await actions(client, document, document.text.index("Teh"))
        client.apply(titled(found, "Fix all 2 of this type: Spelling")["edit"])
        await client.settle(document)
        assert words(document) == [" ,"], "code stays as it is"
        only = await actions(client, document, document.text.index(" ,"), only=["quickfix"])
        assert {each["kind"] for each in only} == {"quickfix"}
        assert await actions(client, document, 0, only=["refactor"]) == []

    converse(talk, tmp_path)


def test_words_findings_and_types_are_left_alone_when_the_writer_says_so(tmp_path: Path) -> None:
    book = tmp_path / "book"
    book.mkdir()

    async def talk(client: Client) -> None:
        await client.initialize(folders=[book.as_uri()])
        document = client.open((book / "one.md").as_uri(), "markdown", "Teh cat. But he go home , today. Now he go.\n")
        await client.settle(document)
        found = await actions(client, document, 0)
        await execute(client, titled(found, "Add “Teh” to your dictionary"))
        await client.settle(document)
        assert words(document) == ["go", " ,", "go"]
        assert (tmp_path / "settings" / "permend" / "words.txt").read_text(encoding="utf-8") == "Teh\n"
        found = await actions(client, document, document.text.index("go home"))
        await execute(client, titled(found, "Dismiss"))
        await client.settle(document)
        assert words(document) == [" ,", "go"]
        ignored = (book / ".permend" / "ignored.txt").read_text(encoding="utf-8")
        assert ignored == "But he [go → goes] home ,\n", "a line that people can read"
        found = await actions(client, document, document.text.index(" ,"))
        await execute(client, titled(found, "Disable this type: Punctuation"))
        await client.settle(document)
        assert words(document) == ["go"]
        assert '"disabledTypes": ["PUNCT"]' in next(
            each["params"]["message"] for each in client.heard if each["method"] == "window/showMessage"
        )
        (book / ".permend" / "words.txt").write_text("go\n", encoding="utf-8")
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": book.as_uri(), "type": 1}]})
        document.known = 0
        await client.settle(document)
        assert words(document) == []

    converse(talk, tmp_path)


def test_settings_are_asked_for_and_hold_at_once(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
    (one / "names.txt").write_text("Teh # a name\n", encoding="utf-8")
    chosen: dict[str | None, Any] = {one.as_uri(): {"dictionaries": ["names.txt"]}, two.as_uri(): {"mode": "wrong"}}

    async def talk(client: Client) -> None:
        client.settings = chosen.get
        dynamic = {"dynamicRegistration": True}
        able = {"configuration": True, "didChangeConfiguration": dynamic, "didChangeWatchedFiles": dynamic}
        await client.initialize({"workspace": able}, folders=[one.as_uri(), two.as_uri()])
        text = "Teh cat , he go."
        first = client.open((one / "a.md").as_uri(), "markdown", text)
        second = client.open((two / "a.md").as_uri(), "markdown", text)
        await client.settle(first)
        await client.settle(second)
        assert (words(first), words(second)) == ([" ,", "go"], ["Teh", " ,", "go"]), "every folder has its own"
        asked = [each for each in client.heard if each["method"] == "client/registerCapability"]
        methods = {each["method"] for each in asked[0]["params"]["registrations"]}
        assert methods == {"workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles"}
        for settings, expected in (
            ({"minConfidence": 0.8}, ["Teh", "go"]),
            ({"disabledTypes": ["SPELL"]}, [" ,", "go"]),
            ({"severity": "hint", "languages": ["latex", "markdown"]}, ["Teh", " ,", "go"]),
            ({"languages": ["latex"]}, []),
            ({"exclude": ["*.md"]}, []),
            ({"formats": {"markdown": "html"}}, ["Teh", " ,", "go"]),
        ):
            chosen[two.as_uri()], second.known = settings, 0
            client.notify("workspace/didChangeConfiguration", {"settings": None})
            await client.settle(second)
            assert words(second) == expected, settings
        event = {"added": [], "removed": [{"uri": one.as_uri(), "name": "one"}]}
        first.known = 0
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        await client.settle(first)
        assert words(first) == ["Teh", " ,", "go"]

    converse(talk, tmp_path)
    assert "setting: mode must be one of" in (tmp_path / "log").read_text(encoding="utf-8")


def test_an_editor_without_questions_pushes_its_settings(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        await client.initialize(options={"permend": {"disabledTypes": ["SPELL"]}})
        document = client.open("file:///a.md", "markdown", "Teh cat , he go.")
        await client.settle(document)
        assert words(document) == [" ,", "go"]
        document.known = 0
        client.notify("workspace/didChangeConfiguration", {"settings": {"permend": {"disabledTypes": ["PUNCT"]}}})
        await client.settle(document)
        assert words(document) == ["Teh", "go"]

    converse(talk, tmp_path)


def test_pointing_at_a_finding_tells_what_it_is(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        await client.initialize({"textDocument": {"hover": {"contentFormat": ["markdown"]}}})
        document = client.open("file:///a.md", "markdown", "Now he go home.")
        await client.settle(document)
        question = {"textDocument": {"uri": document.uri}, "position": document.position(8)}
        answer = await client.request("textDocument/hover", question)
        assert document.slice(answer["range"]) == "go"
        said = answer["contents"]["value"]
        assert "**Subject and verb** · 90 % sure" in said
        assert "go → went (5%)" in said
        assert await client.request("textDocument/hover", question | {"position": document.position(1)}) is None

    converse(talk, tmp_path)


def test_nothing_is_changed_on_saving_unless_it_is_wanted(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        sync = {"textDocument": {"synchronization": {"willSaveWaitUntil": True}}}
        capabilities = await client.initialize(sync)
        assert capabilities["textDocumentSync"]["willSaveWaitUntil"] is True
        document = client.open("file:///a.md", "markdown", "Teh cat.")
        question = {"textDocument": {"uri": document.uri}, "reason": 1}
        assert await client.request("textDocument/willSaveWaitUntil", question) is None
        client.notify("workspace/didChangeConfiguration", {"settings": {"permend": {"fixOnSave": True}}})
        [edit] = await client.request("textDocument/willSaveWaitUntil", question)
        assert edit["newText"] == "The"

    converse(talk, tmp_path)


def test_an_editor_that_asks_is_not_told_twice(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        capabilities = await client.initialize(PULLING)
        assert capabilities["diagnosticProvider"]["workspaceDiagnostics"] is True
        document = client.open("file:///a.md", "markdown", TEXT)
        report = await pull(client, document)
        assert report["kind"] == "full"
        assert words(document) == ["Teh", "go", " ,", "Teh"]
        again = await pull(client, document, report["resultId"])
        assert again == {"kind": "unchanged", "resultId": report["resultId"]}
        client.edit(document, 2, 5, "The")
        changed = await pull(client, document, report["resultId"])
        assert changed["kind"] == "full"
        assert words(document) == ["go", " ,", "Teh"]
        assert client.published == 0

    converse(talk, tmp_path)


def test_a_folder_is_checked_when_the_editor_asks(tmp_path: Path) -> None:
    book = tmp_path / "book"
    (book / "drafts").mkdir(parents=True)
    (book / "a.md").write_text("Teh cat.\n", encoding="utf-8")
    (book / "b.txt").write_text("The cat.\n", encoding="utf-8")
    (book / "data.json").write_text('{"teh": "teh"}', encoding="utf-8")
    (book / "drafts" / "c.md").write_text("He go.\n", encoding="utf-8")

    async def ask(client: Client, previous: dict[str, str], **more: Any) -> dict[str, dict[str, Any]]:
        known = [{"uri": uri, "value": value} for uri, value in previous.items()]
        answer = await client.request("workspace/diagnostic", {"previousResultIds": known, **more})
        return {each["uri"].rpartition("/")[2]: each for each in answer["items"]}

    async def talk(client: Client) -> None:
        await client.initialize(PULLING, folders=[book.as_uri()])
        document = client.open((book / "a.md").as_uri(), "markdown", "Teh cat he go. He go.")
        found = await ask(client, {})
        assert {name: len(each["items"]) for name, each in found.items()} == {"a.md": 3, "b.txt": 0, "c.md": 1}
        assert found["a.md"]["version"] == 1, "what is open counts as it is written"
        names = {each["uri"]: each["resultId"] for each in found.values()}
        again = await ask(client, names)
        assert {each["kind"] for each in again.values()} == {"unchanged"}
        (book / "b.txt").write_text("Teh cat , too.\n", encoding="utf-8")
        client.close(document)
        third = await ask(client, names)
        assert {name: each["kind"] for name, each in third.items()} == {
            "a.md": "full",
            "b.txt": "full",
            "c.md": "unchanged",
        }
        assert await ask(client, {}, partialResultToken="part", workDoneToken="bar") == {}
        values = [each["params"] for each in client.heard if each["method"] == "$/progress"]
        parts = [item for each in values if each["token"] == "part" for item in each["value"]["items"]]
        assert len(parts) == 3
        kinds = [each["value"]["kind"] for each in values if each["token"] == "bar"]
        assert (kinds[0], kinds[-1]) == ("begin", "end")

    converse(talk, tmp_path)


def test_an_open_document_is_reported_once_however_its_address_is_written(tmp_path: Path) -> None:
    (tmp_path / "a (1).md").write_text("The cat.\n", encoding="utf-8")

    async def talk(client: Client) -> None:
        await client.initialize(PULLING, folders=[tmp_path.as_uri()])
        document = client.open(f"{tmp_path.as_uri()}/a%20(1).md", "markdown", "Teh cat.")
        answer = await client.request("workspace/diagnostic", {"previousResultIds": []})
        assert [(each["uri"], len(each["items"])) for each in answer["items"]] == [(document.uri, 1)]

    converse(talk, tmp_path)


LONG = "\n\n".join(f"Paragraph {number} says that he go home , and so on and on." for number in range(400))


def test_a_long_document_is_reported_piece_by_piece_and_what_is_written_comes_first(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        await client.initialize({"window": {"workDoneProgress": True}})
        document = client.open("file:///a.md", "markdown", LONG)
        sizes: list[int] = []
        client.on_publish = lambda document, params: sizes.append(len(params["diagnostics"]))
        while len(sizes) < 2:
            await client.news()
        assert 0 < sizes[0] < sizes[1] < 800
        at = document.text.index("Paragraph 300")
        client.edit(document, at, at, "Teh ")
        while document.known != 2:
            await client.news()
        assert "Teh" in words(document), "what was just written is checked before the rest"
        assert len(document.diagnostics) < 800
        bars = [each["params"]["value"] for each in client.heard if each["method"] == "$/progress"]
        assert bars[0]["kind"] == "begin"
        assert bars[0]["cancellable"] is True
        token = next(each["params"]["token"] for each in client.heard if each["method"] == "$/progress")
        client.notify("window/workDoneProgress/cancel", {"token": token})
        while client.heard[-1]["method"] != "$/progress" or client.heard[-1]["params"]["value"]["kind"] != "end":
            await client.news()
        await client.settle(document)  # the last report comes with the end of the bar
        known = len(document.diagnostics)
        await asyncio.sleep(0.5)
        assert known == len(document.diagnostics) < 801, "given up"

    converse(talk, tmp_path, PERMEND_TEST_SECONDS="0.02")


def test_the_first_sentence_of_a_document_does_not_wait_for_the_second(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        await client.initialize()
        counts: list[int] = []
        client.on_publish = lambda document, params: counts.append(len(params["diagnostics"]))
        document = client.open("file:///a.md", "markdown", LONG[:3_900])
        while len(counts) < 3:
            await client.news()
        assert counts == [2, 6, 14], "one sentence, two more, four more, each with two errors"
        at = len(document.text) - 5
        client.edit(document, at, at, "x")  # in another piece than what is known
        await client.settle(document)
        assert counts == sorted(counts), "what is known of a piece is not taken back meanwhile"
        fresh = client.open("file:///b.md", "markdown", document.text)
        await client.settle(fresh)
        assert fresh.diagnostics == document.diagnostics

    converse(talk, tmp_path, PERMEND_TEST_SECONDS="0.12")


def test_findings_do_not_flicker_while_one_types(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        await client.initialize()
        document = client.open("file:///a.md", "markdown", LONG[:9_000])
        await client.settle(document)
        others = len(document.diagnostics)
        counts: list[int] = []
        client.on_publish = lambda document, params: counts.append(len(params["diagnostics"]))
        for number in range(0, 130, 3):  # a change near the edge of a piece touches its neighbour, too
            at = document.text.index(f"Paragraph {number} ")
            client.edit(document, at, at, f"Part {number}. ")
            await client.settle(document)
        assert len(counts) >= 40
        assert set(counts) == {others}

    converse(talk, tmp_path, PERMEND_TEST_SECONDS="0.005", PERMEND_TEST_TOGETHER="60")  # on a busy machine, too


def test_a_question_about_an_older_text_is_taken_back(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        await client.initialize(PULLING)
        document = client.open("file:///a.md", "markdown", LONG)
        asked, answer = client.ask("textDocument/diagnostic", {"textDocument": {"uri": document.uri}})
        await asyncio.sleep(0.5)
        client.edit(document, 0, 0, "Teh ")
        with pytest.raises(ServerError) as caught:
            await answer
        assert caught.value.code == -32802
        assert caught.value.data == {"retriggerRequest": True}
        asked, answer = client.ask("textDocument/diagnostic", {"textDocument": {"uri": document.uri}})
        await asyncio.sleep(0.2)
        client.cancel(asked)
        with pytest.raises(ServerError) as caught:
            await answer
        assert caught.value.code == -32800

    converse(talk, tmp_path, PERMEND_TEST_SECONDS="0.02")


def test_an_editor_that_can_ask_again_gets_a_part_at_once(tmp_path: Path) -> None:
    async def talk(client: Client) -> None:
        await client.initialize(PULLING | {"workspace": {"diagnostics": {"refreshSupport": True}}})
        document = client.open("file:///a.md", "markdown", LONG[:12_000])
        await pull(client, document)
        part = len(document.diagnostics)
        while part < len(document.text) // 64 and not any(
            each["method"] == "workspace/diagnostic/refresh" for each in client.heard
        ):
            await client.news()
        await pull(client, document)
        assert 0 < part < len(document.diagnostics)

    converse(talk, tmp_path, PERMEND_TEST_SECONDS="0.02")
