"""Sessions with a server that has three rules, for tests."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.editing.client import Client, ClientDocument

T = TypeVar("T")
SERVER = (sys.executable, "-m", "benchmarks.editing.rules")
PULLING: dict[str, Any] = {"textDocument": {"diagnostic": {}}}


def converse(talk: Callable[[Client], Awaitable[T]], home: Path, **environment: str) -> T:
    """Have a conversation with a server whose user has an empty home; warnings of its log go to a file there."""
    surroundings = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "settings"), "PERMEND_TEST_LOG": str(home / "log")}

    async def session() -> T:
        async with Client.start(SERVER, **surroundings | environment) as client:
            result = await asyncio.wait_for(talk(client), 120)
            if client.process.returncode is None:
                assert await client.end() == 0
            return result

    return asyncio.run(session())


def words(document: ClientDocument) -> list[str]:
    """Return what stands where the diagnostics are."""
    return [document.slice(each["range"]) for each in document.diagnostics]


async def actions(client: Client, document: ClientDocument, at: int, **context: Any) -> list[dict[str, Any]]:
    """Return the code actions at a place."""
    place = document.position(at)
    params = {
        "textDocument": {"uri": document.uri},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": document.diagnostics, **context},
    }
    return list(await client.request("textDocument/codeAction", params))


def titled(found: list[dict[str, Any]], title: str) -> dict[str, Any]:
    """Return the action whose title begins so."""
    return next(each for each in found if each["title"].startswith(title))


async def execute(client: Client, action: dict[str, Any]) -> Any:
    """Carry out the command of an action."""
    command = action["command"]
    params = {"command": command["command"], "arguments": command["arguments"]}
    return await client.request("workspace/executeCommand", params)


async def pull(client: Client, document: ClientDocument, previous: str | None = None) -> dict[str, Any]:
    """Ask for the diagnostics of a document."""
    params = {"textDocument": {"uri": document.uri}, "previousResultId": previous}
    report: dict[str, Any] = await client.request("textDocument/diagnostic", params)
    if "items" in report:
        document.diagnostics = report["items"]
    return report
