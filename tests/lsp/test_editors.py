"""Real editors, without a screen, with the settings that docs/editors.md has for them: see a finding, apply its fix."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from permend import __version__
from permend.lsp.settings import _READERS, LANGUAGE_FORMATS

ROOT = Path(__file__).parent.parent.parent
SCRIPTS = Path(__file__).parent / "editors"
WRONG = "Dear 😀 Ann,\n\nHe go to school yesterday. She have a dog.\n"
RIGHT = "Dear 😀 Ann,\n\nHe went to school yesterday. She has a dog.\n"


def snippet(language: str) -> str:
    """Return the settings that the page has for an editor."""
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    [found] = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    return str(found)


def need(program: str) -> str:
    """Return a program; where scripts/test cannot install it, the test says what it has left out."""
    found = shutil.which(program)
    if not found:
        assert not os.environ.get("CI"), f"scripts/test installs {program} where it may"
        pytest.skip(f"needs {program}")
    return found


def surroundings(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a user who has installed `permend` and nothing else."""
    programs = tmp_path / "bin"
    programs.mkdir()
    permend = programs / "permend"
    permend.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m permend "$@"\n', encoding="utf-8")
    permend.chmod(0o755)
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "settings"), "LC_ALL": "C.UTF-8"}
    return os.environ | home | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


def try_out(tmp_path: Path, *command: str) -> list[str]:
    """Run an editor that opens, corrects and saves a letter, and return what it saw."""
    file, seen = tmp_path / "letter.txt", tmp_path / "seen"
    file.write_text(WRONG, encoding="utf-8")
    environment = surroundings(tmp_path) | {"PERMEND_TEST_FILE": str(file), "PERMEND_TEST_SEEN": str(seen)}
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=200)
    assert seen.exists(), done.stdout + done.stderr
    found = seen.read_text(encoding="utf-8").splitlines()
    assert not any(line.startswith("timeout") for line in found), found
    assert file.read_text(encoding="utf-8") == RIGHT, found
    return found


def test_neovim(tmp_path: Path) -> None:
    nvim = need("nvim")
    settings = tmp_path / "init.lua"
    settings.write_text(snippet("lua"), encoding="utf-8")
    script = str(SCRIPTS / "neovim.lua")
    seen = try_out(tmp_path, nvim, "--headless", "-u", str(settings), "-i", "NONE", "-c", f"luafile {script}")
    tense, agreement = seen[:2]
    assert tense == "2:3-5 permend The verb is in the wrong tense: write “went” instead of “go”."
    assert agreement.startswith("2:31-35 permend")
    assert seen[2] == "offered: go → went"


def test_emacs(tmp_path: Path) -> None:
    emacs = need("emacs")
    if not list(Path("/usr/share").glob("emacs/site-lisp/elpa*/eglot-*")) and "28." in _version(emacs):
        assert not os.environ.get("CI"), "scripts/test installs eglot where it may"
        pytest.skip("needs eglot")
    settings = tmp_path / "init.el"
    settings.write_text(f"(package-initialize)\n{snippet('elisp')}", encoding="utf-8")
    seen = try_out(tmp_path, emacs, "--batch", "-q", "-l", str(settings), "-l", str(SCRIPTS / "emacs.el"))
    assert "The verb is in the wrong tense" in seen[0]
    assert "offered: go → went" in seen


EXTENSION = ROOT / "editors" / "vscode"
HINT = "Install it with its extra lsp, or name the program in the setting permend.command."


@pytest.mark.parametrize("is_found", [True, False])
def test_vscode_extension_with_the_client_of_vscode(tmp_path: Path, is_found: bool) -> None:
    if not shutil.which("node") or not (EXTENSION / "node_modules").is_dir():
        assert not os.environ.get("CI"), "scripts/test installs node and the extension's modules where it may"
        pytest.skip("needs node, and npm ci in editors/vscode")
    commands = ["permend"] if is_found else ["no-such-program", "permend"]
    command = ["node", str(SCRIPTS / "vscode.js"), str(EXTENSION), str(tmp_path / "letter.md"), *commands]
    environment = surroundings(tmp_path)
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["message"] == "The verb is in the wrong tense: write “went” instead of “go”."
    assert (seen["severity"], seen["source"], seen["code"]) == (2, "permend", "R:VERB:TENSE")
    assert seen["titles"][0] == "go → went"
    assert "% sure" in seen["hover"]
    assert seen["fixed"] == "Dear 😀 Ann, he went to school yesterday.\n"
    assert (seen["disabled"], seen["enabled"], seen["again"], seen["messages"]) == (["VERB:TENSE"], 1, 1, [])
    complaints = [each for each in seen.get("complaints", []) if "permend.command" in each]
    assert complaints == ([] if is_found else [f"“no-such-program lsp” does not start. {HINT}"])


def test_vscode_extension_knows_all_settings_and_languages() -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    known = {name.removeprefix("permend.") for name in package["contributes"]["configuration"]["properties"]}
    assert known == {*_READERS, "command", "arguments"}
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in page for name in _READERS)
    text = (EXTENSION / "extension.js").read_text(encoding="utf-8")
    listed = re.findall(r'"([\w-]+)"', text.partition("LANGUAGES = [")[2].partition("]")[0])
    assert set(listed) <= set(LANGUAGE_FORMATS)
    assert package["version"] == __version__


def test_zed_extension_names_languages_that_are_read() -> None:
    manifest = tomllib.loads((ROOT / "editors" / "zed" / "extension.toml").read_text(encoding="utf-8"))
    server = manifest["language_servers"]["permend"]
    assert set(server["languages"]) == set(server["language_ids"])
    assert set(server["language_ids"].values()) <= set(LANGUAGE_FORMATS)
    cargo = tomllib.loads((ROOT / "editors" / "zed" / "Cargo.toml").read_text(encoding="utf-8"))
    assert manifest["version"] == cargo["package"]["version"] == __version__


def _version(program: str) -> str:
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
