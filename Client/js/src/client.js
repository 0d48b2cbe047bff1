/** The client as an app sees it. */

import { changesBetween } from "./changes.js";
import { Item } from "./content.js";
import { COLLECTIONS } from "./core.js";
import { Engine, memory } from "./engine.js";
import { MarqueeError } from "./errors.js";
import { decode, encode } from "./protobuf.js";
import { Screen } from "./screen.js";
import { keyOf } from "./view.js";
import { websocket } from "./websocket.js";

/** @typedef {import("./outbox.js").Row} Row */
/** @typedef {import("./engine.js").Message} Message */
/** @typedef {import("./engine.js").ScreenState} ScreenState */
/** @typedef {import("./view.js").SectionOptions} SectionOptions */

/**
 * @typedef {object} Options
 * @property {string} [user] who the client says it is; a token proves it
 * @property {string | ((request: {refused: string | undefined}) => string | Promise<string>)} [token] asked for on each
 *   connection, and again before it ends, if it is a function; `refused` is one that the server has refused
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

const SEARCH = 4, COLLECTION = 5;
const TIMEOUT = 10_000;
/** Events that a loop may leave unread; the oldest are dropped. */
const MAX_EVENTS = 256;

/**
 * A loop over values. Of those that are left unread the newest few are kept.
 * @template T
 */
class Feed {
  /** @type {T[]} */
  #values = [];
  #kept;
  #isOver = false;
  /** @type {unknown} */
  #error;
  #wake = () => {};

  /** @param {number} kept @param {Set<Feed<any>>} feeds those that are open @param {AbortSignal} [signal] */
  constructor(kept, feeds, signal) {
    this.#kept = kept;
    this.#feeds = feeds;
    this.#signal = signal;
    feeds.add(this);
    if (signal?.aborted) this.abort();
    signal?.addEventListener("abort", this.abort);
  }

  #feeds;
  #signal;
  abort = () => this.end(new MarqueeError("ABORTED", 5, { cause: this.#signal?.reason }));

  /** @param {T} value */
  push(value) {
    this.#values.push(value);
    if (this.#values.length > this.#kept) this.#values.shift();
    this.#wake();
  }

  /**
   * Ends it, after what is still unread.
   * @param {unknown} [error]
   */
  end(error) {
    this.#isOver = true;
    this.#error = error;
    this.#wake();
  }

  /** @param {() => void} [stop] called at the end @returns {AsyncGenerator<T, void, void>} */
  async *loop(stop) {
    try {
      for (;;) {
        const [value] = this.#values;
        if (this.#values.length) {
          this.#values.shift();
          yield value;
        } else if (this.#error) throw this.#error;
        else if (this.#isOver) return;
        else await new Promise((/** @type {(value?: unknown) => void} */ resolve) => (this.#wake = resolve));
      }
    } finally {
      this.#feeds.delete(this);
      this.#signal?.removeEventListener("abort", this.abort);
      stop?.();
    }
  }
}

export class MarqueeClient {
  /** @type {import("./engine.js").Port} */ #port;
  #options;
  #lastId = 0;
  /**
   * What waits for messages, by id.
   * @type {Map<number, (message: Message) => void>}
   */
  #waiting = new Map();
  /** @type {Set<Feed<any>>} */
  #feeds = new Set();
  /** @type {Set<Feed<any>>} */
  #listeners = new Set();
  /**
   * Those who show something of collections.
   * @type {Set<() => void>}
   */
  #overlays = new Set();
  /** @type {readonly Row[]} */
  #rows = [];
  /** @type {any} */
  #state = { type: "state", state: "idle" };
  /**
   * Ids of watches by screen and locale.
   * @type {Map<string, number>}
   */
  #watched = new Map();
  /** @type {ScreenState | undefined} */
  #collections;
  #watchesCollections = false;
  #isClosed = false;

  /**
   * @param {string} url `wss://host` or, with another transport, what that takes
   * @param {Options} [options]
   */
  constructor(url, options = {}) {
    const { mirror = memory(), transport = websocket } = options;
    this.#options = options;
    const start = () => new Engine(url, { ...options, mirror, transport });
    const receive = (/** @type {Message} */ message) => this.#receive(message);
    this.#port = (mirror.share ?? alone)(start, receive);
    this.#port.receive({ type: "hello" });
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
    const { locale = this.#options.locale ?? "", sorts, windows, signal } = options;
    /** @type {Feed<ScreenState>} */
    const feed = new Feed(1, this.#feeds, signal);
    /** @type {ScreenState | undefined} */
    let state;
    const again = () => state && feed.push(state);
    this.#overlays.add(again);
    const show = (/** @type {ScreenState} */ one) => feed.push((state = one));
    const stop = this.#watch(name, locale, { sorts, windows }, show, (error) => feed.end(error));
    /** @type {Screen | undefined} */
    let shown;
    /** @type {ScreenState | undefined} */
    let last;
    const loop = feed.loop(() => {
      this.#overlays.delete(again);
      stop();
    });
    for await (const one of loop) {
      const screen = new Screen(one, this.#rows);
      const changes = shown ? changesBetween(shown, screen) : [];
      const isSame = one === last && !changes.length; // Rows of the outbox that aren't about this screen.
      shown = screen;
      last = one;
      if (!isSame) yield { screen, changes };
    }
  }

  /**
   * Shows a screen that is being looped over with other sorts or windows, for all its loops. What the server refuses is
   * an event, `optionsRefused`.
   * @param {string} name
   * @param {SectionOptions & {locale?: string}} options
   */
  setOptions(name, { locale = this.#options.locale ?? "", sorts, windows }) {
    const id = this.#watched.get(keyOf(name, locale));
    if (!this.#waiting.has(id ?? 0)) throw new MarqueeError("NOT_SHOWN");
    this.#port.receive({ type: "options", id, options: { sorts, windows } });
  }

  /**
   * @param {string} screen
   * @param {string} locale
   * @param {SectionOptions} options
   * @param {(state: ScreenState) => void} show
   * @param {(error: MarqueeError) => void} end
   */
  #watch(screen, locale, options, show, end) {
    const id = this.#request({ type: "watch", screen, locale, options }, (message) => {
      if (message.type === "view") show(/** @type {any} */ (message));
      else end(message.error);
    });
    const key = keyOf(screen, locale);
    this.#watched.set(key, id);
    return () => {
      this.#waiting.delete(id);
      if (this.#watched.get(key) === id) this.#watched.delete(key);
      this.#port.receive({ type: "leave", id });
    };
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
      /**
       * The members, newest first, and each newer state.
       * @param {{signal?: AbortSignal}} options
       */
      states: ({ signal } = {}) => this.#collectionStates(name, signal),
      [Symbol.asyncIterator]: () => this.#collectionStates(name),
    };
  }

  /**
   * Takes a change over.
   * @param {import("./outbox.js").Mutation} mutation
   * @returns {Promise<{confirmed: Promise<{changed: boolean}>}>}
   */
  change(mutation) {
    return new Promise((resolve, reject) => {
      const confirmed = new Promise((confirm, refuse) => {
        this.#request({ type: "change", mutation }, ({ type, error, result }) => {
          if (type === "stored") return resolve({ confirmed });
          error ? refuse(error) : confirm(result);
          reject(error);
          return true;
        });
      });
      confirmed.catch(() => {}); // A refusal is an event as well.
    });
  }

  /**
   * Members with what waits.
   * @param {string} name
   */
  #members(name) {
    if (!this.#watchesCollections) {
      this.#watchesCollections = true;
      const show = (/** @type {ScreenState | undefined} */ state) => {
        this.#collections = state;
        this.#overlay();
      };
      this.#watch(COLLECTIONS, "", {}, show, () => (this.#watchesCollections = false));
    }
    /** @type {Map<string, Member>} newest last */
    const members = new Map();
    const items = this.#collections?.contents.get(name)?.items ?? [];
    for (const { subject, content } of [...items].reverse())
      members.set(subject, { subject, value: jsonOf(content?.value), pending: false });
    for (const { subject = "", messages: [{ member, value }], collection } of this.#rows) {
      if (collection !== name) continue;
      members.delete(subject);
      if (member) members.set(subject, { subject, value: jsonOf(value), pending: true });
    }
    return [...members.values()].reverse();
  }

  /** @param {string} name @param {AbortSignal} [signal] @returns {AsyncGenerator<CollectionState, void, void>} */
  #collectionStates(name, signal) {
    /** @type {Feed<CollectionState>} */
    const feed = new Feed(1, this.#feeds, signal);
    const show = () => {
      const members = this.#members(name);
      const { live = false, asOf = 0 } = this.#collections ?? {};
      if (this.#collections || members.length) feed.push({ members, live, asOf: new Date(asOf) });
    };
    this.#overlays.add(show);
    show();
    return feed.loop(() => this.#overlays.delete(show));
  }

  #overlay() {
    for (const show of [...this.#overlays]) show();
  }

  // ---------------------------------------------------------------- calls

  /**
   * Searches.
   * @param {string} query
   * @param {CallOptions & {page?: number, locale?: string}} options pages count from 1
   * @returns {Promise<{items: Item[], total: number, totalCapped: boolean, page: number, pages: number}>}
   */
  async search(query, { page = 1, locale = this.#options.locale, ...options } = {}) {
    const answer = await this.call(SEARCH, "SearchRequest", { query, page, locale }, "SearchAnswer", options);
    const { items = [], total = 0, totalCapped = false, pages = 0 } = answer;
    return { items: items.map(Item.of), total, totalCapped, page, pages };
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
      const abort = () => {
        this.#waiting.delete(id);
        this.#port.receive({ type: "leave", id });
        reject(new MarqueeError("ABORTED", 5, { cause: signal?.reason }));
      };
      const id = this.#request({ type: "call", method, body: encode(type, request), timeout }, ({ error, result }) => {
        signal?.removeEventListener("abort", abort);
        if (error) return reject(error);
        try {
          resolve(decode(answer, result));
        } catch (cause) {
          reject(new MarqueeError("BODY_INVALID", 5, { cause }));
        }
      });
      if (signal?.aborted) abort();
      signal?.addEventListener("abort", abort);
    });
  }

  // ---------------------------------------------------------------- messages

  /**
   * Sends a message, and hears others with its id.
   * @param {Message} message
   * @param {(message: Message) => void} handler
   */
  #request(message, handler) {
    const id = ++this.#lastId;
    this.#waiting.set(id, (one) => {
      if (one.type === "done") this.#waiting.delete(id);
      handler(one);
    });
    if (this.#isClosed) handler({ type: "done", error: new MarqueeError("CLOSED") });
    else this.#port.receive({ ...message, id });
    return id;
  }

  /** @param {Message} message */
  #receive(message) {
    const { type, id, rows } = message;
    if (id) return this.#waiting.get(id)?.(message);
    if (rows) {
      this.#rows = rows;
      return this.#overlay();
    }
    if (type === "state") this.#state = message;
    for (const feed of this.#listeners) feed.push(message);
  }

  /**
   * A loop over what concerns the client as a whole; it begins with the state at that moment. Types of events: `state`
   * (connecting, connected, waiting, failed, with an error and a pause), `changeRejected`, `changesHeldUp`,
   * `optionsRefused`, `tokenRefused`, `renewalFailed`, `notStored`, `cutRefused`, `role` (this tab leads).
   * @returns {AsyncGenerator<any, void, void>}
   */
  get events() {
    return this.#eventLoop();
  }

  async *#eventLoop() {
    const feed = new Feed(MAX_EVENTS, this.#listeners);
    feed.push(this.#state);
    yield* feed.loop();
  }

  /** Connects at once, if it is pausing: the network came back, or there is another token. */
  retry() {
    this.#port.receive({ type: "retry" });
  }

  /** Ends all loops and calls. What waits in the outbox is sent by the next client of the mirror. */
  async close() {
    this.#isClosed = true;
    const error = new MarqueeError("CLOSED");
    for (const handler of [...this.#waiting.values()]) handler({ type: "done", error });
    for (const feed of this.#feeds) feed.end(error);
    for (const feed of this.#listeners) feed.end();
    await this.#port.close();
  }
}

/**
 * A value as JSON, or as it came.
 * @param {string | undefined} value
 */
function jsonOf(value) {
  try {
    return value && JSON.parse(value);
  } catch {
    return value;
  }
}

/**
 * A port to an engine of this client's own.
 * @param {() => Engine} start
 * @param {import("./engine.js").Listener} receive
 */
function alone(start, receive) {
  const engine = start();
  const tell = (/** @type {Message} */ message) => void engine.receive(receive, message);
  return { receive: tell, close: () => engine.close() };
}
