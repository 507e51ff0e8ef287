/**
 * Elements. `make("button", {class: "quiet", onclick: go}, "Go")` is a button; text is always text, never markup.
 */

/**
 * @param {string} tag
 * @param {Record<string, any>} [traits] attributes; functions become listeners, false and null are left out
 * @param {...(Node | string | null | false | undefined)} children
 * @returns {HTMLElement}
 */
export function make(tag, traits = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(traits)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value)
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : String(value))
  }
  element.append(.../** @type {(Node | string)[]} */ (children.filter(child => child != null && child !== false)))
  return element
}

/**
 * @param {string} name of a symbol in index.html
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const svg = draw("svg", {class: "icon", "aria-hidden": "true"})
  svg.append(draw("use", {href: `#icon-${name}`}))
  return /** @type {SVGSVGElement} */ (svg)
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} [traits]
 * @returns {SVGElement}
 */
export function draw(tag, traits = {}) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag)
  for (const [name, value] of Object.entries(traits)) element.setAttribute(name, String(value))
  return element
}

/**
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  return /** @type {T} */ (document.getElementById(id))
}

/** @param {number} share 0 to 1 */
export const percent = share => `${Math.round(share * 100)} %`

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`
