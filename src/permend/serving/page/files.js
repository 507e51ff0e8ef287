/**
 * Files in and out: opened or dropped, their format by their ending, downloaded under their name.
 *
 *     takesFiles(document.body, file => open(file))
 *     formatOf("thesis.tex")      // "latex"
 *     download("letter.txt", "text/plain", "Dear …")
 */

/** @type {Record<string, string>} */
const FORMATS = {
  md: "markdown", markdown: "markdown", mdown: "markdown", html: "html", htm: "html", xhtml: "html",
  tex: "latex", latex: "latex", ltx: "latex", rst: "rst", adoc: "asciidoc", asciidoc: "asciidoc",
}

/** @type {Record<string, {name: string, ending: string}>} */
export const FORMAT_NAMES = {
  plain: {name: "Plain text", ending: "txt"},
  markdown: {name: "Markdown", ending: "md"},
  html: {name: "HTML", ending: "html"},
  latex: {name: "LaTeX", ending: "tex"},
  rst: {name: "reStructuredText", ending: "rst"},
  asciidoc: {name: "AsciiDoc", ending: "adoc"},
}

/** @param {string} name */
export const formatOf = name => FORMATS[name.split(".").pop()?.toLowerCase() ?? ""] ?? "plain"

/** Read a file as text; throws a sentence where it is none. @param {File} file @returns {Promise<{text: string, lineEnding: string}>} */
export async function readText(file) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null
  let text
  try {
    text = new TextDecoder(wide ?? "utf-8", {fatal: true}).decode(bytes)
  } catch {
    text = new TextDecoder("windows-1252").decode(bytes)
  }
  if (text.includes("\0")) throw new Error(`“${file.name}” is not a text file.`)
  return {text: text.replace(/\r\n?/g, "\n"), lineEnding: text.includes("\r\n") ? "\r\n" : "\n"}
}

/** Let files be dropped anywhere. @param {HTMLElement} element @param {(file: File) => void} take */
export function takesFiles(element, take) {
  const carriesFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files")
  let inside = 0
  const mark = (/** @type {number} */ step) => element.classList.toggle("dropping", (inside = Math.max(0, inside + step)) > 0)
  element.addEventListener("dragenter", event => carriesFiles(event) && mark(1))
  element.addEventListener("dragleave", event => carriesFiles(event) && mark(-1))
  element.addEventListener("dragover", event => carriesFiles(event) && event.preventDefault())
  const drop = (/** @type {DragEvent} */ event) => {
    inside = 0
    mark(0)
    const file = event.dataTransfer?.files[0]
    if (!file) return
    event.preventDefault()
    event.stopPropagation()
    take(file)
  }
  element.addEventListener("drop", drop, {capture: true})
}

/** @param {string} name @param {string} type @param {string} text */
export function download(name, type, text) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text], {type: `${type};charset=utf-8`}))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

/** Copy text, and, where given, its formatted form for word processors. @param {string} text @param {string} [html] */
export async function copy(text, html) {
  if (navigator.clipboard?.write && html) {
    const parts = {"text/plain": new Blob([text], {type: "text/plain"}), "text/html": new Blob([html], {type: "text/html"})}
    return navigator.clipboard.write([new ClipboardItem(parts)])
  }
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement("textarea") // on hosts without a certificate there is no other way
  field.value = text
  ;(document.querySelector("dialog[open]") ?? document.body).append(field)
  field.select()
  const copied = document.execCommand("copy")
  field.remove()
  if (!copied) throw new Error("The browser does not let the page copy.")
}
