"""``python -m permend``, and the script ``permend``: the command line, which may be interrupted from the start."""

import sys

from permend.cli.process import obey, open_descriptors, prepare_streams, tidily


def main() -> None:
    """Run the command line."""
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
