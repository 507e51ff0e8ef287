/**
 * What the writer wants to be remembered on the server's machine: dismissed findings and words. It holds here at once;
 * the server learns it now, or when it answers again.
 *
 *     wishes.dismiss("7f0ae2c411"); wishes.restore("7f0ae2c411"); wishes.learn("Kubernetes"); wishes.unlearn("Kubernetes")
 *     wishes.refuses(finding)      // whether it should not be shown, although the server may still send it
 */
import {Gone, Refusal, ask} from "./api.js"

export class Wishes {
  /**
   * @param {() => void} changed called when the server has learnt something that changes findings
   * @param {(message: string) => void} tell where the server will not learn it
   */
  constructor(changed, tell) {
    this.changed = changed
    this.tell = tell
    /** @type {Set<string>} */
    this.dismissed = new Set()
    /** @type {Set<string>} */
    this.words = new Set()
    /** @type {[string, string, object?][]} */
    this.waiting = []
  }

  /** @param {{id: string, before: string}} finding */
  refuses({id, before}) {
    return this.dismissed.has(id) || this.words.has(before.trim())
  }

  /** @param {string} id */
  dismiss(id) {
    this.dismissed.add(id)
    this.send("POST", "/api/dismissed", {id})
  }

  /** @param {string} id */
  restore(id) {
    this.dismissed.delete(id)
    this.send("DELETE", `/api/dismissed?id=${encodeURIComponent(id)}`)
  }

  /** @param {string} word */
  learn(word) {
    this.words.add(word)
    this.send("POST", "/api/words", {word})
  }

  /** @param {string} word */
  unlearn(word) {
    this.words.delete(word)
    this.send("DELETE", `/api/words?word=${encodeURIComponent(word)}`)
  }

  /** @param {string} method @param {string} path @param {object} [body] */
  send(method, path, body) {
    this.waiting.push([method, path, body])
    this.sendAll()
  }

  /** Send what waits, in order; what cannot be sent now waits on. */
  async sendAll() {
    if (this.sending || !this.waiting.length) return
    this.sending = true
    try {
      while (this.waiting.length) {
        await ask(...this.waiting[0])
        this.waiting.shift()
      }
      this.changed()
    } catch (error) {
      if (error instanceof Gone || (error instanceof Refusal && [401, 503].includes(error.status))) return
      this.waiting.shift()
      this.tell(`This holds until you leave the page: ${error instanceof Error ? error.message : error}.`)
    } finally {
      this.sending = false
    }
  }
}
