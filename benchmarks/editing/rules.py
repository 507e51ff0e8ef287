"""A corrector with three rules, as fast as a regular expression, and a language server with it.

Run: python -m benchmarks.editing.rules      # the server, on standard input and output

>>> [edit.after for edit in RuleCorrector().correct_batch(["Teh cat sit on mat , he go home."], 8)[0].edits]
['The', ',', 'goes']
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Hashable, Sequence

from permend.corrector.correction import Correction, ScoredEdit, Suggestion
from permend.corrector.corrector import Known
from permend.corrector.explaining.language import Language, load_language
from permend.text.edits import apply

_RULES = (
    (re.compile(r"\bteh\b", re.IGNORECASE), "R:SPELL", {"teh": "the", "Teh": "The", "TEH": "THE"}, ("ten",)),
    (re.compile(r"(?<=\bhe )go\b", re.IGNORECASE), "R:VERB:SVA", {"go": "goes"}, ("went", "is going")),
    (re.compile(r" ,"), "R:PUNCT", {" ,": ","}, ()),
)


class RuleCorrector:
    """Corrects *teh*, *he go* and a space before a comma."""

    def __init__(self, mode: str | None = None, least: float | None = None, seconds: float = 0.0) -> None:
        """Take options, and how long a sentence shall take."""
        self.options: Hashable = (mode, least)
        self._least, self._seconds = least or 0.0, seconds
        self.read = 0

    @property
    def language(self) -> Language:
        """English."""
        return load_language("en")

    def correct_batch(self, texts: Sequence[str], batch_size: int, known: Known = None) -> list[Correction]:
        """Correct sentences."""
        self.read += len(texts)
        time.sleep(self._seconds * len(texts))
        return [self._correct(text) for text in texts]

    def _correct(self, text: str) -> Correction:
        found = sorted(
            ScoredEdit(
                *match.span(),
                match.group(),
                right.get(match.group(), match.group().lower()),
                0.9 if kind != "R:PUNCT" else 0.6,
                kind,
                f"Not “{match.group()}”.",
                tuple(Suggestion(other, 0.05) for other in others),
            )
            for pattern, kind, right, others in _RULES
            for match in pattern.finditer(text)
        )
        edits = tuple(edit for edit in found if edit.probability >= self._least and edit.before != edit.after)
        blank = Correction.blank(text)
        return Correction(text, apply(text, edits), edits, blank.alternatives, 0.0)


def main() -> None:
    """Serve an editor; PERMEND_TEST_SECONDS slows every sentence down, PERMEND_TEST_TOGETHER holds reports back."""
    from permend.lsp import opened
    from permend.lsp.log import write_log
    from permend.lsp.server import make_server

    seconds = float(os.environ.get("PERMEND_TEST_SECONDS", 0))
    opened.TOGETHER = float(os.environ.get("PERMEND_TEST_TOGETHER", opened.TOGETHER))
    write_log(os.environ.get("PERMEND_TEST_LOG"))
    server = make_server(lambda mode, least: RuleCorrector(mode, least, seconds))
    server.start_io()
    sys.exit(server.exit_code)


if __name__ == "__main__":
    main()
