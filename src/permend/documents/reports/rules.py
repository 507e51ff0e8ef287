"""Error types as rules: a short name and a line of help for each, as reports list them.

In: the type of a finding. Out: its `Rule`; whether something was missing, unnecessary or replaced makes no difference.

>>> find_rule("R:VERB:SVA").name, find_rule("M:DET").id
('Subject and verb', 'DET')
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """What there is to know about a type of error."""

    id: str
    name: str
    help: str
    example: tuple[str, str]
    """Wrong and right."""


_RULES = (
    Rule("ADJ", "Adjective", "Another adjective fits better, or one is missing or not needed.",
         ("a strong rain", "a heavy rain")),
    Rule("ADJ:FORM", "Form of an adjective", "Comparisons take -er and -est, or more and most, never both.",
         ("more easier", "easier")),
    Rule("ADV", "Adverb", "Another adverb fits better, or one is missing or not needed.",
         ("I very like it.", "I like it very much.")),
    Rule("CONJ", "Linking word", "The word that links two parts of a sentence is wrong, missing or not needed.",
         ("Although it rained, but we went.", "Although it rained, we went.")),
    Rule("CONTR", "Short form", "A contraction such as n't or 'll is wrong here.", ("I amn't late.", "I'm not late.")),
    Rule("DET", "Article or other determiner", "The word before the noun (a, an, the, this, my) is wrong, missing or "
         "not needed.", ("She is teacher.", "She is a teacher.")),
    Rule("MORPH", "Form of a word", "The right word in the wrong form: a noun for a verb, an adjective for an adverb.",
         ("He runs quick.", "He runs quickly.")),
    Rule("NOUN", "Noun", "Another noun fits better, or one is missing or not needed.",
         ("I have a question to your idea.", "I have an objection to your idea.")),
    Rule("NOUN:INFL", "Plural of a noun", "The noun has another plural, or none.", ("two childs", "two children")),
    Rule("NOUN:NUM", "Singular or plural", "The noun should be in the other number.", ("two book", "two books")),
    Rule("NOUN:POSS", "Possessive", "An apostrophe shows what belongs to whom.", ("my friends house",
         "my friend's house")),
    Rule("ORTH", "Capitals and spaces", "Capital letters, or words that belong together or apart.",
         ("on monday", "on Monday")),
    Rule("OTHER", "Wording", "The words should be put otherwise.", ("I am agree.", "I agree.")),
    Rule("PART", "Particle", "The small word that belongs to a verb (up, off, out) is wrong, missing or not needed.",
         ("Please look the word.", "Please look the word up.")),
    Rule("PREP", "Preposition", "The preposition is wrong, missing or not needed.", ("good in maths",
         "good at maths")),
    Rule("PRON", "Pronoun", "The pronoun is wrong, missing or not needed.", ("Me like tea.", "I like tea.")),
    Rule("PUNCT", "Punctuation", "A comma, full stop or other sign is wrong, missing or not needed.",
         ("However it rained.", "However, it rained.")),
    Rule("SPELL", "Spelling", "The word is misspelt.", ("recieve", "receive")),
    Rule("VERB", "Verb", "Another verb fits better, or one is missing or not needed.", ("make a photo",
         "take a photo")),
    Rule("VERB:FORM", "Form of a verb", "The verb should be an infinitive, an -ing form or a participle.",
         ("I enjoy to read.", "I enjoy reading.")),
    Rule("VERB:INFL", "Irregular verb", "This form of the verb does not exist.", ("He goed home.", "He went home.")),
    Rule("VERB:SVA", "Subject and verb", "The verb should agree with its subject.", ("He go home.", "He goes home.")),
    Rule("VERB:TENSE", "Tense", "The verb should be in another tense.", ("Yesterday I see him.",
         "Yesterday I saw him.")),
    Rule("WO", "Word order", "The words should be in another order.", ("I know what is it.", "I know what it is.")),
)  # fmt: skip
RULES = {rule.id: rule for rule in _RULES}
"""All rules, in the order of their names."""


def find_rule(kind: str) -> Rule:
    """Return the rule behind a type such as ``R:VERB:SVA``; what is not known is a matter of wording."""
    return RULES.get(kind.partition(":")[2], RULES["OTHER"])
