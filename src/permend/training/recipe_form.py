"""Recipes of any kind as TOML: nested values and ``key=value`` changes in, frozen dataclasses out, and back.

In: a dataclass whose fields are sections, each a frozen dataclass of typed values. Out: a `RecipeForm` that reads,
checks and writes recipes of that kind; a mistake is one sentence that names the key at fault. A field that is a
`Mapping` takes whatever keys it is given.

    base = "paper-stage-1.toml"         # optional: start from that recipe (relative to this file) and change it
    [data]
    train = ["wi.m2"]
"""

from __future__ import annotations

import dataclasses
import json
import tomllib
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from permend.errors import InputError, PermendError

R = TypeVar("R")
Named = Iterable[tuple[str, str | None]]
"""Keys with the paths that a recipe has there."""


class RecipeForm(Generic[R]):
    """How one kind of recipe is written down."""

    def __init__(
        self, kind: type[R], files: Callable[[R], Named], free: Iterable[str] = (), fixed: Iterable[str] = ()
    ) -> None:
        """Learn the keys of a kind.

        `files` returns those that name files, which must exist. A run can be resumed with other values of
        `validation` and `output`, of the `free` keys, and of all keys of `optimisation` but the `fixed` ones.
        """
        self._kind, self._files = kind, files
        self._free, self._fixed = frozenset(free), frozenset(fixed)
        self._sections = get_type_hints(kind)
        self._hints = {
            f"{name}.{key}": hint for name, section in self._sections.items() for key, hint in _hints(section)
        }
        self._open = [key for key, hint in self._hints.items() if get_origin(hint) is Mapping]

    def read(self, path: str | Path, changes: Sequence[str] = ()) -> R:
        """Read a recipe file, carry out the changes, check every value and that the files it names are there."""
        values = _read(Path(path), ())
        try:
            recipe = self.make(values, changes)
        except PermendError as error:
            raise InputError(str(error), path) from None
        for key, file in self._files(recipe):
            if file is not None and not Path(file).exists():
                raise InputError(f"no such file (the recipe names it in {key})", file)
        return recipe

    def make(self, values: Mapping[str, Any], changes: Sequence[str] = ()) -> R:
        """Build a recipe from nested values and ``key=value`` changes."""
        flat = self._flatten(values)
        for change in changes:
            key, equals, text = change.partition("=")
            if not equals:
                raise PermendError(f"a change of the recipe is key=value, not {change!r}")
            flat[key.strip()] = _parse(self._hint(key.strip()), text.strip())
        sections: dict[str, dict[str, Any]] = {name: {} for name in self._sections}
        for key, value in flat.items():
            section, _, name = key.partition(".")
            table = self._table(key)
            if table is not None:
                sections[section].setdefault(table.partition(".")[2], {})[key.removeprefix(f"{table}.")] = value
            else:
                sections[section][name] = _checked(key, self._hint(key), value)
        return self._kind(**{name: section(**sections[name]) for name, section in self._sections.items()})

    def write(self, recipe: R) -> str:
        """Return the recipe as TOML; values that are not set are comments."""
        lines = []
        for name in self._sections:
            lines.append(f"[{name}]")
            for key, value in vars(getattr(recipe, name)).items():
                unset = value is None or value in ({}, "")
                lines.append(f"# {key} is not set" if unset else f"{key} = {_toml(value)}")
            lines.append("")
        return "\n".join(lines)

    def differences(self, recipe: R, other: R) -> list[str]:
        """Return the keys whose values make two recipes different runs."""
        return [
            key
            for key in self._hints
            if _value(recipe, key) != _value(other, key) and (key in self._fixed or self._fixes(key))
        ]

    def _fixes(self, key: str) -> bool:
        return key not in self._free and key.partition(".")[0] not in ("optimisation", "validation", "output")

    def _flatten(self, values: Mapping[str, Any]) -> dict[str, Any]:
        flat: dict[str, Any] = {}
        for name, section in values.items():
            if name not in self._sections or not isinstance(section, Mapping):
                raise PermendError(self._unknown(name))
            for key, value in section.items():
                whole = f"{name}.{key}"
                if whole in self._open and isinstance(value, Mapping):
                    flat |= {f"{whole}.{inner}": part for inner, part in value.items()}
                else:
                    flat[whole] = value
        for key in flat:
            self._hint(key)
        return flat

    def _table(self, key: str) -> str | None:
        """Return the open table that a key belongs to."""
        return next((table for table in self._open if key.startswith(f"{table}.")), None)

    def _hint(self, key: str) -> Any:
        if self._table(key) is not None:
            return Any
        if key not in self._hints:
            raise PermendError(self._unknown(key))
        return self._hints[key]

    def _unknown(self, key: str) -> str:
        names = {name.partition(".")[2]: name for name in self._hints}  # a key without its section is a likely slip
        known = [*self._hints, *names, *self._sections]
        near = [names.get(name, name) for name in get_close_matches(key, known, n=2, cutoff=0.75)]
        hint = " or ".join(repr(name) for name in dict.fromkeys(near))
        said = f": did you mean {hint}?" if hint else f"; sections: {', '.join(self._sections)}"
        return f"unknown recipe key {key!r}{said}"


def _value(recipe: object, key: str) -> Any:
    section, _, name = key.partition(".")
    return getattr(getattr(recipe, section), name)


def _hints(section: Any) -> Iterable[tuple[str, Any]]:
    """Return the fields of a section with their types."""
    types_of = get_type_hints(section)
    return [(field.name, types_of[field.name]) for field in dataclasses.fields(section)]


def _read(path: Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    """Read a file's values on top of those of its base."""
    if path.resolve() in seen:
        raise InputError("this recipe is its own base", path)
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the recipe cannot be read: {getattr(error, 'strerror', None) or error}", path) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is not TOML: {error}", path) from None
    except RecursionError:
        raise InputError("this is not TOML of ours: it is nested too deep", path) from None
    base = values.pop("base", None)
    if base is None:
        return values
    if not isinstance(base, str):
        raise InputError(f"base is the path of another recipe, not {base!r}", path)
    merged = _read(path.parent / base, (*seen, path.resolve()))
    for name, section in values.items():
        both = isinstance(section, dict) and isinstance(merged.get(name), dict)
        merged[name] = {**merged[name], **section} if both else section
    return merged


def _parse(hint: Any, text: str) -> Any:
    """Read a change as its key's type wants it: bare words are texts, `none` unsets, commas part a list."""
    kinds = _alternatives(hint)
    if text.lower() == "none" and type(None) in kinds:
        return None
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    if str in kinds and not isinstance(value, str):
        value = text
    if any(get_origin(kind) is tuple for kind in kinds) and not isinstance(value, list):
        parts = text.split(",") if text else []
        value = [_number(part) if get_args(hint)[0] is float else part.strip() for part in parts]
    return value


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _checked(key: str, hint: Any, value: Any) -> Any:
    """Return the value as the recipe holds it, or say what is wrong with its kind."""
    for kind in _alternatives(hint):
        fitted = _fit(kind, value)
        if fitted is not _UNFIT:
            return fitted
    raise PermendError(f"{key} must be {_describe(hint)}, not {value!r}")


_UNFIT = object()


def _fit(kind: Any, value: Any) -> Any:
    origin = get_origin(kind)
    if origin is Literal:
        return value if value in get_args(kind) else _UNFIT
    if origin is tuple:
        inner, *more = get_args(kind)
        if not isinstance(value, list | tuple) or (more != [...] and len(value) != 1 + len(more)):
            return _UNFIT
        parts = [_fit(inner, part) for part in value]
        return _UNFIT if any(part is _UNFIT for part in parts) else tuple(parts)
    if kind is type(None):
        return None if value is None else _UNFIT
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    exact = isinstance(kind, type) and isinstance(value, kind) and isinstance(value, bool) == (kind is bool)
    return value if exact else _UNFIT


def _describe(hint: Any) -> str:
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a text", type(None): "none"}
    said = []
    for kind in _alternatives(hint):
        if get_origin(kind) is Literal:
            said.append("one of " + ", ".join(map(str, get_args(kind))))
        elif get_origin(kind) is tuple:
            said.append("a list of " + ("numbers" if get_args(kind)[0] is float else "texts"))
        else:
            said.append(words.get(kind, "a table"))
    return " or ".join(said)


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_toml(key)} = {_toml(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False)
