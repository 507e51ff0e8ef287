"""English word forms: which words two forms may belong to.

In: a word and its part of speech. Out: all base forms that it can have by spelling; wrong forms are understood too.

>>> sorted(bases("went", "VERB") & bases("goes", "VERB")), sorted(bases("cities", "NOUN"))
(['go'], ['citi', 'citie', 'cities', 'city'])
>>> same_base("getted", "get", "VERB"), same_base("bigger", "big", "ADJ"), same_stem("decide", "decision")
(True, True, True)
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_KINDS = {"verb": "VERB", "noun": "NOUN", "adjective": "ADJ", "adverb": "ADV"}
_VOWELS = frozenset("aeiou")
_ENDINGS = {
    "VERB": ("s", "es", "ed", "d", "ing"),
    "NOUN": ("s", "es"),
    "ADJ": ("er", "r", "est", "st"),
    "ADV": ("er", "r", "est", "st"),
}

_DERIVED = frozenset(
    """able ably age al ally ance ances ancy ant ary ate ated ates atic ating ation ations ative atory ce de dom e
    ed eful ely ement ements en ence ences ency ened ener ening ens ent ently er ers ery es est ful fully
    fulness hood ial ially ian ians ible ibly ic ical ically ication ications ics ied ier ies iest ification
    ified ifies iful ify il ily iness ing ingly ings ion ional ions ious iously is isation ise ised iser ises
    ish ising ism isms ist istic ists ities ity ive ively ivity ization ize ized izer izes izing less lessly ly
    ment mental ments ness nesses or ors ory ous ously ption s se ses ship ships sing sion sional sions sive
    some ssion ssions ssive st tial tic ties ting tion tional tions tive tor tors ture tures ty ual ually ure
    ured ures uring ward wards wise y yer ying""".split()
)


@cache
def _irregular() -> dict[str, dict[str, frozenset[str]]]:
    """Read the table of irregular forms: by part of speech, the base forms of each form."""
    found: dict[str, dict[str, frozenset[str]]] = {kind: {} for kind in _KINDS.values()}
    for line in (Path(__file__).parent / "irregular.txt").read_text(encoding="utf-8").splitlines():
        if line and line[0] != "#":
            kind, base, *forms = line.split()
            table = found[_KINDS[kind]]
            for form in forms:
                table[form] = table.get(form, frozenset()) | {base}
    return found


def bases(word: str, kind: str) -> frozenset[str]:
    """Return the base forms that a lower-case word can have as VERB, NOUN, ADJ or ADV; itself among them."""
    found = {word}
    for ending in _ENDINGS.get(kind, ()):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            stem = word[: -len(ending)]
            found |= {stem} if ending == "s" else _stems(stem)
    return _irregular().get(kind, {}).get(word, frozenset()) | found


def _stems(stem: str) -> set[str]:
    """Undo what an ending does to the spelling of a word: hop(p)ing, hop(e)ing, tr(i)ed."""
    found = {stem}
    if stem[-1] == "i" and len(stem) > 1:
        found.add(stem[:-1] + "y")
    if stem[-1] not in _VOWELS or stem[-1] == "u":
        found.add(stem + "e")
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in _VOWELS:
        found.add(stem[:-1])
    return found


def shared_bases(word: str, other: str, kind: str, other_kind: str | None = None) -> frozenset[str]:
    """Return the words that both can be forms of."""
    return bases(word, kind) & bases(other, other_kind or kind)


def same_base(word: str, other: str, kind: str, other_kind: str | None = None) -> bool:
    """Whether two words can be forms of one."""
    return bool(shared_bases(word, other, kind, other_kind))


def same_stem(word: str, other: str) -> bool:
    """Whether two words are derived from one another, or from a third: *decide, decision*."""
    shorter = min(len(word), len(other))
    common = next((place for place in range(shorter) if word[place] != other[place]), shorter)
    least = 3 if shorter < 6 else 4
    return any(
        _is_derived(word[size:]) and _is_derived(other[size:]) for size in range(common, max(common - 3, least - 1), -1)
    )


def _is_derived(ending: str) -> bool:
    return not ending or ending in _DERIVED
