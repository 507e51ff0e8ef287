"""``permend info``: what a model is, whether its files are whole, and how it scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.table import Table

from permend import __version__
from permend.cli.terminal import SafeConsole
from permend.errors import InputError
from permend.model.config import ModelConfig
from permend.model.folder import HASHES, read_card
from permend.model.options import Modes, Options, read_modes
from permend.model.pretrained import model_folder
from permend.text.visible import visible_json


@click.command()
@click.option("--model", metavar="DIR", help="A model folder; the model installed with permend otherwise.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON for programs; sizes are in bytes, shares from 0 to 1."
)
def info(model: str | None, as_json: bool) -> None:
    """Show a model: name, sizes, modes and their scores, facts of its card.

    Every file is compared with the hashes that its export wrote down; a damaged model is an error.

    \b
    Examples:
      permend info
      permend info --model my-model --json
    """
    folder = model_folder(model)
    if not folder.is_dir():
        raise InputError("no such model folder", folder)
    config = ModelConfig.from_file(folder / "config.json")
    hashed = (folder / HASHES).is_file()
    modes = read_modes(folder)
    name, facts = read_card(folder)
    sizes = {file.name: file.stat().st_size for file in sorted(folder.iterdir()) if file.is_file()}
    if as_json:
        document = {
            "name": name,
            "folder": str(folder),
            "permend": __version__,
            "format": config.format,
            "hashes": "right" if hashed else "none",
            "sizes": sizes,
            "card": facts,
            "config": {k: v for k, v in config.to_dict().items() if k != "encoder"},
            **{key: value for key, value in modes.as_dict().items() if key != "format"},
        }
        click.echo(visible_json(document))
        return
    console = SafeConsole()
    console.print(_overview(name, folder, config, facts, sizes, hashed))
    if modes.modes:
        console.print(_modes_table(modes))


def _overview(
    name: str, folder: Path, config: ModelConfig, facts: dict[str, str], sizes: dict[str, int], hashed: bool
) -> Table:
    table = Table(title=name, title_justify="left", show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    rows: dict[str, Any] = {"folder": folder, "permend": __version__, "format": config.format}
    rows |= facts or {
        "vocabulary": f"{config.vocab_size:,} tokens",
        "slots × masks": f"{config.slots} × {config.masks}",
    }
    for key, value in rows.items():
        table.add_row(key, str(value))
    table.add_section()
    for file, size in sizes.items():
        table.add_row(file, f"{size / 1e6:.2f} MB")
    table.add_row("together", f"{sum(sizes.values()) / 1e6:.2f} MB")
    table.add_row("hashes", "as exported" if hashed else f"no {HASHES}, nothing to compare with")
    return table


def margins(options: Options) -> str:
    """Write the margin of a mode, and behind it that of slips where they have their own."""
    own = "" if options.slip_margin is None else f"/{options.slip_margin:.3g}"
    return f"{options.min_margin:.3g}{own}"


def _modes_table(modes: Modes) -> Table:
    title = f"Modes, chosen on {modes.chosen_on}" if modes.chosen_on else "Modes"
    table = Table("mode", title=title, title_justify="left")
    for column in ("bias", "read", "margin", "p", "P", "R", "F0.5", "correct changed"):
        table.add_column(column, justify="right")
    for name, mode in modes.modes.items():
        options, found = mode.options, mode.measured
        cells = [f"{options.bias:g}", str(options.readings)]
        cells += [margins(options), f"{options.min_confidence:g}"]
        if found is not None:
            cells += [f"{100 * share:.1f}" for share in (found.precision, found.recall, found.f)]
            cells.append(f"{found.correct_changed} of {found.correct:,}")
        table.add_row(name, *cells)
    return table
