"""How a command ends: always with an exit code that means one thing, and never with a traceback.

In: a command to carry out. Out: its exit code, and a sentence on standard error where one is due.

=====  ==============================================================================
0      all is well
1      `permend check` has findings, `permend dict` has not found what to take out
2      wrong arguments, or something that could not be read, written or used
70     a bug in permend; ``PERMEND_DEBUG=1`` shows the traceback
130    Ctrl-C
141    whoever read the output has closed it, as ``head`` does
143    SIGTERM
=====  ==============================================================================
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from collections.abc import Callable

import click

from permend.cli.process import OutputError, received_signal
from permend.errors import PermendError, describe
from permend.text.visible import visible

TROUBLE, BUG, INTERRUPTED, CLOSED = 2, 70, 130, 141
_HELP = getattr(click.exceptions, "NoArgsIsHelpError", ())  # an error whose message is a whole page, since click 8.2


def carry_out(command: Callable[[], object]) -> int:
    """Run a command and return its exit code."""
    try:
        try:
            code = _code(command())
        except SystemExit as end:
            code = _code(end.code)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BaseException as error:
        return _told(error)
    return code


def _code(returned: object) -> int:
    return returned if isinstance(returned, int) else 0


def _told(error: BaseException) -> int:
    """Say what has ended a command, and return its exit code."""
    if (number := received_signal()) and not isinstance(error, KeyboardInterrupt | click.Abort):
        return 128 + number  # whatever a library has made of it
    match error:
        case click.ClickException():
            if not isinstance(error, _HELP):
                vars(error).update(message=visible(error.message))
            error.show()
            return TROUBLE
        case KeyboardInterrupt() | click.Abort():
            click.echo("Aborted!", err=True)
            return INTERRUPTED
        case OutputError(errno=errno.EPIPE):
            return CLOSED
        case PermendError() | OutputError() | OSError() | MemoryError():
            tell(error)
            return TROUBLE
    if os.environ.get("PERMEND_DEBUG"):
        click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    what = visible(str(error)) or "without a message"
    click.echo(
        f"Error: permend has failed: {type(error).__name__}: {what} (this is a bug; run with PERMEND_DEBUG=1 for the "
        "traceback)",
        err=True,
    )
    return BUG


def tell(error: BaseException) -> None:
    """Say in a line what is wrong."""
    click.echo(f"Error: {visible(describe(error))}", err=True)
