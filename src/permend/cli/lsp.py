"""``permend lsp``: the language server for editors.

In: the Language Server Protocol on standard input, or on a port. Out: the same on standard output, or on that port; the
exit code is 1 where the editor has gone without a word.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

import click

from permend.errors import MissingExtraError
from permend.model.options import NAMES


@click.command()
@click.option("--tcp", is_flag=True, help="Wait for one editor on a port, not on standard input and output.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Where to wait; others than this machine can reach 0.0.0.0."
)
@click.option("--port", type=click.IntRange(1, 65_535), default=8412, show_default=True, help="The port.")
@click.option("--log-file", metavar="FILE", help="Write the log here.  [default: warnings to standard error]")
@click.option("--log-text", is_flag=True, help="Write all messages into the log, with what you write in them.")
@click.option("--mode", type=click.Choice(NAMES), help="How much to find, where the editor does not set it.")
@click.option("--model", metavar="DIR", help="A model folder; the model installed with permend otherwise.")
def lsp(
    tcp: bool, host: str, port: int, log_file: str | None, log_text: bool, mode: str | None, model: str | None
) -> None:
    """Check what you write in an editor, while you write it.

    Editors start this program by themselves and talk with it (the Language Server Protocol); docs/editors.md says how
    to tell yours. It opens no connection. The log never contains what you write, unless you ask for it.

    \b
    Examples:
      permend lsp
      permend lsp --tcp --port 8412 --log-file permend.log
    """
    if find_spec("pygls") is None:  # before the model is loaded for nothing
        raise MissingExtraError("The language server", "lsp")
    from permend.lsp.engine import ModelLoader

    loader = ModelLoader(model, mode)
    loader.begin()
    try:
        from permend.lsp.log import write_log
        from permend.lsp.server import make_server
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] in ("pygls", "lsprotocol", "attrs", "cattrs"):
            raise MissingExtraError("The language server", "lsp") from None
        raise
    write_log(log_file, log_text)
    server = make_server(loader)
    if tcp:
        server.start_tcp(host, port)
    else:
        server.start_io(stdout=os.fdopen(os.dup(1), "wb"))  # which it closes
    sys.exit(server.exit_code)
