"""``permend serve``: a server for browsers, editors and office programs."""

from __future__ import annotations

import logging
import sys
from typing import Any

import click

from permend.cli.loading import count_cores
from permend.errors import MissingExtraError
from permend.model.options import DEFAULT, NAMES


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8081, show_default=True, help="The port; 0 takes a free one."
)
@click.option("--mode", type=click.Choice(NAMES), default=DEFAULT, show_default=True, help="How much to find.")
@click.option("--model", metavar="DIR", help="A model folder; the model installed with permend otherwise.")
@click.option(
    "--threads", type=click.IntRange(1), metavar="N", help="Cores for a process.  [default: its share of all]"
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    metavar="N",
    help="Processes; they share the model's memory.",
)
@click.option(
    "--queue",
    type=click.IntRange(1, 10_000),
    default=64,
    show_default=True,
    metavar="N",
    help="Checks a process has in hand at most; others are asked to come again (503).",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, 86_400, min_open=True),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="How long a check may take.",
)
@click.option(
    "--drain",
    type=click.FloatRange(0, 86_400),
    default=0,
    show_default=True,
    metavar="SECONDS",
    help="How long to go on after SIGTERM while /api/ready says no, for balancers that ask it.",
)
@click.option(
    "--max-characters",
    type=click.IntRange(1, 20_000_000),
    default=200_000,
    show_default=True,
    metavar="N",
    help="How long a text may be.",
)
@click.option(
    "--token",
    envvar="PERMEND_TOKEN",
    default="",
    show_envvar=True,
    help="What clients must send (as a bearer token, a password or LanguageTool's apiKey).",
)
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="A web page's origin, such as https://wiki.example.org, that may ask; may be repeated.",
)
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name by which clients call this server; may be repeated.",
)
@click.option("--read-only", is_flag=True, help="Keep no words and no dismissed findings.")
@click.option("--quiet", is_flag=True, help="Write no log.")
def serve(threads: int | None, quiet: bool, model: str | None, **given: Any) -> None:
    """Answer browsers, editors and office programs: LanguageTool's API, one of our own, and a page to write in.

    The page is at the address that is shown; programs that can use a LanguageTool server take the same address with
    /v2 behind it. Only this machine can ask unless --host says otherwise. No text is kept, logged or sent anywhere: the
    log on standard error has a line of JSON for each request, with its path, status and time.

    \b
    Examples:
      permend serve
      permend serve --port 9000 --mode thorough
      PERMEND_TOKEN=secret permend serve --host 0.0.0.0 --allow-host writing.example.org --workers 2
    """
    try:
        from permend.serving.run import JsonLines
        from permend.serving.run import serve as run
        from permend.serving.settings import Settings
    except ImportError as error:
        if error.name and error.name.startswith("permend"):
            raise
        raise MissingExtraError("permend serve", "serve") from None
    cores = count_cores()
    settings = Settings(threads=min(threads or max(1, cores // given["workers"]), cores), **given)
    if not settings.is_local:
        what = "anybody who reaches it may ask" if not settings.token else "what is sent is not encrypted"
        click.echo(f"Warning: this server can be reached from other machines, and {what}.", err=True)
    handler = logging.NullHandler() if quiet else logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in (("permend.serving", logging.INFO), ("uvicorn.error", logging.ERROR)):
        logging.getLogger(name).addHandler(handler)
        logging.getLogger(name).setLevel(level)
    run(
        settings,
        model,
        lambda url: click.echo(f"permend is at {url} (LanguageTool's clients: {url}/v2). Ctrl-C ends it."),
    )
