"""Words that the writer adds, here or elsewhere, hold at once or with the next key."""

from __future__ import annotations

from pathlib import Path

from benchmarks.editing.client import Client
from tests.lsp.sessions import actions, converse, execute, titled, words

TEXT = "Teh cat. He go home.\n"


def test_a_word_of_the_project_is_kept_with_the_project(tmp_path: Path) -> None:
    book = tmp_path / "book"
    book.mkdir()

    async def talk(client: Client) -> None:
        await client.initialize(folders=[book.as_uri()])
        document = client.open((book / "one.md").as_uri(), "markdown", TEXT)
        await client.settle(document)
        await execute(client, titled(await actions(client, document, 0), "Add “Teh” to the project’s dictionary"))
        await client.settle(document)
        assert words(document) == ["go"]

    converse(talk, tmp_path)
    assert (book / ".permend" / "words.txt").read_text(encoding="utf-8") == "Teh\n"
    assert not (tmp_path / "settings").exists()


def test_the_users_words_are_watched(tmp_path: Path) -> None:
    mine = tmp_path / "settings" / "permend"
    mine.mkdir(parents=True)

    async def talk(client: Client) -> None:
        watching = {"dynamicRegistration": True, "relativePatternSupport": True}
        await client.initialize({"workspace": {"didChangeWatchedFiles": watching}})
        document = client.open("file:///book/one.md", "markdown", TEXT)
        await client.settle(document)
        assert words(document) == ["Teh", "go"]
        [asked] = [each for each in client.heard if each["method"] == "client/registerCapability"]
        [registration] = asked["params"]["registrations"]
        patterns = [each["globPattern"] for each in registration["registerOptions"]["watchers"]]
        assert patterns[1] == {"baseUri": mine.as_uri(), "pattern": "{words,ignored}.txt"}
        (mine / "words.txt").write_text("Teh\n", encoding="utf-8")
        change = {"uri": (mine / "words.txt").as_uri(), "type": 1}
        document.known = 0
        client.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
        await client.settle(document)
        assert words(document) == ["go"]

    converse(talk, tmp_path)


def test_further_dictionaries_are_read_again_with_the_next_key(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("Ann\n", encoding="utf-8")

    async def talk(client: Client) -> None:
        await client.initialize(options={"permend": {"dictionaries": [str(names)]}})
        document = client.open("file:///book/one.md", "markdown", TEXT)
        await client.settle(document)
        assert words(document) == ["Teh", "go"]
        names.write_text("Ann\nTeh\n", encoding="utf-8")
        client.edit(document, len(TEXT) - 1, len(TEXT) - 1, " ")
        await client.settle(document)
        assert words(document) == ["go"]

    converse(talk, tmp_path)
