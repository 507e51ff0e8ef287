"""The documentation is true: links lead somewhere, and the command line page is what the commands say."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("experiments/**/*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        assert "://" in target or (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_command_line_page_is_what_the_commands_say() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert page == runpy.run_path(str(ROOT / "scripts" / "document-cli"))["document"](), "run scripts/document-cli"


def test_every_module_opens_with_its_contract() -> None:
    for module in (ROOT / "src").rglob("*.py"):
        assert module.read_text(encoding="utf-8").lstrip("r").startswith('"""'), module


def test_every_module_is_on_the_tour() -> None:
    tour = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for module in (ROOT / "src" / "permend").rglob("*.py"):
        if module.name != "__init__.py":
            assert f"`{module.relative_to(ROOT / 'src' / 'permend')}`" in tour, f"{module.name} is not in the tour"
