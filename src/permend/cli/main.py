"""The ``permend`` command: one group, one module per subcommand.

A `PermendError` from anywhere below becomes one sentence on standard error and exit code 2, as click's own usage
errors do; `permend.cli.ending` has all exit codes.
"""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import click

from permend import __version__
from permend.cli.align import align
from permend.cli.check import check
from permend.cli.correct import correct
from permend.cli.dictionary import dictionary
from permend.cli.doctor import doctor
from permend.cli.ending import carry_out
from permend.cli.evaluate import evaluate
from permend.cli.explain import explain
from permend.cli.export import export
from permend.cli.info import info
from permend.cli.pretrain import pretrain
from permend.cli.synth import synth
from permend.cli.train import train
from permend.cli.tune import tune


class _Group(click.Group):
    """A group whose commands end as `permend.cli.ending` says."""

    def main(self, *arguments: Any, standalone_mode: bool = True, **options: Any) -> Any:
        run = partial(super().main, *arguments, standalone_mode=False, **options)
        if not standalone_mode:
            return run()
        sys.exit(carry_out(run))

    def invoke(self, ctx: click.Context) -> Any:
        super().invoke(ctx)  # what a command returns is no exit code


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="permend")
def main() -> None:
    """Grammar correction in one network pass (GEC-DePenD), on your own machine.

    The exit code is 0 when all went well, 1 when `permend check` has findings, 2 when arguments are wrong or something
    could not be read or written, 70 for a bug in permend, 130 after Ctrl-C.
    """


for command in (
    align, check, correct, dictionary, doctor, evaluate, explain, export, info, pretrain, synth, train, tune
):  # fmt: skip
    main.add_command(command)
