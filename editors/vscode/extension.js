// The extension: starts `permend lsp`, and keeps disabled types in the settings of the workspace.
const { workspace, commands } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = [
  "plaintext", "markdown", "mdx", "quarto", "rmd", "html", "latex", "tex", "restructuredtext", "asciidoc", "git-commit",
  "python", "javascript", "javascriptreact", "typescript", "typescriptreact", "rust", "go", "c", "cpp", "java", "shellscript",
];

let client;

function makeClient() {
  const settings = workspace.getConfiguration("permend");
  const server = { command: settings.get("command"), args: ["lsp", ...settings.get("arguments")] };
  const languages = [...new Set([...LANGUAGES, ...Object.keys(settings.get("formats"))])];
  return new LanguageClient("permend", "permend", server, {
    documentSelector: languages.flatMap((language) => [
      { scheme: "file", language },
      { scheme: "untitled", language },
    ]),
    middleware: { executeCommand },
  });
}

// The server disables a type until it ends; here it stays disabled.
async function executeCommand(command, args, next) {
  const result = await next(command, args);
  if (command === "permend.disableType") {
    const settings = workspace.getConfiguration("permend");
    const disabled = settings.get("disabledTypes");
    if (!disabled.includes(args[1])) await settings.update("disabledTypes", [...disabled, args[1]]);
  }
  return result;
}

async function activate(context) {
  client = makeClient();
  context.subscriptions.push(
    commands.registerCommand("permend.restart", async () => {
      await client.stop();
      client = makeClient();
      await client.start();
    }),
  );
  await client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate, makeClient };
