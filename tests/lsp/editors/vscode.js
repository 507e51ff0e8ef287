// Runs the extension with the real vscode-languageclient against the real server, in a window of a hundred lines: opens
// a document, sees the diagnostic, applies the preferred fix, points at a finding, disables a type, restarts the server.
// Prints what it saw as JSON. Arguments: the extension's folder, the document's path, the server's command, and a better one.
const Module = require("node:module");
const path = require("node:path");

const [folder, file, command] = process.argv.slice(2);
const settings = { command, arguments: [], formats: {}, disabledTypes: [], mode: "balanced" };
const jsonrpc = require(path.join(folder, "node_modules", "vscode-jsonrpc", "node"));
const { module: vscode, editor } = require("./vscode_window.js")(jsonrpc, settings);
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require(path.join(folder, "extension.js"));

const token = new jsonrpc.CancellationTokenSource().token;
const shown = () => editor.diagnostics.get(String(editor.document.uri)) ?? [];
const news = (isIt) => new Promise((resolve) => {
  const listening = editor.told((found) => { if (isIt(found)) { listening.dispose(); resolve(found); } });
});

async function main() {
  const seen = {};
  const context = { subscriptions: [] };
  await extension.activate(context);
  if (editor.messages.length) { // it does not start; a better command does, without a restart of the window
    seen.complaints = editor.messages.splice(0);
    editor.set("command", process.argv[5]);
    while (!editor.providers.registerCodeActionsProvider) await new Promise((resolve) => setTimeout(resolve, 100));
  }
  let waiting = news((found) => found.length > 0);
  const document = editor.open(file, "markdown", "Dear 😀 Ann, he go to school yesterday.\n");
  const [found] = await waiting;
  Object.assign(seen, { message: found.message, severity: found.severity, source: found.source, code: found.code });
  const ask = async () => editor.providers.registerCodeActionsProvider.provideCodeActions(
    document, shown()[0].range, { diagnostics: shown(), triggerKind: 1 }, token);
  const actions = await ask();
  seen.titles = actions.map((each) => each.title);
  const hover = await editor.providers.registerHoverProvider.provideHover(document, found.range.start, token);
  seen.hover = [hover.contents].flat().map((each) => each.value ?? each).join("\n");
  waiting = news((each) => each.length === 0);
  editor.apply(actions.find((each) => each.isPreferred).edit);
  await waiting;
  seen.fixed = document.text;

  waiting = news((each) => each.length > 0);
  const { start, end } = found.range; // went, once more wrong
  editor.apply({ edits: [{ range: { start, end: { line: end.line, character: end.character + 2 } }, newText: "go" }] });
  await waiting;
  const disable = (await ask()).find((each) => each.title.startsWith("Disable")).command;
  waiting = news((each) => each.length === 0);
  await editor.commands.get(disable.command)(...disable.arguments);
  await waiting;
  seen.disabled = settings.disabledTypes;

  waiting = news((each) => each.length > 0);
  editor.set("disabledTypes", []);
  seen.enabled = (await waiting).length;
  await editor.commands.get("permend.restart")();
  waiting = news((each) => each.length > 0);
  seen.again = (await waiting).length;
  await extension.deactivate();
  seen.messages = editor.messages;
  console.log(JSON.stringify(seen));
}

main().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
