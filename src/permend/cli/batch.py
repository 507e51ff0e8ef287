"""``permend batch``: a corpus in, the same corpus with the corrected text in a new column out.

In: options. Out: the shards of a folder, and a line on standard error that says what became of the rows. The work is
done by `permend.batch`; here are its options, its bar, and the engine that was asked for.
"""

from __future__ import annotations

import dataclasses
import re
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

from permend.cli.ending import tell
from permend.cli.loading import _encoding, _loadable, count_cores, device_option, mode_options, with_given
from permend.cli.terminal import make_progress
from permend.documents.formats import FORMATS
from permend.errors import PermendError

if TYPE_CHECKING:
    from rich.progress import Progress

    from permend.batch.correcting import Correcting
    from permend.batch.engine import Engine
    from permend.batch.rows import Answer
    from permend.batch.run import Totals

_ADDRESS = re.compile(r"local|auto|ray://\S+|[\w.-]+:\d+|\[[0-9a-fA-F:]+\]:\d+")


def _address(context: click.Context, option: click.Parameter, address: str | None) -> str | None:
    """Refuse an input that was meant as one, but stands where an address may."""
    if address is not None and not _ADDRESS.fullmatch(address):
        raise click.BadParameter(
            f"{address!r} is no address of Ray: write local, auto or HOST:PORT, or --ray at the end"
        )
    return address


def _ascii(context: click.Context, option: click.Parameter, name: str | None) -> str | None:
    name = _encoding(context, option, name)
    if name is not None and '\n,"'.encode(name) != b'\n,"':
        raise click.BadParameter(f"{name} writes line ends as other bytes than UTF-8 does: convert such files first")
    return name


@click.command()
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", metavar="FOLDER", required=True, help="Where the corrected shards go; made if needed.")
@click.option("--column", default="text", show_default=True, metavar="NAME", help="The column to correct.")
@click.option("--into", default="corrected", show_default=True, metavar="NAME", help="The new column.")
@click.option("--findings", is_flag=True, help="Add what was found, where, how sure and why, as a column of its own.")
@click.option(
    "--findings-into", default="findings", show_default=True, metavar="NAME", help="With --findings: that column."
)
@click.option(
    "--format-in", type=click.Choice(FORMATS), callback=_loadable, help="What texts are written in.  [default: plain]"
)
@click.option("--sentences", is_flag=True, help="Each text is one sentence: it is not split.")
@click.option(
    "--table",
    type=click.Choice(["jsonl", "csv", "tsv", "parquet", "text"]),
    help="What files hold.  [default: by their endings]",
)
@click.option("--delimiter", metavar="SIGN", help="What stands between the fields of CSV.  [default: by the first row]")
@click.option("--quotes/--no-quotes", default=None, help="Whether fields may be quoted.  [default: in CSV, not in TSV]")
@click.option("--encoding", metavar="NAME", callback=_ascii, help="Of CSV and text.  [default: UTF-8]")
@click.option(
    "--workers",
    type=click.IntRange(1),
    metavar="N",
    help="Processes that correct.  [default: one a core; with --device, one]",
)
@click.option(
    "--ray",
    is_flag=False,
    flag_value="local",
    metavar="[ADDRESS]",
    callback=_address,
    help="Work on Ray: on one of its own, or on the cluster at an address (auto, HOST:PORT).",
)
@device_option
@mode_options
def batch(inputs: tuple[str, ...], output: str, **options: Any) -> None:
    """Correct a whole corpus: a column of JSONL, Parquet or CSV files, or text a line at a time.

    INPUT is a file, a folder, a pattern or an address such as s3://bucket/corpus; .gz, .xz and .zst are unpacked and
    packed again. Each file becomes one of the same name in the output folder, with all its rows in their order, every
    other column as it was, and the corrected text as a new column; in text files it takes the line's place. A file
    appears when it is complete: after a crash or Ctrl-C, run the same command again, and finished files are passed by.
    Rows that cannot be read are counted and written to _rejected in the output folder, with the reason.

    A file that cannot be used is named and passed by, and the exit code is 2.

    \b
    Examples:
      permend batch corpus/ -o corrected/
      permend batch tickets.csv --column body --into body_corrected -o out
      permend batch 'crawl/*.parquet' --findings --mode precise -o out
      permend batch s3://bucket/pages.jsonl.zst --format-in html -o s3://bucket/corrected
      permend batch sentences.txt.gz --sentences --workers 8 -o out
      permend batch corpus/ -o corrected/ --ray auto
      permend batch corpus/ -o corrected/ --device cuda --workers 4
    """
    from permend.batch.ledger import Ledger
    from permend.batch.places import Place
    from permend.batch.rows import ON_DEVICE, Columns
    from permend.batch.run import run
    from permend.batch.shards import find_shards

    if options["sentences"] and options["format_in"]:
        raise click.UsageError("--sentences and --format-in exclude each other.")
    if options["delimiter"] is not None and (len(options["delimiter"]) != 1 or options["delimiter"] in '"\r\n'):
        raise click.UsageError("--delimiter is one sign, and no quotation mark or line end.")
    if options["device"] and options["ray"]:
        raise click.UsageError("--device and --ray exclude each other: actors of Ray are given no GPU yet.")
    columns = Columns(
        options["column"],
        options["into"],
        options["findings_into"] if options["findings"] else None,
        options["encoding"] or "utf-8",
        options["delimiter"],
        options["quotes"],
    )
    if len({columns.text, *columns.added}) <= len(columns.added):
        raise click.UsageError("--column, --into and --findings-into name three columns, not the same one twice.")
    out = Place.of(output)
    shards = find_shards(inputs, out, options["table"])
    if columns.findings is not None and any(shard.kind == "text" for shard in shards):
        raise click.UsageError("--findings needs columns, and text files have none: make them JSONL.")
    work = _work(options)
    settings = {**dataclasses.asdict(columns), "table": options["table"], **_describe(work)}
    settings.pop("larger")  # the device is named
    columns = dataclasses.replace(columns, larger=ON_DEVICE if work.device else 1)
    with _Bar() as bar:
        totals = run(shards, columns, _engine(work, options), Ledger(out, settings), bar.tell, bar)
    click.echo(_summary(totals, output), err=True)
    if totals.troubles:
        sys.exit(2)


def _work(options: dict[str, Any]) -> Correcting:
    from pathlib import Path

    from permend.batch.correcting import Correcting, model_digest
    from permend.documents.dictionary import PersonalDictionary
    from permend.model.options import read_modes
    from permend.model.pretrained import model_folder, usable_device

    folder = model_folder(options["model"])
    given = {name: options[name] for name in ("min_margin", "min_confidence") if options[name] is not None}
    chosen = with_given(read_modes(folder).options(options["mode"]), given)
    model = None if options["model"] is None else str(Path(options["model"]).absolute())
    return Correcting(
        model,
        chosen,
        PersonalDictionary.load(Path()),
        options["format_in"] or "plain",
        options["sentences"],
        options["findings"],
        model_digest(options["model"]),
        usable_device(options["device"]),
    )


def _describe(work: Correcting) -> dict[str, Any]:
    """Return all that the result depends on."""
    from hashlib import sha256

    from permend import __version__
    from permend.model.options import option_values

    words = sha256(repr(work.words.content).encode("utf-8", "surrogatepass")).hexdigest()
    return {
        "permend": __version__,
        "model": work.digest,
        "options": option_values(work.options),
        "dictionary": words,
        "format_in": work.format,
        "sentences": work.sentences,
        "device": work.device and work.device.partition(":")[0],
    }


def _engine(work: Correcting, options: dict[str, Any]) -> Engine[list[str], list[Answer]]:
    if options["ray"] is not None:
        from permend.batch.ray_pool import LOCAL, RayPool, load_ray

        load_ray(options["ray"])
        local = options["ray"] == LOCAL
        return RayPool(work, options["workers"] or (count_cores() if local else None), options["ray"])
    from permend.batch.pool import Pool

    if work.device is not None:
        return Pool(work, options["workers"] or 1, fork=False)
    return Pool(work, options["workers"] or count_cores())


def _summary(totals: Totals, output: str) -> str:
    shards = f"{totals.done + totals.before:,} shard{'' if totals.done + totals.before == 1 else 's'}"
    parts = [f"{totals.changed:,} of {totals.rows:,} rows changed in {shards}"]
    if totals.before:
        parts.append(f"{totals.before:,} of them {'was' if totals.before == 1 else 'were'} finished before")
    if totals.rejected:
        rows = f"{totals.rejected:,} row{'' if totals.rejected == 1 else 's'}"
        parts.append(f"{rows} could not be used: see {output.rstrip('/')}/_rejected")
    return "; ".join(parts)


class _Bar:
    """Bytes that are done, rows a second, time left; drawn where standard error is a terminal."""

    def __init__(self) -> None:
        self._drawn: Progress | None = None
        self._rows = 0

    def __enter__(self) -> _Bar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._drawn is not None:
            self._drawn.stop()

    def expect(self, size: int) -> None:
        """Count from now on; what is drawn begins later, for workers must not inherit the thread that draws."""
        self._size, self._began = size, time.monotonic()

    def advance(self, size: int, rows: int) -> None:
        """Count what is done."""
        if self._drawn is None:
            self._draw()
        assert self._drawn is not None
        self._rows += rows
        task = self._drawn.tasks[0]
        rate = self._rows / max(time.monotonic() - self._began, 1e-3)
        self._drawn.update(task.id, advance=size, rate=f"{self._rows:,} rows, {rate:,.1f}/s")

    def tell(self, error: PermendError) -> None:
        """Say on standard error what is wrong; the bar is drawn again below it."""
        tell(error)

    def _draw(self) -> None:
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
        self._drawn = make_progress(columns=columns)
        self._drawn.add_task("correcting", total=self._size, rate="")
        self._drawn.start()
