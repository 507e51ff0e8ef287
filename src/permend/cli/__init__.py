"""The command line: thin shells over the library. The library never prints; these modules do."""

from permend.cli.main import main

__all__ = ["main"]
