/**
 * What this browser keeps between two visits, and how it forgets it.
 *
 *     const kept = load()          // {text, format, mode, …}
 *     keep({text: "He goes."})     // false where the browser has no room
 *     forget()
 */

/** @typedef {import("./types.js").Kept} Kept */

const NAME = "permend"

/** @type {Kept} */
const NOTHING = {
  text: "",
  original: null,
  name: "",
  format: "plain",
  lineEnding: "\n",
  mode: "",
  confidence: 0,
  hidden: [],
  theme: "",
}

/** @type {Kept} */
let kept = {...NOTHING}

/** @returns {Kept} */
export function load() {
  try {
    kept = {...NOTHING, ...JSON.parse(localStorage.getItem(NAME) ?? "{}")}
  } catch {
    kept = {...NOTHING}
  }
  return kept
}

export const recall = () => kept

/**
 * @param {Partial<Kept>} changes
 * @returns {boolean} whether it will survive a reload
 */
export function keep(changes) {
  kept = {...kept, ...changes}
  try {
    localStorage.setItem(NAME, JSON.stringify(kept))
    return true
  } catch {
    return false
  }
}

export function forget() {
  kept = {...NOTHING}
  try {
    localStorage.removeItem(NAME)
    sessionStorage.clear()
  } catch {
    // nothing can be kept here, so nothing is
  }
}
