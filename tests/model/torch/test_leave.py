"""Sentences that leave early: the parts equal the whole, who leaves is left alone, and folders without a head work."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest

from permend.corpora.pairs import Pair
from permend.corrector.corrector import Corrector, Options
from permend.corrector.trace import trace
from permend.errors import InputError, PermendError
from permend.evaluation.devset import PairDevSet
from permend.evaluation.tuning import tune
from permend.model.onnx import DECODER, ENCODER, REST, START, OnnxNetworks
from permend.model.pretrained import load
from permend.model.torch.leave import Examples, Head, doubts, shares_that_leave, train_head, write_parts
from permend.model.torch.quantize import Quantization
from permend.model.torch.split import split_graph
from tests.model.tiny import WIDTH, exported, sample, sentences, texts

EAGER = Options(min_margin=-1e6, vetted=False)
"""Changes whatever it can."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an exported folder with a head that knows nothing."""
    where = tmp_path_factory.mktemp("leaving") / "model"
    shutil.copytree(exported(quantize="int8")[1], where)
    write_parts(where, Head(WIDTH, 8), layers=1)
    return where


@pytest.mark.parametrize("kind", ["none", "int8"])
def test_the_two_parts_say_what_the_whole_says(kind: Quantization, tmp_path: Path) -> None:
    plain = exported(quantize=kind)[1]
    shutil.copytree(plain, tmp_path / "split")
    write_parts(tmp_path / "split", Head(WIDTH, 8), layers=1)
    assert (tmp_path / "split" / "weights.bin").read_bytes() == (plain / "weights.bin").read_bytes()
    batch = sample(sentences((9, 5)), ((0, 9, 2, 3, 10, 5, 8), (0, 1, 5, 3, 4)))
    whole = OnnxNetworks(plain, threads=1).encode(batch.ids, batch.mask)
    split = OnnxNetworks(tmp_path / "split", threads=1).encode(batch.ids, batch.mask)
    for ours, theirs in zip(split, whole, strict=True):
        # Quantised graphs to the last bit; in floats onnxruntime joins nodes across the cut and rounds otherwise.
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=0 if kind == "int8" else 1e-5)


def test_the_graph_doubts_as_the_head_does(folder: Path) -> None:
    head = Head(WIDTH, 8)
    write_parts(folder, head, layers=1)
    parts = OnnxNetworks(folder, threads=1).parts
    assert parts is not None
    batch = sentences((9, 5))
    states, found = parts.start(batch.ids.numpy(), batch.mask.numpy())
    lengths = batch.lengths.numpy()
    tokens = np.concatenate([row[:n] for row, n in zip(states, lengths, strict=True)])
    examples = Examples(tokens.astype(np.float16), lengths, np.array([True, False]))
    np.testing.assert_allclose(found, doubts(head, examples), rtol=1e-2)


def test_where_nobody_leaves_corrections_are_those_without_a_head(folder: Path) -> None:
    plain, split = (Corrector(where, EAGER, threads=1) for where in (exported(quantize="int8")[1], folder))
    assert split.correct_batch(texts(20), 4) == plain.correct_batch(texts(20), 4)
    everybody_stays = Corrector(folder, replace(EAGER, leave_below=1e-9), threads=1)
    found, whole = everybody_stays.correct_batch(texts(20), 4), plain.correct_batch(texts(20), 4)
    assert [each.text for each in found] == [each.text for each in whole]


def test_who_leaves_is_left_alone_and_nobody_else_is(folder: Path) -> None:
    plain = Corrector(folder, EAGER, threads=1)
    parts = OnnxNetworks(folder, threads=1).parts
    assert parts is not None
    middle = float(np.median([_doubt(plain, text) for text in texts(20)]))
    some = Corrector(folder, replace(EAGER, leave_below=middle), threads=1)
    left = [some.leaves(text) for text in texts(20)]
    assert 5 < sum(left) < 15
    for text, leaves, all_of_it, found in zip(
        texts(20), left, plain.correct_batch(texts(20)), some.correct_batch(texts(20)), strict=True
    ):
        assert found.text == (text if leaves else all_of_it.text)
        assert not (leaves and found.edits)
        assert any(each.unchanged for each in found.alternatives)


def test_a_trace_tells_that_a_sentence_left(folder: Path) -> None:
    corrector = Corrector(folder, replace(EAGER, leave_below=1.0), threads=1)
    text = next(each for each in texts(20) if Corrector(folder, EAGER, threads=1).correct(each).edits)
    seen = trace(corrector, text)
    assert seen.left
    assert seen.correction.text == corrector.correct(text).text == text
    assert len(seen.candidates) > 1
    assert not trace(Corrector(folder, EAGER, threads=1), text).left


def test_models_without_a_head_read_everything_whatever_the_threshold() -> None:
    folder = exported()[1]
    found = [Corrector(folder, replace(EAGER, leave_below=x), threads=1).correct_batch(texts(9)) for x in (0.0, 1.0)]
    assert found[0] == found[1]


@pytest.mark.parametrize("name", [START, REST])
def test_a_part_that_is_missing_or_damaged_is_told_in_a_sentence(folder: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(folder, tmp_path / "model")
    (tmp_path / "model" / name).unlink()
    with pytest.raises(PermendError, match=f"the model is damaged: {name} is missing"):
        load(tmp_path / "model")
    (tmp_path / "model" / "hashes.json").unlink()
    with pytest.raises(InputError, match=f"has no {name}: export the model again"):
        load(tmp_path / "model")
    (tmp_path / "model" / name).write_bytes(b"nothing")
    with pytest.raises(InputError, match="onnxruntime cannot load the graph"):
        load(tmp_path / "model")


def test_a_head_learns_what_its_states_tell() -> None:
    draw = np.random.default_rng(0)
    lengths = draw.integers(4, 9, 400)
    changed = draw.random(400) < 0.4
    states = draw.normal(size=(int(lengths.sum()), WIDTH))
    states[(np.cumsum(lengths) - 1)[changed], 0] += 9.0  # one token of a sentence is odd
    examples = Examples(states.astype(np.float16), lengths, changed)
    head = train_head(examples, epochs=200, hidden=16)
    assert shares_that_leave(head, examples)[0.97] > 0.8
    with pytest.raises(PermendError, match="one kind only"):
        train_head(examples.part(changed))


def test_tuning_lets_sentences_leave_where_that_costs_nothing_but_never_in_thorough(folder: Path) -> None:
    corrector = Corrector(folder, threads=1)
    devset = PairDevSet("ours", [Pair(text, text) for text in texts(12)])
    tuned = tune(corrector, devset, [Options(vetted=False)], leaving=0.01)
    assert tuned.modes["thorough"].options.leave_below == 0.0
    plain = tune(Corrector(exported()[1], threads=1), devset, [Options(vetted=False)], leaving=0.01)
    assert {mode.options.leave_below for mode in plain.modes.values()} == {0.0}


def test_an_encoder_is_cut_only_between_its_layers(tmp_path: Path) -> None:
    whole = onnx.load(exported()[1] / ENCODER, load_external_data=False)
    with pytest.raises(PermendError, match="of 2 layers can be left after 1 to 1 of them, not 2"):
        split_graph(whole, 2)
    with pytest.raises(PermendError, match="does not say which weights its layers have"):
        split_graph(onnx.load(exported()[1] / DECODER, load_external_data=False), 1)


def _doubt(corrector: Corrector, text: str) -> float:
    from permend.evaluation.leaving import find_doubts

    return find_doubts(corrector, [text])[0]
