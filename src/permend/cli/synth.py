"""``permend synth``: learn errors from annotated text, make them in clean text, compare the two.

Here are the group and the commands `fit`, `make` and `sentences`; `mine`, `report` and `sample` have a file each,
loaded when it is asked for. In: annotated or clean text. Out: an error model, pairs or sentences in a file, and a table
on standard error that says what was learned or left out.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import IO, Any

import click
from rich.console import Console
from rich.table import Table

from permend.cli.batch import _address
from permend.cli.terminal import SafeConsole, steps
from permend.corpora.lines import is_set_aside, open_for_writing
from permend.errors import InputError, PermendError
from permend.synthesis.corrupt import Corruptor, Corrupts, Settings
from permend.synthesis.drawing import take_sample
from permend.synthesis.error_model import ErrorModel
from permend.synthesis.fit import Files, learn
from permend.synthesis.generate import Job, good_sentences, make_corruptions, read_chunks
from permend.synthesis.pie import PieCorruptor
from permend.synthesis.rates import calibrate_clean, check_language, match
from permend.synthesis.spelling import read_misspellings
from permend.synthesis.targets import REASONS, Judge, Tally
from permend.synthesis.typed import annotate, annotate_by_errant

_SAMPLE = 3000
_SPREAD = 5
_ELSEWHERE = ("mine", "report", "sample")


class _Group(click.Group):
    """A group that loads the commands of other files when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*self.commands, *_ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(import_module(f"permend.cli.synth_{cmd_name}"), cmd_name)
        return command


@click.group(cls=_Group)
def synth() -> None:
    """Make training pairs: realistic errors in clean text.

    \b
    Learn from annotated text, corrupt clean text, look at the result:
      permend synth fit train.m2 -o errors.json
      permend synth make news.txt.xz letters.txt --errors errors.json -o pairs.tsv
      permend synth report pairs.tsv --against dev.m2 --chart errors.png
    """


@synth.command()
@click.argument("corpora", metavar="CORPUS...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", required=True, help="Where to write the error model (JSON).")
@click.option("--held-out", metavar="CORPUS", multiple=True, help="Learn from no sentence that is also in this file.")
@click.option("--language", default="en", show_default=True, help="Language; English gets its own morphology.")
@click.option(
    "--types",
    type=click.Choice(["own", "errant"]),
    default="own",
    show_default=True,
    help="Who names the errors of pairs: permend itself, or ERRANT (the eval extra).",
)
def fit(corpora: tuple[str, ...], output: str, held_out: tuple[str, ...], language: str, types: str) -> None:
    """Learn an error model from annotated text (.m2), or from pairs (.tsv, .csv, .jsonl).

    It counts what people replace, leave out, add, move, misspell, and how many errors their sentences have, by the
    types of the annotation (ERRANT's or others). Pairs of raw text also show words doubled or joined, lost apostrophes
    and spaces gone astray; a pair whose sides are the same counts as a sentence without errors. The model is one JSON
    file of counts, without any sentence.

    \b
    Examples:
      permend synth fit train.m2 -o errors.json
      permend synth fit train.m2 pairs.jsonl -o errors.json
      permend synth fit wi.train.m2 fce.train.m2 --held-out wi.dev.m2 --held-out fce.test.m2 -o errors.json
    """
    with steps("learning", 6) as step:
        annotated = Files(corpora, held_out, annotate if types == "own" else annotate_by_errant)
        model = learn(annotated, language, step)
    given = [f"--held-out {Path(path).name}" for path in held_out] + (["--types errant"] if types == "errant" else [])
    model.origin["command"] = " ".join(["permend synth fit", *(Path(path).name for path in corpora), *given])
    model.save(output)
    console = SafeConsole(stderr=True)
    _draw_model(model, console)
    console.print(f"written to {output} ({Path(output).stat().st_size / 1e6:.1f} MB)")


@synth.command()
@click.argument("texts", metavar="TEXT...", nargs=-1, required=True)
@click.option("--errors", metavar="FILE", required=True, help="Error model, from permend synth fit.")
@click.option("-o", "--output", metavar="FILE", default="-", help="Pairs (TSV; packed if it ends in .gz or .xz).")
@click.option("--match", "corpus", metavar="M2", help="Make types and errors a sentence agree with this corpus.")
@click.option("--preset", type=click.Choice(["fitted", "pie"]), default="fitted", show_default=True, help="Recipe.")
@click.option("--rate", metavar="TYPE=X", multiple=True, help="X times as many errors of a type: R:SPELL=2, DET=0.5.")
@click.option("--clean-share", type=click.FloatRange(0, 1), help="Share of sentences without errors.")
@click.option("--misspellings", metavar="FILE", multiple=True, help="List of real misspellings (several formats).")
@click.option("--keep", metavar="TEXT=X", multiple=True, help="Use only a share of a file's paragraphs.")
@click.option("--lines", is_flag=True, help="Each line of the texts is a sentence already.")
@click.option("--limit", type=click.IntRange(1), help="Stop after so many pairs.")
@click.option("--seed", type=int, default=0, show_default=True, help="Same seed, same pairs, whatever the workers.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    metavar="N",
    help="Processes.  [default: 1; with --ray, one a core of it]",
)
@click.option(
    "--ray",
    is_flag=False,
    flag_value="local",
    metavar="[ADDRESS]",
    callback=_address,
    help="Work on Ray: on one of its own, or on the cluster at an address (auto, HOST:PORT).",
)
@click.option("--save-errors", metavar="FILE", help="Write the model with the rates that were used.")
def make(texts: tuple[str, ...], errors: str, output: str, **options: Any) -> None:
    """Corrupt clean text: one pair a line, the wrong sentence, a tab, the right one.

    TEXT is .txt, .txt.gz or .txt.xz with one paragraph a line. Sentences that are no good targets (headlines, lists,
    markup, other languages, repetitions) are dropped, and counted on standard error.

    \b
    Examples:
      permend synth make news.txt.xz --errors errors.json -o pairs.tsv.gz --workers 8
      permend synth make news.txt.xz --errors errors.json --match dev.m2 --limit 20000 -o pairs.tsv
      permend synth make a.txt b.txt --errors errors.json --keep b.txt=0.25 --rate SPELL=2 --clean-share 0.3
      permend synth make news.txt --errors errors.json --preset pie -o baseline.tsv
    """
    model = ErrorModel.load(errors)
    keep = _shares(options["keep"], texts)
    joined, lines = model.chances.get("joined", (0, 1))
    share = 0.0 if options["lines"] else joined / max(1, lines)
    job = Job(Corruptor(model), options["seed"], model.language or "en", joined=share, split=not options["lines"])
    start = _sample(texts, job, keep)
    check_language(model, start)
    model, corruptor = _prepare(model, start, options)
    if options["save_errors"]:
        model.save(options["save_errors"])
    job = replace(job, corruptor=corruptor, judge=Judge(known=frozenset(model.words)))
    tally = Tally.empty()
    with open_output(output) as file, steps("making", options["limit"], "pairs") as count:
        chunks, where = read_chunks(texts, keep, job.seed), {"workers": options["workers"], "ray": options["ray"]}
        made = make_corruptions(chunks, job, tally=tally, progress=count, **where)
        for corruption in islice(made, options["limit"]):
            file.write(f"{corruption.pair.source}\t{corruption.pair.target}\n")
    _draw_tally(tally, SafeConsole(stderr=True))
    if not tally.kept:
        raise PermendError("no sentence of these texts is fit to be a target; the table above says why")


def _prepare(model: ErrorModel, sample: Sequence[str], options: Mapping[str, Any]) -> tuple[ErrorModel, Corrupts]:
    """Return the model with the rates to use, and what makes the errors."""
    factors = {name: _number(value, "--rate") for name, value in _assignments(options["rate"], "--rate").items()}
    if options["preset"] == "pie":
        if options["corpus"] or factors or options["clean_share"] is not None or options["misspellings"]:
            raise click.UsageError("--preset pie has its own rates: leave out --match, --rate, --clean-share, …")
        return model, PieCorruptor(model)
    settings, clean = Settings(rates=dict(model.rates)), options["clean_share"]
    if options["misspellings"]:
        settings = replace(settings, misspellings=read_misspellings(options["misspellings"], model.words))
    if options["corpus"]:
        with steps("matching", 9) as step:
            settings = match(
                model, sample, options["corpus"], settings, clean=clean, seed=options["seed"], progress=step
            )
    rates = dict(settings.rates or {})
    for name, factor in factors.items():
        kinds = [kind for kind in model.types if name in (kind, kind.partition(":")[2])]
        if not kinds:
            raise click.UsageError(
                f"--rate {name}: the model has no such type; it has {', '.join(sorted(model.types))}."
            )
        rates.update({kind: rates.get(kind, 1.0) * factor for kind in kinds})
    settings = replace(settings, rates=rates)
    if clean is not None and (factors or not options["corpus"]):
        settings = calibrate_clean(model, sample, clean, settings, options["seed"])
    matched = replace(model, rates=rates, errors=settings.tilted(model.errors))
    return matched, Corruptor(matched, Settings(misspellings=settings.misspellings))


def _sample(texts: Sequence[str], job: Job, keep: Mapping[str, float]) -> list[str]:
    """Read good sentences from the beginning of all texts."""
    chunks = read_chunks(texts, keep, job.seed)
    sentences = (sentence for chunk in chunks for paragraph in chunk for sentence in job.sentences(paragraph)[0])
    sample = take_sample(islice(sentences, _SPREAD * _SAMPLE), _SAMPLE)
    if not sample:
        raise PermendError("these texts hold no sentence that is fit to be a target")
    return sample


@synth.command()
@click.argument("texts", metavar="TEXT...", nargs=-1, required=True)
@click.option("--errors", metavar="FILE", required=True, help="Error model, which knows the language's words.")
@click.option("-o", "--output", metavar="FILE", default="-", help="Sentences (packed if it ends in .gz or .xz).")
@click.option("--keep", metavar="TEXT=X", multiple=True, help="Use only a share of a file's paragraphs.")
@click.option("--set-aside", type=click.FloatRange(0, 1), default=0.0, help="Leave out this share of the paragraphs.")
@click.option("--limit", type=click.IntRange(1), help="Stop after so many sentences.")
def sentences(
    texts: tuple[str, ...], errors: str, output: str, keep: tuple[str, ...], set_aside: float, limit: int | None
) -> None:
    """Write the sentences of TEXT that are good targets, one a line, each once: work that is worth doing once.

    Recipes take the result with data.lines=true, and permend synth sample and make --lines read it too. What
    --set-aside leaves out is what a recipe's data.set_aside leaves out: paragraphs to measure on.

    \b
    Examples:
      permend synth sentences news.txt.xz letters.txt --errors errors.json -o sentences.txt.xz
      permend synth sentences a.txt b.txt --errors errors.json --keep b.txt=0.25 --set-aside 0.005 -o sentences.txt
    """
    model = ErrorModel.load(errors)
    shares = _shares(keep, texts)
    joined, lines = model.chances.get("joined", (0, 1))
    judge = Judge(known=frozenset(model.words))
    job = Job(Corruptor(model), language=model.language or "en", joined=joined / max(1, lines), judge=judge)
    tally = Tally.empty()
    with open_output(output) as file, steps("splitting", limit, "sentences") as count:
        chunks = read_chunks(texts, shares, job.seed, lambda text: not is_set_aside(text, set_aside))
        for sentence in islice(good_sentences(chunks, job, tally), limit):
            file.write(f"{sentence}\n")
            count(1)
    _draw_tally(tally, SafeConsole(stderr=True))


@contextmanager
def open_output(path: str) -> Iterator[IO[str]]:
    """Open a file for writing, or standard output for ``-``; both get UTF-8, whatever a terminal would."""
    if path == "-":
        file = TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n")
        try:
            yield file
        finally:
            file.detach()  # it is written, but stays open
        return
    try:
        with open_for_writing(path) as file:
            yield file
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path) from None


def _draw_model(model: ErrorModel, console: Console) -> None:
    """Say what was learned."""
    total = sum(model.types.values())
    sentences = model.origin.get("sentences", 0)
    table = Table(title=f"{total:,} errors in {sentences:,} sentences", title_justify="left")
    table.add_column("type")
    table.add_column("errors", justify="right")
    table.add_column("share", justify="right")
    for name, count in sorted(model.types.items(), key=lambda item: -item[1])[:15]:
        table.add_row(name, f"{count:,}", f"{count / total:.1%}")
    console.print(table)


def _draw_tally(tally: Tally, console: Console) -> None:
    """Say what became of the sentences."""
    table = Table(title=f"{tally.seen:,} sentences", title_justify="left", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right")
    table.add_row("kept", f"{tally.kept:,}", f"{tally.kept / max(1, tally.seen):.1%}", style="bold")
    for reason, count in tally.dropped.most_common():
        table.add_row(REASONS.get(reason, reason), f"{count:,}", f"{count / max(1, tally.seen):.1%}")
    console.print(table)


def _shares(values: Sequence[str], texts: Sequence[str]) -> dict[str, float]:
    """Read --keep."""
    keep = {name: _share(value, "--keep") for name, value in _assignments(values, "--keep").items()}
    unknown = [name for name in keep if name not in texts]
    if unknown:
        raise click.UsageError(f"--keep {unknown[0]}: this is none of the texts.")
    return keep


def _assignments(values: Sequence[str], flag: str) -> dict[str, str]:
    pairs = [value.rpartition("=") for value in values]
    if any(not name for name, _, _ in pairs):
        raise click.UsageError(f"{flag} is written NAME=NUMBER.")
    return {name: number for name, _, number in pairs}


def _number(text: str, flag: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number < 1e6:
        raise click.UsageError(f"{flag}: {text!r} is no number from 0 on.")
    return number


def _share(text: str, flag: str) -> float:
    number = _number(text, flag)
    if number > 1:
        raise click.UsageError(f"{flag}: a share lies between 0 and 1.")
    return number
