"""The documentation is true: links lead somewhere, and the command line page is what the commands say."""

from __future__ import annotations

import ast
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_nothing_is_left_to_be_filled_in(page: Path) -> None:
    assert not re.findall(r"^[A-Z0-9_]{4,}$", page.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_command_line_page_is_what_the_commands_say() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert page == runpy.run_path(str(ROOT / "scripts" / "document-cli"))["document"](), "run scripts/document-cli"


def test_every_module_opens_with_its_contract() -> None:
    for module in (ROOT / "src").rglob("*.py"):
        assert module.read_text(encoding="utf-8").lstrip("r").startswith('"""'), module


ROOMS = sorted(path.parent for path in (ROOT / "src" / "permend").rglob("__init__.py"))


COMPARED = [ROOT / "experiments" / name for name in ("rivals", "paper")]


@pytest.mark.parametrize("room", [*ROOMS[1:], *COMPARED], ids=lambda room: str(room.relative_to(ROOT)))
def test_every_room_names_its_files(room: Path) -> None:
    docstring = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
    files = {module.stem for module in room.glob("*.py")} - {"__init__"}
    inner = {path.parent.name for path in room.glob("*/__init__.py")}
    assert not {name for name in files | inner if not re.search(rf"\b{name}\b", docstring)}
    assert set(re.findall(r"`([a-z_0-9]+)`", docstring)) <= files | inner, "what it names is there"


def test_the_tour_fits_on_a_page_and_has_every_room() -> None:
    tour = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## The tour")[2].partition("\n## ")[0]
    assert len(tour.partition("`tests/` mirrors")[0].strip().splitlines()) <= 40
    for room in ROOMS[1:]:
        assert room.name in tour or room.parent.name == "explaining", room
