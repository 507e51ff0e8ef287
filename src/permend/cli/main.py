"""The ``permend`` command: one group, one module per subcommand.

A `PermendError` from anywhere below becomes one sentence on standard error and exit code 2, as click's own usage
errors do; a traceback always means a bug.
"""

from __future__ import annotations

from typing import Any

import click

from permend import __version__
from permend.cli.align import align
from permend.cli.check import check
from permend.cli.correct import correct
from permend.cli.dictionary import dictionary
from permend.cli.doctor import doctor
from permend.cli.evaluate import evaluate
from permend.cli.explain import explain
from permend.cli.export import export
from permend.cli.info import info
from permend.cli.pretrain import pretrain
from permend.cli.synth import synth
from permend.cli.train import train
from permend.cli.tune import tune
from permend.errors import PermendError


class _Group(click.Group):
    """A group that turns the library's errors into the command line's."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except PermendError as error:
            raise _Failure(str(error)) from error


class _Failure(click.ClickException):
    exit_code = 2


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="permend")
def main() -> None:
    """Grammar correction in one network pass (GEC-DePenD), on your own machine."""


main.add_command(align)
main.add_command(check)
main.add_command(correct)
main.add_command(dictionary)
main.add_command(doctor)
main.add_command(evaluate)
main.add_command(explain)
main.add_command(export)
main.add_command(info)
main.add_command(pretrain)
main.add_command(synth)
main.add_command(train)
main.add_command(tune)
