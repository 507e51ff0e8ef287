/**
 * The page's nouns; nothing here runs.
 *
 * @typedef {{after: string, probability: number}} Alternative
 *
 * What the server says is wrong; offsets count UTF-16 units, as JavaScript does.
 * @typedef {object} Finding
 * @property {number} start
 * @property {number} end an insertion ends where it starts
 * @property {string} before
 * @property {string} after
 * @property {number} probability
 * @property {string} type such as "R:VERB:SVA"
 * @property {string} kind "spelling", "grammar", "punctuation", "capitals" or "wording"
 * @property {string} title such as "Subject and verb"
 * @property {string} explanation
 * @property {Alternative[]} alternatives
 * @property {string} sentence
 * @property {string} id by which the server dismisses it
 *
 * A finding in the editor: `key` is its name as long as it stays in its place, `run` the check that saw it last.
 * @typedef {Finding & {key: string, run: number}} Placed
 *
 * @typedef {{text: string, score: number, margin: number, chosen: boolean, unchanged: boolean, plan: number[],
 *   fills: string[][]}} Hypothesis the plan's places beyond the tokens are slots
 *
 * How a sentence was decided; `start` and `end` count code points, `chances` are rows that point to columns.
 * @typedef {{source: string, tokens: {piece: string, start: number, end: number}[], slots: number,
 *   chances: number[][], hypotheses: Hypothesis[]}} Trace
 *
 * @typedef {{precision: number, recall: number, correct_changed: number, correct: number}} Measured
 * @typedef {{version: string, model: string, modes: Record<string, Measured>, mode: string, formats: string[],
 *   max_characters: number, token_required: boolean}} Info
 *
 * What this browser keeps between two visits.
 * @typedef {object} Kept
 * @property {string} text
 * @property {string | null} original what tracked changes are counted from; null until something is accepted
 * @property {string} name the file's name
 * @property {string} format
 * @property {string} lineEnding "\n" or "\r\n", as the file had it
 * @property {string} mode empty: the server's own
 * @property {number} confidence 0 to 1
 * @property {string[]} hidden kinds that are not shown
 * @property {string} theme "light", "dark" or empty: as the system has it
 */
export {}
