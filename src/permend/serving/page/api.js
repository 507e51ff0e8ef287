/**
 * The server's answers. Everything goes to the host that the page came from, and nowhere else.
 *
 *     const info = await ask("GET", "/api/info")
 *     for await (const line of askForLines("/api/check/stream", {text}, signal)) …
 *
 * What goes wrong is a `Refusal` (the server said no, with a status) or a `Gone` (nobody answered).
 */

export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {number} retryAfter seconds
   */
  constructor(status, message, retryAfter) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

export class Gone extends Error {}

const TOKEN = "permend.token"

/** Take a token from the address (#token=…), keep it for this tab, and take it out of the address. */
export function takeToken() {
  const found = new URLSearchParams(location.hash.slice(1)).get("token")
  if (!found) return
  setToken(found)
  history.replaceState(null, "", location.pathname + location.search)
}

/** @param {string} token */
export const setToken = token => sessionStorage.setItem(TOKEN, token)

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(method, path, body, signal) {
  return (await send(method, path, body, signal)).json()
}

/**
 * Post something and yield the lines of the answer (NDJSON), each as soon as it is there.
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} signal
 */
export async function* askForLines(path, body, signal) {
  const answer = await send("POST", path, body, signal)
  const reader = /** @type {ReadableStream<Uint8Array>} */ (answer.body).getReader()
  const decoder = new TextDecoder()
  let rest = ""
  for (;;) {
    const {done, value} = await reader.read().catch(stop(signal))
    const lines = (rest + decoder.decode(value, {stream: !done})).split("\n")
    rest = done ? "" : /** @type {string} */ (lines.pop())
    for (const line of lines) if (line.trim()) yield JSON.parse(line)
    if (done) return
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 */
async function send(method, path, body, signal) {
  /** @type {Record<string, string>} */
  const headers = body ? {"Content-Type": "application/json"} : {}
  const token = sessionStorage.getItem(TOKEN)
  if (token) headers.Authorization = `Bearer ${String.fromCharCode(...new TextEncoder().encode(token))}` // a header has bytes
  const answer = await fetch(path, {method, headers, body: body && JSON.stringify(body, whole), signal}).catch(stop(signal))
  if (answer.ok) return answer
  const said = await answer.json().catch(() => ({}))
  const wait = Number(answer.headers.get("Retry-After")) || 2
  throw new Refusal(answer.status, String(said.error || `The server answered with ${answer.status}.`), wait)
}

/** Have a sign of the same length stand for half a character, which no server can read. @param {string} _ @param {unknown} value */
const whole = (_, value) => (typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value)

/**
 * @param {AbortSignal} [signal]
 * @returns {(error: Error) => never}
 */
const stop = signal => error => {
  throw signal?.aborted ? error : new Gone(error.message)
}
