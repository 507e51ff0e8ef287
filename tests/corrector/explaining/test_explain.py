"""Edits explained: every edit has a type of the vocabulary and a sentence that names its words."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from permend.corrector.explaining.en.types import TYPES
from permend.corrector.explaining.language import Explanation, explain_edits, load_language, type_edits
from permend.text.edits import Edit, diff

ENGLISH = load_language("en")
VOCABULARY = {f"{operation}:{name}" for operation in "MUR" for name in TYPES}


def explained(source: str, target: str) -> list[Explanation]:
    return explain_edits(source, target, diff(source, target), ENGLISH)


@settings(max_examples=300)
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_two_texts_can_be_explained(source: str, target: str) -> None:
    found = explained(source, target)
    assert len(found) == len(diff(source, target))
    assert all(each.type in VOCABULARY and each.sentence.endswith(".") for each in found)


words = st.sampled_from(
    "he go goes went the a an cat cats , . don't dont it's its very Informations more taller".split()
)


@settings(max_examples=300)
@given(st.lists(words, max_size=8), st.lists(words, max_size=8))
def test_explanations_are_deterministic_plain_and_of_one_line(source: list[str], target: list[str]) -> None:
    first = explained(" ".join(source), " ".join(target))
    assert first == explained(" ".join(source), " ".join(target))
    assert all(each.sentence[0].isupper() or each.sentence[0] == "“" for each in first)
    assert all("\n" not in each.sentence and "{" not in each.sentence and "“”" not in each.sentence for each in first)


def test_each_edit_is_seen_in_the_sentence_that_all_of_them_make() -> None:
    found = explained(
        "Yesterday he go to school and buyed two book.", "Yesterday, he went to school and bought two books."
    )
    assert [each.type for each in found] == ["M:PUNCT", "R:VERB:TENSE", "R:VERB:INFL", "R:NOUN:NUM"]
    assert found[0].sentence == "A comma belongs after the opening word “Yesterday”."


def test_a_word_that_is_cut_by_an_edit_is_quoted_whole() -> None:
    (found,) = explained("He don't know.", "He doesn't know.")
    assert found == Explanation("R:VERB:SVA", "The verb “do” should agree with its subject: “does”.")


def test_an_edit_that_changes_nothing_has_a_type_too() -> None:
    edits = [Edit(3, 5, "go", "go")]
    assert type_edits("He go.", "He go.", edits, ENGLISH) == ["UNK"]
    assert "go" in explain_edits("He go.", "He go.", edits, ENGLISH)[0].sentence


def test_the_length_of_the_text_around_an_edit_does_not_matter() -> None:
    padding = "All of this is fine. " * 200
    near = explained("He go to school.", "He goes to school.")
    assert explained(f"{padding}He go to school.{padding}", f"{padding}He goes to school.{padding}") == near


def test_several_words_are_explained_one_by_one() -> None:
    (found,) = explained("I know this thing.", "I know these things.")
    assert found == Explanation(
        "R:OTHER",
        "You need “these” here (for several things), not “this” (for one thing);"
        " “thing” should be plural here: “things”.",
    )


def test_long_insertions_are_quoted_in_part() -> None:
    (found,) = explained("I know.", f"I know{' very' * 200} well.")
    assert len(found.sentence) < 200


@pytest.mark.parametrize(
    ("source", "target", "sentence"),
    [
        ("I saw a owl.", "I saw an owl.", "Use “an”, not “a”, before a vowel sound: “an owl”."),
        ("I saw cat.", "I saw a cat.", "The article “a” is missing before “cat”."),
        ("Third day was fine.", "The third day was fine.", "The article “The” is missing before “third”."),
        ("He is in the the house.", "He is in the house.", "“the” is written twice."),
        ("Informations are here.", "Information is here.", None),
        ("I need informations.", "I need information.", "“information” has no plural in English: not “informations”."),
        ("She is more taller.", "She is taller.", "“taller” already compares: no “more” before it."),
        ("I am boring now.", "I am bored now.", None),
        ("The dog lost it's bone.", "The dog lost its bone.", None),
        (
            "Bigger then me.",
            "Bigger than me.",
            "You need “than” here (for comparing), not “then” (at that time, or next).",
        ),
        ("However it rained.", "However, it rained.", "A comma belongs after the opening word “However”."),
        ("My friend Tom who is ill came.", "My friend Tom, who is ill came.", "A comma is missing after “Tom”."),
        ("It rained", "It rained.", "A full stop belongs at the end of the sentence."),
        ("I live in paris.", "I live in Paris.", "“Paris” is written with a capital letter, not “paris”."),
        ("it rained.", "It rained.", "A sentence begins with a capital letter: “It”, not “it”."),
        ("I like it alot.", "I like it a lot.", "“alot” is written as two words: “a lot”."),
        ("Every thing is fine.", "Everything is fine.", "“Every thing” is written as one word: “Everything”."),
        ("Yes , I know.", "Yes, I know.", "No space belongs before “,”."),
        ("Yes.I know.", "Yes. I know.", "A space is missing after “.”."),
        ("Yes,  I know.", "Yes, I know.", "One space is enough after “,”."),
        ("He is go home.", "He is going home.", "Use the -ing form after “is”: “going”, not “go”."),
        ("He can swims.", "He can swim.", "After “can” the verb stays in its base form: “swim”, not “swims”."),
        ("He has wrote it.", "He has written it.", "After “has” write “written”, not “wrote”."),
        (
            "He drives slow.",
            "He drives slowly.",
            "“slowly” tells how something is done; “slow” only describes a thing.",
        ),
        ("I saw two child.", "I saw two children.", "“child” should be plural here: “children”."),
        ("I saw a children.", "I saw a child.", "“children” should be singular here: “child”."),
        ("I beleive you.", "I believe you.", "“beleive” is misspelt: write “believe”."),
        ("It rained, we left.", "It rained. We left.", "A new sentence begins here: write “. We” instead of “, we”."),
    ],
)
def test_frequent_errors_have_a_sentence_of_their_own(source: str, target: str, sentence: str | None) -> None:
    found = explained(source, target)
    changed = {word for edit in diff(source, target) for word in edit.after.split()}
    assert all(each.sentence.endswith(".") for each in found)
    if sentence is None:
        assert all(any(word in each.sentence for each in found) for word in changed)
    else:
        assert [each.sentence for each in found] == [sentence]


def test_explaining_loads_no_model_and_its_words_only_when_they_are_needed() -> None:
    code = (
        "import sys; from permend.corrector.explaining import language, lexicon;"
        "english = language.load_language('en');"
        "assert not {'torch', 'spacy', 'errant', 'onnxruntime'} & set(sys.modules);"
        "assert lexicon.load_lexicon.cache_info().currsize == 0;"
        "from permend.text.edits import Edit; language.explain_edits('a', 'b', [Edit(0, 1, 'a', 'b')], english);"
        "assert lexicon.load_lexicon.cache_info().currsize == 1"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
