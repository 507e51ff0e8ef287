"""What the encoder is shown while training."""

from __future__ import annotations

import torch

from permend.training.correction.loss import mask_some
from tests.model.tiny import model_config, sentences


def test_source_dropout_hides_about_its_share_of_the_words_and_nothing_else() -> None:
    config, batch = model_config(), sentences((60, 40))
    torch.manual_seed(1)
    shown = mask_some(batch.ids, config, 0.3)
    words = (batch.ids < config.vocab_size) & batch.mask
    for special in (config.start_id, config.end_id, config.pad_id):
        words &= batch.ids != special
    hidden = shown != batch.ids
    assert (shown[hidden] == config.mask_id).all()
    assert not (hidden & ~words).any()
    assert 0.15 < hidden.sum() / words.sum() < 0.45
