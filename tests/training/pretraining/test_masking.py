"""Tokens to guess: as many as asked for, never special ones, hidden as the recipe says."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from permend.text.tokens import SubwordTokenizer
from permend.training.pretraining.masked import IGNORED, Masker
from permend.training.pretraining.recipe import Masking
from permend.training.pretraining.text import train_tokenizer


@pytest.fixture(scope="module")
def tokenizer() -> SubwordTokenizer:
    return SubwordTokenizer(train_tokenizer(["some text"], 300))


@pytest.fixture
def ids(tokenizer: SubwordTokenizer) -> Tensor:
    ids = torch.randint(5, tokenizer.size, (50, 40), generator=torch.Generator().manual_seed(0))
    ids[:, 0], ids[:, -1] = tokenizer.start, tokenizer.end
    return ids


def _masker(tokenizer: SubwordTokenizer, masking: Masking) -> Masker:
    return Masker(masking, tokenizer, tokenizer.size, torch.device("cpu"))


def test_hidden_tokens_are_spread_as_the_recipe_says(tokenizer: SubwordTokenizer, ids: Tensor) -> None:
    masked = _masker(tokenizer, Masking(mask=0.5, other=0.3)).hide(ids, 0.4, seed=1)
    flat, shown = ids.flatten(), masked.ids.flatten()[masked.places]
    assert len(masked.places) == len(set(masked.places.tolist())) == 800
    assert (masked.targets == flat[masked.places]).all()
    assert not set(masked.targets.tolist()) & {tokenizer.start, tokenizer.end}
    assert (shown == tokenizer.mask).float().mean() == pytest.approx(0.5, abs=0.06)
    assert (shown == masked.targets).float().mean() == pytest.approx(0.2, abs=0.06)
    untouched = torch.ones(2000, dtype=torch.bool).index_fill(0, masked.places, False)
    assert (masked.ids.flatten()[untouched] == flat[untouched]).all()


def test_masks_follow_from_the_seed(tokenizer: SubwordTokenizer, ids: Tensor) -> None:
    masker = _masker(tokenizer, Masking())
    assert masker.hide(ids, 0.3, 7).ids.equal(masker.hide(ids, 0.3, 7).ids)
    assert not masker.hide(ids, 0.3, 7).ids.equal(masker.hide(ids, 0.3, 8).ids)


def test_special_tokens_never_count(tokenizer: SubwordTokenizer) -> None:
    ids = torch.full((1, 8), tokenizer.end)
    assert _masker(tokenizer, Masking()).hide(ids, 0.5, 1).targets.tolist() == [IGNORED] * 4


def test_the_share_changes_late(tokenizer: SubwordTokenizer) -> None:
    masker = _masker(tokenizer, Masking(share=0.3, late_share=0.2, late_from=0.6))
    assert [masker.share(done) for done in (0.0, 0.59, 0.6, 1.0)] == [0.3, 0.3, 0.2, 0.2]
