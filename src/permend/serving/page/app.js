/** The page: puts editor, cards, toolbar, dialogs and the server together. Each part is a module of its own. */
import {ask, setToken, takeToken} from "./api.js"
import {Cards} from "./cards.js"
import {inWords} from "./card.js"
import {Checking} from "./checking.js"
import {Dictionary} from "./dictionary.js"
import {byId, counted, make, percent} from "./dom.js"
import {makeEditor} from "./editor.js"
import {EXAMPLE} from "./example.js"
import {Exporting} from "./exporting.js"
import {FORMAT_NAMES, formatOf, readText, takesFiles} from "./files.js"
import {accepting, activate, comeBack, found, named, part, shown, sift, together} from "./findings.js"
import {banner, noBanner, speak, toast} from "./notices.js"
import {sentenceAt} from "./sentence.js"
import {forget, keep, load, recall} from "./store.js"
import {followTheme} from "./theme.js"
import {Toolbar} from "./toolbar.js"
import {Deciding} from "./trace.js"
import {Wishes} from "./wishes.js"
import {EditorView, redo, redoDepth, undo, undoDepth} from "./codemirror.js"

/** @typedef {import("./types.js").Placed} Placed */

takeToken()
load()
followTheme()

const commands = {next: () => go(1), previous: () => go(-1), accept: acceptHere, dismiss: dismissHere, learn: learnHere, card: toCard, sentence: showSentence, save: () => exporting.show(), help}
const view = makeEditor(byId("editor"), recall().text, commands, updated)
const wishes = new Wishes(() => checking.start(), toast)
const checking = new Checking(view, () => ({format: recall().format, mode: recall().mode || undefined}), told)
checking.unwanted = finding => wishes.refuses(finding)
const cards = new Cards(view, byId("cards"), {
  accept: (key, after, event) => leaving(key, event, finding => accept([finding], after)),
  dismiss: (key, event) => leaving(key, event, dismiss),
  acceptType: (key, event) => leaving(key, event, finding => acceptType(finding.type)),
  addWord: (key, event) => leaving(key, event, finding => learn(finding.before.trim())),
  fold,
  explain: key => {
    const finding = named(view.state, key)
    if (finding) deciding.show(finding.sentence, finding.start)
  },
})
const toolbar = new Toolbar({
  sifted: (confidence, hidden) => view.dispatch({effects: sift.of({confidence, hidden})}),
  mode: () => checking.start(),
})
const deciding = new Deciding(view, () => recall().mode, toast)
const exporting = new Exporting(view, toast)
const dictionary = new Dictionary(wishes)

// ---- the text and its findings

/** @type {any} */
let saving = 0
let checked = false

/** @param {import("./codemirror.js").ViewUpdate} update */
function updated(update) {
  for (const transaction of update.transactions) {
    for (const effect of transaction.effects) {
      if (effect.is(part)) remember(effect.value, true, update.startState.doc.toString())
      if (effect.is(comeBack)) remember(effect.value, false, "")
    }
    if (transaction.isUserEvent("input.accept.sentence")) beginTracking(update.startState.doc.toString())
    if (transaction.isUserEvent("input.paste") && !update.startState.doc.length) keep({original: update.state.doc.toString()})
  }
  if (update.docChanged) {
    checked = false
    checking.textChanged(update.changes.desc)
    clearTimeout(saving)
    saving = setTimeout(save, 300)
  }
  cards.update(update)
  if (update.startState.field(found) !== update.state.field(found) || update.docChanged) refresh()
}

/** @param {{findings: Placed[], why: string, word?: string}} parting @param {boolean} gone @param {string} before */
function remember({findings, why, word}, gone, before) {
  if (why === "accepted" && gone) beginTracking(before)
  if (why === "dismissed") for (const id of new Set(findings.map(each => each.id))) gone ? wishes.dismiss(id) : wishes.restore(id)
  if (why === "known" && word) gone ? wishes.learn(word) : wishes.unlearn(word)
}

/** @param {string} text */
function beginTracking(text) {
  if (recall().original === null) keep({original: text})
}

function save() {
  const text = view.state.doc.toString()
  toolbar.countWords(text)
  const room = keep(text ? {text} : {text, original: null, name: "", lineEnding: "\n"})
  if (!text) showFile()
  byId("status").classList.toggle("unsaved", !room)
  if (!room) toast("This text is too long to be kept in the browser: download it before you leave.")
}

function refresh() {
  const {all} = view.state.field(found)
  const visible = shown(view.state)
  toolbar.count(all, visible.length)
  byId("sheet-count").textContent = counted(visible.length, "finding")
  byId("welcome").hidden = view.state.doc.length > 0
  const fine = checked && view.state.doc.length > 0 && visible.length === 0
  byId("fine").hidden = !fine
  byId("fine-title").textContent = all.length ? "Nothing to show" : "All fine"
  byId("fine-more").textContent = all.length ? `${counted(all.length, "finding")} hidden by slider or filters.` : "No findings in this text."
  for (const [id, depth] of /** @type {[string, number][]} */ ([["undo", undoDepth(view.state)], ["redo", redoDepth(view.state)]]))
    byId(id).toggleAttribute("disabled", depth === 0)
}

/**
 * Run an action of a card; then the keyboard goes on: to the next card, or, after a click, to the text.
 * @param {string} key
 * @param {Event} event
 * @param {(finding: Placed) => void} act on the finding as it stands now
 */
function leaving(key, event, act) {
  const finding = named(view.state, key)
  if (!finding) return
  const byKeyboard = event instanceof KeyboardEvent || /** @type {UIEvent} */ (event).detail === 0
  const list = shown(view.state)
  const next = list[list.findIndex(each => each.key === key) + 1]?.key
  act(finding)
  if (byKeyboard && next && named(view.state, next)) requestAnimationFrame(() => cards.focus(next))
  else if (byKeyboard || matchMedia("(pointer: fine)").matches) view.focus()
}

/** Open a card, or close it. @param {string} key */
function fold(key) {
  const finding = named(view.state, key)
  if (!finding) return
  const open = view.state.field(found).active === key ? null : key
  view.dispatch({effects: [activate.of(open), EditorView.scrollIntoView(finding.start, {y: "nearest", yMargin: 80})]})
}

/** @param {Placed[]} findings @param {string} [after] */
function accept(findings, after) {
  if (!findings.length) return
  const many = accepting(view.state, findings, after)
  view.dispatch(many)
  if (findings.length > 1) toast(`Accepted ${counted(findings.length, "suggestion")}.`, {label: "Undo", go: takeBack})
  else speak(`Accepted: ${after ?? findings[0].after}`)
}

/** @param {string} type */
const acceptType = type => accept(shown(view.state).filter(each => each.type === type))

/** @param {Placed} finding */
function dismiss(finding) {
  const ids = together(view.state, finding).map(each => each.id)
  const findings = view.state.field(found).all.filter(each => ids.includes(each.id))
  view.dispatch({effects: part.of({findings, why: "dismissed"}), userEvent: "dismiss"})
  offerUndo("Dismissed.", () => ids.forEach(id => wishes.restore(id)))
}

/** @param {string} word */
function learn(word) {
  const findings = view.state.field(found).all.filter(each => each.before.trim() === word)
  view.dispatch({effects: part.of({findings, why: "known", word}), userEvent: "learn"})
  offerUndo(`“${word}” is in your dictionary.`, () => wishes.unlearn(word))
}

/** @param {string} message @param {() => void} otherwise when something else has been done since */
function offerUndo(message, otherwise) {
  const depth = undoDepth(view.state)
  toast(message, {label: "Undo", go: () => (undoDepth(view.state) === depth ? takeBack() : otherwise())})
}

function takeBack() {
  undo(view)
  view.focus() // the button that was clicked may be gone, and keys with it
}

// ---- the keyboard

const here = () => named(view.state, view.state.field(found).active)

/** @param {number} step */
function go(step) {
  const list = shown(view.state)
  if (!list.length) return speak("No findings"), true
  const active = list.findIndex(each => each.key === view.state.field(found).active)
  const {head} = view.state.selection.main
  const behind = list.filter(each => each.start < head).length
  const at = active >= 0 ? active + step : step > 0 ? behind : behind - 1
  const index = (at + list.length) % list.length
  const finding = list[index]
  view.dispatch({selection: {anchor: finding.start}, effects: [activate.of(finding.key), EditorView.scrollIntoView(finding.start, {y: "nearest", yMargin: 120})]})
  speak(`${finding.title}: ${inWords(finding)}, ${percent(finding.probability)} sure. ${finding.explanation} ${index + 1} of ${list.length}.`)
  return true
}

function acceptHere() {
  const finding = here()
  if (!finding) return go(1)
  accept([finding])
  if (shown(view.state).length) go(1)
  return true
}

function dismissHere() {
  const finding = here()
  if (!finding) return false
  dismiss(finding)
  if (shown(view.state).length) go(1)
  return true
}

function learnHere() {
  const word = here()?.before.trim()
  if (!word || !/\p{L}/u.test(word)) return false
  learn(word)
  return true
}

function toCard() {
  const finding = here()
  if (!finding) return go(1)
  cards.focus(finding.key)
  return true
}

function showSentence() {
  const finding = here()
  const {head} = view.state.selection.main
  const sentence = finding?.sentence ?? sentenceAt(view.state.doc.toString(), head)
  if (sentence) deciding.show(sentence, finding?.start ?? head)
  else toast("Put the cursor into a sentence first.")
  return true
}

function help() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("help"))
  if (!dialog.open) dialog.showModal()
  return true
}

document.addEventListener("keydown", event => {
  const typing = /** @type {Element} */ (event.target).closest("input, select, textarea, [contenteditable=true]")
  if (event.key === "F1" || (event.key === "?" && !typing)) help()
  else if (event.key === "F8" && !typing) go(event.shiftKey ? -1 : 1)
  else return
  event.preventDefault()
})

// ---- files

/** @param {File} file */
async function open(file) {
  try {
    const {text, lineEnding} = await readText(file)
    keep({name: file.name, format: formatOf(file.name), lineEnding, original: text})
    replaceText(text)
    toast(`Opened ${file.name}.`, undoDepth(view.state) > 1 ? {label: "Undo", go: takeBack} : undefined)
  } catch (error) {
    toast(error instanceof Error ? error.message : `${file.name} cannot be read.`)
  }
}

/** @param {string} text */
function replaceText(text) {
  view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}, selection: {anchor: 0}, scrollIntoView: true})
  showFile()
  view.focus()
}

function showFile() {
  byId("file-name").textContent = recall().name || "Untitled"
  format.value = recall().format
}

const format = /** @type {HTMLSelectElement} */ (byId("format"))
const picker = /** @type {HTMLInputElement} */ (byId("file"))
format.replaceChildren(...Object.entries(FORMAT_NAMES).map(([value, {name}]) => make("option", {value}, name)))
format.addEventListener("change", () => {
  keep({format: format.value})
  checking.start()
})
picker.addEventListener("change", () => {
  if (picker.files?.[0]) open(picker.files[0])
  picker.value = ""
})
takesFiles(document.body, open)

// ---- what the server says

/** @param {import("./checking.js").Told} state */
function told({state, share, message, recovered}) {
  const bar = byId("progress-bar")
  byId("progress").classList.toggle("on", state === "checking" && (share ?? 0) < 1)
  bar.style.width = `${Math.round((share ?? 0) * 100)}%`
  document.body.dataset.state = state
  checked = state === "done"
  const status = {resting: "Ready", checking: share ? `Checking… ${percent(share)}` : "Checking…", done: "Checked", gone: "No connection", busy: "Waiting", long: "Too long", locked: "Locked", failed: "Not checked"}
  byId("status").textContent = status[/** @type {keyof typeof status} */ (state)]
  if (recovered) {
    wishes.sendAll()
    introduce()
    toast("Connected again.")
  }
  if (state === "done") speak(`Checked: ${counted(shown(view.state).length, "finding")}`, 1000)
  const retry = {label: "Try now", go: () => checking.start()}
  if (state === "gone") banner("calm", "permend does not answer. Your text is safe in this browser; checking goes on by itself as soon as it is back.", retry)
  else if (state === "busy") banner("calm", "permend is busy with other texts. Yours is next in a moment.")
  else if (state === "long") banner("warn", `This text is too long to be checked at once${checking.most < Infinity ? `: ${checking.most.toLocaleString("en")} characters is the most` : ""}. Nothing is lost; split it, or use permend check on the file.`)
  else if (state === "failed") banner("warn", message ?? "The text could not be checked.", retry)
  else if (state !== "locked") noBanner()
  if (state === "locked") unlock()
  refresh()
}

async function introduce() {
  try {
    /** @type {import("./types.js").Info} */
    const info = await ask("GET", "/api/info")
    toolbar.setModes(info)
    checking.most = info.max_characters || Infinity
    byId("about").textContent = `permend ${info.version}, model ${info.model}.`
  } catch {
    // the check that follows says what is wrong, and recovers
  }
}

function unlock() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("unlocking"))
  if (!dialog.open) dialog.showModal()
}
byId("unlocking-form").addEventListener("submit", event => {
  event.preventDefault()
  const [dialog, field] = [byId("unlocking"), byId("token")]
  setToken(/** @type {HTMLInputElement} */ (field).value)
  if (dialog instanceof HTMLDialogElement) dialog.close()
  introduce()
  checking.start()
})
window.addEventListener("online", () => checking.gone && checking.start())
document.addEventListener("visibilitychange", () => !document.hidden && checking.gone && checking.start())

// ---- buttons

/** @type {Record<string, () => void>} */
const buttons = {
  undo: takeBack,
  redo: () => (redo(view), view.focus()),
  open: () => picker.click(),
  "open-first": () => picker.click(),
  "open-again": () => picker.click(),
  export: () => exporting.show(),
  "accept-all": () => (accept(shown(view.state)), view.focus()),
  "try-example": () => {
    keep({name: "", format: "plain", lineEnding: "\n", original: EXAMPLE})
    replaceText(EXAMPLE)
  },
  "show-sentence": showSentence,
  "show-dictionary": () => dictionary.show(),
  "show-help": help,
  "help-button": help,
  erase: () => /** @type {HTMLDialogElement} */ (byId("erasing")).showModal(),
  "erase-now": () => {
    clearTimeout(saving)
    window.removeEventListener("pagehide", save)
    forget()
    location.reload()
  },
  "sheet-next": () => go(1),
  "sheet-previous": () => go(-1),
  "sheet-toggle": () => {
    const open = byId("side").classList.toggle("up")
    byId("sheet-toggle").setAttribute("aria-expanded", String(open))
    cards.refresh()
  },
}
for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener("click", act)
for (const item of document.querySelectorAll("#more-menu button")) item.addEventListener("click", () => byId("more-menu").hidePopover())
if (/Mac|iPhone|iPad/.test(navigator.platform)) for (const key of document.querySelectorAll("kbd.mod")) key.textContent = "⌘"
if (!/^(localhost|127\.|\[::1\])/.test(location.hostname)) byId("privacy").textContent = `Your text goes to ${location.hostname} and nowhere else.`

// ---- begin

window.addEventListener("pagehide", save)
view.dispatch({effects: sift.of({confidence: recall().confidence, hidden: recall().hidden})})
toolbar.countWords(recall().text)
showFile()
refresh()
introduce()
checking.start()
view.focus()
