"""``permend explain``: draw what the model did with a sentence."""

from __future__ import annotations

import json
from typing import Any

import click

from permend.cli.arguments import as_text
from permend.cli.console import SafeConsole
from permend.cli.heat_map import draw_heat_map
from permend.cli.loading import load_corrector, model_options
from permend.cli.trace_view import draw_trace, trace_json
from permend.trace import trace


@click.command()
@click.argument("sentence")
@click.option("--alternatives", type=click.IntRange(1), metavar="N", help="Look at the N best sentences.")
@click.option("--png", metavar="FILE.png", help="Also draw the matrix as a heat map.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
@model_options
def explain(sentence: str, alternatives: int | None, png: str | None, as_json: bool, **options: Any) -> None:
    """Draw what the model did with SENTENCE.

    The grid is the pointer's matrix: how probable it is that the column follows the row, and the path that was chosen
    through it. Below it the plan, which lists positions in the order of the corrected sentence; what the decoder
    wrote into its slots; and all hypotheses with their scores and their margin over the unchanged sentence.

    \b
    Examples:
      permend explain "He go to school yesterday."
      permend explain "I am agree with you." --png agree.png
      permend explain "I am agree with you." --json
    """
    text = as_text(sentence, "SENTENCE")
    corrector = load_corrector(at_least=alternatives, **options)
    seen = trace(corrector, text)
    if png:
        draw_heat_map(seen, png)
    if as_json:
        click.echo(json.dumps(trace_json(seen), ensure_ascii=False))
    else:
        console = SafeConsole()
        draw_trace(seen, console)
        if corrector.options.readings > 1 and seen.correction.edits:
            console.print("This mode reads a sentence again when it has changed it; this was the first reading.")
