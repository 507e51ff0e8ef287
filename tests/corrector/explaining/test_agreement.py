"""The two experiments behind the types: counting a lexicon, measuring agreement."""

from __future__ import annotations

from pathlib import Path

from experiments.tag_lexicon import write_lexicon
from experiments.typer_agreement import compare, draw
from permend.corrector.explaining.lexicon import Lexicon

GOLD = """S He go to to school , but it 's late .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 3 4|||U:PREP||||||REQUIRED|||-NONE-|||0
A 8 9|||R:CONTR|||is|||REQUIRED|||-NONE-|||0

S Third day was long
A 0 1|||M:DET|||The third|||REQUIRED|||-NONE-|||0
A 4 4|||M:PUNCT|||.|||REQUIRED|||-NONE-|||0

S I know it .
A 1 2|||UNK|||know|||REQUIRED|||-NONE-|||0
"""


def test_agreement_is_measured_on_raw_text(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text(GOLD)
    counts, seconds = compare(str(tmp_path / "gold.m2"))
    assert counts == {(name, name): 1 for name in ("VERB:SVA", "PREP", "CONTR", "DET", "PUNCT")}
    assert seconds > 0
    assert draw(counts, seconds).row_count == 5


def test_a_lexicon_is_counted_from_tagged_sentences() -> None:
    verb = [("I", "PRP"), ("want", "VB"), ("to", "TO"), ("play", "VB"), (".", "P")]
    noun = [("He", "PRP"), ("saw", "VBD"), ("the", "DT"), ("play", "NN"), (".", "P")]
    lines = list(write_lexicon(["play", "want", "see"], 20 * [verb] + 20 * [noun], own_size=9, least=5, origin="here"))
    lexicon = Lexicon.parse("\n".join(lines))
    assert lines[0] == "# here"
    assert lexicon.tag("they want to play .".split(), 3) == "VB"
    assert lexicon.tag("they want the play .".split(), 3) == "NN"
    assert "see" in lexicon
    assert "sea" not in lexicon
