/**
 * The row above the text: counts by kind, which are filters; the slider; the mode.
 *
 *     const toolbar = new Toolbar({sifted: (confidence, hidden) => …, mode: name => …})
 *     toolbar.count(findings, text)
 *     toolbar.setModes(info)
 */
import {byId, counted, make, percent} from "./dom.js"
import {keep, recall} from "./store.js"

export const KINDS = ["grammar", "spelling", "punctuation", "capitals", "wording"]

/** @type {Record<string, [string, string]>} */
const MODES = {
  thorough: ["Thorough", "Finds the most, and is sometimes wrong."],
  balanced: ["Balanced", "Finds what it is fairly sure of."],
  precise: ["Precise", "Hardly ever touches a correct sentence."],
}

export class Toolbar {
  /** @param {{sifted: (confidence: number, hidden: string[]) => void, mode: (name: string) => void}} listener */
  constructor(listener) {
    this.listener = listener
    this.slider = /** @type {HTMLInputElement} */ (byId("confidence"))
    this.slider.value = String(Math.round(recall().confidence * 100))
    this.slider.addEventListener("input", () => this.sift({confidence: Number(this.slider.value) / 100}))
    this.chips = new Map(KINDS.map(kind => [kind, this.chip(kind)]))
    byId("kinds").replaceChildren(...this.chips.values())
    this.say()
  }

  /** @param {string} kind */
  chip(kind) {
    const toggle = () => {
      const {hidden} = recall()
      this.sift({hidden: hidden.includes(kind) ? hidden.filter(each => each !== kind) : [...hidden, kind]})
    }
    const name = kind[0].toUpperCase() + kind.slice(1)
    return make("button", {class: `chip ${kind}`, type: "button", onclick: toggle}, make("span", {class: "dot"}), name, make("b", {}, "0"))
  }

  /** @param {{confidence?: number, hidden?: string[]}} changes */
  sift(changes) {
    keep(changes)
    this.say()
    this.listener.sifted(recall().confidence, recall().hidden)
  }

  say() {
    const {confidence, hidden} = recall()
    byId("confidence-said").textContent = confidence ? `≥ ${percent(confidence)}` : "all"
    this.slider.setAttribute("aria-valuetext", confidence ? `at least ${percent(confidence)} sure` : "all findings")
    this.slider.style.setProperty("--share", `${confidence * 100}%`)
    for (const [kind, chip] of this.chips) chip.setAttribute("aria-pressed", String(!hidden.includes(kind)))
  }

  /** @param {import("./types.js").Placed[]} findings all that arrived @param {number} shown */
  count(findings, shown) {
    const {confidence} = recall()
    const sure = findings.filter(each => each.probability >= confidence)
    for (const [kind, chip] of this.chips) {
      const count = sure.filter(each => each.kind === kind).length
      const place = /** @type {HTMLElement} */ (chip.lastElementChild)
      if (place.textContent !== String(count)) place.textContent = String(count)
      chip.classList.toggle("none", count === 0)
    }
    byId("finding-count").textContent = counted(shown, "finding")
    const all = /** @type {HTMLButtonElement} */ (byId("accept-all"))
    all.disabled = shown === 0
  }

  /** @param {string} text */
  countWords(text) {
    const words = text.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu)?.length ?? 0
    byId("word-count").textContent = counted(words, "word")
    byId("character-count").textContent = counted(text.length, "character")
  }

  /** @param {import("./types.js").Info} info */
  setModes({modes, mode}) {
    this.mode = recall().mode in modes ? recall().mode : mode
    const choices = Object.keys(MODES).filter(name => name in modes).map(name => this.choice(name, modes[name]))
    byId("modes").replaceChildren(...choices)
    byId("mode-said").textContent = MODES[this.mode]?.[0] ?? this.mode
  }

  /** @param {string} name @param {import("./types.js").Measured | undefined} measured */
  choice(name, measured) {
    const choose = () => {
      this.mode = name
      keep({mode: name})
      byId("mode-said").textContent = MODES[name][0]
      this.listener.mode(name)
    }
    return make(
      "label",
      {class: "mode"},
      make("input", {type: "radio", name: "mode", value: name, checked: name === this.mode, onchange: choose}),
      make("span", {}, make("strong", {}, MODES[name][0]), make("span", {}, MODES[name][1]), make("small", {}, measuredLine(measured))),
    )
  }
}

/** @param {import("./types.js").Measured | undefined} measured */
function measuredLine(measured) {
  if (!measured?.correct) return "Not measured for this model."
  const {precision, recall: share, correct_changed: changed, correct} = measured
  const hundred = (/** @type {number} */ part) => Math.round(100 * part)
  return `${hundred(precision)} of 100 suggestions right · ${hundred(share)} of 100 errors found · ${changed} of ${correct.toLocaleString("en")} correct sentences touched`
}
