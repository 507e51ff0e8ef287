/**
 * What has changed between two texts, and how to write it down. Pure functions.
 *
 *     diff("He go home.", "He went home.")         // [{before: "He ", after: "He "}, {before: "go", after: "went"}, …]
 *     critic(pieces)                               // "He {~~go~>went~~} home."
 *     html(pieces)                                 // "He <del>go</del><ins>went</ins> home."
 *     latex(pieces)                                // "He \replaced{went}{go} home."  (the package `changes`)
 *
 * Words are compared, not letters. A piece whose two sides are equal has not changed.
 */

/** @typedef {{before: string, after: string}} Piece */

const MOST_STEPS = 1200

/** @param {string} before @param {string} after @returns {Piece[]} */
export function diff(before, after) {
  const [old, now] = [before, after].map(text => text.match(/[^\n]*\n|[^\n]+$/g) ?? [])
  const pieces = []
  for (const [lines, others, same] of compare(old, now)) {
    if (same) pieces.push({before: lines.join(""), after: lines.join("")})
    else
      for (const [words, instead] of compare(tokens(lines.join("")), tokens(others.join(""))))
        pieces.push({before: words.join(""), after: instead.join("")})
  }
  return tidy(pieces)
}

/** The pieces of a text whose findings are all suggested. @param {string} text @param {import("./types.js").Finding[]} findings */
export function suggested(text, findings) {
  const pieces = []
  let at = 0
  for (const {start, end, before, after} of findings) {
    if (start < at) continue
    pieces.push({before: text.slice(at, start), after: text.slice(at, start)}, {before, after})
    at = end
  }
  pieces.push({before: text.slice(at), after: text.slice(at)})
  return pieces.filter(each => each.before || each.after)
}

/** @param {Piece[]} pieces */
export const countChanges = pieces => pieces.filter(each => each.before !== each.after).length

/** @param {Piece[]} pieces */
export function critic(pieces) {
  return write(pieces, ({before, after}) =>
    !before ? `{++${after}++}` : !after ? `{--${before}--}` : `{~~${before}~>${after}~~}`,
  )
}

/** @param {Piece[]} pieces */
export function latex(pieces) {
  return write(pieces, ({before, after}) =>
    !before ? `\\added{${after}}` : !after ? `\\deleted{${before}}` : `\\replaced{${after}}{${before}}`,
  )
}

/** Inside a page of HTML: new markup takes the place of old markup, and only text is marked. @param {Piece[]} pieces */
export function markedHtml(pieces) {
  return write(pieces, ({before, after}) => {
    const old = before.replace(/<[^<>]*>/g, "")
    return (old && `<del>${old}</del>`) + after.replace(/(<[^<>]*>)|[^<]+|</g, (text, tag) => tag ?? `<ins>${text}</ins>`)
  })
}

/** Any other text as HTML. @param {Piece[]} pieces */
export function html(pieces) {
  const mark = (/** @type {Piece} */ {before, after}) => (before && `<del>${escape(before)}</del>`) + (after && `<ins>${escape(after)}</ins>`)
  return write(pieces, mark, escape)
}

/** @param {string} text */
export const escape = text => text.replace(/[&<>"]/g, sign => ({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})[sign] ?? sign)

/** @param {Piece[]} pieces @param {(piece: Piece) => string} mark @param {(text: string) => string} plain */
function write(pieces, mark, plain = text => text) {
  return pieces.map(each => (each.before === each.after ? plain(each.after) : mark(each))).join("")
}

/** @param {string} text @returns {string[]} */
const tokens = text => text.match(/<[^<>]*>|\s+|[\p{L}\p{N}\p{M}'’]+|[^\s]/gu) ?? []

/** Join equal pieces, and changes that only a space keeps apart. @param {Piece[]} pieces */
function tidy(pieces) {
  /** @type {Piece[]} */
  const tidied = []
  for (const piece of pieces) {
    const last = tidied[tidied.length - 1]
    const before = tidied[tidied.length - 2]
    const changed = piece.before !== piece.after
    if (last && (last.before !== last.after) === changed) add(last, piece)
    else if (changed && before && last && !last.before.trim() && !last.before.includes("\n")) {
      tidied.pop()
      add(add(before, last), piece)
    } else tidied.push({...piece})
  }
  return tidied
}

/** @param {Piece} to @param {Piece} piece */
function add(to, piece) {
  to.before += piece.before
  to.after += piece.after
  return to
}

/**
 * Compare two lists (Myers 1986): stretches [of the first, of the second, whether they are the same], in order.
 * @param {string[]} a
 * @param {string[]} b
 * @returns {[string[], string[], boolean][]}
 */
function compare(a, b) {
  let [head, tail] = [0, 0]
  const least = Math.min(a.length, b.length)
  while (head < least && a[head] === b[head]) head++
  while (tail < least - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  /** @type {[string[], string[], boolean][]} */
  const stretches = [
    [a.slice(0, head), b.slice(0, head), true],
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    [a.slice(a.length - tail), b.slice(b.length - tail), true],
  ]
  return joined(stretches.filter(([one, other]) => one.length || other.length))
}

/** Put what is taken away together with what comes instead. @param {[string[], string[], boolean][]} stretches */
function joined(stretches) {
  /** @type {[string[], string[], boolean][]} */
  const together = []
  for (const [one, other, same] of stretches) {
    const last = together[together.length - 1]
    if (last && !same && !last[2]) together[together.length - 1] = [[...last[0], ...one], [...last[1], ...other], false]
    else together.push([one, other, same])
  }
  return together
}

/** @param {string[]} a @param {string[]} b @returns {[string[], string[], boolean][]} */
function middle(a, b) {
  if (!a.length || !b.length) return [[a, b, false]]
  const rows = furthest(a, b)
  if (!rows) return [[a, b, false]]
  /** @type {[string[], string[], boolean][]} */
  const back = []
  let [x, y] = [a.length, b.length]
  for (let steps = rows.length - 1; steps >= 0; steps--) {
    const k = x - y
    const row = steps ? rows[steps - 1] : null
    const down = row && (k === -steps || (k !== steps && (row.get(k - 1) ?? -1) < (row.get(k + 1) ?? -1)))
    const before = row ? /** @type {number} */ (row.get(down ? k + 1 : k - 1)) : 0
    const from = row ? (down ? before : before + 1) : 0
    if (x > from) back.push([a.slice(from, x), b.slice(from - k, y), true])
    ;[x, y] = [from, from - k]
    if (!row) break
    if (down) back.push([[], [b[--y]], false])
    else back.push([[a[--x]], [], false])
  }
  return back.reverse()
}

/** How far each diagonal gets with so many steps; null where there would be too many. @param {string[]} a @param {string[]} b */
function furthest(a, b) {
  /** @type {Map<number, number>[]} */
  const rows = []
  for (let steps = 0; steps <= MOST_STEPS; steps++) {
    const last = rows[steps - 1]
    const row = new Map()
    for (let k = -steps; k <= steps; k += 2) {
      let x = 0
      if (last) {
        const [left, right] = [last.get(k - 1) ?? -1, last.get(k + 1) ?? -1]
        x = k === -steps || (k !== steps && left < right) ? right : left + 1
      }
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      row.set(k, x)
      if (x >= a.length && x - k >= b.length) {
        rows.push(row)
        return rows
      }
    }
    rows.push(row)
  }
  return null
}
