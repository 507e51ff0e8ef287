// Takes the command and the middleware that the extension gives to VS Code's client, talks with that server through VS
// Code's own protocol library as VS Code does (diagnostics are pulled), applies the preferred fix, disables a type.
// Prints what it saw as JSON. The argument is the extension's folder.
const { spawn } = require("node:child_process");
const Module = require("node:module");
const path = require("node:path");

const folder = process.argv[2];
const settings = { command: "permend", arguments: [], formats: {}, disabledTypes: [], mode: "balanced" };
const getConfiguration = () => ({
  get: (name) => settings[name],
  update: async (name, value) => { settings[name] = value; },
});
const stubs = {
  vscode: { workspace: { getConfiguration }, commands: { registerCommand: () => ({}) } },
  "vscode-languageclient/node": {
    LanguageClient: class {
      constructor(id, name, server, options) { Object.assign(this, { id, server, options }); }
      async start() { this.started = true; }
      async stop() {}
    },
  },
};
const load = Module._load;
Module._load = (name, ...rest) => stubs[name] ?? load(name, ...rest);
const extension = require(path.join(folder, "extension.js"));
Module._load = load;

const protocol = require(path.join(folder, "node_modules", "vscode-languageserver-protocol", "node"));

async function main() {
  const seen = {};
  await extension.activate({ subscriptions: [] });
  const client = extension.makeClient();
  seen.languages = client.options.documentSelector.map((each) => each.language);
  const child = spawn(client.server.command, client.server.args, { stdio: ["pipe", "pipe", "inherit"] });
  const connection = protocol.createProtocolConnection(child.stdout, child.stdin);
  connection.onRequest(protocol.ConfigurationRequest.type, ({ items }) => items.map(() => settings));
  connection.onRequest(protocol.RegistrationRequest.type, () => {});
  seen.pushed = 0;
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, () => { seen.pushed += 1; });
  connection.listen();
  const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: null,
    capabilities: {
      general: { positionEncodings: ["utf-16"] },
      textDocument: { diagnostic: { dynamicRegistration: true }, codeAction: { isPreferredSupport: true } },
      workspace: { configuration: true, workspaceEdit: { documentChanges: true } },
    },
  });
  seen.pulls = capabilities.diagnosticProvider.identifier;
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  const uri = "file:///letter.md";
  const text = "Dear 😀 Ann, he go to school yesterday.\n";
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "markdown", version: 1, text },
  });
  const pull = () => connection.sendRequest(protocol.DocumentDiagnosticRequest.type, { textDocument: { uri } });
  const report = await pull();
  seen.messages = report.items.map((each) => each.message);
  const { range } = report.items[0];
  const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {
    textDocument: { uri }, range, context: { diagnostics: report.items },
  });
  const [{ range: place, newText }] = actions.find((each) => each.isPreferred).edit.documentChanges[0].edits;
  seen.fixed = text.slice(0, place.start.character) + newText + text.slice(place.end.character); // UTF-16, as in VS Code
  const { command } = actions.find((each) => each.title.startsWith("Disable"));
  await client.options.middleware.executeCommand(command.command, command.arguments, (name, args) =>
    connection.sendRequest(protocol.ExecuteCommandRequest.type, { command: name, arguments: args }),
  );
  seen.disabled = settings.disabledTypes;
  seen.left = (await pull()).items.length;
  await connection.sendRequest(protocol.ShutdownRequest.type);
  await connection.sendNotification(protocol.ExitNotification.type);
  seen.code = await new Promise((resolve) => child.on("exit", resolve));
  console.log(JSON.stringify(seen));
}

main().catch((error) => { console.error(error); process.exit(1); });
