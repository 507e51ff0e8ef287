"""Search on a device finds what numpy's search finds, whatever the scores, in whatever company."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from torch import Tensor

from permend.corrector.corrector import Corrector
from permend.errors import PermendError
from permend.method.search import Hypothesis, Matrices, search
from permend.model.torch.search import DeviceScores
from tests.model.tiny import exported


def fetch(tensors: Sequence[Tensor]) -> list[NDArray[Any]]:
    return [tensor.numpy() for tensor in tensors]


def batch(matrices: Sequence[NDArray[np.floating]], lengths: Sequence[int], padding: float) -> DeviceScores:
    """Put matrices into one padded array, as networks do."""
    size = max(map(len, matrices))
    scores = np.full((len(matrices), size, size), padding)
    for row, matrix in zip(scores, matrices, strict=True):
        row[: len(matrix), : len(matrix)] = matrix
    return DeviceScores(torch.from_numpy(scores), lengths, len(matrices[0]) - lengths[0], fetch)


def assert_same(ours: Sequence[Hypothesis], theirs: Sequence[Hypothesis]) -> None:
    assert [each.plan for each in ours] == [each.plan for each in theirs]
    np.testing.assert_allclose([each.log_prob for each in ours], [each.log_prob for each in theirs], atol=1e-9)
    np.testing.assert_allclose([each.score for each in ours], [each.score for each in theirs], atol=1e-9)


def hostile(random: np.random.Generator, size: int, kind: str) -> NDArray[np.float64]:
    """Make scores that are random, or equal, or mostly impossible, or so far apart that most chances are 0 or 1."""
    scores = random.normal(0, 100 if kind == "far apart" else 2, (size, size))
    if kind == "equal":
        return np.zeros((size, size))
    if kind == "impossible":
        scores[random.random((size, size)) < 0.7] = -np.inf
    return scores


@given(
    st.integers(0, 10_000),
    st.lists(st.integers(2, 9), min_size=1, max_size=5),
    st.integers(0, 4),
    st.integers(1, 6),
    st.sampled_from([0.0, 0.2, 1.0]),
    st.sampled_from(["random", "equal", "impossible", "far apart"]),
    st.sampled_from([0.0, 50.0, np.nan]),
)
@settings(max_examples=150, deadline=None)
def test_the_same_hypotheses_as_on_a_processor(
    seed: int, lengths: list[int], slots: int, beam: int, bias: float, kind: str, padding: float
) -> None:
    if kind != "random" and bias < 1:
        bias = 0.0  # else many plans are equally probable but for rounding, and either may come first
    random = np.random.default_rng(seed)
    matrices = [hostile(random, length + slots, kind) for length in lengths]
    rows = [row for row in range(len(lengths)) if random.random() < 0.7]
    there, here = batch(matrices, lengths, padding), Matrices(matrices, lengths)
    np.testing.assert_allclose(there.unchanged(bias), here.unchanged(bias), atol=1e-9)
    found = there.search(rows, beam=beam, best=beam, bias=bias)
    expected = search([matrices[row] for row in rows], [lengths[row] for row in rows], beam=beam, bias=bias)
    for ours, theirs in zip(found, expected, strict=True):
        assert_same(ours, theirs)


def test_scores_that_are_no_numbers_are_told_and_padding_is_not_read() -> None:
    scores = np.zeros((5, 5))
    scores[3, 2] = np.nan
    with pytest.raises(PermendError, match="NaN"):
        batch([scores, np.zeros((9, 9))], [4, 8], 0.0).unchanged(0.0)
    assert np.isfinite(batch([np.zeros((5, 5)), np.zeros((9, 9))], [4, 8], np.nan).unchanged(0.0)).all()


def test_a_corrector_finds_the_same_wherever_it_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences of many lengths, with networks that cannot search and with those that can."""
    corrector = Corrector(exported("modernbert", "int8")[1], device="cpu")
    sentences = [" ".join(f"w{n % 7}" for n in range(length)) for length in (1, 2, 3, 5, 8, 13, 21)]
    with_device = corrector.correct_batch(sentences)
    monkeypatch.setattr("permend.corrector.corrector.SearchesItself", bytes)  # which networks are not
    for ours, theirs in zip(with_device, corrector.correct_batch(sentences), strict=True):
        assert (ours.text, len(ours.edits)) == (theirs.text, len(theirs.edits))
        assert [each.text for each in ours.alternatives] == [each.text for each in theirs.alternatives]
        assert ours.margin == pytest.approx(theirs.margin, abs=1e-9)
