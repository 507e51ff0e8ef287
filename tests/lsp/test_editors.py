"""Real editors, without a screen, with the settings that docs/editors.md has for them: see a finding, apply its fix."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


def try_out(tmp_path: Path, *command: str) -> list[str]:
    """Run an editor that finds `permend` where a user has it, and return what it saw."""
    programs = tmp_path / "bin"
    programs.mkdir()
    permend = programs / "permend"
    permend.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m permend "$@"\n', encoding="utf-8")
    permend.chmod(0o755)
    file, seen = tmp_path / "letter.txt", tmp_path / "seen"
    file.write_text(WRONG, encoding="utf-8")
    environment = os.environ | {
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "settings"),
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PERMEND_TEST_FILE": str(file),
        "PERMEND_TEST_SEEN": str(seen),
        "LC_ALL": "C.UTF-8",
    }
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


def _version(program: str) -> str:
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
