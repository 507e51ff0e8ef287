"""Performance claims, each with a command that prints a table."""
