/**
 * Findings inside the editor's state: they move with the text, and undo brings them back.
 *
 *     state.field(found).all                       // every finding, from left to right
 *     shown(state)                                 // those that slider and filters let through
 *     view.dispatch(accepting(state, [finding]))   // one step of undo, however many findings
 *     view.dispatch({effects: arrive.of({start, end, run, findings})})
 *
 * A finding whose own words change is gone; one beside it moves along. Halves of a moved word are accepted together.
 */
import {StateEffect, StateField, invertedEffects} from "./codemirror.js"

/** @typedef {import("./types.js").Finding} Finding */
/** @typedef {import("./types.js").Placed} Placed */
/** @typedef {{start: number, end: number, run: number, findings: Finding[]}} Stretch */
/** @typedef {{findings: Placed[], why: string, word?: string}} Parting why: "accepted", "dismissed" or "known" */
/** @typedef {import("./codemirror.js").ChangeDesc} ChangeDesc */
/** @template T @typedef {import("./codemirror.js").StateEffectType<T>} Effect */
/** @typedef {{all: Placed[], active: string | null, hot: string | null, confidence: number, hidden: string[]}} Found */

/** A stretch of the text has been checked. @type {Effect<Stretch>} */
export const arrive = StateEffect.define()
/** The whole text has been checked by this run: what it did not see is gone. @type {Effect<number>} */
export const finish = StateEffect.define()
const moving = {
  map: (/** @type {Parting} */ value, /** @type {ChangeDesc} */ changes) => ({...value, findings: moveAll(value.findings, changes)}),
}
/** Findings go: accepted, dismissed, or because a word is known now. @type {Effect<Parting>} */
export const part = StateEffect.define(moving)
/** Findings come back, by undo. @type {Effect<Parting>} */
export const comeBack = StateEffect.define(moving)
/** One finding's card is open. @type {Effect<string | null>} */
export const activate = StateEffect.define()
/** The pointer is over a finding. @type {Effect<string | null>} */
export const point = StateEffect.define()
/** What is shown. @type {Effect<{confidence: number, hidden: string[]}>} */
export const sift = StateEffect.define()

let keys = 0

export const found = StateField.define({
  /** @returns {Found} */
  create: () => ({all: [], active: null, hot: null, confidence: 0, hidden: []}),
  update(value, transaction) {
    let next = value
    if (transaction.docChanged) {
      const text = transaction.newDoc
      next = {...next, all: moveAll(next.all, transaction.changes).filter(each => stands(each, text, transaction.changes))}
    }
    for (const effect of transaction.effects) next = changed(next, effect)
    if (next.active && !next.all.some(each => each.key === next.active)) next = {...next, active: null}
    return next
  },
})

/** What history needs to bring findings back and to send them away again. */
export const undoable = invertedEffects.of(transaction =>
  transaction.effects.flatMap(effect =>
    effect.is(part) ? [comeBack.of(effect.value)] : effect.is(comeBack) ? [part.of(effect.value)] : [],
  ),
)

/** @param {Found} value @param {any} effect @returns {Found} */
function changed(value, effect) {
  if (effect.is(arrive)) return {...value, all: merge(value.all, effect.value)}
  if (effect.is(finish)) return {...value, all: value.all.filter(each => each.run === effect.value)}
  if (effect.is(part)) {
    const gone = new Set(effect.value.findings.map((/** @type {Placed} */ each) => each.key))
    return {...value, all: value.all.filter(each => !gone.has(each.key))}
  }
  if (effect.is(comeBack)) return {...value, all: inOrder([...value.all, ...effect.value.findings])}
  if (effect.is(activate)) return {...value, active: effect.value}
  if (effect.is(point)) return {...value, hot: effect.value}
  if (effect.is(sift)) return {...value, ...effect.value}
  return value
}

/**
 * Put the findings of a checked stretch in the place of those that stood there; the same finding keeps its key.
 * @param {Placed[]} all
 * @param {Stretch} stretch
 */
function merge(all, {start, end, run, findings}) {
  const old = new Map()
  const kept = all.filter(each => {
    if (each.run === run || each.end < start || each.start > end) return true
    old.set(identity(each), each.key)
    return false
  })
  const placed = findings.map(each => ({...each, run, key: old.get(identity(each)) ?? `f${++keys}`}))
  return inOrder([...kept, ...placed])
}

/** @param {Finding} finding */
const identity = ({start, end, before, after, type}) => [start, end, before, after, type].join("\n")

/** @param {Placed[]} findings */
const inOrder = findings => findings.sort((left, right) => left.start - right.start || left.end - right.end)

/**
 * Move findings along with a change of the text.
 * @template {Finding} T
 * @param {T[]} findings
 * @param {import("./codemirror.js").ChangeDesc} changes
 * @returns {T[]}
 */
export function moveAll(findings, changes) {
  if (changes.empty) return findings
  return findings.map(each => {
    const start = changes.mapPos(each.start, each.start === each.end ? -1 : 1)
    return {...each, start, end: Math.max(start, changes.mapPos(each.end, -1))}
  })
}

/**
 * Whether a finding still makes sense where it stands now: its words are there, and nothing was glued to them.
 * @param {Finding} finding
 * @param {import("./codemirror.js").Text} text
 * @param {import("./codemirror.js").ChangeDesc} [changes]
 */
export function stands(finding, text, changes) {
  const {start, end, before} = finding
  if (text.sliceString(start, end) !== before) return false
  if (!changes) return true
  const touched = changes.invertedDesc.touchesRange(start, end)
  if (!touched) return true
  if (start === end) return false
  const around = text.sliceString(Math.max(0, start - 1), end + 1)
  const [left, right] = [start > 0 ? around[0] : " ", around[around.length - (end < text.length ? 1 : 0)] ?? " "]
  const letter = /[\p{L}\p{N}]/u
  return !(letter.test(left) && letter.test(before[0])) && !(letter.test(right) && letter.test(before[before.length - 1]))
}

/** @param {import("./codemirror.js").EditorState} state @returns {Placed[]} */
export function shown(state) {
  const {all, confidence, hidden} = state.field(found)
  return all.filter(each => each.probability >= confidence && !hidden.includes(each.kind))
}

/** @param {import("./codemirror.js").EditorState} state @param {string | null} key @returns {Placed | undefined} */
export const named = (state, key) => state.field(found).all.find(each => each.key === key)

/**
 * Return a transaction that accepts findings in one step; `after` is another suggestion for a single one.
 * @param {import("./codemirror.js").EditorState} state
 * @param {Placed[]} findings
 * @param {string} [after]
 */
export function accepting(state, findings, after) {
  const all = inOrder([...new Set(after === undefined ? findings.flatMap(each => together(state, each)) : findings)])
  const apart = all.filter((each, at) => at === 0 || each.start >= all[at - 1].end)
  return {
    changes: apart.map(each => ({from: each.start, to: each.end, insert: after ?? each.after})),
    effects: [part.of({findings: apart, why: "accepted"})],
    userEvent: "input.accept",
  }
}

/**
 * Return a finding and those that make no sense without it: one puts in the word that the other takes away.
 * @param {import("./codemirror.js").EditorState} state
 * @param {Placed} finding
 * @returns {Placed[]}
 */
export function together(state, finding) {
  const others = state.field(found).all.filter(
    each => each !== finding && each.sentence === finding.sentence && moves(each, finding),
  )
  return inOrder([finding, ...others])
}

/** @param {Finding} one @param {Finding} other */
function moves(one, other) {
  const [taken, put, otherTaken, otherPut] = [one.before, one.after, other.before, other.after].map(words)
  const meet = (/** @type {string[]} */ a, /** @type {string[]} */ b) => a.some(word => b.includes(word))
  const less = (/** @type {string[]} */ a, /** @type {string[]} */ b) => a.filter(word => !b.includes(word))
  return meet(less(put, taken), less(otherTaken, otherPut)) || meet(less(taken, put), less(otherPut, otherTaken))
}

/** @param {string} text */
const words = text => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
