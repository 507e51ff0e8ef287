/**
 * One finding as a card: a line that says what is wrong, the suggestion as a button, and, folded out, reason, how sure,
 * alternatives and what else can be done.
 *
 *     const element = card(finding, {open: false, same: 3, left: "", right: ""}, actions)
 *
 * Actions get the finding's key: a card outlives the place where its finding stood when it was drawn.
 */
import {counted, icon, make, percent} from "./dom.js"

/** @typedef {import("./types.js").Placed} Placed */
/**
 * @typedef {object} Actions
 * @property {(key: string, after: string | undefined, event: Event) => void} accept
 * @property {(key: string, event: Event) => void} dismiss
 * @property {(key: string) => void} fold
 * @property {(key: string, event: Event) => void} acceptType
 * @property {(key: string, event: Event) => void} addWord
 * @property {(key: string) => void} explain
 */

/**
 * @param {Placed} finding
 * @param {{open: boolean, same: number, left: string, right: string}} around how many have its type; its neighbours
 * @param {Actions} actions
 */
export function card(finding, around, actions) {
  const {key, kind, title, probability} = finding
  const more = `more-${key}`
  return make(
    "li",
    {class: `card ${kind}${around.open ? " open" : ""}`, "data-key": key},
    make(
      "div",
      {class: "card-head"},
      make(
        "button",
        {class: "fold", type: "button", "aria-expanded": String(around.open), "aria-controls": more, onclick: () => actions.fold(finding.key)},
        make("span", {class: "dot"}),
        make("span", {class: "card-title"}, title),
        make("span", {class: "hidden"}, `, ${kind}, ${percent(probability)} sure. Reason and more`),
      ),
      make("span", {class: "sure", "aria-hidden": "true", title: "How sure permend is"}, percent(probability)),
      make(
        "button",
        {class: "icon-button dismiss", type: "button", title: "Dismiss", "aria-label": `Dismiss: ${inWords(finding)}`, onclick: (/** @type {Event} */ event) => actions.dismiss(finding.key, event)},
        icon("close"),
      ),
    ),
    change(finding, around, actions),
    around.open && unfolded(finding, around, actions, more),
  )
}

/** What the finding does, said in a few words. @param {Placed} finding */
export function inWords({before, after}) {
  if (!after.trim()) return `remove ${visible(before)}`
  return before.trim() ? `${visible(after)} instead of ${visible(before)}` : `insert ${visible(after)}`
}

/** @param {Placed} finding @param {{left: string, right: string}} around @param {Actions} actions */
function change(finding, {left, right}, actions) {
  const {before, after} = finding
  const label = after.trim() ? visible(after) : before.trim() ? "Remove" : visible(after)
  const suggestion = make(
    "button",
    {class: "suggestion", type: "button", "aria-label": `Accept: ${inWords(finding)}`, title: "Accept", onclick: (/** @type {Event} */ event) => actions.accept(finding.key, undefined, event)},
    label,
  )
  const inserted = !before.trim()
  return make(
    "div",
    {class: "change"},
    inserted ? make("span", {class: "beside"}, left) : make("del", {}, visible(before)),
    !inserted && make("span", {class: "arrow", "aria-hidden": "true"}, "→"),
    suggestion,
    inserted && make("span", {class: "beside"}, right),
  )
}

/** @param {Placed} finding @param {{same: number}} around @param {Actions} actions @param {string} id */
function unfolded(finding, {same}, actions, id) {
  const {explanation, probability, alternatives, title} = finding
  const word = finding.before.trim()
  return make(
    "div",
    {class: "more", id},
    make("p", {class: "reason"}, explanation),
    make("div", {class: "how-sure"}, make("span", {}, "How sure"), bar(probability), make("strong", {}, percent(probability))),
    alternatives.length > 0 &&
      make(
        "div",
        {class: "alternatives", role: "group", "aria-label": "Alternatives"},
        make("span", {class: "beside"}, "Or"),
        ...alternatives.map(each => alternative(finding, each, actions)),
      ),
    make(
      "div",
      {class: "card-actions"},
      same > 1 && action("check-all", `Accept all ${same} of “${title}”`, event => actions.acceptType(finding.key, event)),
      /\p{L}/u.test(word) && !/\s{2}|\n/.test(word) && action("book", `Add “${word}” to dictionary`, event => actions.addWord(finding.key, event)),
      action("sentence", "Other ways to write the sentence", () => actions.explain(finding.key)),
      action("matrix", "See how it decided", () => actions.explain(finding.key)),
    ),
  )
}

/** @param {Placed} finding @param {import("./types.js").Alternative} other @param {Actions} actions */
function alternative(finding, other, actions) {
  return make(
    "button",
    {class: "suggestion other", type: "button", title: `Accept; ${percent(other.probability)} sure`, "aria-label": `Accept instead: ${visible(other.after) || "nothing"}, ${percent(other.probability)}`, onclick: (/** @type {Event} */ event) => actions.accept(finding.key, other.after, event)},
    other.after.trim() ? visible(other.after) : "Remove",
    make("small", {}, percent(other.probability)),
  )
}

/** @param {string} symbol @param {string} label @param {(event: Event) => void} onclick */
const action = (symbol, label, onclick) => make("button", {class: "quiet", type: "button", onclick}, icon(symbol), label)

/** @param {number} share */
export function bar(share) {
  const fill = make("span", {class: "bar-fill"})
  fill.style.width = percent(share).replace(" ", "")
  return make("span", {class: "bar", "aria-hidden": "true"}, fill)
}

/** Text for a card: spaces that are all there is are drawn. @param {string} text */
export function visible(text) {
  const trimmed = text.trim().replace(/\s+/g, " ")
  if (trimmed || !text) return trimmed
  return text.includes("\n") ? "a line break" : counted(text.length, "space")
}
