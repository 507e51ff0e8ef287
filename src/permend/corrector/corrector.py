"""Text in, corrected text out, with what else it could be (the whole of Figure 1).

    corrector = Corrector()                             # the model that is installed with permend
    corrector = Corrector("my-model", mode="precise", threads=1)
    correction = corrector.correct("He go to school yesterday.")
    correction.text           # 'He went to school yesterday.'
    correction.edits          # (ScoredEdit(start=3, end=5, before='go', after='went', probability=0.93, …),)
    correction.alternatives   # ranked whole sentences, the unchanged one always among them
    for correction in corrector.correct_all(open("sentences.txt")):   # as many as there are, in order
        ...

One encoder pass a sentence, or two where it changes and `Options.readings` says so; the decoder runs only where a plan
has slots (`filling`), and the search where another plan than the unchanged one can win; where the model has a head, a
sentence that looks right may leave before all that (`leaving`). The networks may be
onnxruntime's or torch's: the corrector sees numpy arrays. Every text is one sentence here (`documents.checker` takes
documents); a longer one than the encoder takes is split at a sentence or clause boundary and put together again, never
cut. The model's language types, explains and vets the edits. Threads may share a corrector; another process gets its
own, which is loaded from the same arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from permend.corrector.correction import Alternative, Correction, ScoredEdit, distinct, join
from permend.corrector.filling import AT_A_TIME, Fill, Filler, joint_score
from permend.errors import PermendError, check_count, check_text, check_texts, shown
from permend.method.plan import Plan
from permend.method.search import Hypothesis, Matrices, Searchable
from permend.method.template import render
from permend.model.networks import (
    Bools,
    Floats,
    ManyAtATime,
    Networks,
    Parts,
    SearchesItself,
    parts_of,
    sentence_arrays,
)
from permend.model.options import MOST_READINGS, Calibration, Evidence, Options
from permend.model.pretrained import load
from permend.text.edits import apply, split_text
from permend.text.no_words import split_no_words
from permend.text.quotes import straighten
from permend.text.tokens import Tokenizer, Tokens

if TYPE_CHECKING:
    from permend.corrector.explaining.language import Language

__all__ = ["Alternative", "Correction", "Corrector", "Options", "ScoredEdit"]

_AHEAD = 256  # sentences that `correct_all` reads before it answers
_FAR_AHEAD = 8_192  # on a device that computes many at a time
_ROUNDING = 1e-9  # of a probability
_WINDOW = 8  # batches whose states are held while those that stay are put together

Known: TypeAlias = Callable[[str], bool] | None
"""Tells whether a writer's own dictionary has a word."""


class Corrector:
    """Corrects sentences with a pair of networks and their tokenizer."""

    def __init__(
        self,
        folder: str | Path | None = None,
        options: Options | None = None,
        *,
        mode: str | None = None,
        threads: int | None = None,
        device: str | None = None,
    ) -> None:
        """Load a model folder, an exported one without torch, a trained one with it; None is the installed model.

        Without options, those of the `mode` hold; without a mode, those of the model's default one. With a `device`
        such as "cuda", torch runs the networks there, in large batches; "auto" takes CUDA where there is one.
        """
        if not isinstance(folder, str | PathLike | None):
            raise TypeError(f"folder must be a path, not {shown(folder)}; Corrector.of puts parts together")
        self._assemble(*load(folder, options, mode, threads, device))
        self._origin: tuple[str | Path | None, int | None, str | None] | None = (folder, threads, device)

    @classmethod
    def from_pretrained(
        cls,
        path: str | Path | None = None,
        options: Options | None = None,
        threads: int | None = None,
        mode: str | None = None,
        device: str | None = None,
    ) -> Corrector:
        """Load a model folder: another way to write ``Corrector(path)``."""
        return cls(path, options, mode=mode, threads=threads, device=device)

    @classmethod
    def of(
        cls,
        networks: Networks,
        tokenizer: Tokenizer,
        options: Options | None = None,
        calibration: Calibration | None = None,
    ) -> Corrector:
        """Put a corrector together from parts that are in memory."""
        corrector = cls.__new__(cls)
        corrector._assemble(networks, tokenizer, options, calibration)
        corrector._origin = None
        return corrector

    def _assemble(
        self, networks: Networks, tokenizer: Tokenizer, options: Options | None, calibration: Calibration | None
    ) -> None:
        known = networks.config.known_ids
        if tokenizer.size != known:
            raise PermendError(f"the tokenizer has {tokenizer.size} tokens, the model {known}: they do not fit")
        self.networks = networks
        self.tokenizer = tokenizer
        self.options = options or Options()
        self.calibration = calibration
        self.reasons = True
        """Whether edits come with explanations and alternatives; who wants texts alone has them sooner without."""

    def __reduce__(self) -> tuple[Callable[..., Corrector], tuple[Any, ...], dict[str, Any]]:
        """Travel to another process as its arguments: the model is loaded again there."""
        state = {"reasons": self.reasons}
        if self._origin is None:
            return type(self).of, (self.networks, self.tokenizer, self.options, self.calibration), state
        folder, threads, device = self._origin
        return type(self).from_pretrained, (folder, self.options, threads, None, device), state

    @property
    def language(self) -> Language:
        """What types, explains and vets its edits, chosen by the model's config."""
        # Its words are read only where something is wrong.
        from permend.corrector.explaining.language import load_language

        return load_language(self.networks.config.language)

    @property
    def ahead(self) -> int:
        """How many sentences it wants to see at a time, to make good batches of them."""
        return _FAR_AHEAD if isinstance(self.networks, ManyAtATime) else _AHEAD

    def correct(self, text: str) -> Correction:
        """Correct one sentence."""
        return self.correct_batch([check_text("text", text)])[0]

    def correct_all(self, texts: Iterable[str]) -> Iterator[Correction]:
        """Correct any number of sentences as they are asked for; only some are read ahead, to go in batches."""
        waiting = check_texts("texts", texts)
        groups = iter(lambda: list(islice(waiting, self.ahead)), [])
        return (correction for some in groups for correction in self.correct_batch(some))

    def correct_batch(self, texts: Iterable[str], batch_size: int = 8, known: Known = None) -> list[Correction]:
        """Correct many sentences, the longest together with the longest; the order of the results is the texts'.

        Whitespace around a sentence stays as it is; the networks never see it, so that indenting changes no answer, and
        they see straight quotation marks and apostrophes, whichever the text has and keeps. Words that are `known`, to
        a personal dictionary for instance, may be written though no word list has them.
        """
        check_count("batch_size", batch_size)
        originals = list(check_texts("texts", texts))
        corrections = self._read([straighten(text) for text in originals], batch_size, known)
        changed = [place for place, first in enumerate(corrections) if first.edits]
        seen = {place: {corrections[place].source, corrections[place].text} for place in changed}
        for _ in range(1, min(self.options.readings, MOST_READINGS)):
            if not changed:
                break
            again = self._read([corrections[place].text for place in changed], batch_size, known)
            for place, second in zip(changed, again, strict=True):
                corrections[place] = self._followed_by(corrections[place], second, known)
            changed = [place for place in changed if corrections[place].text not in seen[place]]
            for place in changed:
                seen[place].add(corrections[place].text)
        return [each.in_style_of(text) for text, each in zip(originals, corrections, strict=True)]

    def leaves(self, text: str) -> bool:
        """Whether a sentence is left alone after the encoder's first layers (`Options.leave_below`)."""
        parts = parts_of(self.networks) if self.options.leave_below > 0 else None
        tokens = self.tokenizer.encode(straighten(text).strip())
        if parts is None or len(tokens.ids) + self.networks.config.slots > self.networks.config.max_length:
            return False  # a text that is split has no one answer
        from permend.corrector.leaving import Reading

        reading = Reading(parts, [tokens], self.networks.config, self.tokenizer.pad, 1)
        return reading.doubts[0] < self.options.leave_below

    def _followed_by(self, first: Correction, second: Correction, known: Known) -> Correction:
        """Return what two readings make of a sentence together, or the first alone where that would be unsound."""
        from permend.corrector.scoring import followed_by

        both = followed_by(first, second, self.language)
        return first if self._vet(both, known).withheld else both

    def _vet(self, correction: Correction, known: Known) -> Correction:
        """Leave out edits and suggestions whose result would startle a reader, or mend these places in another way."""
        if not (self.options.vetted and correction.edits):
            return correction
        from permend.corrector.vetting import instead, vet

        first = vet(correction, self.language, known)
        for other in self._others(correction) if first.withheld else ():
            second = vet(instead(first, other), self.language, known)
            if second.edits != first.edits and not second.withheld:
                return replace(second, withheld=first.withheld)
        return first

    def _others(self, correction: Correction) -> Iterator[Correction]:
        """Yield what a correction would have been without its best hypothesis, without the two best ones, and so on."""
        ranked = correction.alternatives
        same = next(each for each in ranked if each.unchanged)
        for place, other in enumerate(ranked[1:], start=1):
            if other.unchanged or other.total - same.total < self.options.min_margin:
                return
            edits = self._score_edits(correction.source, other, ranked[place:], same)
            yield replace(correction, text=apply(correction.source, edits), edits=edits)

    def _read(self, texts: list[str], batch_size: int, known: Known = None) -> list[Correction]:
        """Correct sentences, reading them once."""
        pieces = [(index, *piece) for index, text in enumerate(texts) for piece in split_no_words(text)]
        tokens = iter(self.tokenizer.encode_batch([piece for _, piece, is_prose in pieces if is_prose]))
        parts: list[tuple[int, Tokens]] = []  # which text a part belongs to
        limit = self.networks.config.max_length - self.networks.config.slots - 2
        for index, piece, is_prose in pieces:
            split = self._parts(next(tokens), limit) if is_prose else [Tokens(piece, (), (), None)]
            parts += [(index, part) for part in split]
        corrections = [Correction.blank(part.text) for _, part in parts]  # stays so where there is nothing to read
        readable = [place for place, (_, part) in enumerate(parts) if part.ids and part.text.strip()]
        readable.sort(key=lambda place: len(parts[place][1].ids))
        batches = self._batches(readable, [len(part.ids) for _, part in parts], batch_size)
        corrected = self._correct_batches(batches, [part for _, part in parts], batch_size)
        for places, found in zip(batches, corrected, strict=True):
            for place, correction in zip(places, found, strict=True):
                before, _, after = parts[place][1].text.partition(correction.source)
                corrections[place] = correction.shifted(before, after)
        results: list[list[Correction]] = [[] for _ in texts]
        for (index, _), correction in zip(parts, corrections, strict=True):
            results[index].append(correction)
        return [self._vet(join(group), known) for group in results]

    def _batches(self, places: list[int], lengths: Sequence[int], batch_size: int) -> list[list[int]]:
        """Part places, sorted by length, into what is read together.

        That are so many sentences, several times as many where some may leave, or as many tokens as a device takes.
        """
        if not isinstance(self.networks, ManyAtATime):
            size = batch_size * (_WINDOW if self._leaving() else 1)
            return [places[start : start + size] for start in range(0, len(places), size)]
        batches: list[list[int]] = []
        slots, most = self.networks.config.slots, self.networks.batch_tokens
        for place in places:  # the longest so far, which the others are padded to
            if not batches or (len(batches[-1]) + 1) * (lengths[place] + slots) > most:
                batches.append([])
            batches[-1].append(place)
        return batches

    def _correct_batches(
        self, batches: list[list[int]], parts: Sequence[Tokens], batch_size: int
    ) -> Iterator[list[Correction]]:
        """Correct batches in order, several under way at a time where the networks run elsewhere."""

        def correct(places: list[int]) -> list[Correction]:
            return self._correct([self._core(parts[place]) for place in places], batch_size)

        if not isinstance(self.networks, ManyAtATime) or len(batches) < 2:
            yield from map(correct, batches)
            return
        with ThreadPoolExecutor(self.networks.in_flight, "permend-device") as pool:
            yield from pool.map(correct, batches)

    def _parts(self, tokens: Tokens, limit: int) -> Iterator[Tokens]:
        """Split a text that is too long; a part may become longer when it is tokenised by itself, so look again."""
        if len(tokens.ids) - 2 <= limit:
            yield tokens
            return
        for start, end in split_text(tokens, limit):
            part = self.tokenizer.encode(tokens.text[start:end])
            yield from self._parts(part, limit) if len(part.ids) < len(tokens.ids) else [part]

    def _core(self, tokens: Tokens) -> Tokens:
        """Return a sentence without the whitespace around it."""
        core = tokens.text.strip()
        return tokens if core == tokens.text else self.tokenizer.encode(core)

    def _leaving(self) -> Parts | None:
        """Return the encoder's parts where sentences may leave between them."""
        return parts_of(self.networks) if self.options.leave_below > 0 else None

    def _correct(self, sentences: Sequence[Tokens], batch_size: int) -> list[Correction]:
        """Correct sentences of about the same length; where some may leave, those that stay are read in new batches."""
        config, pad = self.networks.config, self.tokenizer.pad
        parts = self._leaving()
        if parts is None:
            ids, mask = sentence_arrays([tokens.ids for tokens in sentences], config.slots, config.slot_id(0), pad)
            lengths = [len(tokens.ids) for tokens in sentences]
            if isinstance(self.networks, SearchesItself):
                return self._correct_encoded(sentences, mask, *self.networks.encode_to_search(ids, mask, lengths))
            memory, scores = self.networks.encode(ids, mask)
            return self._correct_encoded(sentences, mask, memory, self._matrices(scores, lengths))
        from permend.corrector.leaving import Reading, left  # few models have a head

        reading = Reading(parts, sentences, config, pad, batch_size)
        found = [left(*each) for each in zip(sentences, reading.doubts, strict=True)]
        for batch in reading.staying(self.options.leave_below, batch_size):
            staying = [sentences[place] for place in batch.places]
            matrices = self._matrices(batch.scores, [len(tokens.ids) for tokens in staying])
            on = self._correct_encoded(staying, batch.mask, batch.memory, matrices)
            for place, correction in zip(batch.places, on, strict=True):
                found[place] = correction
        return found

    def _matrices(self, scores: Floats, lengths: Sequence[int]) -> Matrices:
        """Return each sentence's own scores, its slots behind its tokens."""
        slots = self.networks.config.slots
        return Matrices([row[: n + slots, : n + slots] for row, n in zip(scores, lengths, strict=True)], lengths)

    def _correct_encoded(
        self, sentences: Sequence[Tokens], mask: Bools, memory: Floats, scores: Searchable
    ) -> list[Correction]:
        """Correct a batch, given what the encoder says of it."""
        hypotheses = self._hypotheses(scores, [len(tokens.ids) for tokens in sentences])
        fills = self._filler().fill(sentences, hypotheses, memory, mask)
        return [self._decide(*each) for each in zip(sentences, hypotheses, fills, strict=True)]

    def _filler(self) -> Filler:
        many = self.networks.masks if isinstance(self.networks, ManyAtATime) else AT_A_TIME
        return Filler(self.networks, self.tokenizer, self.options, many)

    def _hypotheses(self, scores: Searchable, lengths: Sequence[int]) -> list[list[Hypothesis]]:
        """Return each sentence's plans that are worth filling; the one that changes nothing is always among them."""
        options = self.options
        log_probs = scores.unchanged(options.bias)
        places = np.flatnonzero(self._may_change(log_probs)).tolist() if options.prune else range(len(lengths))
        unchanged = [
            Hypothesis(Plan.identity(length), log_prob, log_prob / length)
            for length, log_prob in zip(lengths, log_probs.tolist(), strict=True)
        ]
        hypotheses = [[same] for same in unchanged]
        found = scores.search(places, beam=options.beam, best=options.alternatives, bias=options.bias)
        for place, group in zip(places, found, strict=True):
            whole = group if any(each.plan.is_identity for each in group) else [*group, unchanged[place]]
            hypotheses[place] = self._promising(whole) if options.prune else whole
        return hypotheses

    def _may_change(self, log_probs: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Whether another plan than the unchanged one can be better enough: all share what probability that leaves."""
        left = -np.expm1(np.minimum(log_probs, 0.0)) + _ROUNDING
        may: NDArray[np.bool_] = np.log(left) >= log_probs + self.options.least_margin
        return may

    def _promising(self, hypotheses: list[Hypothesis]) -> list[Hypothesis]:
        """Keep the unchanged sentence and what may be better than it: fills only ever lower a hypothesis' score."""
        same = next(each for each in hypotheses if each.plan.is_identity)
        better = [each for each in hypotheses if each.score >= same.score]
        least = same.log_prob + self.options.least_margin
        return better if any(each.log_prob >= least for each in better if each is not same) else [same]

    def _decide(self, tokens: Tokens, hypotheses: list[Hypothesis], fills: list[Fill]) -> Correction:
        """Rank a sentence's hypotheses and take the best, if it is better enough than the sentence itself."""
        alternatives = [
            self._alternative(tokens, hypothesis, *fill) for hypothesis, fill in zip(hypotheses, fills, strict=True)
        ]
        ranked = distinct(sorted(alternatives, key=lambda each: -each.score))
        best = ranked[0]
        same = next(each for each in ranked if each.unchanged)
        margin = best.total - same.total
        chosen = best if margin >= self.options.least_margin else same
        edits = self._score_edits(tokens.text, chosen, ranked, same)
        if edits and margin < self.options.min_margin:
            from permend.corrector.slips import mend_slips

            edits = tuple(mend_slips(tokens.text, edits, self.language))
        return Correction(tokens.text, apply(tokens.text, edits), edits, tuple(ranked), margin)

    def _score_edits(
        self, source: str, chosen: Alternative, ranked: Sequence[Alternative], same: Alternative
    ) -> tuple[ScoredEdit, ...]:
        """Return the edits that are probable enough; only alternatives that could have won count, however many fill."""
        if chosen.unchanged:
            return ()
        from permend.corrector.scoring import calibrated, equalise_moved_halves, score_edits

        least = same.plan_log_prob / same.length
        weighed = [each for each in ranked if each.plan_log_prob / each.length >= least]
        edits = score_edits(source, chosen.text, weighed, self.language, self.reasons)
        if self.calibration is not None:
            fill, bias = chosen.fill_log_prob, self.options.bias
            margin = (chosen.total - same.total) / max(1, len(edits))
            edits = tuple(
                calibrated(edit, self.calibration(Evidence(edit.probability, fill, bias, margin, edit.type)))
                for edit in edits
            )
        return tuple(edit for edit in equalise_moved_halves(edits) if edit.probability >= self.options.min_confidence)

    def _alternative(
        self, tokens: Tokens, hypothesis: Hypothesis, fills: list[tuple[int, ...]], fill_log_prob: float
    ) -> Alternative:
        plan = hypothesis.plan
        text = tokens.text if plan.is_identity else render(tokens, plan, fills, self.tokenizer)
        length = len(plan.order)
        score = joint_score(hypothesis, fill_log_prob, self.options)
        return Alternative(text, hypothesis.log_prob, fill_log_prob, length, score, text == tokens.text)
