"""``permend doctor``: whether all is well with this installation, to be read or to be pasted into a report.

In: a model folder, or None for the installed model. Out: facts about the installation, `Section` after `Section`, and
which of them are wrong. Nothing here fails: what goes wrong in a section is a fact of that section. Facts are made to
be shown to others: the home folder is ``~``, no text of the user's is read, and of the environment only the variables
that are named here.
"""

from __future__ import annotations

import json
import locale
import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from permend import __version__
from permend.cli.loading import MOST_WORKERS, count_cores
from permend.corrector.corrector import Corrector
from permend.documents.dictionary import PersonalDictionary
from permend.errors import InputError, PermendError, first_line, shown
from permend.model.config import ModelConfig
from permend.model.folder import HASHES, compare_hashes, printable, read_card
from permend.model.pretrained import installed_model

NEEDED = ("click", "numpy", "onnxruntime", "rapidfuzz", "rich", "sentencex", "tokenizers")
WRONG, RIGHT = "He go to school yesterday.", "He went to school yesterday."
"""What the installed model must be able to do."""
SILENCED = "ORT_DISABLE_TELEMETRY"
"""The variable that keeps onnxruntime from reporting usage; permend sets it unless the user has."""
VARIABLES = (SILENCED, "HF_HUB_DISABLE_TELEMETRY", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "DO_NOT_TRACK")
_EXTRA = re.compile(r"""^([\w.-]+).*;.*extra\s*==\s*["']([\w-]+)["']""")
_NO = frozenset({"", "0", "false", "no", "off"})


class Fact(NamedTuple):
    """Something that was found out."""

    name: str
    value: str
    wrong: bool = False


class Section(NamedTuple):
    """Facts that belong together."""

    title: str
    facts: list[Fact]


def diagnose(model: str | None = None) -> Iterator[Section]:
    """Yield all sections, as they are found out."""
    sections: dict[str, Callable[[], Iterator[Fact]]] = {
        "versions": _versions,
        "optional parts": _extras,
        "model": lambda: _model(model),
        "self-test": lambda: _self_test(model),
        "dictionaries": _dictionaries,
        "connections": _connections,
        "machine": _machine,
        "terminal": _terminal,
    }
    for title, find in sections.items():
        yield Section(title, list(_guarded(find)))


def _guarded(find: Callable[[], Iterator[Fact]]) -> Iterator[Fact]:
    """Yield facts for the eyes of others, and as the last one what went wrong."""
    try:
        for name, value, wrong in find():
            yield Fact(printable(name), discreet(value), wrong)
    except PermendError as error:
        yield Fact("wrong", discreet(str(error)), True)
    except Exception as error:  # whatever it is, the other sections are wanted all the same
        yield Fact("wrong", discreet(f"{type(error).__name__}: {first_line(error)}"), True)


def discreet(text: str) -> str:
    """Return a text without what tells who the user is."""
    known = os.path.expanduser("~")  # which stays "~" where nobody knows
    for home in sorted({known, os.path.realpath(known)}, key=len, reverse=True):
        if len(home) > 1:
            text = re.sub(re.escape(home) + r"(?![\w.-])", "~", text)
    return printable(text)


def _versions() -> Iterator[Fact]:
    yield Fact("permend", __version__)
    yield Fact("Python", f"{platform.python_version()} ({platform.python_implementation()})")
    yield Fact("system", f"{platform.system()} {platform.release()}, {platform.machine()}")
    for name in NEEDED:
        version = _version(name)
        yield Fact(name, version or "is not installed", version is None)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _extras() -> Iterator[Fact]:
    try:
        wanted = metadata.requires("permend") or []
    except metadata.PackageNotFoundError:
        yield Fact("all", "unknown: permend runs from its source and is not installed")
        return
    packages: dict[str, list[str]] = {}
    for found in filter(None, map(_EXTRA.match, wanted)):
        packages.setdefault(found[2], []).append(found[1])
    for extra, names in packages.items():
        if extra != "dev":
            missing = [name for name in names if _version(name) is None]
            yield Fact(extra, f"not installed ({', '.join(missing)} missing)" if missing else "installed")


def _model(model: str | None) -> Iterator[Fact]:
    folder = installed_model() if model is None else Path(model)
    yield Fact("folder", f"{folder}" if model is not None else f"{folder} (installed with permend)")
    if not folder.is_dir():
        raise InputError("no such model folder", folder)
    name, facts = read_card(folder)
    yield Fact("name", name)
    yield Fact("terms", facts.get("terms", "the card does not say"))
    sizes = [file.stat().st_size for file in folder.iterdir() if file.is_file()]
    yield Fact("size", f"{sum(sizes) / 1e6:.1f} MB in {len(sizes)} files")
    if model is None or (folder / HASHES).exists():
        for file, trouble in compare_hashes(folder):
            yield Fact(file, trouble or "as exported", trouble is not None)
    else:
        yield Fact("hashes", f"no {HASHES}, nothing to compare with")
    yield Fact("format", str(ModelConfig.from_file(folder / "config.json").format))


def _self_test(model: str | None) -> Iterator[Fact]:
    found = Corrector.from_pretrained(model, threads=1).correct(WRONG).text
    yield Fact("sentence", WRONG)
    if model is None:
        yield Fact("corrected", found if found == RIGHT else f"{found} ({RIGHT} was expected)", found != RIGHT)
    else:
        yield Fact("corrected", found)


def _dictionaries() -> Iterator[Fact]:
    words = PersonalDictionary.load(Path())
    for name, folder, project in (("yours", words.user, False), ("the project's", words.project, True)):
        if folder is not None:
            there = _distance(folder) if project else str(folder)
            count = f"{len(words.words(project)):,} words, {len(words.ignored(project)):,} dismissed findings"
            yield Fact(name, f"{count} in {there}" if folder.is_dir() else f"none yet, would be {there}")


def _distance(folder: Path) -> str:
    """Say where the project's folder is without naming the project."""
    up = len(Path.cwd().relative_to(folder.parent).parts)
    return f"{folder.name} of this folder" if not up else f"{folder.name}, {up} up from here"


def _connections() -> Iterator[Fact]:
    yield Fact("permend", "opens none; training may fetch an encoder that a recipe names from the Hugging Face hub")
    loud = os.environ.get(SILENCED, "").lower() in _NO
    yield Fact("onnxruntime", "may report usage to its maker" if loud else "is told not to report usage", loud)
    for name in VARIABLES:
        yield Fact(name, shown(os.environ[name]) if name in os.environ else "not set")
    kept = next((folder for folder in _telemetry_folders() if folder.is_dir()), None)
    note = "left by a program that did not tell onnxruntime to be silent; it can be deleted"
    yield Fact("onnxruntime's records", "none" if kept is None else f"{kept} ({note})")


def _telemetry_folders() -> Iterator[Path]:
    """Yield where onnxruntime keeps what it has not yet reported."""
    for cache in (os.environ.get("XDG_CACHE_HOME") or "~/.cache", "~/Library/Application Support"):
        yield Path(os.path.expanduser(cache)) / "Microsoft" / "DeveloperTools" / ".onnxruntime"


def _machine() -> Iterator[Fact]:
    yield Fact("cores", f"{os.cpu_count() or 'unknown'}")
    yield Fact("threads", f"{min(count_cores(), MOST_WORKERS)} for documents unless --threads says otherwise")


def _terminal() -> Iterator[Fact]:
    yield Fact("standard output", f"{sys.stdout.encoding}, {'a terminal' if sys.stdout.isatty() else 'no terminal'}")
    yield Fact("file names", sys.getfilesystemencoding())
    yield Fact("locale", ".".join(part or "none" for part in locale.getlocale()))
    yield Fact("UTF-8 mode", "on" if sys.flags.utf8_mode else "off")


@click.command()
@click.option("--model", metavar="DIR", help="A model folder; the model installed with permend otherwise.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def doctor(model: str | None, as_json: bool) -> None:
    """Find out whether all is well: versions, model, dictionaries, connections, one corrected sentence.

    The exit code is 1 when something is wrong. Nothing that you write is shown, and your home folder is ~, so that the
    whole can be pasted into a report.

    \b
    Examples:
      permend doctor
      permend doctor --model my-model --json
    """
    sections = list(diagnose(model))
    troubles = [
        f"{section.title}: {name}: {value}" for section in sections for name, value, wrong in section.facts if wrong
    ]
    if as_json:
        facts = {section.title: {name: value for name, value, _ in section.facts} for section in sections}
        click.echo(json.dumps({"well": not troubles, "troubles": troubles, **facts}))
    elif sys.stdout.isatty() and (sys.stdout.encoding or "").lower().replace("-", "") == "utf8":
        _draw(sections, Console(highlight=False), len(troubles))
    else:
        _print(sections, len(troubles))
    if troubles:
        raise SystemExit(1)


def _draw(sections: Iterable[Section], console: Console, troubles: int) -> None:
    for section in sections:
        console.print(f"[bold]{escape(section.title)}[/bold]")
        grid = Table.grid(padding=(0, 2))
        grid.add_column(width=1)
        grid.add_column(no_wrap=True, style="dim")
        grid.add_column(overflow="fold")
        for name, value, wrong in section.facts:
            grid.add_row("[red]✗[/red]" if wrong else "[green]✓[/green]", escape(name), escape(value))
        console.print(grid)
        console.print()
    console.print(f"[bold red]{_verdict(troubles)}[/]" if troubles else f"[bold green]{_verdict(troubles)}[/]")


def _print(sections: Iterable[Section], troubles: int) -> None:
    """Print one line a fact, in letters that any terminal has."""
    for section in sections:
        click.echo(_safe(section.title))
        for name, value, wrong in section.facts:
            click.echo(_safe(f"  {'WRONG: ' if wrong else ''}{name}: {value}"))
    click.echo(_verdict(troubles))


def _safe(text: str) -> str:
    encoding = sys.stdout.encoding or "ascii"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _verdict(troubles: int) -> str:
    return "All is well." if not troubles else f"{troubles} thing{'s are' if troubles > 1 else ' is'} wrong."
