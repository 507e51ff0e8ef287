"""The paper's comparison: python -m experiments COMMAND. Trains, asks, times and prints every table.

What is there already is not done again: a run that was stopped goes on where it was.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial, update_wrapper
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from permend.cli.ending import INTERRUPTED
from permend.errors import MissingExtraError, PermendError

if TYPE_CHECKING:
    from permend.training.log import Report

T = TypeVar("T")
SETTINGS = "experiments/recipes/paper.toml"
_REFUSED = 2
OPTIONS: Sequence[Callable[[Any], Any]] = (
    click.option("--settings", default=SETTINGS, show_default=True, help="Data, encoder and amounts (TOML)."),
    click.option("--test", "tests", multiple=True, metavar="FILE", help="One more M2 file to test on."),
    click.option("--work", default="runs/paper", show_default=True, help="Models, answers and times."),
    click.option("--out", default="experiments/results", show_default=True, help="Tables and pictures."),
    click.option("--device", default="auto", show_default=True, help="cpu, cuda, or auto: cuda where there is one."),
    click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Cores that are timed."),
    click.option("--tiny", is_flag=True, help="Made-up data and encoders: every step in minutes, no result."),
)
"""What every command takes."""


_JOBS = click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Trainings side by side, which share the device.",
)


def with_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the common options, and one sentence instead of a traceback."""

    def run(**values: Any) -> None:
        try:
            command(**values)
        except PermendError as error:
            click.echo(f"Error: {error}", err=True)
            sys.exit(_REFUSED)
        except KeyboardInterrupt:
            click.echo("Interrupted and saved: the same command goes on.", err=True)
            sys.exit(INTERRUPTED)

    update_wrapper(run, command)
    for option in reversed(OPTIONS):
        run = option(run)
    return run


@click.group()
def main() -> None:
    """Train, ask and time every system of the paper's comparison, and print its tables.

    \b
    python -m experiments all --tiny                 made-up data: every step, in minutes
    python -m experiments train permend ar           some systems; all without names
    python -m experiments ask                        what they make of the test sets (needs no ERRANT)
    python -m experiments time --device cuda         one sentence at a time, taking turns
    python -m experiments table2 --test fce.test.m2  a table, with one more test set
    python -m experiments work --jobs 7              all three: what wants a GPU, in the order that wastes least of it
    python -m experiments all                        everything that is not there yet, and all tables

    A GPU is needed for train and ask, a quiet machine for time; the tables need ERRANT, and no GPU.
    """


@main.command()
@click.argument("names", nargs=-1)
@_JOBS
@click.option("--beside", multiple=True, hidden=True, help="A family to begin stages with; --jobs says so.")
@with_options
def train(names: tuple[str, ...], jobs: int, beside: tuple[str, ...], **options: Any) -> None:
    """Train the systems and ablations called NAMES, stage by stage; all without names."""
    _train(_Run(**options), names, jobs, beside)


@main.command()
@click.argument("names", nargs=-1)
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Systems side by side.")
@with_options
def ask(names: tuple[str, ...], jobs: int, **options: Any) -> None:
    """Let the systems called NAMES correct the test sets, with all options that they may choose.

    Without names all of them do, the installed model among them.
    """
    _ask(_Run(**options), names, jobs)


@main.command("time")
@click.option("--missing", is_flag=True, help="Only where it was not done yet.")
@with_options
def time_(missing: bool, **options: Any) -> None:
    """Time every system on single sentences, all taking turns."""
    _time(_Run(**options), again=not missing)


def _table_command(name: str) -> None:
    @main.command(name, help=f"Print {name} and write it as Markdown, JSON and, where it is drawn, PNG.")
    @with_options
    def show(**options: Any) -> None:
        run = _Run(**options)
        if name in ("table3", "latency"):
            _time(run)
        _show(run, name)


for _name in ("table1", "table2", "table3", "table4", "latency"):
    _table_command(_name)


@main.command()
@_JOBS
@with_options
def work(jobs: int, **options: Any) -> None:
    """Train, ask and time: everything that is not there yet and wants a GPU, but no ERRANT."""
    _work(_Run(**options), jobs)


@main.command("all")
@_JOBS
@with_options
def all_(jobs: int, **options: Any) -> None:
    """Do everything that is not there yet, and print all tables."""
    run = _Run(**options)
    _work(run, jobs)
    for name in ("table1", "table2", "table3", "table4", "latency"):
        _show(run, name)


class _Run:
    """The options of a command, made into what the work needs."""

    def __init__(
        self, settings: str, tests: tuple[str, ...], work: str, out: str, device: str, threads: int, tiny: bool
    ) -> None:
        import dataclasses
        from importlib.util import find_spec

        if not all(map(find_spec, ("torch", "transformers", "accelerate"))):
            raise MissingExtraError("The comparison", "train")
        import torch

        from experiments.paper.settings import read_settings
        from experiments.paper.tables import Comparison
        from experiments.paper.tiny import tiny_settings
        from permend.errors import InputError
        from permend.model.torch.device import find_device

        self.work, self.out, self.threads, self.tiny = Path(work), Path(out), threads, tiny
        self.called = "made up (--tiny)" if tiny else settings
        read = tiny_settings(self.work / "data") if tiny else read_settings(settings)
        for test in tests:
            if not Path(test).exists():
                raise InputError("there is no such test set", test)
        self.settings = dataclasses.replace(read, files=(*read.files, *tests))
        self.device = find_device(device) or torch.device("cpu")
        self._arguments = ["--work", work, "--device", device, *(["--tiny"] if tiny else ["--settings", settings])]
        self._arguments += [part for test in tests for part in ("--test", test)]
        self._arguments += ["--threads", str(threads)]
        self.comparison = Comparison(self.work, self.settings, self.device, tracked)

    def arguments_of(self, command: Sequence[str]) -> list[str]:
        """Return a command line of ours with this run's options; what the command says itself holds."""
        name, *rest = command
        return [name, *self._arguments, *rest]


def tracked(items: Sequence[T], what: str) -> Iterable[T]:
    """Hand items on, with a bar where somebody looks."""
    from permend.cli.terminal import tracked as shown

    return shown(items, what)


def _work(run: _Run, jobs: int) -> None:
    """Train systems, then the ablation; with several jobs systems are asked, and timed on a processor, beside that."""
    from experiments.paper.trainings import families, is_ablation

    systems = [family for family in families() if not is_ablation(family)]
    ablations = [family for family in families() if is_ablation(family)]
    asking = min(2 * jobs, os.cpu_count() or 1) if jobs > 1 else 1
    _train(run, systems, jobs)
    aside = [["ask", *systems, "--jobs", str(asking)]]
    if run.device.type == "cuda":
        aside.append(["time", "--device", "cpu", "--missing"])
    with _aside(run, aside if jobs > 1 else []):
        _train(run, ablations, jobs)
    _ask(run, (), asking)
    _time(run)


@contextmanager
def _aside(run: _Run, commands: Sequence[Sequence[str]]) -> Iterator[None]:
    """Carry out commands of ours one after the other, in processes of their own, beside what is done inside."""

    def carry_out() -> list[int]:
        return [subprocess.call([sys.executable, "-m", "experiments", *run.arguments_of(each)]) for each in commands]

    with ThreadPoolExecutor(1) as thread:
        codes = thread.submit(carry_out)
        yield
        if any(codes.result()):
            raise PermendError("what was done beside the trainings failed: the lines above say why")


def _train(run: _Run, names: Sequence[str], jobs: int, beside: Sequence[str] = ()) -> None:
    from experiments.paper.together import Together
    from experiments.paper.trainings import carry_out, choose, is_ablation, read_done
    from permend.cli.train import TrainingView

    chosen = [each for each in choose(names) if read_done(run.work, each) is None]
    if jobs > 1:
        families = list(dict.fromkeys(each.family for each in chosen))
        for ablation in (False, True):  # systems have as many neighbours all the time
            _side_by_side(run, [family for family in families if is_ablation(family) is ablation], jobs)
        return
    for number, training in enumerate(chosen, start=1):
        what = f"{number} of {len(chosen)}, {training.name}"
        with TrainingView(partial(_progress, what), lambda scores: "") as view:
            done = carry_out(run.work, run.settings, training, [view, Together(run.work, training, beside)])
        click.echo(f"{done.name}: {done.steps:,} steps, {done.minutes:.1f} minutes on {done.device}", err=True)


def _progress(what: str, report: Report) -> str:
    return f"{what}: loss {report.loss:.3f}"


def _ask(run: _Run, names: Sequence[str], jobs: int) -> None:
    from experiments.paper.contestants import ablation, comparison
    from experiments.paper.trainings import choose

    families = {each.family for each in choose(names)}
    rivals = comparison()
    questions = []
    for contestant in (*rivals, *ablation()):
        asked = not names if contestant.training is None else contestant.training.family in families
        for path in (run.settings.dev, *(run.settings.files if contestant in rivals else ())):
            questions += [(contestant.fixed(options), path) for options in contestant.choices() if asked]
    if jobs == 1:
        for contestant, path in questions:
            run.comparison.answers(contestant, path)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for _ in pool.map(run.comparison.without_bars().answers, *zip(*questions, strict=True)):
            pass


def _side_by_side(run: _Run, families: Sequence[str], jobs: int) -> None:
    """Let processes train one family after the other, so many at a time; those that can begin stages together."""
    from experiments.paper.together import begin, failed

    begin(run.work)
    beside = [part for name in families for part in ("--beside", name)] if len(families) <= jobs else []
    waiting = list(families)
    running: dict[str, subprocess.Popen[bytes]] = {}
    gone: list[str] = []
    again: list[str] = []
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                name = waiting.pop(0)
                command = [sys.executable, "-m", "experiments", *run.arguments_of(["train", name]), *beside]
                running[name] = subprocess.Popen(command)
            time.sleep(0.2)
            for name in [name for name, process in running.items() if process.poll() is not None]:
                code = running.pop(name).returncode
                if code and code != _REFUSED and name not in again:
                    again.append(name)  # a device may fail once
                    waiting.append(name)
                elif code:
                    failed(run.work, name)
                    gone.append(name)
    except KeyboardInterrupt:
        for process in running.values():
            process.wait()  # they have had the signal, too, and save
        raise
    if gone:
        raise PermendError(f"the training failed of {', '.join(gone)}")


def _time(run: _Run, again: bool = False) -> None:
    import torch

    from experiments.paper.contestants import comparison
    from experiments.paper.spent import spending
    from experiments.paper.tables import times_file
    from experiments.paper.timing import measure
    from experiments.paper.trainings import families, model_of
    from permend.text.tokens import SubwordTokenizer

    kind = "GPU" if run.device.type == "cuda" else "CPU"
    file = times_file(run.work, kind)
    if file.exists() and not again:
        return
    torch.set_num_threads(run.threads)
    tokenizer = SubwordTokenizer.from_path(model_of(run.work, families()["permend"][-1]) / "tokenizer.json")
    chosen = {each: run.comparison.options_to_time(each) for each in comparison()}
    opened = {each.name: each.open(run.work, run.device, options) for each, options in chosen.items()}
    texts = run.comparison.dev.texts
    with spending(run.work, f"time on the {kind}", run.device):
        measure(opened, texts, tokenizer, run.settings.timing, run.device, tracked).write(file)


def _show(run: _Run, name: str) -> None:
    from rich.console import Console

    from experiments.paper.report import grid, origin, write
    from experiments.paper.tables import TABLES

    table = TABLES[name](run.comparison)
    paths = write(table, run.out, origin(run.work, run.called))
    console = Console(highlight=False)
    console.print(grid(table).drawn())
    console.print(f"Written: {', '.join(map(str, paths))}", soft_wrap=True)


if __name__ == "__main__":
    main(prog_name="python -m experiments")
