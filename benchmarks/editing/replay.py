"""A recording played back as fast as a server can hear it, with requests that are cancelled, and what must hold.

In: a seed, how many seconds of writing and how many cancellations. Out: a `Played`, whose `faults` are empty where
every position was right in the version that it was said of, the last diagnostics are those of a fresh check, and the
server has said good-bye.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.editing.client import Client, ClientDocument, ServerError
from benchmarks.editing.recording import Event, Writer
from benchmarks.editing.rules import RuleCorrector
from permend.documents.checker import Checker
from permend.lsp.settings import LANGUAGE_FORMATS

SERVER = (sys.executable, "-m", "benchmarks.editing.rules")
BREATH = 40
"""Events after which the client waits until the server has said something."""
_QUOTED = re.compile("Not “(.*)”\\.", re.DOTALL)
_CANCELLED = {-32800, -32801, -32802}


@dataclass
class Played:
    """What came of it."""

    events: int = 0
    cancelled: int = 0
    answered: int = 0
    published: int = 0
    positions: int = 0
    """Diagnostics whose places were looked at."""
    early: int = 0
    """Bytes that the server held when the recording had been played once."""
    late: int = 0
    """Bytes that it held when it had been played twice, or as often as was wanted."""
    faults: list[str] = field(default_factory=list)


class _Player:
    def __init__(self, client: Client, seed: int) -> None:
        self.client, self.played = client, Played()
        self._random = Random(seed)
        self._languages: dict[str, str] = {}
        self._answers: deque[asyncio.Future[Any]] = deque()
        client.on_publish = self._look

    def _look(self, document: ClientDocument, params: dict[str, Any]) -> None:
        """Compare what diagnostics say with what stands in their places."""
        version = params["version"]
        text = next((text for number, text in reversed(document.versions) if number == version), None)
        if text is None:
            self.played.faults.append(f"{document.uri}: version {version} was never there")
            return
        for each in params["diagnostics"]:
            self.played.positions += 1
            found = _QUOTED.match(each["message"])
            try:
                stands = document.slice(each["range"], text)
            except (AssertionError, IndexError, UnicodeError) as error:
                stands = f"nothing ({error})"
            if not found or stands != found[1]:
                self.played.faults.append(f"{document.uri}: {stands!r} stands where {each['message']!r} is said")

    async def play(self, events: Sequence[Event], cancellations: int) -> None:
        cancelled = set(self._random.sample(range(len(events)), min(cancellations, len(events))))
        for number, event in enumerate(events):
            self._do(event)
            if number in cancelled:
                self._ask_and_cancel()
            if number % BREATH == 0:
                await self._breathe()
        self.played.events += len(events)
        await self._finish()

    def _do(self, event: Event) -> None:
        client = self.client
        if event.kind == "open":
            self._languages[event.uri] = event.language
            client.open(event.uri, event.language, event.text)
            return
        document = client.documents[event.uri]
        if event.kind == "edit":
            client.edit(document, event.start, event.end, event.text)
        elif event.kind == "rewrite":
            client.rewrite(document, event.text)
        else:
            client.close(document)

    def _ask_and_cancel(self) -> None:
        """Ask something about a document, and take most of it back."""
        random, client = self._random, self.client
        document = random.choice(list(client.documents.values()))
        place = document.position(random.randint(0, len(document.text)))
        params: dict[str, Any] = {"textDocument": {"uri": document.uri}}
        method = random.choice(("hover", "codeAction", "diagnostic", "diagnostic"))
        if method == "hover":
            params["position"] = place
        elif method == "codeAction":
            params |= {"range": {"start": place, "end": place}, "context": {"diagnostics": []}}
            if random.random() < 0.5:
                params["context"]["only"] = ["source.fixAll"]
        asked, answer = client.ask(f"textDocument/{method}", params)
        client.cancel(asked)
        self.played.cancelled += 1
        self._answers.append(answer)

    async def _breathe(self) -> None:
        stdin = self.client.process.stdin
        assert stdin
        await stdin.drain()
        if self._random.random() < 0.7:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.client.news(), 1)
        while len(self._answers) > 50:
            await self._hear(self._answers.popleft())

    async def _hear(self, answer: asyncio.Future[Any]) -> None:
        """Wait for an answer: every request has one, if only that it was cancelled."""
        try:
            await asyncio.wait_for(answer, 60)
        except ServerError as error:
            if error.code not in _CANCELLED:
                self.played.faults.append(f"an answer: {error}")
        except TimeoutError:
            self.played.faults.append("a request was never answered")
        self.played.answered += 1

    async def _finish(self) -> None:
        while self._answers:
            await self._hear(self._answers.popleft())
        checker = Checker(RuleCorrector())
        for document in list(self.client.documents.values()):
            await self.client.settle(document, 120)
            form = LANGUAGE_FORMATS[self._languages[document.uri]] or ""
            fresh = [
                (document.position(each.start), document.position(each.end), each.type)
                for each in checker.check_text(document.text, form)
            ]
            known = [(each["range"]["start"], each["range"]["end"], each["code"]) for each in document.diagnostics]
            if known != fresh:
                self.played.faults.append(f"{document.uri}: {len(known)} diagnostics, a fresh check has {len(fresh)}")
            self.client.close(document)
        self.played.published = self.client.published


def resident(client: Client) -> int:
    """Return how many bytes a server holds."""
    pages = Path(f"/proc/{client.process.pid}/statm").read_text(encoding="ascii").split()[1]
    return 4096 * int(pages)


async def play(
    seconds: float, cancellations: int, seed: int = 1, unit: str = "utf-16", large: int = 120_000, rounds: int = 2
) -> Played:
    """Play a recording back, more than once: what a server holds then must not grow."""
    events = list(Writer(seed, large).write(seconds))
    async with Client.start(SERVER) as client:
        await client.initialize({"general": {"positionEncodings": [unit]}})
        player = _Player(client, seed)
        for number in range(rounds):
            await player.play(events, cancellations)
            player.played.late = resident(client)
            player.played.early = player.played.early if number else player.played.late
        code = await client.end()
        if code:
            player.played.faults.append(f"the server ended with {code}")
        return player.played
