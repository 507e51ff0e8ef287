/**
 * "See how it decided": the sentences that were weighed, each of which can be taken, and the matrix behind them.
 *
 *     const deciding = new Deciding(view, () => "balanced")
 *     deciding.show("He go to school.", 0)      // a sentence, and about where it stands in the text
 */
import {ask} from "./api.js"
import {bar} from "./card.js"
import {byId, icon, make, percent} from "./dom.js"
import {heatMap, steps} from "./matrix.js"
import {locate, replacing} from "./sentence.js"
import {diff} from "./tracked.js"

/** @typedef {import("./types.js").Trace} Trace */
/** @typedef {import("./types.js").Hypothesis} Hypothesis */

const MOST = 8

export class Deciding {
  /** @param {import("./codemirror.js").EditorView} view @param {() => string} mode @param {(message: string) => void} tell */
  constructor(view, mode, tell) {
    this.view = view
    this.mode = mode
    this.tell = tell
    this.dialog = /** @type {HTMLDialogElement} */ (byId("deciding"))
    this.near = 0
    this.sentence = ""
  }

  /** @param {string} sentence @param {number} near */
  async show(sentence, near) {
    Object.assign(this, {sentence, near})
    const body = byId("deciding-body")
    body.replaceChildren(make("p", {class: "waiting"}, "Reading the sentence once more…"))
    if (!this.dialog.open) this.dialog.showModal()
    try {
      const trace = await ask("POST", "/api/trace", {sentence, mode: this.mode() || undefined})
      if (this.sentence === sentence) this.draw(body, trace)
    } catch (error) {
      body.replaceChildren(make("p", {class: "waiting"}, error instanceof Error && "status" in error ? error.message : "The server does not answer. Try again in a moment."))
    }
  }

  /** @param {HTMLElement} body @param {Trace} trace */
  draw(body, trace) {
    const place = locate(this.view.state.doc.toString(), this.sentence, this.near)
    const chosen = trace.hypotheses.find(each => each.chosen) ?? trace.hypotheses[0]
    const figure = make("div", {class: "figure"})
    const list = make("ol", {class: "hypotheses"}, ...trace.hypotheses.slice(0, MOST).map(each => this.choice(each, trace, figure, place)))
    body.replaceChildren(
      make("section", {class: "weighed", "aria-labelledby": "weighed-title"}, make("h3", {id: "weighed-title"}, "Sentences it weighed"), make("p", {class: "hint"}, place ? "Each with its share of what they have together. Click one to see its path, or use it." : "Markup stands between these words, so a whole sentence cannot be put in their place."), list),
      make("section", {class: "pointer", "aria-labelledby": "pointer-title"}, make("h3", {id: "pointer-title"}, "The pointer’s matrix"), make("p", {class: "hint"}, "A row says what follows the word on its left; the darker, the likelier. Frames show the path that was taken, ▢ a slot where a small decoder writes new words."), figure),
    )
    this.drawMatrix(figure, trace, chosen)
  }

  /** @param {Hypothesis} hypothesis @param {Trace} trace @param {HTMLElement} figure @param {{from: number, to: number} | null} place */
  choice(hypothesis, trace, figure, place) {
    const {text, margin, chosen, unchanged} = hypothesis
    const share = Math.exp(margin) / trace.hypotheses.reduce((sum, each) => sum + Math.exp(each.margin), 0)
    const marks = diff(this.sentence, text).flatMap(({before, after}) => {
      /** @type {(string | HTMLElement)[]} */
      const marked = before === after ? [after] : [before && make("del", {}, before), after && make("ins", {}, after)]
      return marked
    })
    const path = make(
      "button",
      {class: "hypothesis", type: "button", "aria-pressed": String(chosen), onclick: () => {
        for (const other of figure.ownerDocument.querySelectorAll(".hypothesis")) other.setAttribute("aria-pressed", String(other === path))
        this.drawMatrix(figure, trace, hypothesis)
      }},
      make("span", {class: "sentence"}, ...marks),
      make("span", {class: "verdict"}, bar(share), percent(share), chosen && make("b", {}, "Chosen"), unchanged && make("span", {}, "As it stands")),
    )
    return make("li", {}, path, !unchanged && place && make("button", {class: "quiet take", type: "button", onclick: () => this.take(text)}, icon("check"), "Use"))
  }

  /** @param {string} sentence */
  take(sentence) {
    const text = this.view.state.doc.toString()
    const place = locate(text, this.sentence, this.near)
    this.dialog.close()
    if (!place) return this.tell("The sentence has changed meanwhile.")
    this.view.dispatch({changes: replacing(text, place, sentence), userEvent: "input.accept.sentence"})
    this.tell("Sentence replaced.")
    this.view.focus()
  }

  /** @param {HTMLElement} figure @param {Trace} trace @param {Hypothesis} hypothesis */
  drawMatrix(figure, trace, hypothesis) {
    const said = make("p", {class: "said", "aria-hidden": "true"}, "\u00a0")
    const rows = steps(trace, hypothesis).map(({from, to, probability}) =>
      make("tr", {}, make("td", {}, from), make("td", {}, to), make("td", {}, percent(probability))),
    )
    figure.replaceChildren(
      make("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": "Heat map"}, heatMap(trace, hypothesis, text => (said.textContent = text || "\u00a0"))),
      said,
      make("details", {}, make("summary", {}, "The path as a table"), make("table", {}, make("thead", {}, make("tr", {}, ...["After", "comes", "probability"].map(name => make("th", {scope: "col"}, name)))), make("tbody", {}, ...rows))),
    )
  }
}
