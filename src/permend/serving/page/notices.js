/**
 * What the page says: a line of status, a banner for what stands in the way, a toast with a way back, and a voice for
 * screen readers.
 */
import {byId, make} from "./dom.js"

/** @type {any} */
let fading = 0
/** @type {any} */
let speaking = 0

/** A short message at the bottom, maybe with a way back. @param {string} message @param {{label: string, go: () => void}} [action] */
export function toast(message, action) {
  const place = byId("toast")
  clearTimeout(fading)
  const hide = () => {
    place.classList.remove("up")
    fading = setTimeout(() => place.replaceChildren(), 300)
  }
  const back = action && make("button", {type: "button", onclick: () => (hide(), action.go())}, action.label)
  place.replaceChildren(make("span", {}, message), ...(back ? [back] : []))
  place.classList.add("up")
  fading = setTimeout(hide, action ? 8000 : 3500)
}

/** Say something to a screen reader once things are quiet. @param {string} message @param {number} [after] milliseconds */
export function speak(message, after = 100) {
  clearTimeout(speaking)
  speaking = setTimeout(() => {
    if (byId("voice").textContent !== message) byId("voice").textContent = message
  }, after)
}

/** @param {string} tone "calm" or "warn" @param {string} message @param {{label: string, go: () => void}} [action] */
export function banner(tone, message, action) {
  const place = byId("banner")
  if (place.dataset.message === message) return
  place.dataset.message = message
  place.className = `banner ${tone}`
  const button = action && make("button", {class: "quiet", type: "button", onclick: action.go}, action.label)
  place.replaceChildren(make("span", {}, message), ...(button ? [button] : []))
  place.hidden = false
}

export function noBanner() {
  const place = byId("banner")
  place.hidden = true
  delete place.dataset.message
}
