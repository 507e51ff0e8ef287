/**
 * The text goes to the server when the writer pauses; findings come back in stretches and land where the text is now.
 *
 *     const checking = new Checking(view, () => ({format: "plain", mode: "balanced"}), state => …)
 *     checking.textChanged(update.changes)     // soon, the old request is given up
 *     checking.start()                         // now: another mode, another word in the dictionary
 *
 * Told states: "resting" (no text), "checking" with a share done, "done", "gone" (nobody answers; it tries again by
 * itself, ever more slowly), "busy", "long" (the server takes no text of this size), "locked" (a token is needed),
 * "failed" with the server's sentence.
 */
import {Gone, Refusal, ask, askForLines} from "./api.js"
import {arrive, finish, moveAll, stands} from "./findings.js"

/** @typedef {{state: string, share?: number, message?: string, recovered?: boolean}} Told */

const PAUSE = 350
const LONGEST_PAUSE = 1500
const THINKING = 2000 // a word at which the writer stopped for so long is taken to be finished
const FIRST_RETRY = 1000
const LAST_RETRY = 15000

export class Checking {
  /**
   * @param {import("./codemirror.js").EditorView} view
   * @param {() => {format: string, mode?: string}} options
   * @param {(told: Told) => void} tell
   */
  constructor(view, options, tell) {
    this.view = view
    this.options = options
    this.tell = tell
    this.most = Infinity
    this.run = 0
    this.retry = FIRST_RETRY
    this.waitingSince = 0
    this.gone = false
    this.finished = false // the word at the cursor
    this.heldBack = false
    /** @type {any} */
    this.timer = 0
    /** @type {AbortController | null} */
    this.request = null
    /** @type {import("./codemirror.js").ChangeDesc | null} since the text was sent */
    this.changes = null
    /** Findings that the writer has sent away and the server may not know of yet. @type {(finding: any) => boolean} */
    this.unwanted = () => false
  }

  /** @param {import("./codemirror.js").ChangeDesc} changes */
  textChanged(changes) {
    this.changes = this.changes?.composeDesc(changes) ?? null
    this.finished = false
    const now = performance.now()
    this.waitingSince ||= now
    this.later(Math.max(0, Math.min(PAUSE, this.waitingSince + LONGEST_PAUSE - now)))
  }

  /** @param {number} wait in milliseconds */
  later(wait) {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.start(), wait)
  }

  /** Check now; an older request is given up, which frees the server. */
  async start() {
    clearTimeout(this.timer)
    this.waitingSince = 0
    this.request?.abort()
    const request = (this.request = new AbortController())
    const run = ++this.run
    this.heldBack = false
    const text = this.view.state.doc.toString()
    this.changes = this.view.state.changes().desc
    try {
      if (text.length > this.most) throw new Refusal(413, "", 0)
      if (text.trim()) await this.check(text, run, request.signal)
      else if (this.gone) await ask("GET", "/api/health")
      if (run !== this.run) return
      this.view.dispatch({effects: finish.of(run)})
      this.tell({state: text.trim() ? "done" : "resting", recovered: this.answered()})
      if (this.heldBack) this.later(THINKING)
      this.finished = this.heldBack
    } catch (error) {
      if (!request.signal.aborted) this.failed(error)
    } finally {
      if (this.request === request) this.request = this.changes = null
    }
  }

  /** @param {string} text @param {number} run @param {AbortSignal} signal */
  async check(text, run, signal) {
    if (!this.gone) this.tell({state: "checking", share: 0})
    for await (const line of askForLines("/api/check/stream", {text, ...this.options()}, signal)) {
      if (line.error) throw new Error(line.error)
      if (line.done) return
      this.land(line, run)
      this.tell({state: "checking", share: line.end / text.length, recovered: this.answered()})
    }
    throw new Gone("the answer broke off")
  }

  /** @param {{start: number, end: number, findings: any[]}} line @param {number} run */
  land({start, end, findings}, run) {
    const {doc} = this.view.state
    const changes = this.changes ?? this.view.state.changes().desc
    const wanted = moveAll(findings, changes).filter(each => stands(each, doc, changes) && !this.unwanted(each))
    const placed = wanted.filter(each => this.finished || !this.isBeingWritten(each))
    this.heldBack ||= placed.length < wanted.length
    const stretch = {start: changes.mapPos(start, -1), end: changes.mapPos(end, 1), run, findings: placed}
    this.view.dispatch({effects: arrive.of(stretch)})
  }

  /**
   * Whether a finding is about a word that may be half written: the cursor is right behind it, at the end of a line.
   * @param {{end: number, before: string}} finding
   */
  isBeingWritten({end, before}) {
    const {doc, selection} = this.view.state
    const {main} = selection
    return this.view.hasFocus && main.empty && main.head === end && doc.lineAt(end).to === end && /[\p{L}\p{N}]$/u.test(before)
  }

  /** The server answers; return whether it did not before. */
  answered() {
    const recovered = this.gone
    this.gone = false
    this.retry = FIRST_RETRY
    return recovered
  }

  /** @param {unknown} error */
  failed(error) {
    if (error instanceof Refusal && error.status === 503) {
      this.tell({state: "busy"})
      this.later(error.retryAfter * 1000)
    } else if (error instanceof Refusal && error.status === 413) {
      this.tell({state: "long", message: error.message})
    } else if (error instanceof Refusal && error.status === 401) {
      this.tell({state: "locked"})
    } else if (error instanceof Gone) {
      this.gone = true
      this.tell({state: "gone"})
      this.later(this.retry)
      this.retry = Math.min(2 * this.retry, LAST_RETRY)
    } else {
      this.tell({state: "failed", message: error instanceof Error ? error.message : String(error)})
    }
  }
}
