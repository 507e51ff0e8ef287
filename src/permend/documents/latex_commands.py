"""What LaTeX's commands and environments mean for prose. Any other command shows as a noun, with its arguments.

>>> "emph" in PROSE, "section" in HEADING, "verbatim" in RAW
(True, True, True)
"""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


PROSE = {
    **dict.fromkeys(
        _names(
            "emph textbf textit textsc textsf textrm textup textmd textsl textnormal underline uline uuline uwave sout"
            " enquote mbox hbox text alert hl textsuperscript textsubscript centerline footnotesize textquote"
            " MakeUppercase MakeLowercase uppercase lowercase so ul st"
        ),
        0,
    ),
    **dict.fromkeys(_names("textcolor href colorbox hyperref parbox foreignquote raisebox"), 1),
    **dict.fromkeys(_names("fcolorbox multicolumn multirow"), 2),
}
"""Commands whose last argument is part of the sentence, and how many arguments stand before it."""

HEADING = _names(
    "part chapter section subsection subsubsection paragraph subparagraph caption captionof title subtitle frametitle"
    " framesubtitle addchap addsec subcaption"
)
"""Commands whose argument is a paragraph by itself and no sentence."""

ASIDE = _names("footnote footnotetext thanks marginpar sidenote marginnote endnote todo")
"""Commands whose argument is a paragraph inside a sentence."""

CITATION = _names(
    "cite citep parencite autocite footcite supercite citealp smartcite fullcite footfullcite Parencite Autocite Citep"
)
"""Citations that may stand beside a sentence: hidden there, a noun where the sentence needs one."""

ADDRESS = _names("url href path nolinkurl burl")
"""Commands in whose first argument a per cent sign begins no comment."""

HIDDEN = _names(
    "label index nocite vspace hspace vskip hskip includegraphics input include bibliography bibliographystyle"
    " usepackage RequirePackage documentclass newcommand renewcommand providecommand newenvironment renewenvironment"
    " newtheorem DeclareMathOperator def let setlength addtolength setcounter addtocounter pagestyle thispagestyle"
    " pagenumbering geometry hypersetup lstset tikzset usetikzlibrary graphicspath definecolor color rule phantom"
    " hphantom vphantom centering raggedright raggedleft noindent indent small tiny scriptsize large Large LARGE"
    " huge Huge normalsize bfseries itshape slshape scshape ttfamily sffamily rmfamily upshape mdseries normalfont"
    " bf it em sc sl tt sf rm selectlanguage protect relax hfill vfill hfil smallskip medskip bigskip linebreak"
    " nolinebreak nopagebreak pagebreak allowbreak sloppy fussy frenchspacing footnotemark addcontentsline markboth"
    " markright date author institute affil affiliation email orcid address hyphenation cmidrule cline hline toprule"
    " midrule bottomrule addbibresource printbibliography tableofcontents listoffigures listoftables maketitle"
    " appendix pause onslide only vref excludecomment xspace leavevmode null strut mathversion fontsize selectfont"
    " url@rmstyle glsresetall"
)
"""Commands that are no part of any sentence."""

BREAK = _names(
    "item par newline newpage clearpage cleardoublepage hline toprule midrule bottomrule cmidrule cline maketitle"
    " tableofcontents appendix printbibliography bibliography input include includegraphics vspace bigskip medskip"
    " smallskip newcommand renewcommand def documentclass usepackage date author bibitem tabularnewline footnotetext"
)
"""Commands at which a sentence ends."""

SHOWN = {
    "ldots": "...", "dots": "...", "textellipsis": "...", "textbackslash": "\\", "textasciitilde": "~",
    "textendash": "–", "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘", "S": "§", "P": "¶",
    "pounds": "£", "euro": "€", "textdegree": "°", "copyright": "©", "textregistered": "®", "texttrademark": "™",
    "ss": "ß", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł",
    "ie": "i.e.", "eg": "e.g.", "etc": "etc.", "etal": "et al.",
    "i": "ı", "j": "ȷ", "quad": " ", "qquad": " ", "space": " ", "slash": "/", "textquotedblleft": "“",
    "textquotedblright": "”", "textbar": "|", "textless": "<", "textgreater": ">", "dag": "†", "og": "«", "fg": "»",
}  # fmt: skip
"""Commands that are characters."""

ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "d": "\u0323", "b": "\u0331",
    "r": "\u030a",
}  # fmt: skip
"""Accents, and the characters that combine with a letter to the same."""

DISPLAY = _names(
    "equation equation* align align* gather gather* multline multline* eqnarray eqnarray* displaymath math alignat"
    " alignat* flalign flalign* dmath dmath* IEEEeqnarray subequations"
)
"""Environments of displayed maths."""

RAW = _names(
    "verbatim verbatim* Verbatim lstlisting minted comment tikzpicture pgfpicture algorithm algorithmic algorithm2e"
    " filecontents filecontents* thebibliography picture pspicture forest luacode code listing tabbing alltt"
)
"""Environments without prose."""

TABLE = _names("tabular tabular* tabularx tabulary longtable tabu array")
"""Environments of cells."""
