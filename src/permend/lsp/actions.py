"""What can be done about findings: accept, fix all, add to a dictionary, dismiss, disable.

In: an open document, a stretch of it, and the kinds of actions that the editor asks for. Out: code actions; those that
change the text carry their edits, the others name one of the `COMMANDS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lsprotocol import types

from permend.documents.reports.rules import find_rule
from permend.lsp.diagnostics import SOURCE, show_change, shown_range
from permend.lsp.opened import Found, OpenDocument, is_one_move

FIX_ALL = "source.fixAll.permend"
KINDS = (types.CodeActionKind.QuickFix, FIX_ALL)
ADD_WORD, DISMISS, DISABLE_TYPE = "permend.addWord", "permend.dismiss", "permend.disableType"
COMMANDS = (ADD_WORD, DISMISS, DISABLE_TYPE)
_LONGEST = 3  # words of a name


def code_actions(document: OpenDocument, params: types.CodeActionParams, versioned: bool) -> list[types.CodeAction]:
    """Return what can be done about a stretch of a document, and about all of it."""
    only = params.context.only
    every = list(document.found())
    actions: list[types.CodeAction] = []
    if _wanted(types.CodeActionKind.QuickFix, only):
        start, end = (
            document.text.offset(place.line, place.character) for place in (params.range.start, params.range.end)
        )
        for found in every:
            first, last = shown_range(document.text, found)
            if min(first, found.start) <= end and start <= max(last, found.end):
                actions += _quick_fixes(document, found, every, params.context.diagnostics, versioned)
    if every and _wanted(FIX_ALL, only):
        title = f"Fix all {len(every)} findings of permend" if len(every) > 1 else "Fix the finding of permend"
        edit = workspace_edit(document, every, versioned)
        actions.append(types.CodeAction(title=title, kind=FIX_ALL, edit=edit))
    return actions


def _wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether a kind is asked for, by itself or by one above it."""
    return not only or any(kind == each or kind.startswith(f"{each}.") or not each for each in map(_name, only))


def _name(kind: types.CodeActionKind | str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


def _quick_fixes(
    document: OpenDocument,
    found: Found,
    every: Sequence[Found],
    shown: Iterable[types.Diagnostic],
    versioned: bool,
) -> Iterator[types.CodeAction]:
    finding = found.finding
    place = document.text.range(*shown_range(document.text, found))
    about = [each for each in shown if each.source == SOURCE and each.code == finding.type and _stands(each, place)]

    def action(title: str, **what: object) -> types.CodeAction:
        return types.CodeAction(title, kind=types.CodeActionKind.QuickFix, diagnostics=about or None, **what)  # type: ignore[arg-type]

    def command(title: str, name: str, *arguments: str) -> types.CodeAction:
        return action(title, command=types.Command(title, name, arguments=[document.uri, *arguments]))

    both = _with_other_halves([found], every)
    title = " and ".join(show_change(each.finding.before, each.finding.after) for each in both)
    yield action(title, edit=workspace_edit(document, both, versioned), is_preferred=True)
    for way in finding.alternatives:
        edit = workspace_edit(document, [found], versioned, way.after)
        yield action(show_change(finding.before, way.after), edit=edit)
    rule = find_rule(finding.type)
    alike = [each for each in every if find_rule(each.finding.type) is rule]
    if len(alike) > 1:
        edit = workspace_edit(document, _with_other_halves(alike, every), versioned)
        yield action(f"Fix all {len(alike)} of this type: {rule.name}", edit=edit)
    word = finding.before.strip()
    if any(map(str.isalpha, word)) and len(word.split()) <= _LONGEST:
        yield command(f"Add “{word}” to your dictionary", ADD_WORD, word, "user")
        if document.words.project is not None:
            yield command(f"Add “{word}” to the project’s dictionary", ADD_WORD, word, "project")
    yield command("Dismiss this finding", DISMISS, finding.id)
    yield command(f"Disable this type: {rule.name}", DISABLE_TYPE, rule.id)


def _with_other_halves(some: Sequence[Found], every: Iterable[Found]) -> list[Found]:
    """Return findings, and those of the same sentences that make sense with them only."""
    return [each for each in every if each in some or any(is_one_move(each.finding, one.finding) for one in some)]


def _stands(diagnostic: types.Diagnostic, place: dict[str, dict[str, int]]) -> bool:
    start, end = diagnostic.range.start, diagnostic.range.end
    return (start.line, start.character, end.line, end.character) == (
        place["start"]["line"],
        place["start"]["character"],
        place["end"]["line"],
        place["end"]["character"],
    )


def text_edits(document: OpenDocument, found: Iterable[Found], after: str | None = None) -> list[types.TextEdit]:
    """Return edits that carry findings out, or something else in the place of one."""
    return [
        types.TextEdit(
            types.Range(
                types.Position(**document.text.position(each.start)), types.Position(**document.text.position(each.end))
            ),
            each.finding.after if after is None else after,
        )
        for each in found
    ]


def workspace_edit(
    document: OpenDocument, found: Iterable[Found], versioned: bool, after: str | None = None
) -> types.WorkspaceEdit:
    """Return the same as an edit of the workspace; an editor that can refuses it where the document has changed."""
    edits = text_edits(document, found, after)
    if not versioned:
        return types.WorkspaceEdit(changes={document.uri: edits})
    name = types.OptionalVersionedTextDocumentIdentifier(uri=document.uri, version=document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(name, edits)])
