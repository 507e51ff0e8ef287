"""The numbers that the paper prints (Yakovlev et al. 2023), by the names that our rows give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Prf(NamedTuple):
    """Precision, recall and F0.5 in per cent; None where the paper has none."""

    precision: float | None
    recall: float | None
    f: float | None


class Dataset(NamedTuple):
    """A row of Table 1."""

    sentences: int
    wrong: float | None
    """Per cent of the sentences that have an error."""
    stages: str


DATASETS: Mapping[str, Dataset] = {
    "PIE": Dataset(9_000_000, 100.0, "I"),
    "cLang8": Dataset(2_372_119, 57.7, "II"),
    "FCE, train": Dataset(28_350, 62.5, "II"),
    "NUCLE": Dataset(57_151, 37.4, "II"),
    "W&I+L, train": Dataset(34_308, 66.3, "II, III"),
    "W&I+L, dev": Dataset(4_384, 64.3, "Val"),
    "CoNLL, test": Dataset(1_312, 71.9, "Test"),
    "W&I+L, test": Dataset(4_477, None, "Test"),
}
"""Table 1."""

FILES: Mapping[str, str] = {
    "ABC.train": "W&I+L, train",
    "ABCN.dev": "W&I+L, dev",
    "fce.train": "FCE, train",
    "nucle": "NUCLE",
    "clang8": "cLang8",
    "conll14": "CoNLL, test",
}
"""How the files of these sets begin, as they are published."""

CONLL: Mapping[str, Prf] = {
    "BART(12+2), greedy": Prf(69.2, 49.8, 64.2),
    "BART(12+2), aggressive": Prf(69.2, 49.8, 64.2),
    "T5-XXL, 11B parameters": Prf(None, None, 68.75),
    "LevT": Prf(53.1, 23.6, 42.5),
    "PIE, BERT-large": Prf(66.1, 43.0, 59.7),
    "GECToR-large, 1 step": Prf(75.4, 35.3, 61.4),
    "GECToR-large, 3 steps": Prf(76.2, 37.7, 63.3),
    "GECToR-large, 5 steps": Prf(76.1, 37.6, 63.2),
    "GEC-DePenD, vanilla": Prf(67.8, 41.3, 60.1),
    "GEC-DePenD, SUNDAE": Prf(73.2, 37.8, 61.6),
}
"""Table 2, the CoNLL-2014 test set."""

TEST: Mapping[str, Prf] = {
    "BART(12+2), greedy": Prf(69.6, 63.5, 68.3),
    "BART(12+2), aggressive": Prf(69.6, 63.5, 68.3),
    "T5-XXL, 11B parameters": Prf(None, None, 75.88),
    "LevT": Prf(45.5, 37.0, 43.5),
    "FELIX": Prf(None, None, 63.5),
    "PIE, BERT-large": Prf(58.0, 53.1, 56.9),
    "GECToR-large, 1 step": Prf(82.03, 50.81, 73.05),
    "GECToR-large, 3 steps": Prf(80.73, 53.56, 73.29),
    "GECToR-large, 5 steps": Prf(80.73, 53.63, 73.32),
    "GEC-DePenD, vanilla": Prf(69.5, 55.3, 66.1),
    "GEC-DePenD, SUNDAE": Prf(72.9, 53.2, 67.9),
}
"""Table 2, the W&I+LOCNESS test set."""

SPEED: Mapping[str, tuple[float, int]] = {
    "BART(12+2), greedy": (1.0, 238),
    "BART(12+2), aggressive": (3.7, 238),
    "GECToR-large, 1 step": (3.8, 360),
    "GECToR-large, 3 steps": (2.4, 360),
    "GECToR-large, 5 steps": (2.4, 360),
    "GEC-DePenD, vanilla": (5.3, 253),
    "GEC-DePenD, SUNDAE": (4.7, 253),
}
"""Table 3: speed-up over greedy decoding, and millions of parameters."""

ABLATION: Mapping[str, Prf] = {
    "Vanilla II, III + FELIX labels": Prf(52.5, 39.5, 49.3),
    "Vanilla II, III + Algorithm 1": Prf(57.6, 38.9, 52.5),
    "Vanilla II": Prf(57.9, 36.5, 51.8),
    "Vanilla II + tweaks": Prf(59.3, 34.6, 51.9),
    "SUNDAE II": Prf(56.4, 39.3, 51.9),
    "SUNDAE II + tweaks": Prf(59.9, 35.0, 52.4),
    "Vanilla II, III": Prf(54.6, 42.8, 51.7),
    "Vanilla II, III + tweaks": Prf(60.6, 36.5, 53.5),
    "SUNDAE II, III": Prf(54.9, 43.4, 52.1),
    "SUNDAE II, III + tweaks": Prf(63.5, 34.3, 54.3),
    "1 step, λ₀ = 0.75": Prf(60.8, 36.5, 53.6),
    "1 step, λ₀ = 0.25": Prf(62.9, 33.9, 53.7),
    "1 step, λ₀ = 0.01": Prf(60.8, 35.8, 53.4),
    "2 steps, λ₀ = 0.75": Prf(61.2, 36.6, 54.0),
    "2 steps, λ₀ = 0.25": Prf(63.5, 34.3, 54.3),
    "2 steps, λ₀ = 0.01": Prf(61.6, 36.4, 54.1),
    "3 steps, λ₀ = 0.75": Prf(61.3, 36.7, 54.0),
    "3 steps, λ₀ = 0.25": Prf(63.5, 34.3, 54.3),
    "3 steps, λ₀ = 0.01": Prf(61.7, 36.4, 54.1),
    "#1 hypothesis, no length normalisation": Prf(60.4, 35.2, 52.8),
    "#2 hypothesis, no length normalisation": Prf(40.4, 28.3, 37.2),
    "#3 hypothesis, no length normalisation": Prf(33.1, 28.3, 32.0),
    "Best of the first three by GLEU": Prf(71.8, 45.9, 64.5),
    "#1 hypothesis, length normalisation": Prf(60.6, 36.5, 53.5),
    "Decoder rescoring, λ = 0.99": Prf(62.3, 31.8, 52.3),
    "Decoder rescoring, λ = 0.999": Prf(60.3, 34.8, 52.6),
    "Decoder rescoring, λ = 1": Prf(60.4, 35.2, 52.8),
    "Vanilla II, III, 16 sinkhorn steps": Prf(60.6, 36.7, 53.6),
}
"""Table 4, on the W&I+LOCNESS development set."""
