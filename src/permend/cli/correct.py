"""``permend correct``: documents or sentences in, the same text with only the wrong words changed out.

Arguments are sorted into sentences and files, and options that exclude each other are refused, by name, before anything
is read. Then either `permend.cli.lines` corrects single lines, or `permend.documents` reads documents; what only the
one needs is not loaded for the other.

>>> refuse_contradictions({"in_place": True, "output": "new.txt"})
Traceback (most recent call last):
click.exceptions.UsageError: --in-place and --output exclude each other.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, TypeVar

import click

from permend.cli.loading import document_options, find_report, load_checker, load_corrector, model_options
from permend.cli.terminal import Bar, as_shown
from permend.documents.files import DocumentFinder, is_path, refuse_missing
from permend.documents.formats import is_prose

if TYPE_CHECKING:
    from permend.documents.checker import CheckedDocument
    from permend.documents.stream import DocumentStream

_Command = TypeVar("_Command", bound=Callable[..., Any])

_HELP = {
    "diff": "Print what would change, as patch and git apply read it.",
    "json": "Print one JSON object for each document or sentence.",
    "jsonl": "Print one JSON object for each finding.",
    "m2": "Print sentences and edits as the benchmarks' M2.",
    "sarif": "Print SARIF 2.1.0, for code scanners.",
    "lt": "Print LanguageTool's JSON, for its clients.",
}
_REPORT_OPTIONS = tuple(f"--{name}" for name in _HELP)
_LINES = ("--lines", "--tokenized", "--file", "--alternatives")
_DOCUMENTS = (
    "--in-place", "--diff", "--jsonl", "--sarif", "--lt", "--format-in", "--comments", "--encoding", "--exclude",
)  # fmt: skip
_WHY = "single lines go with --json, --m2 and --output; the other ways are for documents"


def report_options(*names: str) -> Callable[[_Command], _Command]:
    """Add an option for each of the reports: separate ones, so that it shows when two are given."""

    def add(command: _Command) -> _Command:
        for name in reversed(names):
            command = click.option(f"--{name}", f"as_{name}", is_flag=True, help=_HELP[name])(command)
        return command

    return add


def take_report(options: dict[str, Any]) -> str | None:
    """Take the reports out of all options, and return the one that is wanted."""
    return next(iter([name for name in _HELP if options.pop(f"as_{name}")]), None)


def sort_inputs(inputs: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part sentences from paths, which may lead nowhere."""
    paths = [each for each in inputs if is_path(each)]
    return [each for each in inputs if each not in paths], paths


def refuse_contradictions(options: Mapping[str, Any]) -> None:
    """Refuse two options that exclude each other; one that is False, None or empty was not given."""
    given = {_flag(name) for name, value in options.items() if value not in (None, False, ())}
    for one, other, why in _excluding():
        if {one, other} <= given:
            raise click.UsageError(f"{one} and {other} exclude each other{why}.")


def _flag(name: str) -> str:
    """Return an option as it is typed.

    >>> _flag("in_place"), _flag("as_json"), _flag("files")
    ('--in-place', '--json', '--file')
    """
    return "--file" if name == "files" else f"--{name.removeprefix('as_').replace('_', '-')}"


def _excluding() -> Iterator[tuple[str, str, str]]:
    """Yield pairs of options that exclude each other, and why."""
    yield from ((*pair, f": {_WHY}") for pair in product(_LINES, _DOCUMENTS))
    yield from (("--in-place", other, "") for other in ("--output", *_REPORT_OPTIONS))
    yield from ((*pair, "") for pair in combinations(_REPORT_OPTIONS, 2))


_BY_LINE = (None, "json", "m2")


@click.command()
@click.argument("inputs", nargs=-1, metavar="[TEXT|FILE]...")
@report_options("diff")
@click.option("--in-place", is_flag=True, help="Write corrections into the files.")
@click.option("--backup", metavar="ENDING", help="With --in-place: keep changed files as they were, as NAME + ENDING.")
@report_options("json", "jsonl", "m2", "sarif", "lt")
@click.option("-o", "--output", metavar="FILE", help="Write there instead of to standard output, when all is done.")
@document_options
@click.option("--lines", is_flag=True, help="Files hold one sentence a line.")
@click.option("--tokenized", is_flag=True, help="Space-tokenised benchmark lines in and out.")
@click.option("--file", "files", multiple=True, metavar="FILE", help="The same as --lines FILE; may be repeated.")
@click.option("--alternatives", type=click.IntRange(1), metavar="N", help="List the N best sentences for each line.")
@model_options
@click.option("--bias", type=click.FloatRange(0, 1), metavar="C", help="How much the search favours the next word.")
@click.option("--steps", type=click.IntRange(1), metavar="K", help="Passes over inserted words.")
@click.option("--readings", type=click.IntRange(1), metavar="N", help="Times to read a sentence as long as it changes.")
def correct(
    inputs: tuple[str, ...],
    files: tuple[str, ...],
    output: str | None,
    in_place: bool,
    backup: str | None,
    format_in: str | None,
    encoding: str | None,
    exclude: tuple[str, ...],
    comments: bool,
    lines: bool,
    tokenized: bool,
    alternatives: int | None,
    **options: Any,
) -> None:
    """Correct sentences, files, the documents in folders, or standard input.

    Text, Markdown, HTML, LaTeX, reStructuredText and AsciiDoc of any length are read; markup, code, maths and addresses
    are never altered, and what needs no correction comes back byte by byte. In folders, files are chosen by their
    endings, and what .gitignore leaves out is passed by. Code and data are refused by their names unless --format-in is
    given; --in-place needs names that say what a file is, or --format-in, too. With --comments the comments and
    docstrings of source code are corrected, and nothing else in it. A file that cannot be used is named and passed by,
    and the exit code is 2.

    With --lines, --tokenized or --alternatives, as for TEXT, each line is one sentence and is corrected by itself.
    --bias, --steps, --readings, --min-margin and --min-confidence change what the mode has set.

    \b
    Examples:
      permend correct "He go to school yesterday."
      permend correct letter.txt > corrected.txt
      permend correct --diff README.md docs
      permend correct --in-place --backup .bak thesis.tex
      permend correct --json --mode precise --format-in markdown < notes
      permend correct --json --alternatives 3 "I am agree with you."
      permend correct --model my-model --tokenized --file dev.src
    """
    refuse_contradictions(click.get_current_context().params)
    report = take_report(options)
    texts, paths = sort_inputs(inputs)
    _refuse_inputs(texts, paths, files, in_place, backup)
    if in_place or report not in _BY_LINE or format_in or encoding or exclude or comments:
        by_line = False
    else:
        typed = not inputs and sys.stdin.isatty()
        by_line = lines or tokenized or bool(files or alternatives or texts) or typed
    stream = None
    with ExitStack() as stack:
        bar = stack.enter_context(Bar("correcting"))
        if by_line:
            from permend.cli.lines import LineCorrector, read_sentences

            refuse_missing([*paths, *files])
            corrector = load_corrector(**options, at_least=alternatives)
            sentences = read_sentences(texts, [*paths, *files], bar)
            pieces = LineCorrector(corrector, report, alternatives, tokenized).correct(*sentences)
        else:
            from permend.documents.saving import Saver
            from permend.documents.stream import DocumentStream

            saver = stack.enter_context(Saver(backup)) if in_place else None
            stream = DocumentStream(load_checker(**options), format_in, encoding, saver, bar.tell, bar, comments)
            documents = _documents(stream, texts, paths, exclude)
            if report == "diff":
                from permend.documents.reports.patch import patchable

                documents = patchable(documents, stream.tell)
            pieces = write_documents(documents, report, in_place, colour=not output)
        write = _open(output, stack) if output else partial(click.echo, nl=False)
        shown = not output and sys.stdout.isatty() and report != "diff"  # which has colours, and sees to it itself
        for piece in pieces:
            if not output:
                bar.step_aside(sys.stdout)
            write(as_shown(piece) if shown else piece)
    if stream and in_place:
        click.echo(stream.summary("correction"), err=True)
    if stream and stream.troubles:
        sys.exit(2)


def _open(output: str, stack: ExitStack) -> Callable[[bytes], object]:
    from permend.documents.saving import open_whole

    return stack.enter_context(open_whole(output)).write


def _refuse_inputs(
    texts: Sequence[str], paths: Sequence[str], files: Sequence[str], in_place: bool, backup: str | None
) -> None:
    if sum(map(bool, (texts, paths, files))) > 1:
        raise click.UsageError("Give sentences or files, and files as FILE or with --file, not both.")
    if in_place and (not paths or "-" in paths):
        raise click.UsageError("--in-place needs files to write into.")
    if backup is not None and not (in_place and backup and os.sep not in backup):
        raise click.UsageError("--backup needs --in-place, and an ending such as .bak.")
    if backup and is_prose(f"name{backup}"):
        raise click.UsageError("--backup needs an ending that no document has, such as .bak.")


def _documents(
    stream: DocumentStream, texts: Sequence[str], paths: Sequence[str], exclude: tuple[str, ...]
) -> Iterator[CheckedDocument]:
    if texts:
        return stream.check_texts(f"{text}\n" for text in texts)
    format_given, in_place = stream.format is not None, stream.saver is not None
    finder = DocumentFinder(stream.tell, exclude, format_given, in_place, stream.comments)
    return stream.check(list(finder.find(paths or ["-"])))


def write_documents(
    documents: Iterable[CheckedDocument], report: str | None, in_place: bool, colour: bool
) -> Iterator[bytes]:
    """Yield what is printed: a report, or the corrected text unless that goes into the files."""
    if report is not None:
        seen = colour and sys.stdout.isatty()
        looks = {"colour": seen and not os.environ.get("NO_COLOR"), "escaped": seen} if report == "diff" else {}
        errors = "surrogateescape" if report in ("diff", "m2") else "backslashreplace"
        yield from (piece.encode("utf-8", errors) for piece in find_report(report)(documents, **looks))
        return
    for document in documents:
        mark = document.encoding.mark
        for checked in document.blocks:
            if not in_place:
                yield mark + document.encoding.encode(checked.text)
            mark = b""
