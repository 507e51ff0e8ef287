"""``python -m permend``, and the script ``permend``: the command line, which may be interrupted from the start."""

import os
import signal
import sys


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # Python's own, which shows a traceback
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from permend.cli.process import obey, open_descriptors, prepare_streams, tidily

    open_descriptors()
    obey()
    from permend.cli.main import main as commands

    prepare_streams()
    try:
        with tidily():
            commands(prog_name="permend")
    except KeyboardInterrupt:  # while the command was ending by itself
        sys.exit(130)


if __name__ == "__main__":
    main()
