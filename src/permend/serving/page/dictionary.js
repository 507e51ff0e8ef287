/** The dialog with the writer's own words: what is in it, one more, one less. */
import {ask} from "./api.js"
import {byId, icon, make} from "./dom.js"

export class Dictionary {
  /** @param {import("./wishes.js").Wishes} wishes */
  constructor(wishes) {
    this.wishes = wishes
    this.dialog = /** @type {HTMLDialogElement} */ (byId("dictionary"))
    this.field = /** @type {HTMLInputElement} */ (byId("new-word"))
    byId("dictionary-form").addEventListener("submit", event => {
      event.preventDefault()
      const word = this.field.value.trim()
      this.field.value = ""
      if (!word || this.words.includes(word)) return
      this.wishes.learn(word)
      this.draw([...this.words, word].sort((one, other) => one.localeCompare(other)))
    })
    /** @type {string[]} */
    this.words = []
  }

  async show() {
    this.draw(this.words)
    if (!this.dialog.open) this.dialog.showModal()
    try {
      this.draw((await ask("GET", "/api/words")).words)
    } catch {
      byId("words").replaceChildren(make("li", {class: "hint"}, "The server does not answer just now."))
    }
  }

  /** @param {string[]} words */
  draw(words) {
    this.words = words
    const rows = words.map(word => {
      const remove = () => {
        this.wishes.unlearn(word)
        this.draw(this.words.filter(each => each !== word))
        this.field.focus()
      }
      return make("li", {}, make("span", {}, word), make("button", {class: "icon-button", type: "button", "aria-label": `Remove ${word}`, onclick: remove}, icon("close")))
    })
    byId("words").replaceChildren(...(rows.length ? rows : [make("li", {class: "hint"}, "No words yet.")]))
  }
}
