"""What English words mean that writers take for one another, and nouns without a plural: data for explanations."""

from __future__ import annotations

MEANINGS = {
    "accept": "to agree to take",
    "advice": "the noun",
    "advise": "the verb",
    "affect": "to change something",
    "breath": "the noun",
    "breathe": "the verb",
    "choose": "the present",
    "chose": "the past",
    "effect": "the result",
    "except": "not including",
    "fewer": "for things that can be counted",
    "hear": "with the ears",
    "here": "in this place",
    "its": "belonging to it",
    "it's": "short for “it is” or “it has”",
    "know": "to have in mind",
    "less": "for what cannot be counted",
    "loose": "not tight",
    "lose": "to have no longer",
    "many": "for things that can be counted",
    "much": "for what cannot be counted",
    "new": "not old",
    "now": "at this time",
    "of": "belonging to",
    "off": "away from",
    "passed": "went by",
    "past": "earlier, or beyond",
    "quiet": "without noise",
    "quite": "fairly",
    "than": "for comparing",
    "their": "belonging to them",
    "then": "at that time, or next",
    "there": "in that place, or in “there is”",
    "they're": "short for “they are”",
    "think": "to have in mind",
    "thing": "an object",
    "this": "for one thing",
    "these": "for several things",
    "that": "for one thing",
    "those": "for several things",
    "though": "although",
    "thought": "past of “think”",
    "to": "towards, or before a verb",
    "too": "also, or more than enough",
    "two": "the number",
    "weather": "sun, rain, wind",
    "were": "past of “are”",
    "where": "in which place",
    "whether": "if",
    "which": "what one",
    "witch": "a woman who does magic",
    "who's": "short for “who is” or “who has”",
    "whose": "belonging to whom",
    "world": "the earth",
    "word": "made of letters",
    "your": "belonging to you",
    "you're": "short for “you are”",
}
"""What a word means, as short as possible."""

CONFUSED = frozenset(
    frozenset(pair.split())
    for pair in (
        "accept except", "advice advise", "affect effect", "breath breathe", "choose chose", "fewer less", "hear here",
        "its it's", "know now", "know new", "loose lose", "many much", "of off", "passed past", "quiet quite",
        "than then", "their there", "their they're", "there they're", "thing think", "this these", "that those",
        "though thought", "to too", "to two", "too two", "weather whether", "were where", "which witch",
        "who's whose", "word world", "your you're",
    )
)  # fmt: skip
"""Pairs that are taken for one another."""

UNCOUNTABLE = frozenset(
    """accommodation advice applause baggage behaviour behavior bread cash clothing electricity
    equipment evidence feedback fun furniture garbage happiness hardware health help homework housework
    information jewellery jewelry knowledge litter luck luggage machinery merchandise money music news nonsense
    pollution progress research rubbish scenery software stuff traffic transport transportation
    trash violence weather""".split()
)
"""Nouns that are hardly ever plural."""
