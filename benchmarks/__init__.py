"""Performance claims, each with a command that prints a table."""

import permend  # noqa: F401  # first of all: it tells libraries to report nothing
