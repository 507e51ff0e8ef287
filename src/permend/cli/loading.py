"""Options that say which model corrects and how, for all commands that correct, and what they ask for.

In: options, as click hands them over. Out: a `Corrector` for sentences, a `Checker` for documents, the function that
writes a report. Each is imported when it is asked for: the options alone load little.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import click

from permend.documents.formats import FORMATS, find_format
from permend.model.options import NAMES, Options

if TYPE_CHECKING:
    from permend.corrector.corrector import Corrector
    from permend.documents.checker import Checker

MOST_WORKERS = 2  # unless told otherwise: each takes memory, too
_Command = TypeVar("_Command", bound=Callable[..., Any])
_REPORTS = {
    "text": "compiler:write_messages",
    "diff": "patch:write_patch",
    "json": "json_report:write_json",
    "jsonl": "json_report:write_lines",
    "m2": "m2:write_m2",
    "sarif": "sarif:write_sarif",
    "lt": "languagetool:write_languagetool",
}
"""The module and the function that write a report."""


def model_options(command: _Command) -> _Command:
    """Add the options for a model, its mode, and where and on how many cores it computes."""
    threads = click.option(
        "--threads",
        type=click.IntRange(1),
        metavar="N",
        help="Cores to use, at most those of the machine.  [default: all; two for documents]",
    )
    return mode_options(threads(device_option(command)))


def device_option(command: _Command) -> _Command:
    """Add the option for where torch computes."""
    return click.option(
        "--device",
        metavar="NAME",
        help="Where torch computes: cuda, cuda:1, cpu; auto is cuda where there is one.  [default: no torch]",
    )(command)


def mode_options(command: _Command) -> _Command:
    """Add the options for a model and its mode."""
    for option in (
        click.option(
            "--min-confidence",
            type=click.FloatRange(0, 1),
            metavar="P",
            help="Leave out corrections that are less probable than this.",
        ),
        click.option("--min-margin", type=float, metavar="T", help="Leave a sentence alone below these log-odds."),
        click.option(
            "--mode",
            type=click.Choice(NAMES),
            help="How much to find, how much to leave alone.  [default: balanced, where the model has modes]",
        ),
        click.option("--model", metavar="DIR", help="A model folder; the model installed with permend otherwise."),
    ):
        command = option(command)
    return command


def document_options(command: _Command) -> _Command:
    """Add the options for reading documents."""
    for option in (
        click.option(
            "--exclude",
            multiple=True,
            metavar="GLOB",
            help="Files and folders to pass by, in the syntax of .gitignore; may be repeated.",
        ),
        click.option(
            "--encoding",
            metavar="NAME",
            callback=_encoding,
            help="How files are written, such as windows-1252.  [default: UTF-8, or by their byte-order mark]",
        ),
        click.option(
            "--comments",
            is_flag=True,
            callback=_refuse_both,
            help="Read source code, too: its comments and docstrings, in files and folders.",
        ),
        click.option(
            "--format-in",
            type=click.Choice(FORMATS),
            is_eager=True,
            callback=_loadable,
            help="What documents are written in.  [default: by file ending, plain otherwise]",
        ),
    ):
        command = option(command)
    return command


def _loadable(context: click.Context, option: click.Parameter, name: str | None) -> str | None:
    """Say at once what has to be installed for a format."""
    if name is not None:
        find_format(name)
    return name


def _refuse_both(context: click.Context, option: click.Parameter, comments: bool) -> bool:
    if comments and context.params.get("format_in"):
        raise click.UsageError("--comments and --format-in exclude each other.")
    return comments


def _encoding(context: click.Context, option: click.Parameter, name: str | None) -> str | None:
    if name is None:
        return None
    try:
        "".encode(name)
    except (LookupError, ValueError):
        raise click.BadParameter(f"{name!r} is no encoding that Python knows") from None
    return name


def load_corrector(
    model: str | None,
    mode: str | None,
    threads: int | None,
    at_least: int | None = None,
    device: str | None = None,
    **options: Any,
) -> Corrector:
    """Load a model; options that are given change what its mode has set, and there may be more alternatives."""
    from permend.corrector.corrector import Corrector

    threads = threads and min(threads, count_cores())
    corrector = Corrector.from_pretrained(model, mode=mode, threads=threads, device=device)
    given = {name: value for name, value in options.items() if value is not None}
    if at_least is not None:  # more of them, never fewer: the best one is found among all
        given |= {name: max(at_least, getattr(corrector.options, name)) for name in ("alternatives", "beam")}
        given["prune"] = False
    corrector.options = with_given(corrector.options, given)
    return corrector


def with_given(options: Options, given: dict[str, Any]) -> Options:
    """Return options with what was given on the command line; a margin that was given holds for slips, too."""
    if "min_margin" in given:
        given = {"slip_margin": None, **given}
    return dataclasses.replace(options, **given)


def load_checker(model: str | None, mode: str | None, threads: int | None, **options: Any) -> Checker:
    """Load a model for documents: several batches at a time are faster than several cores for one."""
    from permend.documents.checker import Checker

    workers = min(threads or MOST_WORKERS, count_cores())
    return Checker(load_corrector(model, mode, 1, **options), workers=workers)


def find_report(name: str) -> Callable[..., Iterator[str]]:
    """Load what writes a report of checked documents, by the report's name."""
    module, _, function = _REPORTS[name].partition(":")
    write: Callable[..., Iterator[str]] = getattr(import_module(f"permend.documents.reports.{module}"), function)
    return write


def count_cores() -> int:
    """Return how many cores there are for this process."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
