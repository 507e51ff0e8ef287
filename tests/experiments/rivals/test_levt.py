"""LevT: an oracle that turns any draft into any target, and refinement that always ends."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from experiments.rivals.corrector import RivalCorrector, make_decoding
from experiments.rivals.levt import MOST, LevenshteinTransformer, fitting, judge
from experiments.rivals.levt_oracle import LevenshteinLabels, find_edits, make_room
from experiments.rivals.run import make_system
from experiments.rivals.system import tokenizer_of
from permend.errors import PermendError
from permend.text.tokens import Tokens
from permend.training.correction.data import make_source
from tests.experiments.rivals.toys import recipe

START, END, MASK, UNKNOWN = 100, 101, 102, 103
sequences = st.lists(st.integers(0, 5), max_size=12).map(lambda words: [START, *words, END])
TEXTS = ["They are here.", "He go to school every day.", "I"]


def filled(draft: Sequence[int], gaps: Sequence[int], tokens: Sequence[int]) -> list[int]:
    new = iter(token for token in tokens if token >= 0)
    roomy = make_room(draft, gaps, MASK)
    return [next(new) if token == MASK else token for token in roomy]


@given(sequences, sequences)
def test_the_oracle_turns_any_draft_into_any_target(draft: list[int], target: list[int]) -> None:
    edits = find_edits(draft, target)
    left = [token for token, gone in zip(draft, edits.deleted, strict=True) if not gone]
    tokens = [token if new else -1 for token, new in zip(target, edits.new, strict=True)]
    assert filled(left, edits.gaps, tokens) == target
    assert sum(edits.deleted) + sum(edits.new) == distance(draft, target)


def distance(a: Sequence[int], b: Sequence[int]) -> int:
    """Return the fewest deletions and insertions, by the textbook."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], last if x == y else 1 + min(row[j], row[j - 1])
    return row[-1]


@given(sequences, sequences)
def test_labels_carried_out_give_the_target(source: list[int], target: list[int]) -> None:
    labels = LevenshteinLabels(99, UNKNOWN)
    sides = [Tokens("", tuple(ids), ()) for ids in (source, target)]
    row = labels.row(*sides)
    kept = [token for token, gone in zip(source, row["delete"], strict=True) if gone < 1]
    assert kept == row["left"]
    assert filled(row["left"], row["left_gaps"], row["left_tokens"]) == target
    assert filled(row["thinned"], row["thinned_gaps"], row["thinned_tokens"]) == target
    assert labels.row(*sides) == row  # chance is the pair's own


def test_what_no_network_says_is_not_asked_for_and_gaps_are_capped() -> None:
    source, target = [START, END], [START, UNKNOWN, *range(12), END]
    row = LevenshteinLabels(8, UNKNOWN).row(*(Tokens("", tuple(ids), ()) for ids in (source, target)))
    assert row["left_gaps"] == [8]
    assert row["left_tokens"] == [-1, -1, *range(12), -1]


def test_drafts_as_long_as_their_targets_are_judged_place_by_place() -> None:
    target = torch.tensor([[9, 1, 2, 8, -1], [9, 8, -1, -1, -1]])
    written = torch.tensor([[9, 1, 3, 8, -1], [9, 8, -1, -1, -1]])
    wrong, gaps = judge(written, target)
    assert wrong.tolist() == [[-1, 0, 1, -1, -1], [-1] * 5]
    assert gaps.tolist() == [[0, 0, 0, -1], [-1] * 4]


@given(st.lists(st.integers(0, 8), max_size=9), st.integers(-5, 30))
def test_gaps_grow_no_draft_beyond_its_limit(gaps: list[int], room: int) -> None:
    fit = fitting(gaps, room)
    assert sum(fit) == min(sum(gaps), max(room, 0))
    assert all(0 <= less <= gap for less, gap in zip(fit, gaps, strict=True))


@pytest.fixture
def levt(tmp_path: Path) -> LevenshteinTransformer:
    """Return a network that has learned nothing."""
    made = recipe("levt", tmp_path)
    return cast(LevenshteinTransformer, make_system(made, make_source(made.data)).eval())


def always(system: LevenshteinTransformer, delete: int | None, gap: int | None, rounds: int = 10) -> RivalCorrector:
    """Return a corrector whose policies do the same everywhere; None leaves a policy as it is."""
    with torch.no_grad():
        for policy, choice in ((system.deletion, delete), (system.room, gap)):
            if choice is not None:
                policy.weight.zero_()
                policy.bias.copy_(torch.eye(len(policy.bias))[choice])
    return RivalCorrector(system, tokenizer_of(system), make_decoding(system, {"rounds": rounds}))


def test_a_sentence_that_stays_takes_one_run_of_the_layers(levt: LevenshteinTransformer) -> None:
    corrector = always(levt, delete=0, gap=0)
    guesses = corrector.guess([corrector.tokenizer.encode(text) for text in TEXTS])
    assert [(guess.text, guess.passes) for guess in guesses] == [(text, 2) for text in TEXTS]


@pytest.mark.parametrize(("delete", "gap"), [(0, MOST), (1, 1), (1, MOST), (0, 1), (None, None)])
@pytest.mark.parametrize("rounds", [1, 3, 30])
def test_refinement_ends_whatever_the_policies_do(
    levt: LevenshteinTransformer, delete: int | None, gap: int | None, rounds: int
) -> None:
    corrector = always(levt, delete, gap, rounds)
    for text in TEXTS:
        tokens = corrector.tokenizer.encode(text)
        [guess] = corrector.guess([tokens])
        assert guess.passes <= 1 + 3 * rounds
        assert len(guess.text) <= 20 * (2 * len(tokens.ids) + 8)
        assert corrector.guess([tokens]) == [guess]


def test_company_changes_neither_text_nor_count(levt: LevenshteinTransformer) -> None:
    corrector = always(levt, delete=None, gap=1, rounds=4)
    tokens = [corrector.tokenizer.encode(text) for text in TEXTS]
    assert corrector.guess(tokens) == [corrector.guess([each])[0] for each in tokens]


def test_a_full_draft_takes_no_more_and_is_done(levt: LevenshteinTransformer) -> None:
    corrector = always(levt, delete=0, gap=MOST, rounds=1000)
    tokens = corrector.tokenizer.encode("I")
    [guess] = corrector.guess([tokens])
    assert guess.passes <= 1 + 3 * len(tokens.ids)


def test_no_round_is_no_refinement(levt: LevenshteinTransformer) -> None:
    with pytest.raises(PermendError, match="rounds"):
        make_decoding(levt, {"rounds": 0})
