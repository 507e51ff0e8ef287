"""Learn an error model from annotated text, or from pairs.

In: annotated sentences. Out: an `ErrorModel`. `fit` counts; `learn` does so for M2 files and files of pairs (`typed`)
without the sentences that are held out (`corpora.held_out`), notes where the model comes from, and sets rates, so that
the errors it makes in the corrected text of those very files have the shares that were learned.

    model = learn(Files(["train.m2"], held_out=["dev.m2"]), language="en")
    model = fit(lambda: read_m2("train.m2"), language="en")    # counts alone: every rate is 1

All statistics are counts over single errors, without their sentences: which phrase stands for which, what is left out
or added next to what, how letters are confused, where capitals go, how many errors sentences of a length have. The
sentences are read twice: first to count errors and words, then phrases and neighbours that turned out to matter.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from permend.corpora.held_out import LEAST_WORDS, fingerprints, held_out_hashes, holds, refuse_held_out
from permend.corpora.lines import content_suffix
from permend.corpora.m2 import M2Sentence, read_m2
from permend.corpora.pairs import holds_pairs, is_tokenised, read_pairs
from permend.errors import PermendError
from permend.synthesis.annotations import Change, alike, mirror_or_none, own_type
from permend.synthesis.casing import OrthographyCounts, find_move, lower_first
from permend.synthesis.contexts import NeighbourKeys, Neighbours
from permend.synthesis.corrupt import Settings
from permend.synthesis.drawing import take_sample
from permend.synthesis.error_model import LONGEST, MOST_ERRORS, ErrorModel, Table, length_class
from permend.synthesis.morphology import Morphology, available_morphologies
from permend.synthesis.profile import Profile
from permend.synthesis.rates import calibrate
from permend.synthesis.slips import TYPES, SlipCounts
from permend.synthesis.spelling import learn_rules
from permend.synthesis.typed import Annotate, annotate
from permend.text.tokenized import detokenize

_FREQUENT = 400  # words that count as themselves when they are neighbours
_OWN_NEIGHBOURS = 30  # errors that give a phrase neighbours of its own
_OWN_NEIGHBOURS_ADDED = 8  # the same for a phrase that is added, which has nothing else to go by
_RARE_WORD = 2
_SLIPS = frozenset(TYPES.values())

Read = Callable[[], Iterable[M2Sentence]]


def fit(read: Read, language: str | None = None, skip: Callable[[M2Sentence], bool] = lambda _: False) -> ErrorModel:
    """Learn from all sentences but those to `skip`; `read` is called twice."""

    def sentences() -> Iterator[tuple[list[str], list[Change]]]:
        for sentence in read():
            mirrored = None if skip(sentence) else mirror_or_none(sentence)
            if mirrored is not None and mirrored[0]:
                yield mirrored[0], [replace(change, type=own_type(change)) for change in mirrored[1]]

    counter = _Counter(available_morphologies(language))
    for corrected, changes in sentences():
        counter.count(corrected, changes)
    if not counter.types:
        raise PermendError("no errors to learn from: the annotated text holds no edit with a correction")
    counter.prepare_second_reading()
    for corrected, changes in sentences():
        counter.count_again(corrected, changes)
    return counter.model(language)


class _Counter:
    """Everything that is counted, and the two readings that count it."""

    def __init__(self, morphologies: list[Morphology]) -> None:
        self.morphologies = morphologies
        self.sentences = 0
        self.words: Counter[str] = Counter()
        self.types: Counter[str] = Counter()
        self.lengths: defaultdict[str, list[float]] = defaultdict(lambda: [0] * (MOST_ERRORS + 1))
        self.pairs: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        self.dropped: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.added: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.moves: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.phrases: Counter[str] = Counter()
        self.usual: Counter[str] = Counter()
        self.neighbours: defaultdict[str, Neighbours] = defaultdict(Neighbours)
        self.orthography = OrthographyCounts()
        self.slips = SlipCounts()

    def count(self, corrected: list[str], changes: list[Change]) -> None:
        """Read for the first time: words and errors."""
        self.sentences += 1
        self.words.update(token.lower() for token in corrected)
        self.lengths[length_class(len(corrected))][min(len(changes), MOST_ERRORS)] += 1
        self.orthography.count(corrected, changes)
        self.slips.count(corrected, changes)
        for change in changes:
            self.types[change.type] += 1
            if change.type in _SLIPS:
                continue
            if len(change.correct) <= LONGEST and len(change.wrong) <= LONGEST:
                self._count_phrase(change)
            if change.type.endswith(":WO"):
                for mover, distance in find_move(change.correct, change.wrong):
                    self.moves[mover][str(distance)] += 1

    def _count_phrase(self, change: Change) -> None:
        correct, wrong = (" ".join(side) for side in _normalised(change))
        if change.type.startswith("M:"):
            self.dropped[change.type][correct] += 1
        elif change.type.startswith("U:"):
            self.added[change.type][wrong] += 1
        elif not change.type.endswith(":WO") and correct and wrong:
            self.pairs[change.type][correct][wrong] += 1

    def prepare_second_reading(self) -> None:
        """Choose what is worth counting now that all errors are known."""
        self._keys = NeighbourKeys({word for word, _ in self.words.most_common(_FREQUENT)})
        counts = [(p, n) for table in self.dropped.values() for p, n in table.items()]
        counts += [(p, wrongs.total()) for pairs in self.pairs.values() for p, wrongs in pairs.items()]
        self._several = {phrase for phrase, _ in counts if " " in phrase}
        self._own = {phrase for phrase, count in counts if count >= _OWN_NEIGHBOURS}

    def count_again(self, corrected: list[str], changes: list[Change]) -> None:
        """Read for the second time: phrases of several words, and neighbours."""
        lower = [token.lower() for token in corrected]
        keys = ["", *map(self._keys, corrected), ""]
        self.usual.update(keys)
        for start in range(len(lower)):
            for end in range(start + 1, min(start + LONGEST, len(lower)) + 1):
                phrase = " ".join(lower[start:end])
                if phrase in self._several or (end == start + 2 and lower[start + 1] == "n't"):
                    self.phrases[phrase] += 1
                if phrase in self._own:
                    self.neighbours[f"usual {phrase}"].add(keys[start], keys[end + 1])
        for change in changes:
            if change.type in _SLIPS:
                continue
            left, right = keys[change.start], keys[change.end + 1]
            self.neighbours[change.type].add(left, right)
            phrase = " ".join(_normalised(change)[0 if change.correct else 1])
            if self._is_common(change, phrase):
                self.neighbours[f"{change.type} {phrase}"].add(left, right)

    def _is_common(self, change: Change, phrase: str) -> bool:
        if change.type.startswith("U:"):
            return self.added[change.type][phrase] >= _OWN_NEIGHBOURS_ADDED
        if change.type.startswith("M:"):
            return self.dropped[change.type][phrase] >= _OWN_NEIGHBOURS
        pairs = self.pairs.get(change.type)
        return pairs is not None and phrase in pairs and pairs[phrase].total() >= _OWN_NEIGHBOURS

    def model(self, language: str | None) -> ErrorModel:
        """Put everything together."""
        changes, classes = self._count_forms()
        pairs = {kind: _plain(table) for kind, table in self.pairs.items()}
        misspelled = [
            (correct, wrong, count)
            for kind, table in pairs.items()
            if kind.endswith(":SPELL")
            for correct, wrongs in table.items()
            for wrong, count in wrongs.items()
            if correct.isalpha() and wrong.isalpha()
        ]
        return ErrorModel(
            language=language,
            origin={"sentences": self.sentences, "errors": sum(self.types.values())},
            types=dict(self.types),
            errors=dict(self.lengths),
            words={word: count for word, count in self.words.items() if count >= _RARE_WORD},
            tokens=sum(self.words.values()),
            phrases=dict(self.phrases),
            pairs={kind: _pruned(table) for kind, table in pairs.items()},
            dropped={kind: _common(table) for kind, table in self.dropped.items()},
            added={kind: _common(table) for kind, table in self.added.items()},
            moves=_plain(self.moves),
            changes=changes,
            classes=classes,
            letters=learn_rules(misspelled),
            chances=self.orthography.as_dict(self.words) | self.slips.as_dict(),
            neighbours=self._neighbours(),
        )

    def _neighbours(self) -> Table:
        """Return the tables of neighbours; of what is usual, only what was also seen around errors."""
        seen: defaultdict[str, set[str]] = defaultdict(set)
        tables: Table = {"usual": dict(self.usual)}
        for name, found in self.neighbours.items():
            kind, _, phrase = name.partition(" ")
            for side, counts in (("left", found.left), ("right", found.right)):
                if kind != "usual":
                    tables[f"{name} {side}"] = counts
                    seen[f"usual {phrase} {side}"].update(counts)
        for name, found in self.neighbours.items():
            for side, counts in (("left", found.left), ("right", found.right)):
                wanted = seen.get(f"{name} {side}", set())
                if name.startswith("usual ") and wanted:
                    tables[f"{name} {side}"] = {key: count for key, count in counts.items() if key in wanted}
        return tables

    def _count_forms(self) -> tuple[dict[str, dict[str, Table]], Table]:
        """Count changes of form by the class of the correct word, each by the first morphology that knows it."""
        changes: dict[str, dict[str, Table]] = {each.name: {} for each in self.morphologies}
        for kind, table in self.pairs.items():
            if kind.endswith((":SPELL", ":ORTH")):
                continue
            for correct, wrongs in table.items():
                for wrong, count in wrongs.items():
                    for morphology in self.morphologies:
                        change, name = morphology.change(correct, wrong), morphology.classify(correct)
                        if change is not None and name is not None:
                            known = changes[morphology.name].setdefault(kind, {}).setdefault(name, {})
                            known[change] = known.get(change, 0) + count
                            break
        classes: Table = {}
        for morphology in self.morphologies:
            totals: Counter[str] = Counter()
            for word, count in self.words.items():
                totals[morphology.classify(word) or ""] += count
            wanted = {name for table in changes[morphology.name].values() for name in table}
            classes[morphology.name] = {name: totals[name] for name in wanted}
        return changes, classes


def _normalised(change: Change) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Take away capitals that only the sentence's beginning explains; in case errors, capitals are the point."""
    if change.type.endswith(":ORTH"):
        return change.correct, change.wrong
    correct = tuple(token.lower() for token in change.correct)
    wrong = tuple(token.lower() if len(token) > 1 and token.isupper() else token for token in change.wrong)
    return correct, lower_first(wrong) if change.start == 0 or change.correct[:1] != correct[:1] else wrong


def _pruned(table: Table) -> Table:
    """Leave out long or unlike phrases that were seen once: they are accidents, and half a sentence."""
    kept = {
        correct: {
            wrong: count
            for wrong, count in wrongs.items()
            if count > 1 or max(correct.count(" "), wrong.count(" ")) < (LONGEST - 1 if alike(correct, wrong) else 1)
        }
        for correct, wrongs in table.items()
    }
    return {correct: wrongs for correct, wrongs in kept.items() if wrongs}


def _common(phrases: Counter[str]) -> dict[str, int]:
    """Leave out phrases of several words that were seen once."""
    return {phrase: count for phrase, count in phrases.items() if count > 1 or " " not in phrase}


def _plain(table: Table | dict[str, Counter[str]] | defaultdict[str, Counter[str]]) -> Table:
    return {key: dict(counts) for key, counts in table.items()}


_SAMPLE = 3000


@dataclass
class Files:
    """Annotated files, or files of pairs, less the sentences that are held out."""

    paths: Sequence[str | Path]
    held_out: Sequence[str | Path] = ()
    annotate: Annotate = annotate
    """Finds and types the errors of pairs."""
    _annotated: dict[str | Path, list[M2Sentence]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse files that are held out themselves, and note the sentences to leave alone."""
        for path in self.paths:
            refuse_held_out(path, (side for sentence in self._read(path) for side in self._sides(sentence)))
        given = (side for path in self.held_out for sentence in self._read(path) for side in self._sides(sentence))
        self._known = frozenset[bytes]().union(*map(fingerprints, given))
        self._shipped = held_out_hashes()

    def read(self) -> Iterator[M2Sentence]:
        """Yield all sentences."""
        for path in self.paths:
            yield from self._read(path)

    def _read(self, path: str | Path) -> Iterable[M2Sentence]:
        """Return the sentences of a file; pairs are annotated once."""
        if content_suffix(path) == ".m2" or not holds_pairs(path):
            return read_m2(path)
        if path not in self._annotated:
            sentences = map(self.annotate, read_pairs(path, raw=is_tokenised(path)))
            self._annotated[path] = [sentence for sentence in sentences if sentence is not None]
        return self._annotated[path]

    def is_held_out(self, sentence: M2Sentence) -> bool:
        """Whether a sentence, wrong or corrected, is also in a file that must not be learned from."""
        return any(
            holds(side, self._known) or holds(side, self._shipped, LEAST_WORDS) for side in self._sides(sentence)
        )

    @staticmethod
    def _sides(sentence: M2Sentence) -> list[str]:
        mirrored = mirror_or_none(sentence)
        return [" ".join(side) for side in (sentence.tokens, *([mirrored[0]] if mirrored else []))]


def learn(files: Files, language: str | None = "en", progress: Callable[[], object] = lambda: None) -> ErrorModel:
    """Learn a model and set its rates; `progress` is called after each step."""
    left_out = sum(map(files.is_held_out, files.read()))
    model = fit(files.read, language, files.is_held_out)
    progress()
    names = [Path(path).name for path in files.paths]
    model.origin = {"corpora": names, **model.origin, "held_out": [Path(p).name for p in files.held_out]}
    model.origin["left_out"] = left_out
    texts = (
        detokenize(mirrored[0]).text
        for sentence in files.read()
        if not files.is_held_out(sentence) and (mirrored := mirror_or_none(sentence)) and mirrored[0]
    )
    sample = take_sample(texts, _SAMPLE)
    if not sample:
        raise PermendError("all annotated sentences are held out: nothing is left to learn from")
    model.rates = dict(
        calibrate(model, sample, wanted_profile(model), settings=Settings(), progress=progress).rates or {}
    )
    return model


def wanted_profile(model: ErrorModel) -> Profile:
    """Return the profile of the corpus that a model was learned from."""
    profile = Profile()
    profile.types.update(model.types)
    for counts in model.errors.values():
        for number, sentences in enumerate(counts):
            profile.errors[number] += round(sentences)
    profile.sentences = profile.errors.total()
    return profile
