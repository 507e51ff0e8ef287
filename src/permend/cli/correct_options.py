"""What ``permend correct`` is asked for: arguments sorted into sentences and files, and options that go together.

In: arguments and options as they were given. Out: the same in order, or a usage error that names the two options that
exclude each other, before anything is read.

>>> refuse_contradictions({"in_place": True, "output": "new.txt"})
Traceback (most recent call last):
click.exceptions.UsageError: --in-place and --output exclude each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, TypeVar

import click

from permend.cli.files import is_path

_Command = TypeVar("_Command", bound=Callable[..., Any])

_HELP = {
    "diff": "Print what would change, as patch and git apply read it.",
    "json": "Print one JSON object for each document or sentence.",
    "jsonl": "Print one JSON object for each finding.",
    "m2": "Print sentences and edits as the benchmarks' M2.",
    "sarif": "Print SARIF 2.1.0, for code scanners.",
    "lt": "Print LanguageTool's JSON, for its clients.",
}
_REPORTS = tuple(f"--{name}" for name in _HELP)
_LINES = ("--lines", "--tokenized", "--file", "--alternatives")
_DOCUMENTS = ("--in-place", "--diff", "--jsonl", "--sarif", "--lt", "--format-in", "--encoding", "--exclude")
_WHY = "single lines go with --json, --m2 and --output; the other ways are for documents"


def report_options(*names: str) -> Callable[[_Command], _Command]:
    """Add an option for each of the reports: separate ones, so that it shows when two are given."""

    def add(command: _Command) -> _Command:
        for name in reversed(names):
            command = click.option(f"--{name}", f"as_{name}", is_flag=True, help=_HELP[name])(command)
        return command

    return add


def take_report(options: dict[str, Any]) -> str | None:
    """Take the reports out of all options, and return the one that is wanted."""
    return next(iter([name for name in _HELP if options.pop(f"as_{name}")]), None)


def sort_inputs(inputs: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part sentences from paths, which may lead nowhere."""
    paths = [each for each in inputs if is_path(each)]
    return [each for each in inputs if each not in paths], paths


def refuse_contradictions(options: Mapping[str, Any]) -> None:
    """Refuse two options that exclude each other; one that is False, None or empty was not given."""
    given = {_flag(name) for name, value in options.items() if value not in (None, False, ())}
    for one, other, why in _excluding():
        if {one, other} <= given:
            raise click.UsageError(f"{one} and {other} exclude each other{why}.")


def _flag(name: str) -> str:
    """Return an option as it is typed.

    >>> _flag("in_place"), _flag("as_json"), _flag("files")
    ('--in-place', '--json', '--file')
    """
    return "--file" if name == "files" else f"--{name.removeprefix('as_').replace('_', '-')}"


def _excluding() -> Iterator[tuple[str, str, str]]:
    """Yield pairs of options that exclude each other, and why."""
    yield from ((*pair, f": {_WHY}") for pair in product(_LINES, _DOCUMENTS))
    yield from (("--in-place", other, "") for other in ("--output", *_REPORTS))
    yield from ((*pair, "") for pair in combinations(_REPORTS, 2))
