"""``permend check``: findings like a compiler's, and an exit code for continuous integration.

In: files, folders or standard input. Out: a line for each finding (or JSON, SARIF), the sum of them on standard error.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from permend.cli.loading import document_options, find_report, load_checker, model_options
from permend.cli.terminal import Bar
from permend.documents.files import DocumentFinder
from permend.documents.stream import DocumentStream


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "lt"]),
    default="text",
    show_default=True,
    help="Lines for people, JSON (one object a document), SARIF 2.1.0, or LanguageTool's JSON.",
)
@document_options
@model_options
def check(
    paths: tuple[str, ...],
    form: str,
    format_in: str | None,
    encoding: str | None,
    exclude: tuple[str, ...],
    comments: bool,
    **model: Any,
) -> None:
    """List what is wrong in files, in the documents of folders, or in standard input (-), and change nothing.

    A line for each finding: where it is, the type of error, what should become of what, and why. The exit code is 0
    when there is nothing to say, 1 when there are findings, and 2 when a file could not be read; the others are checked
    all the same. In folders, what .gitignore leaves out is passed by; code and data are refused by their names, but
    --comments has the comments and docstrings of source code read (Python, JavaScript, TypeScript, Rust, Go, C, C++,
    Java, shell).

    What a file means to say as it is, a comment in it dismisses: <!-- permend-ignore: a poem --> above a paragraph in
    Markdown or HTML, and so in the comments of LaTeX, reStructuredText and AsciiDoc (see docs/documents.md).

    \b
    Examples:
      permend check README.md docs
      git show HEAD:notes.md | permend check --format-in markdown -
      permend check --mode precise --format sarif docs > findings.sarif
      permend check --comments src
      permend check .git/COMMIT_EDITMSG
    """
    with Bar("checking") as bar:
        stream = DocumentStream(load_checker(**model), format_in, encoding, None, bar.tell, bar, comments)
        names = list(DocumentFinder(stream.tell, exclude, format_in is not None, comments=comments).find(paths))
        for piece in find_report(form)(stream.check(names)):
            bar.step_aside(sys.stdout)
            click.echo(piece.encode("utf-8", "backslashreplace"), nl=False)
    if form == "text" and stream.findings:
        click.echo(stream.summary("finding"), err=True)
    sys.exit(2 if stream.troubles else 1 if stream.findings else 0)
