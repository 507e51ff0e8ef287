"""Recipes as TOML files, with changes from the command line.

In: the path of a TOML file and ``key=value`` texts with dotted keys. Out: a checked `Recipe`, or one sentence that
names the key at fault. `write_recipe` is the inverse: the resolved recipe as TOML.

    base = "paper-stage-1.toml"         # optional: start from that recipe (relative to this file) and change it
    [data]
    train = ["wi.m2"]

>>> recipe = make_recipe({"data": {"train": ["pairs.tsv"]}}, ["optimisation.steps=100", "data.max_length=40"])
>>> recipe.optimisation.steps, recipe.data.max_length
(100, 40)
>>> make_recipe({}, ["model.inti=encoder"])
Traceback (most recent call last):
permend.errors.PermendError: unknown recipe key 'model.inti': did you mean 'model.init'?
"""

from __future__ import annotations

import dataclasses
import json
import tomllib
import types
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from permend.errors import InputError, PermendError
from permend.training.recipe import Recipe

_SECTIONS = get_type_hints(Recipe)
_HINTS = {f"{name}.{key}": hint for name, kind in _SECTIONS.items() for key, hint in get_type_hints(kind).items()}
_FREE = "model.encoder_config"


def read_recipe(path: str | Path, changes: Sequence[str] = ()) -> Recipe:
    """Read a recipe file, carry out the changes, check every value and that the files it names are there."""
    values = _read(Path(path), ())
    try:
        recipe = make_recipe(values, changes)
    except PermendError as error:
        raise InputError(str(error), path) from None
    _check_files(recipe)
    return recipe


def make_recipe(values: Mapping[str, Any], changes: Sequence[str] = ()) -> Recipe:
    """Build a recipe from nested values and ``key=value`` changes."""
    flat = _flatten(values)
    for change in changes:
        key, equals, text = change.partition("=")
        if not equals:
            raise PermendError(f"a change of the recipe is key=value, not {change!r}")
        flat[key.strip()] = _parse(key.strip(), text.strip())
    sections: dict[str, dict[str, Any]] = {name: {} for name in _SECTIONS}
    for key, value in flat.items():
        section, _, name = key.partition(".")
        if key.startswith(f"{_FREE}."):
            sections[section].setdefault("encoder_config", {})[name.partition(".")[2]] = value
        else:
            sections[section][name] = _checked(key, value)
    return Recipe(**{name: kind(**sections[name]) for name, kind in _SECTIONS.items()})


def write_recipe(recipe: Recipe) -> str:
    """Return the recipe as TOML; values that are not set are comments."""
    lines = []
    for name in _SECTIONS:
        lines.append(f"[{name}]")
        for key, value in vars(getattr(recipe, name)).items():
            unset = value is None or value in ({}, "")
            lines.append(f"# {key} is not set" if unset else f"{key} = {_toml(value)}")
        lines.append("")
    return "\n".join(lines)


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


def _flatten(values: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, section in values.items():
        if name not in _SECTIONS or not isinstance(section, Mapping):
            raise PermendError(_unknown(name))
        for key, value in section.items():
            if f"{name}.{key}" == _FREE and isinstance(value, Mapping):
                flat |= {f"{_FREE}.{inner}": part for inner, part in value.items()}
            else:
                flat[f"{name}.{key}"] = value
    for key in flat:
        _hint(key)
    return flat


def _hint(key: str) -> Any:
    if key.startswith(f"{_FREE}."):
        return Any
    if key not in _HINTS:
        raise PermendError(_unknown(key))
    return _HINTS[key]


def _unknown(key: str) -> str:
    names = {name.partition(".")[2]: name for name in _HINTS}  # a key without its section is a likely slip
    near = [names.get(name, name) for name in get_close_matches(key, [*_HINTS, *names, *_SECTIONS], n=2, cutoff=0.75)]
    hint = " or ".join(repr(name) for name in dict.fromkeys(near))
    return f"unknown recipe key {key!r}" + (
        f": did you mean {hint}?" if hint else f"; sections: {', '.join(_SECTIONS)}"
    )


def _parse(key: str, text: str) -> Any:
    """Read a change as its key's type wants it: bare words are texts, `none` unsets, commas part a list."""
    hint = _hint(key)
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


def _checked(key: str, value: Any) -> Any:
    """Return the value as the recipe holds it, or say what is wrong with its kind."""
    hint = _hint(key)
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


def _check_files(recipe: Recipe) -> None:
    named: list[tuple[str, str | None]] = [("data.train", path) for path in recipe.data.train]
    named += [("data.text", path) for path in recipe.data.text]
    named += [("data.misspellings", path) for path in recipe.data.misspellings]
    named += [("data.errors", recipe.data.errors)]
    named += [("data.validation", recipe.data.validation), ("model.tokenizer", recipe.model.tokenizer)]
    named += [("model.start", recipe.model.start)]
    for key, path in named:
        if path is not None and not Path(path).exists():
            raise InputError(f"no such file (the recipe names it in {key})", path)


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False)


def changed_keys(recipe: Recipe, other: Recipe, sections: Sequence[str]) -> list[str]:
    """Return the keys of the sections in which two recipes differ."""
    return [
        f"{name}.{field.name}"
        for name in sections
        for field in dataclasses.fields(getattr(recipe, name))
        if getattr(getattr(recipe, name), field.name) != getattr(getattr(other, name), field.name)
    ]
