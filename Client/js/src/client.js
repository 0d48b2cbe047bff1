/** The public client. */

import { changesBetween } from "./changes.js";
import { COLLECTION, MAX_EVENTS, SEARCH, TIMEOUT } from "./constants.js";
import { Item } from "./content.js";
import { Engine, memory } from "./engine.js";
import { FATAL, MarqueeError } from "./errors.js";
import { decode, encode } from "./protobuf.js";
import { Screen } from "./screen.js";
import { COLLECTIONS } from "./view.js";
import { websocket } from "./websocket.js";

/** @typedef {import("./outbox.js").Row} Row */
/** @typedef {import("./engine.js").Message} Message */
/** @typedef {import("./core.js").Ticket} Ticket */
/** @typedef {import("./engine.js").ScreenState} ScreenState */
/** @typedef {import("./view.js").SectionOptions} SectionOptions */

/**
 * @typedef {object} Options
 * @property {string} [user] the user that the client identifies as; a token proves it
 * @property {string | ((request: {refused: string | undefined}) => string | Promise<string>)} [token] a function is
 *   called for each connection, and again before its token expires; `refused` is a token that the server refused
 * @property {import("./engine.js").Mirror} [mirror] memory by default
 * @property {import("./websocket.js").Transport} [transport] WebSocket by default
 * @property {number} [timeout] of calls, in milliseconds
 * @property {string} [locale] the default for screens and searches
 * @property {{creditBytes?: number, cutBytes?: number}} [limits] bytes that the server may send ahead
 */

/** @typedef {{signal?: AbortSignal, timeout?: number}} CallOptions */
/** @typedef {{screen: Screen, changes: import("./changes.js").Change[]}} Update */
/**
 * A member of a collection.
 * @typedef {{subject: string, value: any, pending: boolean}} Member
 */
/** @typedef {{members: Member[], live: boolean, asOf: Date}} CollectionState */

/**
 * A generator of pushed values, which starts when it is first iterated. Only the newest unread values are kept.
 * @template T
 * @param {number} kept how many unread values are kept
 * @param {AbortSignal | undefined} signal
 * @param {(push: (value: T) => void, end: (error?: unknown) => void) => () => void} start returns the function that
 *   stops it; `end` takes effect after the unread values
 * @returns {AsyncGenerator<T, void, void>}
 */
async function* loop(kept, signal, start) {
  /** @type {T[]} */
  const values = [];
  /** @type {{error?: unknown} | undefined} */
  let ending;
  let wake = () => {};
  const end = (/** @type {unknown} */ error) => {
    ending = { error };
    wake();
  };
  const stop = start((value) => {
    if (values.push(value) > kept) values.shift();
    wake();
  }, end);
  const stopListening = onAbort(signal, end);
  try {
    for (;;)
      if (values.length) yield /** @type {T} */ (values.shift());
      else if (ending) {
        if (ending.error) throw ending.error;
        return;
      } else await new Promise((/** @type {(value?: unknown) => void} */ resolve) => (wake = resolve));
  } finally {
    stopListening();
    stop();
  }
}

/**
 * Calls back when a signal is aborted, or at once if it already is.
 * @param {AbortSignal | undefined} signal
 * @param {(error: MarqueeError) => void} run
 * @returns {() => void} stops listening
 */
function onAbort(signal, run) {
  const abort = () => run(new MarqueeError("ABORTED", FATAL, { cause: signal?.reason }));
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  return () => signal?.removeEventListener("abort", abort);
}

export class MarqueeClient {
  /** @type {import("./engine.js").Port} */ #port;
  #options;
  /**
   * Requests that have not ended, by ticket.
   * @type {Map<Ticket, Message>}
   */
  #open = new Map();
  /**
   * Listeners for messages about the client as a whole.
   * @type {Set<Ticket>}
   */
  #listeners = new Set();
  /** @type {readonly Row[]} */
  #rows = [];
  /** @type {Message} */
  #state = { type: "state", state: "idle" };
  /** @type {ScreenState | undefined} */
  #collections;
  /** @type {Ticket} that watches the collections */
  #watch = () => {};
  #isClosed = false;

  /**
   * The server's base URL for images, to which an image's name is appended.
   * @type {string | undefined}
   */
  imageBaseUrl;

  /**
   * @param {string} url `wss://host`, or what another transport expects
   * @param {Options} [options]
   */
  constructor(url, options = {}) {
    const { mirror = memory(), transport = websocket } = options;
    this.#options = options;
    /** The default for screens and searches. */
    this.locale = options.locale ?? "";
    this.#port = (mirror.share ?? ((start) => start()))(() => new Engine(url, { ...options, mirror, transport }));
    this.#port.receive(this.#handle, { type: "hello" });
  }

  // ---------------------------------------------------------------- screens

  /**
   * A screen: the mirror's state, then each newer one. Leaving the loop ends the subscription. A slow loop skips
   * states; `changes` are those since the last state it received.
   * @param {string} name
   * @param {SectionOptions & {locale?: string, signal?: AbortSignal}} [options]
   * @returns {AsyncGenerator<Update, void, void>}
   * @throws {MarqueeError} in the loop, if the server refuses the screen or the connection for good
   */
  async *screen(name, options = {}) {
    const { locale = this.locale, sorts, windows, signal } = options;
    /** @type {AsyncGenerator<ScreenState, void, void>} */
    const states = loop(1, signal, (push, end) => {
      /** @type {ScreenState | undefined} */
      let state;
      const ticket = this.#ask({ type: "watch", screen: name, locale, options: { sorts, windows } }, (message) => {
        if (message.type === "done") end(message.error);
        else push((state = /** @type {any} */ (message)));
      });
      const stop = this.#listen(({ type }) => {
        if (type === "rows" && state) push(state);
      });
      return () => {
        stop();
        this.#leave(ticket);
      };
    });
    /** @type {Screen | undefined} */
    let shown;
    /** @type {ScreenState | undefined} */
    let last;
    for await (const one of states) {
      const screen = new Screen(one, this.#rows);
      const changes = shown ? changesBetween(shown, screen) : [];
      shown = screen;
      // Otherwise only rows of the outbox have changed, and none of them affects this screen.
      if (one !== last || changes.length) yield { screen, changes };
      last = one;
    }
  }

  /**
   * Changes the sorts or windows of a screen that is being iterated, for all its loops. If the server refuses them, the
   * client emits the event `optionsRefused`.
   * @param {string} name
   * @param {SectionOptions & {locale?: string}} options
   */
  setOptions(name, { locale = this.locale, sorts, windows }) {
    for (const [ticket, { screen, locale: one }] of this.#open)
      if (screen === name && one === locale)
        return this.#port.receive(ticket, { type: "options", options: { sorts, windows } });
    throw new MarqueeError("NOT_SHOWN");
  }

  // ---------------------------------------------------------------- collections

  /**
   * A collection of the user: a set of subjects. Changes are stored at once, and sent once there is a connection.
   * @param {string} name
   */
  collection(name) {
    const change = (/** @type {string} */ subject, /** @type {boolean} */ member, /** @type {string} */ value) =>
      this.change({
        method: COLLECTION, type: "CollectionRequest", subject, collection: name,
        messages: [{ subject, member, value, collection: name === "favorites" ? undefined : name }],
      });
    /**
     * The members, newest first, and each newer state.
     * @param {{signal?: AbortSignal}} options
     * @returns {AsyncGenerator<CollectionState, void, void>}
     */
    const states = ({ signal } = {}) =>
      loop(1, signal, (push, end) => {
        /** @param {Message} message */
        const show = ({ error, type }) => {
          if (type === "closed") end(error);
          if (type !== "rows") return;
          const members = this.#members(name);
          const { asOf = 0, live = false } = this.#collections ?? {};
          if (this.#collections || members.length) push({ members, live, asOf: new Date(asOf) });
        };
        const stop = this.#listen(show);
        show({ type: "rows" });
        return stop;
      });
    return {
      /**
       * Makes a subject a member, or gives it another value. Resolves when the change is stored. The result's
       * `confirmed` resolves when the server has applied the change, and rejects with the reason if it was rolled back.
       * @param {string} subject such as `movie/27205`
       * @param {any} [value] what the collection keeps with it
       */
      set: (subject, value) => change(subject, true, JSON.stringify(value)),
      /**
       * Removes a subject.
       * @param {string} subject
       */
      remove: (subject) => change(subject, false, /** @type {any} */ (undefined)),
      /**
       * Whether a subject is a member, as far as the client knows, including pending changes.
       * @param {string} subject
       */
      has: (subject) => this.#members(name).some((member) => member.subject === subject),
      states,
      [Symbol.asyncIterator]: states,
    };
  }

  /**
   * Puts a change into the outbox.
   * @param {import("./outbox.js").Mutation} mutation
   * @returns {Promise<{confirmed: Promise<{changed: boolean}>}>}
   */
  change(mutation) {
    return new Promise((resolve, reject) => {
      const confirmed = new Promise((confirm, refuse) => {
        this.#ask({ type: "change", mutation }, ({ type, error, result }) => {
          if (type === "stored") return resolve({ confirmed });
          error ? refuse(error) : confirm(result);
          reject(error);
        });
      });
      confirmed.catch(() => {}); // A rejection is also reported as an event.
    });
  }

  /**
   * Members with pending changes applied.
   * @param {string} name
   */
  #members(name) {
    if (!this.#open.has(this.#watch))
      this.#watch = this.#ask({ type: "watch", screen: COLLECTIONS, locale: "", options: {} }, (message) => {
        if (message.type === "done") return;
        this.#collections = /** @type {any} */ (message);
        this.#handle({ type: "rows", rows: this.#rows });
      });
    /** @type {Map<string, Member>} newest last */
    const members = new Map();
    const items = this.#collections?.contents.get(name)?.items ?? [];
    for (const { subject, content } of [...items].reverse())
      members.set(subject, { subject, value: jsonOf(content?.value), pending: false });
    for (const { subject, messages: [{ member, value }], collection } of /** @type {readonly any[]} */ (this.#rows)) {
      if (collection !== name) continue;
      members.delete(subject);
      if (member) members.set(subject, { subject, value: jsonOf(value), pending: true });
    }
    return [...members.values()].reverse();
  }

  // ---------------------------------------------------------------- calls

  /**
   * Searches.
   * @param {string} query
   * @param {CallOptions & {page?: number, locale?: string}} options pages count from 1
   * @returns {Promise<{items: Item[], total: number, totalCapped: boolean, page: number, pages: number}>}
   */
  async search(query, { page = 1, locale = this.locale, ...options } = {}) {
    const answer = await this.call(SEARCH, "SearchRequest", { page, query, locale }, "SearchAnswer", options);
    const items = (answer.items ?? []).map((/** @type {any} */ item) => new Item(item));
    return { total: 0, totalCapped: false, pages: 0, ...answer, items, page };
  }

  /**
   * Makes a call.
   * @param {number} method
   * @param {string} type of the request
   * @param {object} request
   * @param {string} answer the type of the answer
   * @param {CallOptions} options
   * @returns {Promise<any>}
   */
  call(method, type, request, answer, { signal, timeout = this.#options.timeout ?? TIMEOUT }) {
    return new Promise((resolve, reject) => {
      const ticket = this.#ask({ type: "call", method, body: encode(type, request), timeout }, ({ error, result }) => {
        stopListening();
        if (error) return reject(error);
        try {
          resolve(decode(answer, result));
        } catch (cause) {
          reject(new MarqueeError("BODY_INVALID", FATAL, { cause }));
        }
      });
      const stopListening = onAbort(signal, (error) => {
        this.#leave(ticket);
        reject(error);
      });
    });
  }

  // ---------------------------------------------------------------- messages

  /**
   * Sends a message; the handler receives its outcome.
   * @param {Message} message
   * @param {Ticket} handler
   * @returns {Ticket}
   */
  #ask(message, handler) {
    const ticket = (/** @type {Message} */ one) => {
      if (!this.#open.has(ticket)) return;
      if (one.type === "done") this.#open.delete(ticket);
      handler(one);
    };
    this.#open.set(ticket, message);
    if (this.#isClosed) queueMicrotask(() => ticket({ type: "done", error: new MarqueeError("CLOSED") }));
    else this.#port.receive(ticket, message);
    return ticket;
  }

  /** @param {Ticket} ticket */
  #leave(ticket) {
    if (this.#open.delete(ticket)) this.#port.receive(ticket, { type: "leave" });
  }

  /**
   * Listens to messages about the client as a whole.
   * @param {Ticket} listener
   * @returns {() => void} stops listening
   */
  #listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @type {Ticket} */
  #handle = (message) => {
    this.#rows = message.rows ?? this.#rows;
    if (message.type === "state") this.#state = message;
    this.imageBaseUrl = message.welcome?.imageBaseUrl ?? this.imageBaseUrl;
    for (const listener of this.#listeners) listener(message);
  };

  /**
   * Events of the client as a whole, beginning with its current state. Types of events: `state` (connecting, connected,
   * waiting or failed, possibly with an error and a pause), `changeRejected`, `changesHeldUp`,
   * `optionsRefused`, `tokenRefused`, `renewalFailed`, `notStored`, `cutRefused`, `role` (this tab leads).
   * @returns {AsyncGenerator<any, void, void>}
   */
  get events() {
    return loop(MAX_EVENTS, undefined, (push, end) => {
      push(this.#state);
      return this.#listen((message) => {
        if (message.type === "closed") end();
        else if (message.type !== "rows") push(message);
      });
    });
  }

  /** Reconnects at once instead of waiting, for example when the network is back or there is a new token. */
  retry() {
    this.#port.receive(this.#handle, { type: "retry" });
  }

  /** Ends all loops and calls. The next client of the mirror sends the rows left in the outbox. */
  async close() {
    this.#isClosed = true;
    const error = new MarqueeError("CLOSED");
    for (const [ticket] of this.#open) ticket({ type: "done", error });
    this.#handle({ type: "closed", error });
    await this.#port.close();
  }
}

/**
 * A value parsed as JSON, or unchanged if it isn't JSON.
 * @param {any} value
 */
function jsonOf(value) {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
