"""Paper runs and measurements; nothing in the package imports this."""
