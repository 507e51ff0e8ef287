/**
 * Findings under the text: a line below what should change, a wedge where something is missing, coloured by kind.
 *
 * Pointing at one or putting the cursor into it makes its card light up or open, through `point` and `activate`.
 */
import {Decoration, EditorView, RangeSet, StateEffect, StateField, WidgetType} from "./codemirror.js"
import {activate, found, part, point, shown} from "./findings.js"

/** @typedef {import("./types.js").Placed} Placed */

class Wedge extends WidgetType {
  /** @param {string} key @param {string} look */
  constructor(key, look) {
    super()
    this.key = key
    this.look = look
  }
  /** @param {Wedge} other */
  eq(other) {
    return other.key === this.key && other.look === this.look
  }
  toDOM() {
    const wedge = document.createElement("span")
    wedge.className = this.look
    wedge.dataset.key = this.key
    return wedge
  }
  ignoreEvent() {
    return false
  }
}

const lines = EditorView.decorations.compute([found], state => {
  const {active, hot} = state.field(found)
  return RangeSet.of(shown(state).map(each => underline(each, each.key === active, each.key === hot)), true)
})

/** @param {Placed} finding @param {boolean} active @param {boolean} hot */
function underline(finding, active, hot) {
  const {key, kind, start, end, before} = finding
  const look = `finding ${kind}${active ? " active" : ""}${hot ? " hot" : ""}`
  if (!before.trim()) return Decoration.widget({widget: new Wedge(key, `${look} missing`), side: 1}).range(start)
  const from = start + before.search(/\S/)
  return Decoration.mark({class: look, attributes: {"data-key": key}}).range(from, start + before.trimEnd().length)
}

/** @param {MouseEvent} event */
const keyUnder = event => /** @type {Element} */ (event.target).closest?.("[data-key]")?.getAttribute("data-key") ?? null

const pointing = EditorView.domEventHandlers({
  mouseover(event, view) {
    const key = keyUnder(event)
    if (key !== view.state.field(found).hot) view.dispatch({effects: point.of(key)})
  },
  mouseleave(_, view) {
    if (view.state.field(found).hot) view.dispatch({effects: point.of(null)})
  },
  click(event, view) {
    const key = keyUnder(event)
    if (key && view.state.selection.main.empty) view.dispatch({effects: activate.of(key)})
  },
})

/** The finding that the cursor stands in is active; when it leaves, none is. */
const following = EditorView.updateListener.of(({view, state, transactions}) => {
  if (!transactions.some(each => each.selection && each.isUserEvent("select"))) return
  const {head} = state.selection.main
  const here = shown(state).find(each => each.start <= head && head <= each.end)
  const key = here?.key ?? null
  if (key !== state.field(found).active) queueMicrotask(() => view.dispatch({effects: activate.of(key)}))
})

/** What has just been accepted glows for a moment. */
const unglow = StateEffect.define()
const glow = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    if (transaction.effects.some(each => each.is(unglow))) return Decoration.none
    const accepted = transaction.effects.some(each => each.is(part) && each.value.why === "accepted")
    if (!accepted || !transaction.docChanged) return value.map(transaction.changes)
    /** @type {any[]} */
    const marks = []
    transaction.changes.iterChanges((_from, _to, from, to) => {
      if (to > from) marks.push(Decoration.mark({class: "accepted"}).range(from, to))
    })
    return RangeSet.of(marks)
  },
  provide: field => EditorView.decorations.from(field),
})
const fading = EditorView.updateListener.of(({view, startState, state}) => {
  if (state.field(glow).size && state.field(glow) !== startState.field(glow) && !startState.field(glow).size)
    setTimeout(() => view.dispatch({effects: unglow.of(null)}), 1600)
})

export const underlines = [lines, pointing, following, glow, fading]
