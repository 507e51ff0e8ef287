/**
 * Where cards stand beside their text. Plain numbers in, plain numbers out.
 *
 *     const places = stack([10, 12, 300], [60, 60, 60], 8)    // [10, 78, 300]: beside the text, never on each other
 *     drift(12, [10, 12, 300], places)                        // 66: how far cards have run ahead there
 *
 * Where findings are far apart, a card is level with its line. Where they crowd, cards stack up and run ahead of the
 * text; the list is scrolled by that much more, so that around the line one reads, cards and text meet.
 */

/**
 * @param {number[]} wanted where each card's line is, in order
 * @param {number[]} heights
 * @param {number} gap
 * @returns {number[]}
 */
export function stack(wanted, heights, gap) {
  let free = -Infinity
  return wanted.map((top, at) => {
    const place = Math.max(top, free)
    free = place + heights[at] + gap
    return place
  })
}

/**
 * How far cards have run ahead of a line, between two findings by the share of the way.
 * @param {number} line
 * @param {number[]} wanted
 * @param {number[]} places
 */
export function drift(line, wanted, places) {
  const next = firstAfter(line, wanted)
  if (next === 0) return places.length ? Math.max(0, places[0] - wanted[0]) : 0
  const ahead = places[next - 1] - wanted[next - 1]
  if (next === wanted.length) return ahead
  const share = (line - wanted[next - 1]) / (wanted[next] - wanted[next - 1])
  return ahead + share * (places[next] - wanted[next] - ahead)
}

/** @param {number} line @param {number[]} sorted */
function firstAfter(line, sorted) {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle] > line) high = middle
    else low = middle + 1
  }
  return low
}
