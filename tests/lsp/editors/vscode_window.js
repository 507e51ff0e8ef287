// The module `vscode` that an editor gives to extensions, as small as vscode-languageclient lets it be: one document,
// its diagnostics, what offers fixes and hovers, commands, settings. What the client only names is an empty class.
const { pathToFileURL, fileURLToPath } = require("node:url");

module.exports = function open(jsonrpc, settings) {
  const { Emitter } = jsonrpc;
  const nothing = { dispose() {} };
  const never = () => nothing;
  const withDefaults = (object, make) => new Proxy(object, { get: (all, name) => (name in all ? all[name] : make(name)) });
  const quiet = (object) => withDefaults(object, (name) => (/^on[A-Z]/.test(String(name)) ? never : undefined));

  class Uri {
    constructor(text) { this.text = text; this.scheme = text.split(":")[0]; this.fsPath = text.startsWith("file:") ? fileURLToPath(text) : text; this.path = new URL(text).pathname; }
    toString() { return this.text; }
    static parse(text) { return new Uri(text); }
    static file(path) { return new Uri(pathToFileURL(path).href); }
  }
  class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
  class Range {
    constructor(a, b, c, d) { this.start = c === undefined ? a : new Position(a, b); this.end = c === undefined ? b : new Position(c, d); }
  }
  class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }
  class CodeAction { constructor(title, kind) { Object.assign(this, { title, kind }); } }
  class CodeActionKind {
    constructor(value) { this.value = value; }
    append(part) { return new CodeActionKind(this.value ? `${this.value}.${part}` : part); }
  }
  for (const [name, value] of Object.entries({ Empty: "", QuickFix: "quickfix", Refactor: "refactor", RefactorExtract: "refactor.extract",
    RefactorInline: "refactor.inline", RefactorRewrite: "refactor.rewrite", Source: "source", SourceOrganizeImports: "source.organizeImports" }))
    CodeActionKind[name] = new CodeActionKind(value);
  class TextEdit { constructor(range, newText) { Object.assign(this, { range, newText }); } }
  class WorkspaceEdit {
    constructor() { this.edits = []; }
    replace(uri, range, newText) { this.edits.push({ range, newText }); }
    set(uri, edits) { for (const edit of edits) this.edits.push(Array.isArray(edit) ? edit[0] : edit); }
  }
  class MarkdownString { constructor(value) { this.value = value; } appendCodeblock(text) { this.value = text; } }
  class Hover { constructor(contents, range) { Object.assign(this, { contents, range }); } }
  class Disposable {
    constructor(dispose) { this.dispose = dispose; }
    static from(...all) { return new Disposable(() => all.forEach((each) => each.dispose())); }
  }

  const events = Object.fromEntries(["open", "change", "close", "configuration"].map((name) => [name, new Emitter()]));
  const textDocuments = [], diagnostics = new Map(), told = new Emitter(), commands = new Map(), providers = {}, messages = [];
  const tell = (text) => { messages.push(text); return Promise.resolve(undefined); };
  const editor = {
    diagnostics, commands, providers, messages, told: told.event,
    document: undefined,
    open(path, languageId, text) {
      const document = { uri: Uri.file(path), languageId, version: 1, text, isClosed: false, getText: () => document.text };
      textDocuments.push(document);
      editor.document = document;
      window.activeTextEditor = { document };
      events.open.fire(document);
      return document;
    },
    apply(edit) { // the places are UTF-16 units of a line, as JavaScript's are
      const { document } = editor, lines = document.text.split("\n");
      const offset = ({ line, character }) => lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, character);
      const contentChanges = edit.edits.map(({ range, newText }) => (
        { range, rangeOffset: offset(range.start), rangeLength: offset(range.end) - offset(range.start), text: newText }
      )).sort((a, b) => b.rangeOffset - a.rangeOffset);
      for (const { rangeOffset, rangeLength, text } of contentChanges)
        document.text = document.text.slice(0, rangeOffset) + text + document.text.slice(rangeOffset + rangeLength);
      document.version += 1;
      events.change.fire({ document, contentChanges, reason: undefined });
    },
    set(name, value) {
      settings[name] = value;
      events.configuration.fire({ affectsConfiguration: (section) => ["permend", `permend.${name}`].includes(section) });
    },
  };
  const window = quiet({
    activeTextEditor: undefined, visibleTextEditors: [], tabGroups: quiet({ all: [] }),
    createOutputChannel: () => ({ append() {}, appendLine() {}, show() {}, dispose() {} }),
    showInformationMessage: tell, showWarningMessage: tell, showErrorMessage: tell,
    withProgress: (options, task) => task({ report() {} }, new jsonrpc.CancellationTokenSource().token),
  });
  const getConfiguration = (section) => {
    const values = section === "permend" ? settings : section ? {} : { permend: settings };
    const get = (name, other) => values[name] ?? other;
    return Object.assign(Object.create({ get, has: (name) => name in values, inspect: () => undefined, update: async (name, value) => editor.set(name, value) }), values);
  };
  const workspace = quiet({
    textDocuments, workspaceFolders: undefined, notebookDocuments: [], getConfiguration,
    onDidOpenTextDocument: events.open.event, onDidChangeTextDocument: events.change.event,
    onDidCloseTextDocument: events.close.event, onDidChangeConfiguration: events.configuration.event,
    createFileSystemWatcher: () => quiet({ dispose() {} }), getWorkspaceFolder: () => undefined,
    applyEdit: async (edit) => { editor.apply(edit); return true; },
  });
  const languages = withDefaults({
    match: (selector, { languageId, uri }) => Number([selector].flat().some((each) =>
      (each.language ?? languageId) === languageId && (each.scheme ?? uri.scheme) === uri.scheme)),
    createDiagnosticCollection: () => ({
      set(uri, found) { diagnostics.set(String(uri), found); told.fire(found ?? []); },
      has: (uri) => diagnostics.has(String(uri)), delete: (uri) => diagnostics.delete(String(uri)), clear() { diagnostics.clear(); }, dispose() {},
    }),
  }, (name) => (selector, provider) => { providers[name] = provider; return nothing; });
  const module = withDefaults({
    version: "1.139.1", env: { language: "en", appName: "a window", openExternal: async () => true },
    Uri, Position, Range, Diagnostic, CodeAction, CodeActionKind, TextEdit, WorkspaceEdit, MarkdownString, Hover, Disposable,
    EventEmitter: Emitter, CancellationTokenSource: jsonrpc.CancellationTokenSource, CancellationError: class extends Error {},
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 }, DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
    CodeActionTriggerKind: { Invoke: 1, Automatic: 2 }, TextDocumentSaveReason: { Manual: 1, AfterDelay: 2, FocusOut: 3 },
    ProgressLocation: { Window: 10 }, window, workspace, languages,
    commands: { registerCommand(name, act) { commands.set(name, act); return { dispose: () => commands.delete(name) }; } },
  }, (name) => (/^[A-Z]/.test(String(name)) ? class {} : undefined));
  return { module, editor };
};
