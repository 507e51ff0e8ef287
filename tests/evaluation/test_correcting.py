"""Several settings at once give what each gives alone, for one pass of the encoder."""

from __future__ import annotations

import pytest

from permend.corrector.corrector import Corrector, Options
from permend.evaluation.correcting import EncodedOnce, correct_all, correct_with
from permend.model.networks import Bools, Floats, Ints
from tests.corrector.test_corrector import TOKENIZER, HandMade, replace_was

TEXTS = ["I was busy.", "She was late, so I didn't come.", "All is well.", 'I were "here".']


class Counting(HandMade):
    encoded = 0

    def encode(self, ids: Ints, mask: Bools) -> tuple[Floats, Floats]:
        self.encoded += 1
        return super().encode(ids, mask)


def test_sentences_are_encoded_once_for_all_settings() -> None:
    networks = Counting(replace_was)
    several = correct_with(Corrector.of(networks, TOKENIZER), TEXTS, [Options(bias=b / 10) for b in range(5)])
    assert (len(several), networks.encoded) == (5, 1)
    assert EncodedOnce(networks).config is networks.config
    alone = Corrector.of(HandMade(replace_was), TOKENIZER, Options(bias=0.2)).correct_batch(TEXTS)
    assert [each.text for each in several[2]] == [correction.text for correction in alone]
    assert [each.margin for each in several[2]] == pytest.approx([correction.margin for correction in alone])
    assert [each.edits for each in several[2]] == [correction.edits for correction in alone]


def test_batches_by_length_give_every_text_its_own_correction() -> None:
    corrector = Corrector.of(HandMade(replace_was), TOKENIZER, Options(bias=0.2))
    texts = ["", *TEXTS, "   "]
    found = correct_all(corrector, texts, batch=2)
    assert [each.text for each in found] == [corrector.correct(text).text for text in texts]
