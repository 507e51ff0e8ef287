"""A promise that was not kept."""

from __future__ import annotations


class Broken(AssertionError):  # noqa: N818
    """What should hold does not."""


def hold(holds: bool, otherwise: str) -> None:
    """Raise an error unless something holds."""
    if not holds:
        raise Broken(otherwise)
