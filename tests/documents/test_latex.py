"""Small traps of LaTeX."""

from __future__ import annotations

import pytest

from tests.documents.reading import prose


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"It is known \cite{a}.", ["It is known."]),
        (r"It is known~\citep[p.~2]{a,b}, so.", ["It is known, so."]),
        (r"\cite{a} shows it, as in~\cite{b}.", ["Python shows it, as in Python."]),
        (r"A \emph{very {\bf bold}} \textcolor{red}{word}.", ["A very bold word."]),
        (r"5\% of \$3 % no", ["5% of $3"]),
        ("a % no\n\nb", ["a", "b"]),
        ("a %\n  b", ["a b"]),
        (r"Stra\ss e, \'etude, \c{c}a, \~n", ["Straße, étude, ça, ñ"]),
        (r"Go \ldots{} on", ["Go ... on"]),
        (r"text \verb|$%{| text", ["text Python text"]),
        (r"\begin{verbatim} never closed", []),
        ("\\balance\nText here.", ["Text here."]),
        ("\\item<2-> A point", ["A point"]),
        (r"\def\x#1{hidden} text", ["text"]),
        (r"\newcommand{\x}[1]{hidden {deep}} text", ["text"]),
        (r"See \url{https://a.org/%20b} now", ["See Python now"]),
        (r"a\footnote{b} c", ["b", "a c"]),
        (r"unclosed \emph{word", ["unclosed word"]),
        (r"unclosed $maths", ["unclosed $maths"]),
        (
            "\\documentclass{a}\n\\title{The \\emph{title}}\nno\n\\begin{document}\nyes\n\\end{document}\nno",
            ["The title", "yes"],
        ),
        (r"\title{One \title{two} more}\begin{document}yes", ["One", "two", "more", "yes"]),
        (r"\title{One \begin{document}yes}", ["One", "yes"]),
    ],
)
def test_small_traps(text: str, expected: list[str]) -> None:
    assert prose(text, "latex") == expected
