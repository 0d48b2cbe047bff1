// The server's answers over HTTP.

/** Milliseconds until the stream of commits is asked for again after its end. */
const PAUSE = 2000;
/** Characters of an event; a longer one isn't an event of this server. */
const EVENT_LENGTH = 1 << 20;

/** @typedef {{change: string, type?: string, id?: string}} NamedChange */
/** @typedef {{user?: string, by?: string, agent?: string, address?: string}} Publisher */
/** @typedef {{revision: number, time: number, publisher?: Publisher, key?: string, changes: NamedChange[],
 *   count: number}} Commit */
/** @typedef {{path?: string, reason: string, detail: string}} Mistake */

/** A refusal by the server. */
export class Refusal extends Error {
  /** @param {number} status @param {{reason?: string, detail?: string, mistakes?: Mistake[]}} problem */
  constructor(status, { reason = "", detail = "", mistakes = [] }) {
    super(detail || `the server answers ${status}`);
    this.status = status;
    this.reason = reason;
    this.mistakes = mistakes;
  }
}

export class Api {
  /** @param {() => {token: string, user: string}} credentials */
  constructor(credentials) {
    this.credentials = credentials;
  }

  /** @param {Record<string, string>} more */
  #fields(more) {
    const { token, user } = this.credentials();
    if (token) return { Authorization: `Bearer ${token}`, ...more };
    return user ? { "Marquee-User": encodeURIComponent(user), ...more } : more;
  }

  /**
   * Asks, and returns the answer's text.
   * @param {string} path
   * @param {{method?: string, body?: string, signal?: AbortSignal}} options
   * @throws {Refusal}
   */
  async text(path, { method = "GET", body, signal } = {}) {
    const headers = this.#fields(body === undefined ? {} : { "Content-Type": "application/json" });
    const response = await fetch(path, { method, body, signal, headers, cache: "no-store" });
    const text = await response.text();
    if (!response.ok) throw new Refusal(response.status, problemOf(text));
    return text;
  }

  /** @param {string} path @param {{method?: string, body?: string, signal?: AbortSignal}} [options] */
  async json(path, options) {
    return JSON.parse(await this.text(path, options));
  }

  /**
   * Calls a function with each commit that the server remembers, and with each that comes, until it is aborted.
   * @param {(commit: Commit) => void} receive
   * @param {(isLive: boolean) => void} say
   * @param {AbortSignal} signal
   * @throws {Refusal} when the server refuses
   */
  async commits(receive, say, signal) {
    let last = "";
    while (!signal.aborted) {
      try {
        const headers = this.#fields({ Accept: "text/event-stream", ...(last ? { "Last-Event-ID": last } : {}) });
        const response = await fetch("/v1/commits", { headers, signal, cache: "no-store" });
        if (!response.ok) throw new Refusal(response.status, problemOf(await response.text()));
        say(true);
        for await (const { id, name, data } of eventsOf(response)) {
          if (id) last = id;
          if (name === "commit") receive(JSON.parse(data));
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Refusal && error.status < 500) throw error;
      }
      say(false);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

/** @param {string} text */
function problemOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Server-sent events.
 * @param {Response} response */
async function* eventsOf(response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done || text.length > EVENT_LENGTH) return void reader?.cancel();
    text += value;
    for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
      const event = { id: "", name: "", data: "" };
      for (const line of text.slice(0, end).split("\n")) {
        if (line.startsWith("id: ")) event.id = line.slice(4);
        else if (line.startsWith("event: ")) event.name = line.slice(7);
        else if (line.startsWith("data: ")) event.data += line.slice(6);
      }
      yield event;
    }
  }
}
