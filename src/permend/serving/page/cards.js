/**
 * The list of cards beside the text. It scrolls with the text (see layout.js); only the cards around what one sees
 * exist, however long the text is. On a narrow screen it is a sheet at the bottom, and cards follow one another.
 *
 *     const cards = new Cards(view, list, actions)
 *     cards.update(update)      // from the editor's update listener
 */
import {card} from "./card.js"
import {found, point, shown} from "./findings.js"
import {drift, stack} from "./layout.js"

/** @typedef {import("./types.js").Placed} Placed */

const GAP = 8
const LEVEL = 22 // a card's first line is level with the text's when it begins so much above it
const AROUND = 600 // pixels above and below what one sees

export class Cards {
  /**
   * @param {import("./codemirror.js").EditorView} view
   * @param {HTMLElement} scroller holds the list
   * @param {import("./card.js").Actions} actions
   */
  constructor(view, scroller, actions) {
    this.view = view
    this.scroller = scroller
    this.list = /** @type {HTMLElement} */ (scroller.firstElementChild)
    this.actions = actions
    /** @type {Map<string, {element: HTMLElement, sign: string, height: number}>} */
    this.drawn = new Map()
    /** @type {number[]} */
    this.wanted = []
    /** @type {number[]} */
    this.places = []
    this.collapsed = 78
    this.narrow = matchMedia("(max-width: 900px)")
    this.narrow.addEventListener("change", () => this.refresh())
    this.wish = ""
    this.byHand = false // the writer has scrolled the list itself
    view.scrollDOM.addEventListener("scroll", () => this.textScrolled(), {passive: true})
    for (const how of ["wheel", "touchmove", "pointerdown"]) scroller.addEventListener(how, () => (this.byHand = true), {passive: true})
    scroller.addEventListener("scroll", () => this.refresh(), {passive: true})
    scroller.addEventListener("mouseover", event => this.pointAt(event))
    scroller.addEventListener("mouseleave", () => this.pointAt(null))
    scroller.addEventListener("keydown", event => this.step(event))
    new ResizeObserver(() => this.refresh("follow")).observe(scroller)
    this.resized = new ResizeObserver(() => this.outgrown() && this.refresh("follow"))
  }

  /** @param {import("./codemirror.js").ViewUpdate} update */
  update(update) {
    const [before, now] = [update.startState.field(found), update.state.field(found)]
    if (before.hot !== now.hot) this.heat(now.hot)
    const {active, all, confidence, hidden} = now
    const same = active === before.active && all === before.all && confidence === before.confidence && hidden === before.hidden
    if (active !== before.active && active) this.byHand = false
    if (!same || update.geometryChanged || update.viewportChanged || update.docChanged)
      this.refresh(active !== before.active ? "glide" : "follow")
  }

  /** @param {"" | "follow" | "glide"} [wish] whether the list should stand beside the text afterwards, at once or smoothly */
  refresh(wish = "") {
    this.wish ||= wish
    this.view.requestMeasure({key: this, read: () => this.measure(), write: () => this.draw()})
  }

  measure() {
    this.findings = shown(this.view.state)
    const {scrollDOM, documentTop, viewport, defaultLineHeight} = this.view
    const origin = scrollDOM.getBoundingClientRect().top - scrollDOM.scrollTop
    this.wanted = this.findings.map(({start}) => {
      const drawn = start >= viewport.from && start <= viewport.to && this.view.coordsAtPos(start, 1)
      if (drawn) return drawn.top - origin - LEVEL
      const block = this.view.lineBlockAt(start)
      const share = (start - block.from) / Math.max(1, block.length)
      return documentTop - origin + block.top + share * (block.height - defaultLineHeight) - LEVEL
    })
    this.place()
    this.seen = {top: this.scroller.scrollTop, height: this.scroller.clientHeight}
    this.textHeight = scrollDOM.scrollHeight
  }

  /** Find every card's place, from the heights of those that are drawn. */
  place() {
    for (const each of this.drawn.values()) each.height = each.element.offsetHeight
    this.heights = (this.findings ?? []).map(each => this.drawn.get(each.key)?.height || this.collapsed)
    const wanted = this.narrow.matches ? this.wanted.map(() => 0) : this.wanted
    this.places = stack(wanted.map(top => Math.max(GAP, top)), this.heights, GAP)
  }

  outgrown() {
    return [...this.drawn.values()].some(each => each.height !== each.element.offsetHeight)
  }

  draw() {
    const findings = this.findings ?? []
    const {top, height} = this.seen ?? {top: 0, height: 0}
    const active = this.view.state.field(found).active
    const types = new Map()
    for (const {type} of findings) types.set(type, (types.get(type) ?? 0) + 1)
    const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest?.(".card"))?.dataset.key
    const wanted = new Set()
    /** @type {HTMLElement | null} */
    let previous = null
    findings.forEach((finding, at) => {
      const place = this.places[at]
      const near = place < top + height + AROUND && place + this.collapsed > top - AROUND
      if (!near && finding.key !== active && finding.key !== focused) return
      wanted.add(finding.key)
      const element = this.drawOne(finding, finding.key === active, types.get(finding.type))
      element.setAttribute("aria-posinset", String(at + 1))
      element.setAttribute("aria-setsize", String(findings.length))
      if (element.previousElementSibling !== previous) this.list.insertBefore(element, previous ? previous.nextSibling : this.list.firstChild)
      previous = element
    })
    for (const [key, {element}] of this.drawn) if (!wanted.has(key)) this.erase(key, element)
    if (this.outgrown()) this.place()
    findings.forEach((finding, at) => {
      const drawn = this.drawn.get(finding.key)
      if (drawn) drawn.element.style.transform = `translateY(${this.places[at]}px)`
    })
    const last = findings.length - 1
    const end = last < 0 ? 0 : this.places[last] + (this.heights?.[last] ?? 0) + 3 * GAP
    const run = last < 0 ? 0 : this.places[last] - this.wanted[last]
    this.list.style.height = `${this.narrow.matches ? end : Math.max(end, (this.textHeight ?? 0) + run)}px`
    if (this.wish && !this.byHand) this.follow(this.wish === "glide")
    this.wish = ""
  }

  /** @param {Placed} finding @param {boolean} open @param {number} same */
  drawOne(finding, open, same) {
    const {doc} = this.view.state
    const left = doc.sliceString(Math.max(0, finding.start - 30), finding.start).match(/\S+\s*$/)?.[0] ?? ""
    const right = doc.sliceString(finding.end, finding.end + 30).match(/^\s*\S+/)?.[0] ?? ""
    const {before, after, probability, type, explanation, alternatives, id} = finding
    const sign = JSON.stringify([before, after, probability, type, explanation, alternatives, id, open, open && same, left, right])
    const old = this.drawn.get(finding.key)
    if (old?.sign === sign) return old.element
    const element = card(finding, {open, same, left, right}, this.actions)
    if (this.view.state.field(found).hot === finding.key) element.classList.add("hot")
    if (old) {
      const focused = [...old.element.querySelectorAll("button")].indexOf(/** @type {any} */ (document.activeElement))
      element.style.transform = old.element.style.transform
      this.resized.unobserve(old.element)
      old.element.replaceWith(element)
      if (focused >= 0) element.querySelectorAll("button")[focused]?.focus()
    } else this.list.append(element)
    this.drawn.set(finding.key, {element, sign, height: 0})
    this.resized.observe(element)
    return element
  }

  /** @param {string} key @param {HTMLElement} element */
  erase(key, element) {
    this.resized.unobserve(element)
    element.remove()
    this.drawn.delete(key)
  }

  textScrolled() {
    this.byHand = false
    if (!this.narrow.matches) this.follow(false)
  }

  /** Scroll along with the text. @param {boolean} smoothly */
  follow(smoothly) {
    const top = this.beside()
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches
    if (top !== null) this.scroller.scrollTo({top, behavior: smoothly && !calm ? "smooth" : "instant"})
  }

  /**
   * Where the list stands beside the text. The open card is level with its line, if one sees that; otherwise the cards
   * around the line one reads: at the beginning of the text the first one in sight, at its end the last.
   */
  beside() {
    const {scrollTop, scrollHeight, clientHeight} = this.view.scrollDOM
    const active = this.view.state.field(found).active
    const at = this.findings?.findIndex(each => each.key === active) ?? -1
    if (this.narrow.matches) return at < 0 ? null : this.places[at] - GAP
    const level = this.wanted[at]
    if (at >= 0 && level > scrollTop - LEVEL && level < scrollTop + clientHeight) {
      const whole = this.places[at] + (this.heights?.[at] ?? 0) + GAP - this.scroller.clientHeight
      return Math.max(scrollTop + this.places[at] - level, whole)
    }
    const share = scrollHeight > clientHeight ? scrollTop / (scrollHeight - clientHeight) : 0
    return scrollTop + drift(scrollTop + share * clientHeight, this.wanted, this.places)
  }

  /** @param {string | null} key */
  heat(key) {
    for (const [name, {element}] of this.drawn) element.classList.toggle("hot", name === key)
  }

  /** @param {Event | null} event */
  pointAt(event) {
    const key = /** @type {Element | undefined} */ (event?.target)?.closest("[data-key]")?.getAttribute("data-key") ?? null
    if (key !== this.view.state.field(found).hot) this.view.dispatch({effects: point.of(key)})
  }

  /** Arrow keys go from card to card, Delete dismisses, Escape returns to the text. @param {KeyboardEvent} event */
  step(event) {
    const here = /** @type {HTMLElement} */ (event.target).closest(".card")
    const key = /** @type {HTMLElement | null} */ (here)?.dataset.key
    const to = event.key === "ArrowDown" ? here?.nextElementSibling : event.key === "ArrowUp" ? here?.previousElementSibling : null
    if (to) /** @type {HTMLElement} */ (to.querySelector(".suggestion")).focus()
    else if (event.key === "Delete" && key) this.actions.dismiss(key, event)
    else if (event.key === "Escape") this.view.focus()
    else return
    event.preventDefault()
  }

  /** Put the keyboard on a card: that of a finding, or else the first at or behind a place in the list. @param {string} key */
  focus(key) {
    this.drawn.get(key)?.element.querySelector(/** @type {"button"} */ (".suggestion"))?.focus()
  }
}
