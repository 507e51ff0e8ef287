"""The ``permend`` command: a group whose commands are loaded when they are called.

In: arguments. Out: the command of that name, from the file that `COMMANDS` says; `permend.cli.ending` has all exit
codes. Listing the commands loads none of them: their first sentences stand here, and a test compares them.
"""

from __future__ import annotations

import sys
from functools import partial
from importlib import import_module
from typing import Any

import click

from permend import __version__
from permend.cli.ending import carry_out

COMMANDS = {
    "align": ("align", "Show the plan that turns SOURCE into TARGET."),
    "batch": ("batch", "Correct a whole corpus: a column of JSONL, Parquet or CSV files, or text a line at a time."),
    "check": (
        "check",
        "List what is wrong in files, in the documents of folders, or in standard input (-), and change nothing.",
    ),
    "correct": ("correct", "Correct sentences, files, the documents in folders, or standard input."),
    "dict": (
        "dictionary",
        "Keep words that are never changed (names, terms, brands), and findings that you have dismissed.",
    ),
    "doctor": (
        "doctor",
        "Find out whether all is well: versions, model, dictionaries, connections, one corrected sentence.",
    ),
    "evaluate": ("evaluate", "Score HYPOTHESIS, a file with one corrected sentence a line."),
    "explain": ("explain", "Draw what the model did with SENTENCE."),
    "export": ("export", "Turn MODEL_DIR, a trained model, into OUT_DIR, a folder that needs no torch."),
    "info": ("info", "Show a model: name, sizes, modes and their scores, facts of its card."),
    "lsp": ("lsp", "Check what you write in an editor, while you write it."),
    "pretrain": (
        "pretrain",
        "Make a tokenizer and an encoder from plain text, as RECIPE says, a TOML file; KEY=VALUE changes values of it.",
    ),
    "serve": (
        "serve",
        "Answer browsers, editors and office programs: LanguageTool's API, one of our own, and a page to write in.",
    ),
    "synth": ("synth", "Make training pairs: realistic errors in clean text."),
    "train": ("train", "Train a model as RECIPE says, a TOML file; KEY=VALUE changes single values of it."),
    "tune": ("tune", "Choose the modes of MODEL, a model folder, on the sentences of VALIDATION, an .m2 or .tsv file."),
}
"""The file and the first sentence of each command."""


class _LazyGroup(click.Group):
    """A group that loads a command when it is called, and ends as `permend.cli.ending` says."""

    def main(self, *arguments: Any, standalone_mode: bool = True, **options: Any) -> Any:
        run = partial(super().main, *arguments, standalone_mode=False, **options)
        if not standalone_mode:
            return run()
        sys.exit(carry_out(run))

    def invoke(self, ctx: click.Context) -> Any:
        super().invoke(ctx)  # what a command returns is no exit code

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        name, _ = COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"permend.cli.{name}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        limit = formatter.width - 6 - max(map(len, COMMANDS))
        rows = [
            (name, click.Command(name, help=text).get_short_help_str(limit)) for name, (_, text) in COMMANDS.items()
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="permend")
def main() -> None:
    """Grammar correction in one network pass (GEC-DePenD), on your own machine.

    The exit code is 0 when all went well, 1 when `permend check` has findings, 2 when arguments are wrong or something
    could not be read or written, 70 for a bug in permend, 130 after Ctrl-C.
    """
