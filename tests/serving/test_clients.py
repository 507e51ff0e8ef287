"""Programs that speak LanguageTool's API, as their registries have them, against a server that runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serving.running import Running

EMOJI = "😀 I definately agree 👍🏽 with you. He go to school yesterday."
CORRECTED = "😀 I definitely agree 👍🏽 with you. He went to school yesterday."
PLAIN = "I definately agree with you. He go to school yesterday."
"""For what the clients themselves count in characters, wherever UTF-16 is meant."""
SEVERAL = "I has been there."
NPM = Path(sys.prefix) / "npm"
"""Where scripts/test puts packages from npm."""


def run(*command: str | Path, folder: Path | None = None) -> str:
    """Run a program, and return what it says."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=120, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


class TestLanguageToolPython:
    """``language_tool_python`` with ``remote_server=``."""

    @pytest.fixture
    def tool(self, served: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
        """Return a client that may neither start Java nor keep anything."""
        from language_tool_python import LanguageTool

        monkeypatch.setenv("LTP_PATH", str(tmp_path))
        monkeypatch.setattr(subprocess, "Popen", None)
        with LanguageTool("en-US", remote_server=served.url) as tool:
            yield tool
        assert list(tmp_path.iterdir()) == []

    def test_errors_stand_where_they_are_behind_emoji(self, tool: Any) -> None:
        matches = tool.check(EMOJI)
        assert [EMOJI[m.offset : m.offset + m.error_length] for m in matches] == ["definately", "go"]
        assert [(m.rule_issue_type, m.category) for m in matches] == [("misspelling", "TYPOS"), ("grammar", "GRAMMAR")]

    def test_texts_are_corrected(self, tool: Any) -> None:
        assert tool.correct(EMOJI) == CORRECTED

    def test_there_may_be_several_replacements(self, tool: Any) -> None:
        [match] = tool.check(SEVERAL)
        assert len(match.replacements) > 1
        assert "have been" in match.replacements

    def test_rules_and_categories_are_switched_off_and_on(self, tool: Any) -> None:
        tool.disabled_rules = {"PERMEND_VERB_TENSE"}
        assert [m.rule_id for m in tool.check(EMOJI)] == ["PERMEND_SPELL"]
        tool.disabled_rules = set()
        tool.disable_spellchecking()
        assert [m.rule_id for m in tool.check(EMOJI)] == ["PERMEND_VERB_TENSE"]
        tool.enable_spellchecking()
        tool.enabled_rules, tool.enabled_rules_only = {"PERMEND_SPELL"}, True
        assert [m.rule_id for m in tool.check(EMOJI)] == ["PERMEND_SPELL"]

    def test_it_may_be_picky_in_any_variant(self, tool: Any) -> None:
        tool.language, tool.picky = "en-GB", True
        assert [m.matched_text for m in tool.check(PLAIN)] == ["definately", "go"]

    def test_parts_of_a_text_can_be_checked(self, tool: Any) -> None:
        from language_tool_python.utils import classify_matches

        assert tool.check("") == []
        assert classify_matches(tool.check("All is well.")).name == "CORRECT"
        assert [m.matched_text for m in tool.check_matching_regions(PLAIN, r"He go to \w+ \w+\.")] == ["go"]

    def test_a_text_that_is_too_long_is_an_error_that_says_so(self, tool: Any) -> None:
        from language_tool_python.exceptions import LanguageToolError

        with pytest.raises(LanguageToolError, match=r"Your text exceeds the limit of 200000 characters"):
            tool.check("a " * 100_001)

    def test_unknown_languages_are_refused(self, tool: Any) -> None:
        with pytest.raises(ValueError, match="tlh"):
            tool.language = "tlh"


class TestPyLanguageTool:
    """``pylanguagetool``, as a program and as a library."""

    def check(self, served: Running, *arguments: str) -> str:
        """Run the program on a text that comes through a pipe; it ends with 1 where it has found something."""
        command = [sys.executable, "-W", "ignore", "-c", "from pylanguagetool.cli import main; main()", "--no-color"]
        with_address = [*command, "-a", f"{served.url}/v2/", *arguments]
        done = subprocess.run(with_address, input=EMOJI, capture_output=True, text=True, timeout=120)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    def test_it_shows_what_is_wrong_and_what_is_right(self, served: Running) -> None:
        said = self.check(served, "-l", "en-US")
        assert "definitely" in said
        assert "went" in said
        assert "went" in self.check(served, "-l", "auto", "-p", "en-GB", "--picky")

    def test_rules_and_categories_are_switched_off(self, served: Running) -> None:
        assert "definitely" not in self.check(served, "-l", "en-US", "-d", "PERMEND_SPELL")
        assert "definitely" not in self.check(served, "-l", "en-US", "--disabled-categories", "TYPOS")
        only = self.check(served, "-l", "en-US", "--enabled-categories", "TYPOS", "--enabled-only")
        assert "definitely" in only
        assert "went" not in only

    def test_the_library_hears_what_is_wrong_with_a_request(self, served: Running) -> None:
        code = """
import sys
from pylanguagetool import api
url, text = sys.argv[1:]
print(len(api.get_languages(url)), len(api.check(text, url, "en-US", pwl=["definately"])["matches"]))
try:
    api.check(text, url, "xx")
except ValueError as error:
    print(error)
"""
        counts, error = run(sys.executable, "-W", "ignore", "-c", code, f"{served.url}/v2/", PLAIN).splitlines()
        assert counts == "7 1"
        assert error.startswith("Error: 'xx' is not a language code")


class TestGramma:
    """``gramma``, a client on npm that takes an address."""

    def check(self, served: Running, text: str, **options: Any) -> Any:
        """Have a program in JavaScript check a text, and return the matches as it gets them, or the error."""
        if not (shutil.which("node") and (NPM / "node_modules" / "gramma").exists()):
            assert not os.environ.get("CI"), "scripts/test installs node and gramma where it may"
            pytest.skip("needs node, and gramma from npm")
        code = """
const gramma = require("gramma"), [text, options] = process.argv.slice(1)
gramma.check(text, JSON.parse(options)).then(
  (found) => console.log(JSON.stringify(found.matches)), (error) => console.log(JSON.stringify(error.message)))
"""
        given = {"api_url": f"{served.url}/v2/check", "language": "en-US", **options}
        return json.loads(run("node", "-e", code, text, json.dumps(given), folder=NPM))

    def test_errors_stand_where_they_are_behind_emoji(self, served: Running) -> None:
        matches = self.check(served, EMOJI)
        assert [match["word"] for match in matches] == ["definately", "go"]
        units = EMOJI.encode("utf-16-le")
        places = [(match["offset"], match["offset"] + match["length"]) for match in matches]
        assert [units[2 * start : 2 * end].decode("utf-16-le") for start, end in places] == ["definately", "go"]

    def test_there_may_be_several_replacements_each_with_its_confidence(self, served: Running) -> None:
        [match] = self.check(served, SEVERAL)
        confidences = [replacement["confidence"] for replacement in match["replacements"]]
        assert len(confidences) > 1
        assert confidences == sorted(confidences, reverse=True)

    def test_markup_is_left_alone(self, served: Running) -> None:
        text = "# A *definately* good day\n\nHe **go** to `school yesterday` and to [school](a_b.html) yesterday.\n"
        matches = self.check(served, text, markdown=True)
        words = [text[match["offset"] : match["offset"] + match["length"]] for match in matches]
        assert "definately" in words
        assert not any("school yesterday" in word or "a_b" in word or "#" in word for word in words)

    def test_categories_are_switched_off(self, served: Running) -> None:
        assert [match["word"] for match in self.check(served, EMOJI, rules={"typos": False})] == ["go"]

    def test_an_error_is_told_as_it_was_sent(self, served: Running) -> None:
        assert self.check(served, EMOJI, language="xx").startswith("Error: 'xx' is not a language code")
