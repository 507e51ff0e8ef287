"""``permend doctor``: whether all is well with this installation, to be read or to be pasted into a report."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from permend.cli.diagnosis import Section, diagnose


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
