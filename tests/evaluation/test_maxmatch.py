"""MaxMatch against values worked out by hand, and against a search that tries everything."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permend.corpora.m2 import M2Edit, M2Sentence
from permend.errors import InputError
from permend.evaluation import lattice as lattices
from permend.evaluation import maxmatch
from permend.evaluation.lattice import MAX_UNCHANGED, Lattice, TooManyArcsError, find_lattice
from permend.evaluation.maxmatch import match, score_maxmatch
from permend.evaluation.score import Score

Gold = list[tuple[int, int, str]]


def sentence(source: str, *annotators: Gold) -> M2Sentence:
    """Make a sentence from (start, end, alternatives) for each annotator."""
    annotations = {
        who: tuple(M2Edit(start, end, "R", tuple(text.split("||")), who) for start, end, text in gold)
        for who, gold in enumerate(annotators)
    }
    return M2Sentence(tuple(source.split()), annotations, "gold.m2", 1)


def score(source: str, hypothesis: str, *annotators: Gold) -> Score:
    return score_maxmatch([sentence(source, *annotators)], [hypothesis.split()])


@pytest.mark.parametrize(
    ("source", "hypothesis", "gold", "expected"),
    [
        # one gold edit done, one not, nothing else
        ("he go to a school", "he goes to a school", [(1, 2, "goes"), (3, 4, "")], Score(1, 0, 1)),
        # two gold edits done, one word replaced besides
        ("a cat sat at mat .", "one cat sat on the mat .", [(3, 4, "on"), (4, 4, "the||a")], Score(2, 1, 0)),
        # the second alternative is as good as the first, a third is wrong
        ("at mat", "at a mat", [(1, 1, "the||a")], Score(1, 0, 0)),
        ("at mat", "at my mat", [(1, 1, "the||a")], Score(0, 1, 1)),
        # insertion at the very end, and at the very beginning
        ("I am here", "I am here .", [(3, 3, ".")], Score(1, 0, 0)),
        ("cat sat", "the cat sat", [(0, 0, "the")], Score(1, 0, 0)),
        # of two equal words either may be the one to go, and either place may be the one to insert
        ("to to school", "to school", [(0, 1, "")], Score(1, 0, 0)),
        ("to to school", "to school", [(1, 2, "")], Score(1, 0, 0)),
        ("it is very good", "it is very very good", [(2, 2, "very")], Score(1, 0, 0)),
        ("it is very good", "it is very very good", [(3, 3, "very")], Score(1, 0, 0)),
        # a gold insertion is found once, not twice: the second "very" is wrong
        ("it is good", "it is very very good", [(2, 2, "very")], Score(1, 1, 0)),
        ("it is good", "it is very very good", [(2, 2, "very"), (2, 2, "very")], Score(2, 0, 0)),
        # a gold edit may hold one or two words that stay, a replacement may be two edits in the hypothesis
        ("I look it up", "I look up it", [(2, 4, "up it")], Score(1, 0, 0)),
        ("a b c d", "x b c y", [(0, 4, "x b c y")], Score(1, 0, 0)),
        # but not three, and then the two changes are two edits
        ("a b c d e", "x b c d y", [(0, 5, "x b c d y")], Score(0, 2, 1)),
        # changes with at most two words between them are one edit where no gold edit says otherwise
        ("a b c d", "x b c y", [], Score(0, 1, 0)),
        ("a b c d", "x b c y", [(0, 1, "x")], Score(1, 1, 0)),
        # an empty hypothesis deletes everything: one edit, or the gold deletion and the rest
        ("a b c", "", [], Score(0, 1, 0)),
        ("a b c", "", [(2, 3, "")], Score(1, 1, 0)),
        # unchanged source, with and without something to find
        ("a b", "a b", [], Score(0, 0, 0)),
        ("a b", "a b", [(0, 1, "x"), (1, 1, "y")], Score(0, 0, 2)),
        # an empty source
        ("", "a b", [(0, 0, "a b")], Score(1, 0, 0)),
        # overlapping gold edits: only one of them can be on a path
        ("a b c", "a x c", [(1, 2, "x"), (1, 3, "x c")], Score(1, 0, 1)),
        # an annotator who marks an error without correcting it has an edit that cannot be found
        ("a b c", "a x c", [(1, 2, "x"), (2, 3, "c")], Score(1, 0, 1)),
    ],
)
def test_single_annotator(source: str, hypothesis: str, gold: Gold, expected: Score) -> None:
    assert score(source, hypothesis, gold) == expected


def test_the_annotator_who_agrees_counts() -> None:
    assert score("the dog", "the dog", [(1, 2, "dogs")], []) == Score(0, 0, 0)
    assert score("the dog", "the dogs", [], [(1, 2, "dogs")]) == Score(1, 0, 0)


def test_the_choice_of_annotator_looks_at_the_sum_so_far() -> None:
    # Two edits far apart. Annotator 0 wanted one of them and eight more, annotator 1 nothing.
    gold = [(0, 1, "x"), *((i, i + 1, "z") for i in range(1, 9))]
    doubtful = sentence("a b c d e f g h i j", gold, [])
    hypothesis = "x b c d e f g h i y".split()
    # Alone: F0.5 is 1.25 / (1.25 + 1 + 0.25 * 8) = 0.29 for annotator 0 and 0 for annotator 1.
    assert score_maxmatch([doubtful], [hypothesis]) == Score(1, 1, 8)
    # Behind 100 right edits: 126.25 / (126.25 + 1 + 2) = 0.977 for annotator 0, 125 / (125 + 2) = 0.984 for the other.
    right = sentence("a", [(0, 1, "x")])
    assert score_maxmatch([right] * 100 + [doubtful], [["x"]] * 100 + [hypothesis]) == Score(100, 2, 0)


def test_where_f_is_equal_the_annotator_with_fewer_edits_counts() -> None:
    # Nothing is right, so F is 0 for both: 2 wrong and 3 missed edits against 2 wrong and 1 missed.
    assert score("a b c d e", "v b c d w", [(1, 2, "x"), (2, 3, "y"), (3, 4, "z")], [(1, 2, "x")]) == Score(0, 2, 1)


def test_numbers_of_a_small_corpus() -> None:
    gold = [
        sentence("A cat sat at mat .", [(3, 4, "on"), (4, 4, "the||a")]),
        sentence("The dog .", [(1, 2, "dogs")], []),
        sentence("Big otters is an old animal .", [(2, 3, "are"), (3, 4, ""), (5, 6, "animals")], [(1, 2, "otter")]),
    ]
    system = ["One cat sat on the mat .", "The dog .", "Big otters are old animal ."]
    # 2 right and 1 wrong; nothing (annotator 1); 2 right and 1 missed (annotator 0)
    total = score_maxmatch(gold, [line.split() for line in system])
    assert total == Score(tp=4, fp=1, fn=1)
    assert (total.precision, total.recall, total.f()) == pytest.approx((0.8, 0.8, 0.8))


def test_a_gold_edit_out_of_order_is_not_found() -> None:
    # The official scorer walks through the gold edits once, from first to last.
    assert score("a b c", "x b y", [(2, 3, "y"), (0, 1, "x")]) == Score(1, 1, 1)


def test_long_sentences_that_differ_everywhere_are_scored() -> None:
    size = 150
    gold = [(i, i + 1, f"new{i}") for i in range(0, size, 10)]
    source = " ".join(f"old{i}" for i in range(size))
    hypothesis = " ".join(f"new{i}" for i in range(size))
    result = score(source, hypothesis, gold)
    assert (result.tp, result.fn) == (15, 0)
    assert result.fp == 15  # one edit between every two gold edits, and one behind the last


def test_ten_thousand_tokens_with_few_changes() -> None:
    source = [f"w{i % 97}" for i in range(10_000)]
    gold = [(i, i + 1, "x") for i in range(0, 10_000, 500)]
    hypothesis = list(source)
    for start, _, text in gold:
        hypothesis[start] = text
    assert score(" ".join(source), " ".join(hypothesis), gold) == Score(20, 0, 0)
    assert score(" ".join(source), "", [(0, 1, "")]) == Score(1, 1, 0)


def test_too_long_and_too_different_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattices, "CELL_LIMIT", 10)
    with pytest.raises(InputError, match=r"^gold.m2:1: the hypothesis for this sentence of 3 tokens differs too much"):
        score("a b c", "x y z", [])


def test_hypotheses_must_be_as_many_as_sentences() -> None:
    with pytest.raises(ValueError, match="shorter"):
        score_maxmatch([sentence("a", [])], [])


WORDS = st.lists(st.sampled_from("abc"), max_size=5)


@st.composite
def gold_edits(draw: st.DrawFn, source: list[str], hypothesis: list[str]) -> Gold:
    """Draw disjoint edits from left to right whose corrections are often in the hypothesis."""
    cuts = sorted(draw(st.sets(st.integers(0, len(source)), max_size=4)))
    edits = []
    for start, end in pairwise(cuts):
        if draw(st.booleans()):
            begin = draw(st.integers(0, len(hypothesis)))
            text = hypothesis[begin : begin + draw(st.integers(0, 2))]
            if text != source[start:end]:
                edits.append((start, end, " ".join(text)))
    return edits


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 3)), max_size=6))
def test_gold_corrections_are_all_right(plan: list[tuple[int, int, int]]) -> None:
    """Edits of any shape with words of their own, next to each other or with `gap` words between them."""
    gold: Gold = []
    length = 0
    for number, (removed, written, gap) in enumerate(plan):
        if (removed or written) and (gap or not gold or removed):  # two insertions at one place would be one
            text = " ".join(f"new{number}.{k}" for k in range(written))
            gold.append((length, length + removed, text))
        length += removed + gap
    annotated = sentence(" ".join(f"old{i}" for i in range(length)), gold)
    assert match(annotated, annotated.corrected())[0] == Score(len(gold), 0, 0)


@given(WORDS, st.data())
def test_an_unchanged_source_has_no_edit(source: list[str], data: st.DataObject) -> None:
    gold = data.draw(gold_edits(source, source))
    assert match(sentence(" ".join(source), gold), source)[0] == Score(0, 0, len(gold))


def brute_force(lattice: Lattice, hypothesis: list[str], gold: Gold) -> int:
    """Try every path and every way to cut it into edits; the most gold edits that one of them holds."""
    into: dict[int, list[tuple[int, bool]]] = {
        vertex: [(before, same) for before, _, same in arcs] for vertex, arcs in enumerate(lattice.arcs)
    }

    def paths(vertex: int) -> list[list[tuple[int, bool]]]:
        if vertex == 0:
            return [[(0, False)]]
        return [[*path, (vertex, same)] for before, same in into[vertex] for path in paths(before)]

    def cut(path: list[tuple[int, bool]]) -> int:
        best = [0] * len(path)
        for end in range(1, len(path)):
            for start in range(end):
                unchanged = sum(same for _, same in path[start + 1 : end + 1])
                if (unchanged <= MAX_UNCHANGED and unchanged < end - start) or end - start == 1:
                    rows = lattice.rows[path[start][0]], lattice.rows[path[end][0]]
                    columns = lattice.columns[path[start][0]], lattice.columns[path[end][0]]
                    text = " ".join(hypothesis[slice(*columns)])
                    right = unchanged < end - start and (*rows, text) in gold
                    best[end] = max(best[end], best[start] + right)
        return best[-1]

    return max(cut(path) for path in paths(len(lattice) - 1))


@settings(max_examples=300, deadline=None)
@given(WORDS, WORDS, st.booleans(), st.data())
def test_no_path_matches_more_gold_edits(
    source: list[str], hypothesis: list[str], listed: bool, data: st.DataObject
) -> None:
    gold = [edit for edit in data.draw(gold_edits(source, hypothesis)) if edit[0] < edit[1]]
    annotated = sentence(" ".join(source), gold)
    if source == hypothesis:
        return
    with pytest.MonkeyPatch.context() as patch:
        if not listed:
            patch.setattr(maxmatch, "merge_arcs", refuse)
        found = match(annotated, hypothesis)[0]
    assert found.tp == brute_force(find_lattice(source, hypothesis), hypothesis, gold)
    assert found.fn == len(gold) - found.tp


def refuse(_: Lattice) -> None:
    raise TooManyArcsError
