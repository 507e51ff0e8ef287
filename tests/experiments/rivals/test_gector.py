"""GECToR: tags say what a pair changes, as far as one pass can say it, and the passes that follow say the rest."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.rivals.corrector import RivalCorrector
from experiments.rivals.gector import Gector
from experiments.rivals.gector_forms import Forms, learn_forms
from experiments.rivals.gector_tags import DELETE, KEEP, MERGE, UNKNOWN, Tagger, learn_tags
from experiments.rivals.learning import couples
from experiments.rivals.run import train_rival
from experiments.rivals.words import TokenWords, words_of
from permend.errors import PermendError
from permend.text.tokens import SubwordTokenizer
from tests.experiments.rivals.toys import PAIRS, TOY, recipe

TOKENIZER = SubwordTokenizer.from_path(TOY / "tokenizer.json")
VERBS = [["go", "goes", "went", "gone", "going"], ["take", "takes", "took", "taken", "taking"]]
TAGGER = Tagger(Forms({"verbs": VERBS, "nouns": [["child", "children"], ["bus", "buses"]]}))
VOCABULARY = "go goes went child children the in to school School SCHOOL not can cannot ,".split()
OLD = "we take my two buses today because friends sleep late".split()
NEW = "yes really many very often here now then soon never more".split()


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gector")
    train_rival(recipe("gector", folder))
    return folder / "run" / "last"


def words(text: str) -> TokenWords:
    return words_of(TOKENIZER.encode(text))


def one_pass(source: str, target: str) -> str:
    return TAGGER.carry_out(words(source), TAGGER.tags(words(source), words(target)))


@given(st.lists(st.sampled_from(VOCABULARY), max_size=8), st.lists(st.sampled_from(VOCABULARY), max_size=8))
def test_passes_lead_from_any_source_to_any_target(source: list[str], target: list[str]) -> None:
    text, goal = " ".join(source), " ".join(target)
    for _ in range(len(target) + 2):
        text = one_pass(text, goal)
    assert words(text).tokens == target


@given(st.permutations(NEW), st.lists(st.sampled_from(["keep", "delete", "append", "replace"]), min_size=5, max_size=5))
def test_one_pass_makes_an_edit_at_every_other_word(new: list[str], edits: list[str]) -> None:
    target = [new[-1]]
    for place, edit in enumerate(edits):
        kept, old = OLD[2 * place : 2 * place + 2]
        becomes = {"keep": [old], "delete": [], "append": [old, new[place]], "replace": [new[place]]}
        target += [kept, *becomes[edit]]
    assert one_pass(" ".join(OLD), " ".join(target)) == " ".join(target)


@pytest.mark.parametrize(
    ("source", "target", "tag"),
    [
        ("he sees monday", "he sees Monday", "$CASE_CAPITAL"),
        ("the iphone", "the iPhone", "$CASE_CAPITAL_1"),
        ("a Dog", "a dog", "$CASE_LOWER"),
        ("the usa", "the USA", "$CASE_UPPER"),
        ("two pcs", "two PCs", "$CASE_UPPER_-1"),
        ("two child", "two children", "$NOUN_NUMBER_PLURAL"),
        ("one Buses", "one Bus", "$NOUN_NUMBER_SINGULAR"),
        ("she GO", "she GOES", "$VERB_FORM_VB_VBZ"),
        ("I took", "I taking", "$VERB_FORM_VBD_VBG"),
        ("I agree", "I", DELETE),
        ("I we", "I they", "$REPLACE_they"),
    ],
)
def test_each_transformation_is_named_and_carried_out(source: str, target: str, tag: str) -> None:
    assert TAGGER.tags(words(source), words(target))[-1] == tag
    assert one_pass(source, target) == target


@pytest.mark.parametrize("tag", ["$VERB_FORM_VB_VBZ", "$NOUN_NUMBER_PLURAL", "$CASE_LOWER", UNKNOWN, "$NONSENSE"])
def test_what_cannot_be_carried_out_keeps_the_word(tag: str) -> None:
    text = " house  and (house) "
    assert TAGGER.carry_out(words(text), [tag] * (len(words(text).tokens) + 1)) == text


def test_words_are_merged_and_hyphens_come_and_go() -> None:
    source, target = "any body saw some thing new", "anybody saw something new"
    assert TAGGER.tags(words(source), words(target)) == [KEEP, MERGE, KEEP, KEEP, MERGE, KEEP, KEEP]
    assert one_pass(source, target) == target
    assert one_pass("a well known man", "a well-known man") == "a well-known man"
    assert one_pass("a ten-page book", "a ten page book") == "a ten page book"


@pytest.mark.parametrize(
    ("source", "target", "written"),
    [
        (
            "It  is  (very)  interesting book.",
            "It is (very) an interesting book.",
            "It  is  (very) an  interesting book.",
        ),
        ('He said "go home".', 'He said "goes home now".', 'He said "goes home now".'),
        ('"Very nice" he said', '"nice," he said', '"nice," he said'),
        ("I know ,he is ill", "I know that he is ill", "I know that he is ill"),
        ("I think\nhe is", "I think that\nhe is", "I think that\nhe is"),
    ],
)
def test_what_stays_keeps_its_spaces_and_what_is_new_gets_the_usual_ones(
    source: str, target: str, written: str
) -> None:
    assert one_pass(source, target) == written


def test_a_word_begins_where_a_sub_token_does() -> None:
    for text in ("I don't know; isn't it?", "“Quoted”, (bracketed) well-known…", "e.g. Mr. O'Neil's 1,000 £"):
        sentence = TOKENIZER.encode(text)
        found = words_of(sentence)
        assert [sentence.spans[place][0] for place in found.places] == found.starts
        assert "".join(found.tokens) == "".join(text.split())


def test_tags_are_bounded_and_do_not_depend_on_the_order_of_pairs() -> None:
    learned = learn_tags(couples(PAIRS, TOKENIZER), 5)
    assert len(learned["tags"]) == 5
    assert learned == learn_tags(couples(reversed(PAIRS), TOKENIZER), 5)
    assert len(learn_tags(couples(PAIRS, TOKENIZER), 5000)["tags"]) < 20


def test_forms_are_learned_from_the_words_of_pairs() -> None:
    learned = learn_forms(Counter("go put study child went found xqzt".split()))
    assert ["go", "goes", "went", "gone", "going"] in learned["verbs"]
    assert ["put", "puts", "put", "put", "putting"] in learned["verbs"]
    assert ["study", "studies", "studied", "studied", "studying"] in learned["verbs"]
    assert ["child", "children"] in learned["nouns"]
    assert not any("xqzt" in family or "founds" in family for family in learned["verbs"])


def test_sure_of_keeping_or_unsure_of_errors_it_changes_nothing(trained: Path) -> None:
    sources = [pair.source for pair in PAIRS]
    for name, value in (("keep_bias", 1.5), ("min_error", 1.1)):
        found = RivalCorrector.load(trained, "cpu", **{name: value}).correct_batch(sources)
        assert [each.text for each in found] == sources
    sure = RivalCorrector.load(trained, min_error=0.5).correct_batch(sources)
    assert [each.text for each in sure] == [pair.target for pair in PAIRS]


def test_passes_are_counted_until_nothing_changes(trained: Path) -> None:
    corrector = RivalCorrector.load(trained, steps=5, keep_bias=0.0)
    right, wrong = corrector.guess([TOKENIZER.encode(text) for text in ("They are here.", "I am agree with you.")])
    assert (right.text, right.passes) == ("They are here.", 1)
    assert 1 < wrong.passes <= 5


@pytest.mark.parametrize("options", [{"tags": 0}, {"tags": "many"}, {"labels": 3}])
def test_options_that_make_no_sense_are_named(options: dict[str, Any]) -> None:
    with pytest.raises(PermendError, match=next(iter(options))):
        Gector.learn(PAIRS, TOKENIZER, options)
