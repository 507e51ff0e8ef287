"""Sentences seen before, in memory that does not grow.

In: sentences, one at a time. Out: whether one has been there. A Bloom filter: a few bits of a fixed array for each
sentence. What was there is always found; something new is taken for a repetition in fewer than one case in a hundred
as long as no more than `capacity` sentences have come.

>>> seen = Seen(capacity=1000)
>>> seen.add("Hello there."), seen.add("hello  there"), seen.add("Good bye.")
(False, True, False)
"""

from __future__ import annotations

import re
from hashlib import blake2b

_PROBES = 4
_BITS_EACH = 10
_WORDS = re.compile(r"\w+")


class Seen:
    """Remembers sentences by their words, whatever their case and punctuation."""

    def __init__(self, capacity: int = 20_000_000) -> None:
        """Reserve the memory: ten bits a sentence."""
        self._size = max(64, capacity * _BITS_EACH)
        self._bits = bytearray(self._size // 8 + 1)

    def add(self, sentence: str) -> bool:
        """Remember a sentence; say whether it had been there."""
        words = " ".join(_WORDS.findall(sentence.lower()))
        digest = blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8 * _PROBES).digest()
        known = True
        for probe in range(0, len(digest), 8):
            byte, bit = divmod(int.from_bytes(digest[probe : probe + 8], "little") % self._size, 8)
            if not self._bits[byte] >> bit & 1:
                known = False
                self._bits[byte] |= 1 << bit
        return known
