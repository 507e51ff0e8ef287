"""What an output folder remembers: the settings that made it, and which shards are done.

``_permend/settings.json`` is written first, and a folder with other settings is refused, since nobody could tell later
which shard was made how; where no shard was finished with them, the new ones take their place.
``_permend/shards/NAME.json`` is written just before a shard appears: how many rows it has, and how large its input was,
so that one that has changed since is noticed. ``_rejected/NAME.jsonl`` has the rows that were put aside. Nothing in
these files depends on the time, the machine or the number of workers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from permend.batch.places import Place
from permend.batch.shards import Shard
from permend.errors import InputError, PermendError
from permend.text.json_file import parse_json

FOLDER, REJECTED = "_permend", "_rejected"


@dataclass
class Record:
    """What became of a shard."""

    bytes: int
    rows: int = 0
    changed: int = 0
    findings: int | None = None
    rejected: int = 0


class Ledger:
    """The memory of an output folder."""

    def __init__(self, out: Place, settings: dict[str, Any]) -> None:
        """Take a folder, and refuse it if it was made with other settings, or not by this command."""
        self.out, self._settings = out, settings
        self._place = out.at(FOLDER).at("settings.json")
        if self._other() is None:
            self._place.write(_written(settings))

    def _other(self) -> list[str] | None:
        """Return which settings are others, None where there are none yet; refuse a folder in which they matter."""
        before, settings = _value(self._place), self._settings
        other = None if before is None else [key for key in {**before, **settings} if _differ(before, settings, key)]
        if other == [] or not (self.out.is_folder() and self.out.names()):
            return other
        if other is None:
            raise PermendError(
                f"{self.out} is not empty, and nothing in it says how it was made: choose another folder"
            )
        raise PermendError(
            f"{self.out} was begun with other settings ({', '.join(sorted(other))}): "
            "choose another folder, or the same settings"
        )

    def find(self, shard: Shard) -> Record | None:
        """Return what became of a shard; None where it is still to be done."""
        values = _value(self._record(shard))
        if values is None or self.out.at(shard.name).size() is None:
            return None
        try:
            record = Record(**values)
        except TypeError:
            raise InputError("is damaged: delete it", str(self._record(shard))) from None
        if record.bytes != shard.size:
            raise InputError(f"has changed since {self.out.at(shard.name)} was made: delete that one", str(shard.place))
        return record

    def write(self, shard: Shard, record: Record) -> None:
        """Write down what became of a shard."""
        self._record(shard).write(_written(asdict(record)))

    def rejected(self, shard: Shard) -> Place:
        """Return where rows are written that were put aside."""
        return self.out.at(REJECTED).at(f"{shard.name}.jsonl")

    def _record(self, shard: Shard) -> Place:
        return self.out.at(FOLDER).at("shards").at(f"{shard.name}.json")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Refuse a folder of a disk into which another process writes; settings that have made nothing are replaced."""
        if self.out.system is not None or sys.platform == "win32":
            self._replace()
            yield
            return
        import fcntl

        with (Path(self.out.path) / FOLDER / "lock").open("wb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise PermendError(f"another process writes into {self.out}") from None
            self._replace()
            yield

    def _replace(self) -> None:
        if self._other():
            self._place.write(_written(self._settings))


def _differ(one: dict[str, Any], other: dict[str, Any], key: str) -> bool:
    return bool(one.get(key) != other.get(key))


def _value(place: Place) -> dict[str, Any] | None:
    content = place.read()
    if content is None:
        return None
    try:
        value = parse_json(content.decode())
    except (PermendError, UnicodeError):
        raise InputError("is damaged: delete it", str(place)) from None
    return value if isinstance(value, dict) else {}


def _written(values: dict[str, Any]) -> bytes:
    return (json.dumps(values, indent=2, ensure_ascii=False) + "\n").encode()
