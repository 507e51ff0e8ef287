"""Whether a sentence is written in another language than the one to correct.

In: a sentence. Out: yes only where there is evidence; a short sentence, or one of names, counts as the language wanted.

>>> is_foreign("Ich habe das Buch gestern in der Schule gelesen.")
True
>>> is_foreign("She said it in German: 'Ich habe das Buch.'"), is_foreign("He go in the scool whit his frend.")
(False, False)
>>> is_foreign("Я читал эту книгу."), is_foreign("Bon appétit!")
(True, False)

Letters of another script decide at once. Otherwise function words do: those that only other languages have against
those of our own, and letters that our own language does not use count a little. Learners' errors seldom look like
another language's function words, names and quoted words do not make a sentence.
"""

from __future__ import annotations

import re

from permend.documents.function_words import FUNCTION_WORDS

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LATIN = re.compile(r"[A-Za-z\u00aa\u00ba\u00c0-\u024f\u1e00-\u1eff]")
_SHARE = 0.3  # of the words must be another language's
_FEWEST = 2  # of them
_LEAD = 2.5  # how many times more than words of our own


def is_foreign(text: str, language: str = "en") -> bool:
    """Whether a sentence is clearly not in this language, one of those that `FUNCTION_WORDS` holds."""
    if language not in FUNCTION_WORDS:
        return False
    letters = [character for character in text if character.isalpha()]
    other = sum(not _LATIN.match(letter) for letter in letters)
    if 2 * other > len(letters):
        return True
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    return any(_speaks(words, each, language) for each in FUNCTION_WORDS if each != language)


def _speaks(words: list[str], other: str, own: str) -> bool:
    """Whether words are rather another language's; those that both have speak for neither."""
    mine = sum(word in FUNCTION_WORDS[own] and not _belongs(word, other, 1) for word in words)
    score = sum(
        1 if _belongs(word, other, 2) and word not in FUNCTION_WORDS[own] else 0 if word.isascii() else 0.5
        for word in words
    )
    return score >= max(_FEWEST, _SHARE * len(words), _LEAD * mine)


def _belongs(word: str, language: str, shortest: int) -> bool:
    """Whether a word, or what it begins with (l'amour), is a function word; one letter alone may be an initial."""
    first, apostrophe, _ = word.partition("'")
    return (len(first) >= shortest or bool(apostrophe)) and first in FUNCTION_WORDS[language]
