"""``python -m permend``: the command line, where its script is not on the path."""

from permend.cli import main

main(prog_name="permend")
