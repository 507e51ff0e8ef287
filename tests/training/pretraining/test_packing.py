"""Text as rows: nothing is lost, nothing is in both parts, and every step has its rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from permend.errors import InputError, PermendError
from permend.text.tokens import SubwordTokenizer
from permend.training.pretraining import text as packing
from permend.training.pretraining.recipe import Data, Recipe
from permend.training.pretraining.text import Rows, held_out, learned, pack, sampled, train_tokenizer

CPU = torch.device("cpu")


def test_packed_text_is_the_text(tiny: Callable[..., Recipe]) -> None:
    data = tiny().data
    definition = train_tokenizer(learned(data), 400)
    tokenizer, ids = SubwordTokenizer(definition), pack(data, definition).learned.tolist()
    ends = [place for place, token in enumerate(ids) if token == tokenizer.end]
    starts = [0, *(end + 1 for end in ends[:-1])]
    assert {ids[start] for start in starts} == {tokenizer.start}
    texts = [tokenizer.decode(ids[start + 1 : end]) for start, end in zip(starts, ends, strict=True)]
    assert texts == list(learned(data))


def test_every_paragraph_is_learned_or_held_out(tiny: Callable[..., Recipe]) -> None:
    data = tiny().data
    kept, measured = set(learned(data)), set(held_out(data))
    assert measured
    assert not kept & measured
    assert kept | measured == set(Path(data.text[0]).read_text(encoding="utf-8").splitlines())
    assert 0 < len(set(sampled(data, 0.5))) < len(kept)


def test_a_share_of_a_file_is_the_same_share_every_time(tiny: Callable[..., Recipe]) -> None:
    half = tiny("data.text_shares=0.5").data
    assert list(learned(half)) == list(learned(half))
    assert set(learned(half)) < set(learned(tiny().data))


def test_a_pass_sees_every_row_once_in_an_order_of_its_own() -> None:
    rows = Rows(np.arange(103, dtype=np.int16), 10, 3, 1, CPU)  # nine rows a pass, three steps
    passes = [torch.cat([rows.batch(step).ids for step in range(first, first + 3)]) for first in (0, 3)]
    for found in passes:
        assert found.shape == (9, 10)
        assert len(set(found.flatten().tolist())) == 90
        assert (found - found[:, :1] == torch.arange(10)).all()
    assert passes[0].tolist() != passes[1].tolist()
    assert rows.passes(3) == 1.0


def test_rows_follow_from_the_step_alone() -> None:
    ids = np.arange(200, dtype=np.int32)
    one, other = Rows(ids, 8, 7, 1, CPU), Rows(ids, 8, 7, 1, CPU)
    before = [one.batch(step).ids.tolist() for step in range(9)]
    assert other.batch(8).ids.tolist() == before[8]
    assert other.batch(2).ids.tolist() == before[2]


def test_a_batch_may_be_larger_than_the_text() -> None:
    assert Rows(np.arange(17, dtype=np.int16), 8, 5, 1, CPU).batch(0).ids.shape == (5, 8)


def test_the_cache_saves_the_encoding_until_something_changes(
    tiny: Callable[..., Recipe], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tiny(f"data.cache={tmp_path / 'new' / 'tokens.npz'}").data
    definition = train_tokenizer(learned(data), 400)
    first = pack(data, definition)
    with monkeypatch.context() as patched:
        patched.setattr(packing, "_encode", None)
        again = pack(data, definition)
    assert np.array_equal(first.learned, again.learned)
    assert np.array_equal(first.held_out, again.held_out)
    other = pack(data, train_tokenizer(learned(data), 300))
    assert len(other.learned) > len(first.learned)


def test_bad_text_is_one_sentence(tiny: Callable[..., Recipe], tmp_path: Path) -> None:
    definition = train_tokenizer(learned(tiny().data), 300)
    (tmp_path / "short.txt").write_text("Hi.\n", encoding="utf-8")
    (tmp_path / "empty.txt").write_text("\n \n", encoding="utf-8")
    short, empty = str(tmp_path / "short.txt"), str(tmp_path / "empty.txt")
    with pytest.raises(PermendError, match="tokens to learn from, fewer than a row of 128"):
        pack(Data(text=(short,)), definition)
    with pytest.raises(InputError, match="this file holds no text"):
        pack(Data(text=(empty,)), definition)
    with pytest.raises(PermendError, match=r"the held-out text has \d+ tokens, fewer than a row"):
        pack(tiny(f"data.held_out={short}").data, definition)
    with pytest.raises(InputError, match="this is no cache of a text"):
        pack(tiny(f"data.cache={short}").data, definition)
