/**
 * The dialog "Copy or download": the text as it is, what has changed in it, or what is still suggested.
 *
 * Tracked changes count from the text as it was opened or pasted; where it was written here, from the moment before the
 * first correction. "Count from here" sets that anew.
 */
import {byId, counted, make} from "./dom.js"
import {FORMAT_NAMES, copy, download} from "./files.js"
import {shown} from "./findings.js"
import {keep, recall} from "./store.js"
import {countChanges, critic, diff, escape, html, latex, markedHtml, suggested} from "./tracked.js"

/** @typedef {{text: string, html?: string, name: string, type: string}} Written */

const STYLE = "body{max-width:45rem;margin:3rem auto;padding:0 1rem;font:1.05rem/1.7 system-ui,sans-serif}main{white-space:pre-wrap}ins{color:#0a6b4f;background:#dff5ec}del{color:#a4262c;background:#fde7e9}"

export class Exporting {
  /** @param {import("./codemirror.js").EditorView} view @param {(message: string) => void} tell */
  constructor(view, tell) {
    this.view = view
    this.tell = tell
    this.dialog = /** @type {HTMLDialogElement} */ (byId("exporting"))
    this.form = /** @type {HTMLFormElement} */ (byId("exporting-form"))
    this.form.addEventListener("change", () => this.preview())
    this.form.addEventListener("submit", event => event.preventDefault())
    byId("export-copy").addEventListener("click", () => this.copy())
    byId("export-download").addEventListener("click", () => this.download())
    byId("export-reset").addEventListener("click", () => this.reset())
  }

  show() {
    const {original, name, format} = recall()
    const text = this.view.state.doc.toString()
    this.changed = diff(original ?? text, text)
    this.open = suggested(text, shown(this.view.state))
    byId("export-since").textContent = original === null ? "nothing corrected yet" : `${counted(countChanges(this.changed), "change")} since ${name ? `“${name}” was opened` : "you began"}`
    byId("export-open").textContent = counted(countChanges(this.open), "suggestion")
    byId("export-latex").hidden = format !== "latex"
    const notation = /** @type {HTMLSelectElement} */ (this.form.elements.namedItem("notation"))
    notation.value = format === "markdown" ? "critic" : format === "latex" ? "latex" : "html"
    this.preview()
    if (!this.dialog.open) this.dialog.showModal()
  }

  /** @returns {Written} */
  written() {
    const choices = new FormData(this.form)
    const {name, format, lineEnding} = recall()
    const text = this.view.state.doc.toString()
    const stem = (name || "text").replace(/\.[^.]*$/, "")
    const {ending} = FORMAT_NAMES[format] ?? FORMAT_NAMES.plain
    const back = (/** @type {string} */ plain) => plain.replaceAll("\n", lineEnding)
    if (choices.get("what") === "plain") return {text: back(text), name: name || `${stem}.${ending}`, type: "text/plain"}
    const pieces = this.pieces(choices)
    if (choices.get("notation") === "critic") return {text: back(critic(pieces)), name: `${stem}-tracked.${ending}`, type: "text/plain"}
    if (choices.get("notation") === "latex") return {text: back(latex(pieces)), name: `${stem}-tracked.tex`, type: "text/plain"}
    if (format === "html") return {text: back(markedHtml(pieces)), html: markedHtml(pieces), name: `${stem}-tracked.html`, type: "text/html"}
    const body = html(pieces)
    const page = `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>${escape(stem)}</title><style>${STYLE}</style>\n<main>${body}</main></html>\n`
    return {text: page, html: body.replaceAll("\n", "<br>"), name: `${stem}-tracked.html`, type: "text/html"}
  }

  /** @param {FormData} choices */
  pieces(choices) {
    return (choices.get("what") === "changes" ? this.changed : this.open) ?? []
  }

  preview() {
    const choices = new FormData(this.form)
    const tracked = choices.get("what") !== "plain"
    byId("export-notation").hidden = !tracked
    const formatted = tracked && choices.get("notation") === "html" && recall().format !== "html"
    const place = byId("export-preview")
    place.classList.toggle("formatted", formatted)
    if (formatted) place.replaceChildren(...marks(this.pieces(choices).slice(0, 400)))
    else place.textContent = clip(this.written().text)
  }

  async copy() {
    const {text, html} = this.written()
    try {
      await copy(text, html)
      this.done("Copied.")
    } catch (error) {
      this.tell(error instanceof Error ? error.message : "It could not be copied.")
    }
  }

  download() {
    const {name, type, text} = this.written()
    download(name, type, text)
    this.done(`Downloaded as ${name}.`)
  }

  reset() {
    keep({original: this.view.state.doc.toString()})
    this.show()
    this.tell("Tracked changes count from here on.")
  }

  /** @param {string} message */
  done(message) {
    this.dialog.close()
    this.tell(message)
  }
}

/** @param {string} text */
const clip = text => (text.length > 3000 ? `${text.slice(0, 3000)}…` : text)

/** Pieces as a reader sees them. @param {import("./tracked.js").Piece[]} pieces */
const marks = pieces =>
  pieces.flatMap(({before, after}) =>
    before === after ? [clip(after)] : [before ? make("del", {}, before) : "", after ? make("ins", {}, after) : ""],
  )
