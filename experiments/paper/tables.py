"""The paper's tables with our numbers beside the published ones.

In: settings, and what trainings, answers and timing have left in the work folder. Out: `PaperTable`s, each with a
`Grid` to look at and plain values for a program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import torch

from experiments.paper import published
from experiments.paper.answers import Answer, answer, read_answers
from experiments.paper.contestants import (
    BIASES,
    INSTALLED,
    LAMBDAS,
    STEPS,
    Contestant,
    OptionValues,
    ablated,
    comparison,
)
from experiments.paper.scores import Scored, best_of, by_length, by_plan, nth, oracle, rescored, score_texts
from experiments.paper.settings import STAGES, Settings
from experiments.paper.timing import Times
from permend.corpora.lines import content_suffix
from permend.corpora.pairs import Pair
from permend.evaluation.correcting import Tracked, silently
from permend.evaluation.devset import DevSet, M2DevSet, PairDevSet, read_devset
from permend.evaluation.errant import has_errant
from permend.text.tokenized import detokenize
from permend.training.correction.data import read_corpus

CHOSEN = ("bias", "min_margin", "keep_bias", "min_error")
"""Options that are chosen on the development set."""
GREEDY, AGGRESSIVE = "AR(12+2), greedy", "AR(12+2), aggressive"


@dataclass(frozen=True)
class PaperTable:
    """A table."""

    name: str
    """What the command calls it."""
    title: str
    headers: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    values: dict[str, Any] = field(default_factory=dict)
    """The same for a program, and what does not fit into the table."""
    notes: tuple[str, ...] = ()


@dataclass
class Comparison:
    """Everything that tables are made of, read or made where it is missing."""

    work: Path
    settings: Settings
    device: torch.device
    tracked: Tracked = silently
    _sets: dict[str, DevSet] = field(default_factory=dict, init=False)

    def devset(self, path: str) -> DevSet:
        """Return a test set; the sentences of an M2 file are the same with and without ERRANT, which only judges."""
        if path not in self._sets:
            read = M2DevSet.read if content_suffix(path) == ".m2" else read_devset
            self._sets[path] = read(path, self.settings.sentences)
        return self._sets[path]

    def without_bars(self) -> Comparison:
        """Return it as it can travel to another process."""
        return Comparison(self.work, self.settings, self.device)

    @property
    def dev(self) -> DevSet:
        """The development set."""
        return self.devset(self.settings.dev)

    def answers(self, contestant: Contestant, path: str) -> dict[Path, OptionValues]:
        """Return the files with what a contestant makes of a test set, for all options that it may choose."""
        return answer(self.work, self.settings, contestant, self.devset(path), self.device, self.tracked)

    def chosen(self, contestant: Contestant) -> tuple[Path, Scored]:
        """Return the answers to the development set with the options that score best there, and their score."""
        return best_of(self.dev, self.answers(contestant, self.settings.dev))

    def options_to_time(self, contestant: Contestant) -> OptionValues:
        """Return the options that score best; by edits of words where ERRANT is missing, which is near enough here."""
        judge = self.dev if has_errant() else as_pairs(self.dev)
        return best_of(judge, self.answers(contestant, self.settings.dev))[1].options

    def scored(self, contestant: Contestant, path: str) -> Scored:
        """Return the score on a test set, with the options chosen on the development set."""
        _, scored = self.chosen(contestant)
        if path == self.settings.dev:
            return scored
        return best_of(self.devset(path), self.answers(contestant.fixed(scored.options), path))[1]

    def untweaked(self, contestant: Contestant) -> Scored:
        """Return the score on the development set without a confidence bias."""
        fixed = contestant.fixed({**contestant.options, "bias": 0.0})
        return replace(best_of(self.dev, self.answers(fixed, self.settings.dev))[1], options={})


def as_pairs(devset: DevSet) -> DevSet:
    """Return a development set that can be judged without ERRANT."""
    if not isinstance(devset, M2DevSet):
        return devset
    targets = [detokenize(sentence.corrected(min(sentence.annotations))).text for sentence in devset.sentences]
    return PairDevSet(devset.name, [Pair(*sides) for sides in zip(devset.texts, targets, strict=True)])


def table1(comparison_: Comparison) -> PaperTable:
    """Return the data: how many sentences, how many of them with an error, used in which stages."""
    settings = comparison_.settings
    stages: dict[str, list[str]] = {}
    for stage in STAGES:
        for path in settings.recipe(stage).get("data", {}).get("train", ()):
            stages.setdefault(str(path), []).append(stage)
    stages[settings.dev] = ["Val"]
    for path in settings.files:
        stages[path] = ["Test"]
    ours = {path: _statistics(read_corpus(path)) for path in stages}
    rows: list[tuple[str, ...]] = []
    theirs = dict(published.DATASETS)
    for path, (count, wrong) in ours.items():
        name = next((name for begin, name in published.FILES.items() if Path(path).name.startswith(begin)), "")
        known = theirs.pop(name, None)
        share = f"{100 * wrong / max(1, count):.1f}"
        rows.append((Path(path).name, f"{count:,}", share, ", ".join(stages[path]), *_dataset(name, known)))
    rows += [("", "", "", "", *_dataset(name, row)) for name, row in theirs.items()]
    texts = {stage: settings.recipe(stage).get("data", {}).get("text", []) for stage in STAGES}
    notes = tuple(
        f"Stage {stage} also makes errors in clean text while it trains: {', '.join(Path(t).name for t in text)}."
        for stage, text in texts.items()
        if text
    )
    return PaperTable(
        "table1",
        "Training, validation and test data",
        ("ours", "sentences", "% with errors", "stages", "published", "sentences", "% with errors", "stages"),
        rows,
        {"ours": {path: {"sentences": count, "with_errors": wrong} for path, (count, wrong) in ours.items()}},
        notes,
    )


def table2(comparison_: Comparison) -> PaperTable:
    """Return how right every system is."""
    settings = comparison_.settings
    sets = [settings.dev, *settings.files]
    rows: list[tuple[str, ...]] = []
    values: dict[str, Any] = {}
    for contestant in comparison():
        found = {path: comparison_.scored(contestant, path) for path in sets}
        first = found[settings.dev]
        conll, test = (known.get(contestant.published) for known in (published.CONLL, published.TEST))
        cells = [_shown(each) for each in found.values()]
        rows.append(
            (
                contestant.name,
                *cells,
                _options({name: first.options[name] for name in contestant.grid}),
                _prf(conll),
                _prf(test),
            )
        )
        values[contestant.name] = {
            "options": dict(first.options),
            **{Path(path).name: _counts(scored) for path, scored in found.items()},
        }
    xxl = published.TEST["T5-XXL, 11B parameters"]
    rows.append(("T5-XXL, 11B parameters, as published", *["–"] * len(sets), "", "", _prf(xxl)))
    names = [f"{Path(path).name}, P / R / F0.5" for path in sets]
    headers = ("system", *names, "chosen on dev", "published, CoNLL-14", "published, W&I+L test")
    notes = (f"Judged by {comparison_.dev.metric_name}.",)
    return PaperTable("table2", "How right", headers, rows, values, notes)


def table3(comparison_: Comparison) -> PaperTable:
    """Return how fast every system is, one sentence at a time, where it was timed."""
    times = all_times(comparison_.work)
    rows = []
    for contestant in comparison():
        cells = []
        for each in times.values():
            known = contestant.name in each.seconds
            cells.append(f"{each.speed_up(contestant.name, GREEDY):.2f}×" if known else "–")
            cells.append(f"{1000 * each.mean(contestant.name):.1f}" if known else "–")
        parameters = max((each.parameters.get(contestant.name, 0) for each in times.values()), default=0)
        told = published.SPEED.get(contestant.published)
        rows.append(
            (
                contestant.name,
                *cells,
                f"{parameters / 1e6:.1f}M" if parameters else "–",
                f"{told[0]:.1f}×, {told[1]}M" if told else "",
            )
        )
    heads = [part for name in times for part in (f"{name}: speed-up", "ms a sentence")]
    notes = tuple(
        f"{name}: {sum(each.even)} sentences of dev, {each.device if each.device != 'CPU' else each.processor}, "
        f"{each.threads} thread{'s' if each.threads > 1 else ''}; float32, torch, but for {INSTALLED!r}, which is int8 "
        "on onnxruntime and always runs on the processor."
        for name, each in times.items()
    )
    values = {name: {n: each.mean(n) for n in each.seconds} for name, each in times.items()}
    headers = ("system", *heads, "parameters", "published")
    return PaperTable("table3", f"How fast: speed-up over {GREEDY}", headers, rows, values, notes)


def table4(comparison_: Comparison) -> PaperTable:
    """Return the ablation, row by row."""
    rows: list[tuple[str, ...]] = []
    values: dict[str, Any] = {}
    for name, scored in _ablation(comparison_):
        rows.append((name, _shown(scored), _options(scored.options), _prf(published.ABLATION.get(name))))
        values[name] = {**_counts(scored), "options": dict(scored.options)}
    headers = ("model", "ours, P / R / F0.5", "chosen on dev", "published, P / R / F0.5")
    notes = (
        "Without stage I, as in the paper; the confidence bias of rows with tweaks, and of all rows below them, is "
        f"chosen among {', '.join(map(str, BIASES))} on the development set.",
    )
    return PaperTable("table4", "Ablation on the development set", headers, rows, values, notes)


def latency(comparison_: Comparison) -> PaperTable:
    """Return milliseconds over source length."""
    times = all_times(comparison_.work)
    groups = {name: {who: each.by_length(who) for who in each.seconds} for name, each in times.items()}
    starts = sorted({start for of in groups.values() for group in of.values() for start in group})
    rows = [
        (name, who, *(f"{1000 * group[start][0]:.1f}" if start in group else "" for start in starts))
        for name, of in groups.items()
        for who, group in of.items()
    ]
    for name, of in groups.items():
        counts = next(iter(of.values()))
        rows.append((name, "sentences", *(str(counts[start][1]) if start in counts else "" for start in starts)))
    values = {
        name: {who: {str(start): mean for start, (mean, _) in group.items()} for who, group in of.items()}
        for name, of in groups.items()
    }
    headers = ("device", "ms a sentence", *(f"{start}–{start + 9}" for start in starts))
    notes = ("Columns are lengths of the source in tokens.",)
    return PaperTable("latency", "Latency over source length", headers, rows, values, notes)


TABLES: Mapping[str, Callable[[Comparison], PaperTable]] = {
    "table1": table1,
    "table2": table2,
    "table3": table3,
    "table4": table4,
    "latency": latency,
}


def all_times(work: Path) -> dict[str, Times]:
    """Return what was timed, by the kind of device."""
    found = {kind: Times.read(times_file(work, kind)) for kind in ("GPU", "CPU")}
    return {kind: times for kind, times in found.items() if times is not None}


def times_file(work: Path, kind: str) -> Path:
    """Return where the times on a kind of device are kept."""
    return work / f"times-{kind.lower()}.json"


def _ablation(c: Comparison) -> Iterator[tuple[str, Scored]]:
    """Yield the rows of Table 4."""
    yield "Vanilla II, III + FELIX labels", c.chosen(ablated("felix-labels", 2, 1))[1]
    yield "Vanilla II, III + Algorithm 1", c.chosen(ablated("vanilla", 2, 1))[1]
    for stages, what in ((1, "II"), (2, "II, III")):
        for label, steps in (("Vanilla", 1), ("SUNDAE", 2)):
            contestant = ablated(label.lower(), stages, steps)
            yield f"{label} {what}", c.untweaked(contestant)
            yield f"{label} {what} + tweaks", c.chosen(contestant)[1]
    for steps in STEPS:
        for weight, family in LAMBDAS.items():
            yield f"{steps} step{'s' if steps > 1 else ''}, λ₀ = {weight}", c.chosen(ablated(family, 2, steps))[1]
    yield from _chosen_among_hypotheses(c.dev, read_answers(c.chosen(ablated("vanilla", 2, 1))[0]))
    yield "Vanilla II, III, 16 sinkhorn steps", c.chosen(ablated("sinkhorn", 2, 1))[1]


def _chosen_among_hypotheses(dev: DevSet, answers: list[Answer]) -> Iterator[tuple[str, Scored]]:
    for place in range(3):
        name = f"#{place + 1} hypothesis, no length normalisation"
        yield name, score_texts(dev, nth(answers, by_plan, place, 3))
    yield "Best of the first three by GLEU", score_texts(dev, oracle(dev, answers, 3))
    yield "#1 hypothesis, length normalisation", score_texts(dev, nth(answers, by_length, 0, 5))
    for weight in ("0.99", "0.999", "1"):
        yield f"Decoder rescoring, λ = {weight}", score_texts(dev, nth(answers, rescored(float(weight)), 0, 3))


def _dataset(name: str, row: published.Dataset | None) -> tuple[str, str, str, str]:
    if row is None:
        return "", "", "", ""
    return name, f"{row.sentences:,}", "–" if row.wrong is None else f"{row.wrong:.1f}", row.stages


def _statistics(pairs: Iterator[Pair]) -> tuple[int, int]:
    count = wrong = 0
    for pair in pairs:
        count += 1
        wrong += pair.source != pair.target
    return count, wrong


def _shown(scored: Scored) -> str:
    return " / ".join(f"{value:.1f}" for value in scored.percent)


def _prf(row: published.Prf | None) -> str:
    return "" if row is None else " / ".join("–" if value is None else f"{value:.1f}" for value in row)


def _counts(scored: Scored) -> dict[str, Any]:
    precision, recall, f = scored.percent
    score = scored.score
    return {"tp": score.tp, "fp": score.fp, "fn": score.fn, "precision": precision, "recall": recall, "f": f}


def _options(options: OptionValues) -> str:
    """Return the options that the development set decides."""
    return ", ".join(f"{name.replace('_', ' ')} {options[name]}" for name in CHOSEN if name in options)
