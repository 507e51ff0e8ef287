"""A server process with the shipped model and a real browser, for the tests of the page.

The browser is Debian's chromium (``scripts/test`` brings it where it may); without one these tests are skipped.
Every page is watched: it may ask its own server and nobody else, and its console stays clean.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

PROGRAM = shutil.which("chromium")

expect.set_options(timeout=20_000)  # a machine may be busy


@dataclass
class Server:
    """A server process that can be ended and started again at the same address."""

    home: Path
    options: tuple[str, ...] = ()
    port: int = 0
    process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        """Start it; at first at any free port."""
        command = [sys.executable, "-m", "permend", "serve", "--quiet", "--port", str(self.port), *self.options]
        places = {name: str(self.home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, cwd=self.home, env={**os.environ, **places}
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://[^ :]+:(\d+)", said)
        assert found, f"the server did not start: {said}"
        self.port = int(found[1])

    def stop(self) -> None:
        """End it."""
        if self.process is not None:
            self.process.terminate()
            self.process.communicate()
            self.process = None


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a running server."""
    server = Server(tmp_path_factory.mktemp("home"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Return a browser."""
    if PROGRAM is None:
        assert not os.environ.get("CI"), "scripts/test installs chromium where it may"
        pytest.skip("there is no chromium on this machine (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass
class Writer:
    """Somebody who writes on the page."""

    page: Page

    @property
    def editor(self) -> Locator:
        return self.page.get_by_role("textbox", name="Your text")

    @property
    def underlines(self) -> Locator:
        return self.page.locator(".cm-content .finding")

    @property
    def cards(self) -> Locator:
        return self.page.locator(".card")

    def card(self, text: str) -> Locator:
        return self.page.locator(".card", has_text=text)

    @property
    def text(self) -> str:
        """What stands in the editor (short texts: a long one is drawn in part)."""
        return "\n".join(self.page.locator(".cm-line").all_text_contents())

    def write(self, text: str) -> None:
        """Type, fast."""
        self.editor.focus()
        self.page.keyboard.insert_text(text)

    def has_checked(self) -> None:
        """Wait until the text is checked."""
        expect(self.page.locator("body[data-state=done]")).to_be_attached()


NewWriter = Callable[..., Writer]


@pytest.fixture
def new_writer(browser: Browser, server: Server) -> Iterator[NewWriter]:
    """Return a way to open the page as a new visitor; what it may not do is looked at in the end."""
    contexts: list[BrowserContext] = []
    asked: set[str] = set()
    complaints: list[str] = []

    def open_page(url: str = "", **options: object) -> Writer:
        wanted = {"viewport": {"width": 1280, "height": 800}, "accept_downloads": True, **options}
        context = browser.new_context(**wanted)  # type: ignore[arg-type]
        contexts.append(context)
        context.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(url or server.url)
        return Writer(page)

    yield open_page
    for context in contexts:
        context.close()
    assert {host for host in asked if host} == {f"127.0.0.1:{server.port}"}
    assert [said for said in complaints if "Failed to load resource" not in said] == []


@pytest.fixture
def writer(new_writer: NewWriter) -> Writer:
    """Return the page, just opened."""
    return new_writer()
