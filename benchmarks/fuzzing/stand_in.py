"""A corrector without networks: edits of each sentence at random, by all that follows the networks.

In: sentences. Out: corrections, the same ones for the same sentence. Some are what networks could write (words are
replaced, put in, taken away, moved) and go the way of all corrections: `score_edits`, `vet`, quotation marks. Others
are hostile: any stretch becomes anything, line ends, markup and half characters included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from zlib import crc32

from benchmarks.fuzzing.pieces import ODD, SURROGATES, WORDS
from permend.corrector.correction import Alternative, Correction, ScoredEdit, Suggestion
from permend.corrector.corrector import Known
from permend.corrector.explaining.language import load_language
from permend.corrector.scoring import followed_by, score_edits
from permend.corrector.vetting import vet
from permend.model.options import Options
from permend.text.edits import apply
from permend.text.quotes import straighten

_UNIT = re.compile(r"\w+(?:['’]\w+)*|\s+|[^\w\s]")
_TYPES = ("R:VERB:SVA", "M:DET", "U:PREP", "R:ORTH", "M:PUNCT", "R:SPELL", "UNK", "", "R:NO:SUCH")
_HOSTILE = (
    "", "", " ", "  ", ",", ".", "the ", " the", "goes", "Python", "an Excel", "'", '"', "’", "“", "don't", "(", ")",
    "-", "# ", "- ",
    "1. ", "* ", "> ", "*", "_", "`", "[", "]", "<", ">", "&", "{", "}", "$", "\\", "|", "|||", "~", "^", "%", "=",
    ":", "::", "+", "@",
    "\n", "\r", "\n\n", "\t", "\u2028", "\x0b", "\x00", "\x1b[0m", "a" * 500, "é", "the the", "A", "...", "—", "</p>",
    "-NONE-", "||",
)  # fmt: skip
_SIGNS = (",", ".", "?", "!", ";", ":", '"', "'", "-", "...")


class StandIn:
    """Corrects at random; what a checker needs of a corrector (`Corrects`)."""

    language = load_language("en")

    def __init__(self, seed: int, options: Options, hostile: bool = False) -> None:
        self.options = options
        self._seed, self._hostile = seed, hostile

    def correct_batch(self, texts: Iterable[str], batch_size: int = 8, known: Known = None) -> list[Correction]:
        """Correct sentences."""
        return [self._corrected(text, known) for text in texts]

    def _corrected(self, text: str, known: Known) -> Correction:
        chance = Random(crc32(text.encode("utf-8", "surrogatepass"), self._seed))
        if self._hostile and chance.random() < 0.8:
            edits = tuple(_hostile_edits(text, chance))
            correction = Correction(text, apply(text, edits), edits, (_alternative(text, -1.0, True),), 1.0)
        else:
            plain = straighten(text)
            correction = self._plausible(plain, chance, known)
            if correction.edits and chance.random() < 0.3:
                again = followed_by(correction, self._plausible(correction.text, chance, known), self.language)
                correction = again if not self._vetted(again, known).withheld else correction
            correction = correction.in_style_of(text)
        kept = tuple(edit for edit in correction.edits if edit.probability >= self.options.min_confidence)
        return replace(correction, edits=kept, text=apply(text, kept))

    def _plausible(self, text: str, chance: Random, known: Known) -> Correction:
        """Return what could come out of networks."""
        targets = dict.fromkeys(_rewritten(text, chance) for _ in range(chance.choice((1, 1, 2, 3))))
        ranked = [_alternative(each, -chance.random() * 3, each == text) for each in targets]
        ranked = sorted(ranked, key=lambda each: -each.score)
        edits = score_edits(text, ranked[0].text, ranked, self.language)
        if all(not each.unchanged for each in ranked):
            ranked.append(_alternative(text, -5.0, True))
        return self._vetted(Correction(text, ranked[0].text, edits, tuple(ranked), 1.0), known)

    def _vetted(self, correction: Correction, known: Known) -> Correction:
        return vet(correction, self.language, known) if self.options.vetted and correction.edits else correction


def _alternative(text: str, score: float, unchanged: bool) -> Alternative:
    return Alternative(text, score, 0.0, 1, score, unchanged)


def _rewritten(text: str, chance: Random) -> str:
    """Return a sentence with some words changed."""
    units = _UNIT.findall(text) or [text]
    for _ in range(chance.choice((0, 1, 1, 2, 3))):
        at = chance.randrange(len(units) or 1)
        unit = units[at] if units else ""
        match chance.randrange(9):
            case 0:
                units[at : at + 1] = [chance.choice(WORDS)]
            case 1:
                units[at:at] = [chance.choice(WORDS), " "]
            case 2:
                units[at:at] = [" ", chance.choice(WORDS)]
            case 3:
                del units[at : at + chance.choice((1, 2, 2))]
            case 4:
                units.insert(chance.randrange(len(units) + 1), units.pop(at) if units else "")
            case 5:
                units[at:at] = [chance.choice(_SIGNS)]
            case 6:
                units[at : at + 1] = [chance.choice((unit.swapcase(), unit.capitalize(), unit.upper(), unit[::-1]))]
            case 7:
                units[at : at + 1] = [chance.choice((unit + "s", unit[:-1], unit + "'s", f'"{unit}"', f"({unit})"))]
            case _:
                units[at : at + 1] = [unit, " ", unit]
    return "".join(units)


def _hostile_edits(text: str, chance: Random) -> Iterator[ScoredEdit]:
    """Yield edits from left to right that do not overlap."""
    borders = sorted({place for unit in _UNIT.finditer(text) for place in unit.span()})
    places: Sequence[int] = borders if chance.random() < 0.7 else range(len(text) + 1)
    if chance.random() < 0.1:
        places = (0, len(text))
    chosen = sorted(chance.sample(places, min(len(places), chance.choice((1, 2, 2, 4, 8)))))
    for start, end in zip(chosen[::2], (*chosen[1::2], chosen[-1]), strict=False):
        end = start if chance.random() < 0.3 else end
        after = chance.choice(_HOSTILE) if chance.random() < 0.7 else chance.choice((*WORDS, *ODD, *SURROGATES))
        if text[start:end] == after:
            continue
        others = tuple(Suggestion(chance.choice(_HOSTILE), chance.random()) for _ in range(chance.choice((0, 0, 1, 3))))
        why = chance.choice(("", "Write “Python”.", f"“{after}” is missing after “Excel”.", text))
        yield ScoredEdit(start, end, text[start:end], after, chance.random(), chance.choice(_TYPES), why, others)
