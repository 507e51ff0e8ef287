/**
 * The editor: CodeMirror with history, search, wrapped lines, findings underlined, and the keys that go to commands.
 *
 *     const view = makeEditor(element, "He go.", {next: () => true, …}, update => …)
 */
import {EditorState, EditorView, defaultKeymap, drawSelection, history, historyKeymap, keymap, search, searchKeymap} from "./codemirror.js"
import {found, undoable} from "./findings.js"
import {underlines} from "./underlines.js"

/** @typedef {Record<"next" | "previous" | "accept" | "dismiss" | "learn" | "card" | "sentence" | "save" | "help", () => boolean | void>} Commands */

/**
 * @param {HTMLElement} parent
 * @param {string} text
 * @param {Commands} commands
 * @param {(update: import("./codemirror.js").ViewUpdate) => void} updated
 */
export function makeEditor(parent, text, commands, updated) {
  const nonce = document.querySelector("meta[name=csp-nonce]")?.getAttribute("content") ?? ""
  const extensions = [
    EditorView.cspNonce.of(nonce),
    history(),
    search({top: true}),
    drawSelection(),
    found,
    undoable,
    underlines,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({"aria-label": "Your text", tabindex: "0", spellcheck: "false", autocapitalize: "sentences"}),
    keymap.of([...bindings(commands), ...historyKeymap, ...searchKeymap, ...defaultKeymap.filter(each => each.key !== "Mod-Enter")]),
    EditorView.updateListener.of(updated),
  ]
  return new EditorView({parent, state: EditorState.create({doc: text, extensions})})
}

/** @param {Commands} commands */
function bindings(commands) {
  /** @type {[string, keyof Commands][]} */
  const keys = [
    ["F8", "next"],
    ["Shift-F8", "previous"],
    ["Mod-Enter", "accept"],
    ["Mod-Shift-Enter", "dismiss"],
    ["Mod-Alt-Enter", "learn"],
    ["Mod-.", "card"],
    ["Mod-Shift-.", "sentence"],
    ["Mod-s", "save"],
    ["F1", "help"],
  ]
  return keys.map(([key, command]) => ({key, preventDefault: true, run: () => commands[command]() !== false}))
}
