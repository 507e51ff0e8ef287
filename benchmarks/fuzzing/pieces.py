r"""The pieces that hostile documents are made of.

Markup is written with ``§`` where something else goes inside: prose, more markup, or nothing. Much of it is broken on
purpose: opened and never closed, closed twice, or in the wrong place.
"""

from __future__ import annotations

WORDS = (
    "he she it we they I you my his a an the this these go goes went going gone have has had be is are was were been"
    " do does did don't doesn't can't it's its to too two in on at of for from with school cinema home house book books"
    " informations recieve alot teh seperate goed childs more easier good better well quick quickly yesterday today"
    " every day friend friends friend's although but and or because so that which who whom whose not no very much many"
    " London monday English Python Excel Dr. Mr. e.g. i.e. U.S. 3.14 12 1,000 5% 10:30 well-known cannot however what"
    " how naïve café résumé Erdős straße I'm you're they'll o'clock rock'n'roll permend kubernetes C++ and/or he/she"
    " was was the the is is is ice cream everyday any more look up depend of enjoy to read make photo had had that that"
).split()
FOREIGN = (
    "Ich habe das Buch gestern in der Schule gelesen.",
    "Я читал эту книгу вчера.",
    "这是一个很好的例子。",
    "هذا كتاب جيد جدا",
    "שלום לכולם",
    "Je ne sais pas où il est.",
)
ODD: tuple[str, ...] = (
    *"\u00a0\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2066\u2069\u2060\ufeff\ufffd\uffff\u0300\u0301\u0307\u20dd",
    *"\x00\x01\x07\x08\x0e\x1b\x1c\x1d\x1e\x1f\x7f\x80\x85\x9b\t\x0b\x0c\u2028\u2029\u3000\u1680\u180e\u2003",
    *"İıſßẞŉǰﬁ㎏①²½٣𝟘ⅷªº",
    *"–—―…·•′″´`‐‑−‹›«»„“”‟‘’‚‛ʼ＂＇。、！？",
    "😀", "👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇩🇪", "☺️", "e\u0301", "a\u0300\u0301\u0302\u0303", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢",
    "\U0001f600", "\U0010ffff", "\U000e0041", "𝒜𝓫𝔠", "ﷺ",
    "\x1b[2J", "\x1b]0;x\x07", "\r", "\n\r", "\r\r\n",
)  # fmt: skip
SURROGATES = ("\ud800", "\udfff", "\ud83d", "\udc80", "\udce9")
LINE_ENDS = ("\n", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", " \n", "\n\n\n")
QUOTED = ("'§'", '"§"', "‘§’", "“§”", "„§“", "«§»", "``§''", "‚§‘", "'§\"", "(§)", "[§]", "{§}", "—§—", "§'s", "§’s")
NAMES = (
    "https://example.org/a_(b)?c=d&e=f#g", "www.example.com", "ann@example.org", "mailto:x@y.de", "src/main.py", "#tag",
    "@ann", "C:\\Users\\x.txt", "~/.config", "./run.sh", "../", "/usr/local/bin", "file.tar.gz", "snake_case_name",
    "__init__()", "a.b.c()", "10.1000/182", "doi:10.1/x", "http://", "https://[::1]/", "1.2.3.4", "x@", "@", "it.so we",
    "<https://a.b>", "\\\\host\\share", "ftp://a", "urn:1", "a_b", "_x_", "$HOME", "%PATH%", "--long-option", "-x",
    "&c.",
)  # fmt: skip

MARKUP: dict[str, tuple[str, ...]] = {
    "plain": (
        "- §", "* §", "1. §", "(a) §", "> § ", ">> §", "    §", "\t§", "• §", "§\n§", "§\n  §", "-- \n§", "§:\n\n§",
        "=====\n§\n=====", "*§*", "_§_", "/§/", "§...", "§?!", "§ -- §", "§;§", "§ (see §)",
        "This line was wrapped at some forty columns,\nand it goes on in §\nthe next one.\n",
    ),
    "markdown": (
        "# §", "###### § ##", "#§", "§\n===", "§\n---", "**§**", "*§*", "__§__", "_§_", "***§***", "~~§~~", "==§==",
        "**§", "*§", "§**", "_§", "§_", "`§`", "``§``", "`§", "§`", "```\n§\n```", "```python\n§", "~~~\n§\n~~~",
        "~~~ §",
        "[§](a.md)", "[§](<a b> \"§\")", "[§][ref]", "[§]", "[§][]", "[§](", "[§", "§](x)", "![§](a.png)", "![§](a.png",
        "[![§](a.png)](b)", "[^1]", "[^1]: §", "[ref]: http://a.b \"§\"", "*[HTML]: §", "[@key, p. 3]", "[[§]]",
        "<b>§</b>",
        "<p>§</p>", "<div>\n§\n</div>", "<!-- § -->", "<!-- §", "<script>§</script>", "<br>", "<a href=\"§\">§",
        "&amp;",
        "&nbsp;", "&#x41;", "&#0;", "&§;", "\\*§\\*", "\\§", "$§$", "$$§$$", "$$\n§\n$$", "\\(§\\)", "\\[\n§\n\\]",
        "$§",
        "\\begin{align}\n§\n\\end{align}", "\\begin{align}§", "> §", "> > §", ">§", "- §", "* §", "+ §", "1. §",
        "10) §",
        "- [ ] §", "- [x] §", "  - §", "-", "| § | § |\n|---|---|\n| § | § |\n", "|§|\n|-|\n|§",
        "§ | §\n--- | ---\n§ | §\n",
        "---\ntitle: §\n---\n", "+++\n§\n+++\n", "---\n", "***\n", "_ _ _\n", "    §", "\t§", "§  \n§", "§\\\n§",
        ":smile:",
        "{{ § }}", "{% § %}", "{#id .class}", "::: note\n§\n:::", "!!! note\n    §", "??? §", ">>> §\n§", "§\n: §",
        "[toc]",
        "<kbd>§</kbd>", "<code>§", "<§>", "<a@b.c>", "<?php § ?>", "<![CDATA[§]]>", "\\newcommand{§}", "# § {#id}",
        "*a*b*",
    ),
    "html": (
        "<p>§</p>", "<p>§", "</p>", "<b>§</b>", "<b>§", "</b>", "<i>§<b>§</i>§</b>", "<h1>§</h1>", "<li>§",
        "<ul><li>§</ul>",
        "<td>§</td>", "<table><tr><td>§<td>§</table>", "<br>", "<br/>", "<hr>", "<code>§</code>", "<code>§",
        "<pre>§</pre>",
        "<pre>§", "<script>§</script>", "<script>§", "<style>§</style>", "<!-- § -->", "<!-- §", "<!--§--!>",
        "<!DOCTYPE html>",
        "<!DOCTYPE §", "<![CDATA[§]]>", "<?xml § ?>", "<% § %>", "{{ § }}", "{% § %}", "{{ §", "&amp;", "&lt;§&gt;",
        "&nbsp;",
        "&#65;", "&#x1F600;", "&#0;", "&#xD800;", "&#9999999;", "&notanentity;", "&amp", "&", "<", ">", "< §", "<§",
        "<§>",
        "<a href=\"§\">§</a>", "<a href='§>§</a>", "<a href=§ title=\"§\">§</a>", "<img alt=\"§\" src=x>", "<img",
        "<p class=§",
        "<span lang=de>§</span>", "<textarea>§</textarea>", "<svg><text>§</text></svg>", "<title>§</title>",
        "<template>§",
        "<math>§</math>", "<kbd>§</kbd>", "<tt>§</tt>", "<x-y z>§</x-y>", "<P>§</P>", "<SCRIPT>§</script >", "</§>",
        "<//p>",
        "<p\n>§</p\n>", "<a b='\">§'>§", "<del>§</del><ins>§</ins>", "<q>§</q>",
        "<label>§<input value=\"§\"></label>", "<wbr>",
    ),
    "latex": (
        "\\section{§}", "\\section*{§}", "\\section[§]{§}", "\\section{§", "\\emph{§}", "\\textbf{§}", "{\\bf §}",
        "{§}", "{§",
        "§}", "\\footnote{§}", "\\footnote{§\\footnote{§}}", "\\footnote{§", "\\footnotetext[1]{§}", "\\cite{a}",
        "~\\cite[§]{a}",
        "\\citep[see][p.~3]{§}", "\\ref{§}", "\\label{§}", "\\url{§%20}", "\\href{§}{§}", "$§$", "$$§$$", "\\(§\\)",
        "\\[§\\]",
        "$§", "$$§", "\\[§", "\\(§", "\\begin{equation}§\\end{equation}", "\\begin{align*}\n§\n\\end{align*}",
        "\\begin{equation}§",
        "\\begin{verbatim}\n§\n\\end{verbatim}", "\\begin{verbatim}§", "\\verb|§|", "\\verb+§", "\\lstinline!§!",
        "\\item §",
        "\\item[§] §", "\\item<1-> §", "\\begin{itemize}\n\\item §\n\\end{itemize}", "\\begin{quote}§\\end{quote}",
        "\\begin{§}",
        "\\end{§}", "\\begin{tabular}{ll}\n§ & § \\\\\n§ & §\n\\end{tabular}", "§ & § \\\\", "\\\\[2pt]", "\\\\*",
        "% §\n", "§%\n§",
        "\\%", "\\&", "\\$", "\\#", "\\_", "\\{§\\}", "~", "\\,", "\\-", "\\ ", "---", "--", "``§''", "`§'", "''",
        "\\\"{u}", "\\'e",
        "\\c{c}", "\\v s", "\\~n", "\\H{o}", "\\ss{}", "\\o ", "\\ldots", "\\dots{}", "\\LaTeX{}",
        "\\unknown{§}[§]{§}", "\\unknown",
        "\\newcommand{\\x}[1]{§}", "\\def\\x#1{§}", "\\let\\a\\b", "\\documentclass{article}\n§",
        "\\begin{document}\n§\n",
        "\\title{§}\n\\begin{document}", "\\end{document}\n§", "\\caption{§}", "\\textcolor{red}{§}",
        "\\multicolumn{2}{c}{§}",
        "\\par §", "\\today", "\\index{§}", "\\includegraphics[width=§]{§}", "\\thanks{§}", "\\todo{§}", "^{§}", "_§",
        "#1", "\\",
        "\\begin{comment}\n§\n\\end{comment}", "\\begin{tikzpicture}§", "\\enquote{§}", "\\foreignquote{de}{§}",
        "\\mintinline{py}|§|",
        "\\iffalse § \\fi", "\\begin{minted}{py}\n§\n\\end{minted}", "\\texttt{§}", "\\si{§}", "\\gls{§}",
        "\\makeatletter\\x@y",
    ),
    "rst": (
        "§\n===", "===\n§\n===\n", "§\n---\n", "~~~~", "*§*", "**§**", "``§``", "`§`", "`§`_", "`§ <http://a.b>`_",
        "`§`__", "*§",
        "**§", "``§", "`§", "§_", "§__", "|§|", "|§|_", "_`§`", "[1]_", "[#]_", "[#a]_", "[*]_", "[CIT]_", ":ref:`§`",
        ":ref:`§ <x>`",
        "`§`:sub:", ":py:func:`§`", ":math:`§`", "::\n\n    §\n\n", "§::\n\n  §\n", "§ ::\n\n> §\n",
        ".. note:: §\n   §\n", ".. note::\n\n   §\n",
        ".. code-block:: python\n\n   §\n\n", ".. code::\n   §\n", ".. image:: §\n   :alt: §\n",
        ".. figure:: x.png\n\n   §\n\n   §\n",
        ".. math::\n\n   §\n", ".. |x| replace:: §\n", ".. _§: http://a.b\n", ".. __: §\n", "__ §\n", ".. [1] §\n",
        ".. [#a] §\n   §\n",
        ".. §\n", "..\n   §\n", "..\n\n   §\n", ".. unknown:: §\n   :option: §\n\n   §\n",
        ".. raw:: html\n\n   <b>§</b>\n", ".. toctree::\n\n   §\n",
        ".. list-table:: §\n\n   * - §\n     - §\n", ".. csv-table:: §\n\n   §, §\n", ".. versionadded:: 1.0 §\n",
        ".. function:: f(§)\n\n   §\n",
        "- §\n", "* §\n\n  §\n", "+ §\n", "1. §\n", "#. §\n", "a) §\n", "(i) §\n", "A. § §\n", "- - §\n",
        ":field: §\n", ":param x: §\n   §\n",
        "§\n  §\n", "§ : class\n    §\n", "-a §  §\n", "--long=X  §\n          §\n", "/V  §\n", "| §\n| §\n  §\n",
        "|\n", ">>> §\n§\n", "    §\n\n    -- §\n",
        "+---+---+\n| § | § |\n+---+---+\n", "=== ===\n§   §\n=== ===\n", "+---\n| §\n", "===  ===\n§\n", "----\n",
        "\\*§\\*", "\\ ", "§\\ s", "\\", "\\§",
        "*§*\\ §", "'*§*'", "(**§**)", "x*§*", "*§*x", "`§`s", "** §**", "http://a.b_", "§_,",
        ".. only:: §\n\n   §\n", ".. default-role:: §\n",
    ),
    "asciidoc": (
        "= §\n", "== §\n", "===== §\n", "=§", "*§*", "**§**", "_§_", "__§__", "`§`", "``§``", "+§+", "++§++",
        "+++§+++", "#§#", "##§##",
        "[.role]#§#", "~§~", "^§^", "\"`§`\"", "'`§`'", "*§", "_§", "`§", "+§", "#§", "§*", "link:a.html[§]",
        "link:a.html[§", "http://a.b[§]",
        "http://a.b[§,window=_blank]", "xref:id[§]", "<<id,§>>", "<<§>>", "<<id", "image:a.png[§]",
        "image::a.png[§]\n", "footnote:[§]",
        "footnote:[§", "footnote:[§ footnote:[§]]", "footnote:id[§]", "kbd:[§]", "pass:[§]", "pass:q[§]", "stem:[§]",
        "stem:[§", "{§}", "{attr}",
        ":attr: §\n", ":attr: § \\\n§\n", "// §\n", "////\n§\n////\n", "----\n§\n----\n", "----\n§\n",
        "....\n§\n....\n", "++++\n§\n++++\n", "====\n§\n====\n",
        "****\n§\n****\n", "____\n§\n____\n", "--\n§\n--\n", "```\n§\n```\n", "|===\n|§ |§\n|§\n|===\n", "|===\n|§",
        "[cols=\"1,1\"]\n|===\n§|§\n", "[source]\n§\n",
        "[source,py]\n----\n§\n----\n", "[NOTE]\n====\n§\n====\n", "NOTE: §\n", "WARNING: §\n", "[quote,§]\n§\n",
        "[verse]\n§\n", "[[id]]\n", "[[id]]§", "((§))",
        "(((§,§)))", "* §\n", "** §\n", "- §\n", ". §\n", ".. §\n", "* [ ] §\n", "1. §\n", "<1> §\n", "§ <1>\n",
        "§:: §\n", "§::\n  §\n", "§::: §\n", "+\n§\n", "§ +\n§",
        ".§\n", "ifdef::x[]\n§\nendif::[]\n", "ifdef::x[§]\n", "include::§[]\n", "'''\n", "<<<\n", "\\*§*", "\\§",
        "(C)", "->", "--", "...", "&amp;", "&#8217;",
        "indexterm:[§]", "menu:File[§]", "btn:[§]", "anchor:x[§]", "toc::[]\n", "video::x[§]\n", "unknown:x[§]",
        "§'s", "{empty}", "{set:x:§}", "\"§\"", "a**§**b",
        "[stem]\n++++\n§\n++++\n", "[horizontal]\n§:: §\n", "[%collapsible]\n====\n§\n====\n", ".§\n----\n§\n----\n",
        "[[§]]", "[#id]*§*", "  §\n", "|§|§\n",
    ),
}  # fmt: skip
_PYTHON = (
    "# §\n", "# §\n# §\n", "x = 1  # §\n", "x = '# §'\n", "'§'\n", '"§"\n', '"""§"""\n', 'r"""§\n\n§\n"""\n',
    "'''§'''\n", 'def f():\n    """§\n\n    Args:\n        x (int): §\n            §\n    """\n', "    # §\n",
    "#: §\n", "#!§\n", "if x:\n", '"""§\n\nParameters\n----------\nx : int\n    §\n"""\n', "# type: ignore §\n",
    "# noqa §\n", "# TODO(a): §\n", "# x = §\n", "# - §\n#   §\n", "#     §\n", "# §  # noqa\n", "'''§", '"""§',
    "f'§'\n", "(\n# §\n)\n", "x = [  # §\n", "\\\n", "# permend-ignore\n# §\n", ">>> §\n", "\x0c", "class A: §\n",
    'u"§"\n', 'b"§"\n', '"""\\N{DASH} §\\x41"""\n', ":param x: §\n",
)  # fmt: skip
_BRACES = (
    "// §\n", "// §\n// §\n", "/* § */", "/** § */\n", "/**\n * §\n * @param x §\n *   §\n */\n", "/*\n§\n§\n*/",
    "/// §\n", "//! §\n", "x(); // §\n", "/* §", "*/", '"// §";\n', "'§'", "`§`", "`§", "f(/* § */);\n",
    "{ // §\n}\n", "/*! § */", "///< §\n", "// §\\\n§\n", "/* § /* § */ § */", "// ```\n// §\n// ```\n",
    " * @example §\n", "/** {@code §} § */", "// eslint-disable §\n", "//go:build §\n", "// §;\n", "// TODO: §\n",
    "#include <§>\n", "#define X § // §\n", 'R"(§)"', '"""\n§\n"""', 'r#"§"#', "<p>§{/* § */}</p>", "/§/g", "${§}",
    "'a", "fn f<'a>() { /* § */ }\n", "// permend-ignore\n// §\n", "\tx // §\r\n", "\\u002a",
    "/* \\brief §\n   \\param a §\n   \\code\n   §\n   \\endcode */\n", "func f() {\n\t// f §\n}\n",
    "/* §*/ /* §*/ // §\n",
)  # fmt: skip
_SHELL = (
    "# §\n", "# §\n# §\n", "#!/bin/sh §\n", "x='# §'\n", 'echo "# §" # §\n', "cat <<EOF\n# §\nEOF\n",
    "cat <<'EOF' # §\n§\n", "${#x} # §\n", "$(# §\n)", "`# §`", "if x; then # §\nfi\n", "# shellcheck §\n", "\\# §\n",
    "'§", '"§', "a#§\n", "((1 # 2))\n", "case x in # §\n",
)  # fmt: skip
_COMMIT = (
    "§\n\n§\n", "feat(§): §\n\n", "fixup! §\n", "# §\n", "Signed-off-by: §\n", "Fixes #12\n", "Change-Id: §\n",
    "- §\n  §\n", "    §\n", "> §\n", "# ---- >8 ----\n§\n", 'Revert "§"\n', "Merge branch '§'\n", "* §\n", "`§`",
    "(cherry picked from commit §)\n", "§: §\n",
)  # fmt: skip
MARKUP |= {"python": _PYTHON, "shell": _SHELL, "commit": _COMMIT}
MARKUP |= dict.fromkeys(("javascript", "typescript", "tsx", "rust", "go", "c", "cpp", "java"), _BRACES)
