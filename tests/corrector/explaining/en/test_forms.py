"""Word forms: forms of one word are found, other words are not."""

from __future__ import annotations

import pytest

from permend.corrector.explaining.en.words import bases, same_base, same_stem


@pytest.mark.parametrize(
    ("kind", "forms"),
    [
        ("VERB", "go goes went gone going"),
        ("VERB", "try tries tried trying"),
        ("VERB", "stop stops stopped stopping"),
        ("VERB", "hope hopes hoped hoping"),
        ("VERB", "be am is are was were been being"),
        ("VERB", "lie lies lay lain lying"),
        ("NOUN", "child children childs"),
        ("NOUN", "city cities"),
        ("NOUN", "box boxes"),
        ("NOUN", "wife wives"),
        ("ADJ", "good better best"),
        ("ADJ", "big bigger biggest"),
        ("ADJ", "happy happier happiest"),
        ("ADJ", "nice nicer nicest"),
    ],
)
def test_forms_of_one_word_share_a_base(kind: str, forms: str) -> None:
    base = forms.split()[0]
    assert all(base in bases(form, kind) for form in forms.split())


def test_other_words_share_none() -> None:
    assert not same_base("make", "do", "VERB")
    assert not same_base("house", "home", "NOUN")
    assert not same_stem("house", "home")
    assert not same_stem("when", "where")


def test_derived_words_share_a_stem() -> None:
    for pair in ("decide decision", "beauty beautiful", "quick quickly", "happy happiness", "danger dangerous"):
        assert same_stem(*pair.split()), pair
