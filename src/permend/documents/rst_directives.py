"""What the directives of reStructuredText mean for prose: those of docutils, of Sphinx and of its domains.

>>> kind_of("note"), kind_of("py:function"), kind_of("code-block")
('content', 'body', None)

Directives that are not named here hold no prose, as far as anybody knows.
"""

from __future__ import annotations

_KINDS = {
    # everything behind the name
    "content": "attention caution compound danger epigraph error footer header highlights hint hlist"
    " important note pull-quote seealso tip todo warning",
    # a title, then the indented body
    "title": "admonition centered rubric sidebar topic",
    # a version, then all the rest
    "version": "deprecated versionadded versionchanged versionremoved",
    # the indented body; what stands behind the name is a path, a class or a signature
    "body": "attribute class classmethod cmdoption confval container data decorator decoratormethod describe directive"
    " directive:option enum enumerator envvar event exception figure function macro member method only object opcode"
    " option pdbcommand property role setting staticmethod struct type union var",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_DOMAINS = frozenset("c cpp js py rst std".split())


def kind_of(name: str) -> str | None:
    """Return where the prose of a directive stands, if it has any."""
    domain, _, rest = name.lower().partition(":")
    return _KIND_OF.get(rest if domain in _DOMAINS else name.lower())
