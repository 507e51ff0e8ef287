"""Refusing numbers of a recipe that lie out of their bounds, with a sentence that names the key."""

from __future__ import annotations

from permend.errors import PermendError


def at_least(key: str, value: float | None, least: int) -> None:
    """Refuse a value that is set, and lower than `least`."""
    if value is not None and not value >= least:  # NaN compares false
        raise PermendError(f"{key} must be at least {least}, not {value}")


def share_below_one(key: str, value: float) -> None:
    """Refuse a value outside [0, 1)."""
    if not 0 <= value < 1:
        raise PermendError(f"{key} must lie in [0, 1), not {value}")
