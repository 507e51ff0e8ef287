/**
 * Sentences in the text: which one the cursor is in, where one stands, and how to put another in its place.
 *
 *     sentenceAt("One. Two here.", 7)                    // "Two here."
 *     locate("He *go* there.\nHe go.", "He go.", 16)     // {from: 15, to: 21}; null where markup stands between
 *     replacing("He go.", {from: 0, to: 6}, "He goes.")  // only what differs: [{from: 3, to: 5, insert: "goes"}]
 */
import {diff} from "./tracked.js"

/** @param {string} text @param {number} at @returns {string} */
export function sentenceAt(text, at) {
  const from = text.lastIndexOf("\n\n", Math.max(0, at - 1)) + 1
  const end = text.indexOf("\n\n", at)
  const paragraph = text.slice(from, end < 0 ? text.length : end)
  const sentences = new Intl.Segmenter("en", {granularity: "sentence"}).segment(paragraph)
  const here = sentences.containing(Math.min(at - from, paragraph.length - 1))
  return here?.segment.trim().replace(/\s+/g, " ") ?? ""
}

/** @param {string} text @param {string} sentence @param {number} near @returns {{from: number, to: number} | null} */
export function locate(text, sentence, near) {
  const pattern = sentence.trim().split(/\s+/).map(word => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+")
  if (!pattern) return null
  const begin = Math.max(0, near - 2 * sentence.length - 200)
  const around = text.slice(begin, near + 2 * sentence.length + 200)
  const places = [...around.matchAll(new RegExp(pattern, "gu"))].map(match => ({
    from: begin + match.index,
    to: begin + match.index + match[0].length,
  }))
  const away = (/** @type {{from: number, to: number}} */ place) => Math.max(0, place.from - near, near - place.to)
  return places.sort((one, other) => away(one) - away(other))[0] ?? null
}

/** @param {string} text @param {{from: number, to: number}} place @param {string} sentence */
export function replacing(text, {from, to}, sentence) {
  const changes = []
  const old = text.slice(from, to)
  const inLines = old.includes("\n") ? spread(old, sentence) : sentence
  let at = from
  for (const {before, after} of diff(old, inLines)) {
    if (before !== after) changes.push({from: at, to: at + before.length, insert: after})
    at += before.length
  }
  return changes
}

/** Keep the line breaks of a sentence that goes over several lines, as far as its words stay. @param {string} old @param {string} sentence */
function spread(old, sentence) {
  return diff(old.replace(/\s+/g, " "), sentence).reduce(
    ({done, rest}, {before, after}) => {
      const taken = rest.slice(0, before.length)
      return {done: done + (before === after ? taken : after), rest: rest.slice(before.length)}
    },
    {done: "", rest: old.replace(/\s+/g, space => (space.includes("\n") ? "\n" : " "))},
  ).done
}
