"""What is checked at a change: the sentences that it touches, in the mode that is set now."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from benchmarks.editing.client import Client
from benchmarks.editing.rules import RuleCorrector
from permend.documents.dictionary import PersonalDictionary
from permend.lsp.desk import Desk
from permend.lsp.engine import Engine
from permend.lsp.opened import OpenDocument
from permend.lsp.settings import Settings
from permend.lsp.text import EditorText
from tests.lsp.sessions import words


def test_only_sentences_that_a_change_has_touched_are_checked() -> None:
    corrector = RuleCorrector()
    text = "\n\n".join(
        f"Paragraph {number} says that he go home. It says no more than {number}." for number in range(200)
    )

    async def session() -> list[int]:
        desk = Desk(Engine(lambda mode, least: corrector), on_progress=lambda document: None)
        document = OpenDocument("file:///a.md", "markdown", EditorText(text), 1)
        document.set(Settings(), "markdown", PersonalDictionary())
        desk.start()
        counts = []
        for version, (line, new) in enumerate([(0, ""), (200, "Today "), (0, "# Title\n\n"), (202, "")], 1):
            before = corrector.read
            document.change(document.text.replaced((line, 0), (line, 0), new), version)
            desk.put(document)
            assert await document.watch()
            counts.append(corrector.read - before)
        desk.stop()
        return counts

    assert asyncio.run(session()) == [400, 1, 1, 0]


def test_a_mode_that_is_set_holds_at_once(tmp_path: Path) -> None:
    async def session() -> list[list[str]]:
        async with Client.start((sys.executable, "-m", "permend", "lsp"), HOME=str(tmp_path)) as client:
            await client.initialize()
            text = "If you will have time, we could meet us in a café near the station. He go home yesterday."
            document = client.open("file:///a.md", "markdown", text)
            await client.settle(document)
            found = [words(document)]
            for settings in ({"mode": "thorough"}, {"mode": "thorough", "minConfidence": 0.8}, {"mode": "balanced"}):
                document.known = 0
                client.notify("workspace/didChangeConfiguration", {"settings": {"permend": settings}})
                await client.settle(document)
                found.append(words(document))
            await client.end()
            return found

    balanced, thorough, sure, again = asyncio.run(session())
    assert "go" in set(balanced) & set(sure)
    assert set(balanced) < set(thorough)
    assert set(sure) < set(thorough)
    assert again == balanced
