"""Misspellings: learned letter by letter, or read from lists of real ones.

In: pairs of a word and its misspelling. Out: counts of rewriting rules, each with the letter before and behind it
(``^`` and ``$`` are the ends of the word), and new misspellings drawn from them.

>>> rules = learn_rules([("receive", "recieve", 2), ("until", "untill", 1)])
>>> rules
{'c|ei|v': {'ie': 2}, 'l||$': {'l': 1}}
>>> LetterNoise(rules).misspell("deceive", random.Random(1))
'decieve'

Where no rule fits, fingers slip: two letters change places, one is lost, doubled, or becomes its neighbour on the
keyboard.

`read_misspellings` takes paths of lists and returns word → misspelling → weight, to be given to a `Corruptor`. A line,
or a string of a JSON file, may be

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
import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rapidfuzz.distance import OSA, Levenshtein

from permend.corpora.lines import read_lines
from permend.errors import InputError
from permend.synthesis.drawing import draw

Rules = dict[str, dict[str, int]]

_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_LONGEST = 3
_SLIPS = 0.12  # share of misspellings that are slips of the finger although a rule would fit
_TWICE = 0.12  # share of misspellings with two changes
_ANYWHERE = 0.15  # weight of a rule whose neighbouring letters differ


def learn_rules(pairs: Iterable[tuple[str, str, int]]) -> Rules:
    """Count the rewriting rules behind misspellings given as (word, misspelling, count)."""
    rules: Rules = {}
    for word, misspelling, count in pairs:
        for key, new in _rewrites(word, misspelling):
            known = rules.setdefault(key, {})
            known[new] = known.get(new, 0) + count
    return rules


def _rewrites(word: str, misspelling: str) -> Iterable[tuple[str, str]]:
    """Cut the difference of two words into rules; changes with one letter between them, or none, are one rule."""
    stretches: list[list[int]] = []
    for step in Levenshtein.opcodes(word, misspelling):
        if step.tag != "equal":
            if stretches and step.src_start - stretches[-1][1] <= 1:
                stretches[-1][1], stretches[-1][3] = step.src_end, step.dest_end
            else:
                stretches.append([step.src_start, step.src_end, step.dest_start, step.dest_end])
    for start, end, new_start, new_end in stretches:
        if end - start <= _LONGEST and new_end - new_start <= _LONGEST:
            left, right = word[start - 1] if start else "^", word[end] if end < len(word) else "$"
            yield f"{left}|{word[start:end]}|{right}", misspelling[new_start:new_end]


class LetterNoise:
    """Misspells words by learned rules."""

    def __init__(self, rules: Mapping[str, Mapping[str, int]]) -> None:
        """Index the rules with their neighbours and, for places that no such rule fits, without."""
        self._rules = {key: list(news.items()) for key, news in rules.items()}
        anywhere: dict[str, dict[str, float]] = {}
        for key, news in rules.items():
            stretch = key.split("|")[1]
            if stretch:
                for new, count in news.items():
                    known = anywhere.setdefault(stretch, {})
                    known[new] = known.get(new, 0.0) + count * _ANYWHERE
        self._anywhere = {stretch: list(news.items()) for stretch, news in anywhere.items()}

    def misspell(self, word: str, random_: random.Random) -> str:
        """Return the word with one or, now and then, two changes; it may come back unchanged where nothing fits."""
        wrong = self._once(word, random_)
        return self._once(wrong, random_) if len(word) > 5 and random_.random() < _TWICE else wrong

    def _once(self, word: str, random_: random.Random) -> str:
        choices = [] if random_.random() < _SLIPS else self._choices(word)
        if not choices:
            return _slip(word, random_)
        start, end, new = draw(choices, random_)
        return word[:start] + new + word[end:]

    def _choices(self, word: str) -> list[tuple[tuple[int, int, str], float]]:
        framed = f"^{word}$"
        found: list[tuple[tuple[int, int, str], float]] = []
        for start in range(len(word) + 1):
            for end in range(start, min(start + _LONGEST, len(word)) + 1):
                stretch = word[start:end]
                news = self._rules.get(f"{framed[start]}|{stretch}|{framed[end + 1]}")
                if news is not None and end:  # nothing is put before a word
                    found += [((start, end, new), float(count)) for new, count in news]
                if start and stretch in self._anywhere:  # people seldom get the first letter wrong
                    found += [((start, end, new), count) for new, count in self._anywhere[stretch]]
        return found


def _slip(word: str, random_: random.Random) -> str:
    """Let a finger slip behind the first letter."""
    if len(word) < 3:
        return word
    place = random_.randrange(1, len(word))
    kind = random_.random()
    if kind < 0.35 and place + 1 < len(word):
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    if kind < 0.65:
        return word[:place] + word[place + 1 :]
    if kind < 0.8:
        return word[:place] + word[place] + word[place:]
    near = _NEAR.get(word[place], "")
    return word[:place] + random_.choice(near) + word[place + 1 :] if near else word


def _neighbours() -> dict[str, str]:
    """List the keys next to each key: in its row, and in the rows above and below."""
    near = {}
    for number, row in enumerate(_KEYS):
        for place, key in enumerate(row):
            rows = [_KEYS[other] for other in (number - 1, number + 1) if 0 <= other < len(_KEYS)]
            others = "".join(other[max(0, place - 1) : place + 1] for other in rows)
            near[key] = row[max(0, place - 1) : place] + row[place + 1 : place + 2] + others
    return near


_NEAR = _neighbours()


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
