/** The client as an app sees it. */

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
 * @property {string} [user] the user that the client claims to be; a token proves it
 * @property {string | ((request: {refused: string | undefined}) => string | Promise<string>)} [token] a function is
 *   called for each connection, and again before its token ends; `refused` is one that the server has refused
 * @property {import("./engine.js").Mirror} [mirror] memory by default
 * @property {import("./websocket.js").Transport} [transport] WebSocket by default
 * @property {number} [timeout] of calls, in milliseconds
 * @property {string} [locale] of screens and searches that name none
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
 * A loop over values, which starts with its first step. Only the newest few unread ones are kept.
 * @template T
 * @param {number} kept
 * @param {AbortSignal | undefined} signal
 * @param {(push: (value: T) => void, end: (error?: unknown) => void) => () => void} start returns the function that
 *   stops it; `end` comes after the unread values
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
 * Calls back when a signal is aborted, at once if it already is.
 * @param {AbortSignal | undefined} signal
 * @param {(error: MarqueeError) => void} run
 * @returns {() => void} stops that
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
  #locale;
  /**
   * Messages that await their outcome.
   * @type {Map<Ticket, Message>}
   */
  #open = new Map();
  /**
   * Loops that receive messages about the client as a whole.
   * @type {Set<Ticket>}
   */
  #listeners = new Set();
  /** @type {readonly Row[]} */
  #rows = [];
  /** @type {Message} */
  #state = { type: "state", state: "idle" };
  /** @type {ScreenState | undefined} */
  #collections;
  /** @type {Ticket} of the watch of the collections */
  #watch = () => {};
  #isClosed = false;

  /**
   * The server's address of images: the name of an image is appended to it.
   * @type {string | undefined}
   */
  imageBaseUrl;

  /**
   * @param {string} url `wss://host` or, with another transport, an address of its kind
   * @param {Options} [options]
   */
  constructor(url, options = {}) {
    const { mirror = memory(), transport = websocket } = options;
    this.#options = options;
    this.#locale = options.locale ?? "";
    this.#port = (mirror.share ?? ((start) => start()))(() => new Engine(url, { ...options, mirror, transport }));
    this.#port.receive(this.#hear, { type: "hello" });
  }

  // ---------------------------------------------------------------- screens

  /**
   * A screen: what the mirror has, then each newer state. Leaving the loop ends the subscription. A slow loop skips
   * states; `changes` are those since its last one.
   * @param {string} name
   * @param {SectionOptions & {locale?: string, signal?: AbortSignal}} [options]
   * @returns {AsyncGenerator<Update, void, void>}
   * @throws {MarqueeError} in the loop, if the server refuses the screen or the connection for good
   */
  async *screen(name, options = {}) {
    const { locale = this.#locale, sorts, windows, signal } = options;
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
      // Otherwise only rows of the outbox have changed, none of which is about this screen.
      if (one !== last || changes.length) yield { screen, changes };
      last = one;
    }
  }

  /**
   * Shows a screen that is being looped over with other sorts or windows, for all its loops. A refusal is the event
   * `optionsRefused`.
   * @param {string} name
   * @param {SectionOptions & {locale?: string}} options
   */
  setOptions(name, { locale = this.#locale, sorts, windows }) {
    for (const [ticket, { screen, locale: one }] of this.#open)
      if (screen === name && one === locale)
        return this.#port.receive(ticket, { type: "options", options: { sorts, windows } });
    throw new MarqueeError("NOT_SHOWN");
  }

  // ---------------------------------------------------------------- collections

  /**
   * A collection of the user: a set of subjects. Changes are stored at once, and sent when there is a connection.
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
       * Makes a subject a member, or gives it another value. Resolves when the change is stored; `confirmed` of the
       * result resolves when the server has made it, and rejects with its reason if it was rolled back.
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
       * Whether a subject is a member, as far as is known now, pending changes included.
       * @param {string} subject
       */
      has: (subject) => this.#members(name).some((member) => member.subject === subject),
      states,
      [Symbol.asyncIterator]: states,
    };
  }

  /**
   * Takes a change into the outbox.
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
      confirmed.catch(() => {}); // A refusal is an event as well.
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
        this.#hear({ type: "rows", rows: this.#rows });
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
  async search(query, { page = 1, locale = this.#locale, ...options } = {}) {
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
   * Subscribes to messages about the client as a whole.
   * @param {Ticket} listener
   * @returns {() => void} unsubscribes
   */
  #listen(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @type {Ticket} */
  #hear = (message) => {
    this.#rows = message.rows ?? this.#rows;
    if (message.type === "state") this.#state = message;
    this.imageBaseUrl = message.welcome?.imageBaseUrl ?? this.imageBaseUrl;
    for (const listener of this.#listeners) listener(message);
  };

  /**
   * A loop over events of the client as a whole; it begins with the state at that moment. Types of events: `state`
   * (connecting, connected, waiting, failed, with an error and a pause), `changeRejected`, `changesHeldUp`,
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

  /** Connects at once, if it is pausing: the network came back, or there is another token. */
  retry() {
    this.#port.receive(this.#hear, { type: "retry" });
  }

  /** Ends all loops and calls. Rows in the outbox are sent by the next client of the mirror. */
  async close() {
    this.#isClosed = true;
    const error = new MarqueeError("CLOSED");
    for (const [ticket] of this.#open) ticket({ type: "done", error });
    this.#hear({ type: "closed", error });
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
