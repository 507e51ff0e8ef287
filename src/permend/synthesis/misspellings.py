"""Lists of real misspellings, in the simple formats that such lists come in.

In: paths. Out: word → misspelling → weight, to be given to a `Corruptor`. A line, or a string of a JSON file, may be

    accomodate->accommodate          Wikipedia's way, several corrections with commas between
    four: forer, fore*5              Norvig's way, with counts
    $April / Apirl                   Birkbeck's way: the word, then one misspelling a line
    my <ERR targ=sister> siter </ERR>    tagged text
    esteem estime esstem             the word, then its misspellings

A JSON object maps misspellings to words. What is no plausible slip is left out: real words, other cases, several words,
and what lies too many letters away; the nearer a misspelling is, the more it weighs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from rapidfuzz.distance import OSA

from permend.corpora.lines import read_lines
from permend.errors import InputError

Misspellings = dict[str, dict[str, float]]

_TAGGED = re.compile(r"<ERR targ=([^>]+)>\s*(.*?)\s*</ERR>")
_COUNTED = re.compile(r"(.+?)\*(\d+)$")
_NEARER = 4.0  # how much likelier a misspelling is than one that is a letter further away


def read_misspellings(paths: Iterable[str | Path], words: Collection[str] = ()) -> Misspellings:
    """Read lists; `words` are real words, which are nobody's misspellings."""
    found: Misspellings = {}
    for path in paths:
        usable = False
        for correct, wrong, count in _read(path):
            if _is_plausible(correct, wrong) and wrong not in words:
                usable = True
                weights = found.setdefault(correct, {})
                distance = OSA.distance(correct, wrong)
                weights[wrong] = weights.get(wrong, 0.0) + count * _NEARER ** (1 - distance)
        if not usable:
            raise InputError("no misspellings were found in this file", path)
    return found


def _is_plausible(correct: str, wrong: str) -> bool:
    if not (correct.isalpha() and wrong.isalpha() and correct.islower() and wrong.islower()) or correct == wrong:
        return False
    return bool(OSA.distance(correct, wrong) <= max(1, min(3, len(correct) // 3)))


def _read(path: str | Path) -> Iterator[tuple[str, str, int]]:
    if Path(path).suffix.lower() == ".json":
        try:
            document = json.loads("\n".join(read_lines(path)))
        except json.JSONDecodeError as error:
            raise InputError(f"this is not JSON: {error.msg}", path, error.lineno) from None
        except (ValueError, RecursionError) as error:  # numbers of thousands of digits, values nested too deep
            raise InputError(f"this is not JSON that can be read: {error}", path) from None
        yield from _read_json(document)
        return
    word = ""
    for line in read_lines(path):
        if line.startswith("$"):
            word = line[1:].strip()
        elif word:
            yield word, line.strip(), 1
        else:
            yield from _read_line(line)


def _read_line(line: str) -> Iterator[tuple[str, str, int]]:
    tagged = _TAGGED.findall(line)
    if tagged:
        for correct, wrong in tagged:
            yield correct.strip(), wrong, 1
    elif "->" in line:
        wrong, _, corrects = line.partition("->")
        for correct in corrects.split(","):
            yield correct.strip(), wrong.strip(), 1
    elif ":" in line:
        correct, _, wrongs = line.partition(":")
        for each in wrongs.split(","):
            counted = _COUNTED.match(each.strip())
            yield (correct.strip(), *((counted[1], int(counted[2])) if counted else (each.strip(), 1)))
    else:
        correct, *others = line.split() or [""]
        for wrong in others:
            yield correct, wrong, 1


def _read_json(item: Any) -> Iterator[tuple[str, str, int]]:
    """Find strings like ``wrong->right`` and objects like ``{wrong: right}`` at any depth."""
    if isinstance(item, str) and "->" in item:
        yield from _read_line(item)
    elif isinstance(item, list):
        for each in item:
            yield from _read_json(each)
    elif isinstance(item, dict):
        for key, value in item.items():
            if isinstance(value, str) and "->" not in value:
                yield value, key, 1
            else:
                yield from _read_json(value)
