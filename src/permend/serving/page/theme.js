/** Light, dark, or as the system has it. The switch goes to the other one of what one sees. */
import {byId} from "./dom.js"
import {keep, recall} from "./store.js"

const dark = matchMedia("(prefers-color-scheme: dark)")

export function followTheme() {
  show()
  dark.addEventListener("change", show)
  byId("theme").addEventListener("click", () => {
    const next = shownTheme() === "dark" ? "light" : "dark"
    keep({theme: next === (dark.matches ? "dark" : "light") ? "" : next})
    show()
  })
}

const shownTheme = () => recall().theme || (dark.matches ? "dark" : "light")

function show() {
  document.documentElement.dataset.theme = shownTheme()
  byId("theme").setAttribute("aria-label", shownTheme() === "dark" ? "Light colours" : "Dark colours")
}
