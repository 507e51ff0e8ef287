// The extension: starts `permend lsp`, and keeps disabled types in the settings of the workspace.
const { workspace, commands, window } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = [
  "plaintext", "markdown", "mdx", "quarto", "rmd", "html", "latex", "tex", "restructuredtext", "asciidoc", "git-commit",
  "python", "javascript", "javascriptreact", "typescript", "typescriptreact", "rust", "go", "c", "cpp", "java", "shellscript",
];

const STARTS_WITH = ["permend.command", "permend.arguments", "permend.formats"];

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

// The server would disable a type until it ends; here the settings do, and tell the server.
async function executeCommand(command, args, next) {
  if (command !== "permend.disableType") return next(command, args);
  const settings = workspace.getConfiguration("permend");
  const disabled = settings.get("disabledTypes");
  const everywhere = !workspace.workspaceFolders?.length;
  if (!disabled.includes(args[1])) await settings.update("disabledTypes", [...disabled, args[1]], everywhere);
}

async function start() {
  client = makeClient();
  try {
    await client.start();
  } catch {
    const program = workspace.getConfiguration("permend").get("command");
    const hint = "Install it with its extra lsp, or name the program in the setting permend.command.";
    const answer = await window.showErrorMessage(`“${program} lsp” does not start. ${hint}`, "Open Settings");
    if (answer) await commands.executeCommand("workbench.action.openSettings", "permend.command");
  }
}

async function stop() {
  if (client?.needsStop()) await client.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  const isRead = (change) => STARTS_WITH.some((name) => change.affectsConfiguration(name));
  context.subscriptions.push(
    commands.registerCommand("permend.restart", restart),
    workspace.onDidChangeConfiguration((change) => isRead(change) && restart()),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
