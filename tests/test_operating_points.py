"""Choosing modes: the numbers written into a folder are those that the modes then give."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.annotated import Annotated, EncodedOnce, correct_with
from experiments.operating_points import choose, curves, plot
from permend.corrector import Corrector, Options
from permend.evaluation.errant import score_errant
from permend.modes import Modes, read_modes, write_modes
from permend.runtime.networks import Bools, Floats, Ints
from tests.test_corrector import TOKENIZER, HandMade, replace_was

GOLD = """S I was busy .
A 1 2|||R:VERB:TENSE|||am|||REQUIRED|||-NONE-|||0

S She was late , so I did n't come .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S All is well .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S I were " here " .
A 1 2|||R:VERB:SVA|||was|||REQUIRED|||-NONE-|||0
"""


@pytest.fixture
def annotated(tmp_path: Path) -> Annotated:
    (tmp_path / "gold.m2").write_text(GOLD, encoding="utf-8")
    return Annotated.read(tmp_path / "gold.m2")


class Counting(HandMade):
    encoded = 0

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        self.encoded += 1
        return super().encode(ids, mask)


def test_what_is_chosen_is_what_the_modes_then_give(annotated: Annotated, tmp_path: Path) -> None:
    assert annotated.correct == [False, True, True, False]
    corrector = Corrector(HandMade(replace_was), TOKENIZER)
    settings = [Options(bias=bias) for bias in (0.0, 0.3)]
    found = curves(annotated, corrector, settings)
    modes = choose(found, sum(annotated.correct))
    assert list(modes) == ["thorough", "balanced", "precise"]
    precise = modes["precise"].measured
    assert precise is not None
    assert (precise.precision, precise.recall, precise.correct_changed) == (1.0, 0.5, 0), (
        "per length, the shorter sentence is surer"
    )
    write_modes(tmp_path, Modes(modes, "gold.m2"))
    for mode in read_modes(tmp_path).modes.values():
        corrections = Corrector(corrector.networks, TOKENIZER, mode.options).correct_batch(annotated.texts)
        tokens = [annotated.tokens(place, each.text) for place, each in enumerate(corrections)]
        score = score_errant(annotated.sentences, tokens).total
        assert mode.measured is not None
        assert (mode.measured.precision, mode.measured.recall) == (score.precision, score.recall)
    plot(found, modes, str(tmp_path / "curves.png"))
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_sentences_are_encoded_once_for_all_settings(annotated: Annotated) -> None:
    networks = Counting(replace_was)
    several = correct_with(Corrector(networks, TOKENIZER), annotated.texts, [Options(bias=b / 10) for b in range(5)])
    assert (len(several), networks.encoded) == (5, 1)
    assert EncodedOnce(networks).config is networks.config
    alone = Corrector(HandMade(replace_was), TOKENIZER, Options(bias=0.2)).correct_batch(annotated.texts)
    assert [each.text for each in several[2]] == [correction.text for correction in alone]
    assert [each.margin for each in several[2]] == pytest.approx([correction.margin for correction in alone])
