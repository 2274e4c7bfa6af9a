"""The language server: the protocol on one side, `spadille.lsp.answers` on the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from dsl.source import Source, Span
from spadille.lsp import answers
from spadille.lsp.workspace import Document, Workspace
from spadille.renderings.sarif import installed

KINDS = {
    "a function": lsp.CompletionItemKind.Function,
    "a definition": lsp.CompletionItemKind.Function,
    "a word of the language": lsp.CompletionItemKind.Keyword,
    "a variable": lsp.CompletionItemKind.Variable,
    "bound here": lsp.CompletionItemKind.Variable,
    "an option": lsp.CompletionItemKind.Property,
    "a pile": lsp.CompletionItemKind.Struct,
    "a phrase": lsp.CompletionItemKind.Snippet,
}
SEVERITIES = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}


# ------------------------------------------------------------------------ places


def position(source: Source, offset: int) -> lsp.Position:
    """An offset as the protocol counts: lines from 0, characters in UTF-16 units."""
    line, column = source.place(offset)
    before = source.line(line)[: column - 1]
    return lsp.Position(line - 1, len(before.encode("utf-16-le")) // 2)


def offset(source: Source, place: lsp.Position) -> int:
    """The offset of a place; one outside the text is moved to its edge."""
    if place.line >= len(source.starts):
        return len(source.text)
    line = source.line(place.line + 1)
    before = line.encode("utf-16-le")[: 2 * place.character].decode("utf-16-le", errors="ignore")
    return source.starts[place.line] + len(before)


def range_of(span: Span) -> lsp.Range:
    """A span as the protocol has it."""
    return lsp.Range(position(span.source, span.start), position(span.source, span.end))


def uri_of(name: str) -> str:
    """The URI of a file by the name that diagnostics show; shipped rulesets lie beside their package."""
    path = Path(name)
    if not path.is_absolute():
        from spadille.loading import FOLDER

        shipped = FOLDER.parent / path
        path = shipped if shipped.exists() else path.absolute()
    return path.as_uri()


# ------------------------------------------------------------------------ server


def make() -> LanguageServer:
    """A server with everything that it answers."""
    server = LanguageServer("spadille", installed() or "0", text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
    workspace = Workspace()

    def document(uri: str) -> Document:
        found = workspace.documents.get(uri)
        if found is None:
            found = workspace.put(uri, server.workspace.get_text_document(uri).source)
        return found

    def publish(uri: str) -> None:
        own = document(uri)
        rows = [diagnostic(span, found) for span, found in answers.diagnostics(workspace, own)]
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, rows))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        workspace.put(params.text_document.uri, params.text_document.text)
        publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        workspace.put(uri, server.workspace.get_text_document(uri).source)
        for other in workspace.documents.values():
            # What is open may be the parent of what else is open.
            other.loaded = None
        publish(uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        workspace.drop(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION)
    def complete(params: lsp.CompletionParams) -> lsp.CompletionList:
        own = document(params.text_document.uri)
        found = answers.completions(workspace, own, offset(own.source, params.position))
        kind = lsp.CompletionItemKind.Constant
        items = [lsp.CompletionItem(n.text, kind=KINDS.get(n.kind, kind), detail=n.kind, documentation=n.about or None) for n in found]
        return lsp.CompletionList(is_incomplete=False, items=items)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hovered(params: lsp.HoverParams) -> lsp.Hover | None:
        own = document(params.text_document.uri)
        found = answers.hover(workspace, own, offset(own.source, params.position))
        return None if found is None else lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found[0].hover), range_of(found[1]))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def defined(params: lsp.DefinitionParams) -> lsp.Location | None:
        own = document(params.text_document.uri)
        span = answers.definition(workspace, own, offset(own.source, params.position))
        return None if span is None else lsp.Location(uri_of(span.source.name), range_of(span))

    @server.feature(lsp.TEXT_DOCUMENT_RENAME)
    def renamed(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        own = document(params.text_document.uri)
        try:
            edits = answers.rename(workspace, own, offset(own.source, params.position), params.new_name)
        except answers.CannotRename as problem:
            raise JsonRpcInvalidParams(str(problem)) from None
        return lsp.WorkspaceEdit({params.text_document.uri: [lsp.TextEdit(range_of(edit.span), edit.text) for edit in edits]})

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def format_file(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        own = document(params.text_document.uri)
        text = answers.formatted(workspace, own.source, own.path)
        if text is None or text == own.source.text:
            return []
        return [lsp.TextEdit(range_of(Span(own.source, 0, len(own.source.text))), text)]

    return server


def diagnostic(span: Span, found: Any) -> lsp.Diagnostic:
    """One diagnostic with its second places and its code."""
    said = [found.message, found.label.text, *found.notes, *([found.help] if found.help else [])]
    related = [
        lsp.DiagnosticRelatedInformation(lsp.Location(uri_of(label.span.source.name), range_of(label.span)), label.text or "see here")
        for label in (found.label, *found.others)
        if label.span is not span
    ]
    return lsp.Diagnostic(
        range_of(span),
        "\n".join(text for text in said if text),
        severity=SEVERITIES[found.severity],
        code=found.code,
        source="spadille",
        related_information=related or None,
    )
