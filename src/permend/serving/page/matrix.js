/**
 * The pointer's matrix as a heat map: a row says how likely each word or slot follows the word on its left; the path of
 * one hypothesis is framed. `steps` gives the same path as rows of a table.
 *
 *     element.replaceChildren(heatMap(trace, hypothesis, text => …))
 *     steps(trace, hypothesis)     // [{from: "He", to: "▢ went", probability: 0.97}, …]
 */
import {draw, percent} from "./dom.js"

/** @typedef {import("./types.js").Trace} Trace */
/** @typedef {import("./types.js").Hypothesis} Hypothesis */

const CELL = 22
const LEFT = 96
const TOP = 84

/** @param {Trace} trace @param {Hypothesis} hypothesis @param {number} place */
function label({source, tokens}, {plan, fills}, place) {
  if (place === 0) return "start"
  if (place === tokens.length - 1) return "end"
  if (place < tokens.length) return [...source].slice(tokens[place].start, tokens[place].end).join("").trim() || "␣"
  const slots = plan.filter(each => each >= tokens.length)
  const written = fills[slots.indexOf(place)]?.join("").replaceAll("Ġ", " ").trim()
  return written ? `▢ ${written}` : `▢ ${place - tokens.length + 1}`
}

/** @param {Trace} trace @param {Hypothesis} hypothesis */
export function steps(trace, hypothesis) {
  return hypothesis.plan.slice(0, -1).map((from, at) => {
    const to = hypothesis.plan[at + 1]
    return {
      from: label(trace, hypothesis, from),
      to: label(trace, hypothesis, to),
      probability: trace.chances[from]?.[to] ?? 0,
    }
  })
}

/** Places worth showing: all words, and the slots that are used. @param {Trace} trace @param {Hypothesis} hypothesis */
function places({tokens, slots, chances}, {plan}) {
  const all = Array.from({length: tokens.length + slots}, (_, place) => place)
  return all.filter(place => place < tokens.length || plan.includes(place))
}

/** @param {Trace} trace @param {Hypothesis} hypothesis @param {(text: string) => void} say what the pointer is over */
export function heatMap(trace, hypothesis, say) {
  const rows = places(trace, hypothesis)
  const names = rows.map(place => label(trace, hypothesis, place))
  const size = rows.length * CELL
  const [width, height] = [LEFT + size + 56, TOP + size + 8]
  const svg = draw("svg", {class: "matrix", viewBox: `0 0 ${width} ${height}`, width, height, role: "img"})
  svg.setAttribute("aria-label", `Heat map of the pointer, ${rows.length} by ${rows.length}; the table below says the same`)
  svg.append(draw("rect", {class: "ground", x: LEFT, y: TOP, width: size, height: size, rx: 4}))
  names.forEach((name, at) => {
    const middle = at * CELL + CELL / 2
    svg.append(written(name, {x: LEFT - 8, y: TOP + middle + 4, "text-anchor": "end"}))
    svg.append(written(name, {transform: `translate(${LEFT + middle + 4} ${TOP - 8}) rotate(-50)`}))
  })
  rows.forEach((from, row) =>
    rows.forEach((to, column) => {
      const chance = trace.chances[from]?.[to] ?? 0
      if (chance < 0.005) return
      const [x, y] = [LEFT + column * CELL + 1, TOP + row * CELL + 1]
      svg.append(draw("rect", {class: "heat", x, y, width: CELL - 2, height: CELL - 2, rx: 3, "fill-opacity": 0.08 + 0.92 * chance}))
    }),
  )
  hypothesis.plan.slice(0, -1).forEach((from, at) => {
    const [row, column] = [rows.indexOf(from), rows.indexOf(hypothesis.plan[at + 1])]
    if (row < 0 || column < 0) return
    const jumps = column !== row + 1
    svg.append(draw("rect", {class: `path${jumps ? " jump" : ""}`, x: LEFT + column * CELL + 1, y: TOP + row * CELL + 1, width: CELL - 2, height: CELL - 2, rx: 3}))
  })
  svg.addEventListener("mousemove", event => {
    const scale = width / svg.getBoundingClientRect().width
    const row = Math.floor((event.offsetY * scale - TOP) / CELL)
    const column = Math.floor((event.offsetX * scale - LEFT) / CELL)
    if (!(row in names) || !(column in names)) return say("")
    say(`After “${names[row]}” comes “${names[column]}”: ${percent(trace.chances[rows[row]]?.[rows[column]] ?? 0)}`)
  })
  return svg
}

/** @param {string} text @param {Record<string, string | number>} traits */
function written(text, traits) {
  const element = draw("text", traits)
  element.textContent = text.length > 13 ? `${text.slice(0, 12)}…` : text
  return element
}
