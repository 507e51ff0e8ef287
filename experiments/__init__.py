"""Paper runs and measurements; nothing in the package imports this."""

import permend  # noqa: F401  # first of all: it tells libraries to report nothing
