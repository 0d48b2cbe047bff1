/** The client as an app sees it. */

import { utf8 } from "./bytes.js";
import { changesBetween } from "./changes.js";
import { Item } from "./content.js";
import { COLLECTIONS } from "./core.js";
import { Engine, memory } from "./engine.js";
import { MarqueeError } from "./errors.js";
import { decode, encode } from "./protobuf.js";
import { Screen } from "./screen.js";
import { websocket } from "./websocket.js";

/** @typedef {import("./outbox.js").Row} Row */
/** @typedef {import("./engine.js").Message} Message */
/** @typedef {import("./engine.js").ScreenState} ScreenState */
/** @typedef {import("./view.js").Options} SectionOptions */

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

/**
 * @typedef {object} CallOptions
 * @property {AbortSignal} [signal]
 * @property {number} [timeout] milliseconds
 */

const HEALTH = 1, DESCRIBE = 2, GET_SCREEN = 3, SEARCH = 4;
const CALL_TIMEOUT = 10_000;
/** Events that a loop over `events` may leave unread; older ones are dropped. */
const MAX_EVENTS = 256;
const FAVORITES = "favorites";

/** @param {AbortSignal} signal */
const abortError = (signal) => new MarqueeError("ABORTED", "aborted", { status: 1, cause: signal.reason });

/** What runs the messages of a client: this tab's engine, or a connection to that of another tab.
 * @typedef {{receive: (message: Message) => void, close: () => Promise<void> | void}} Port */

/**
 * The newest value for a loop: a slow one skips values, and gets none twice.
 * @template T
 */
export class Latest {
  /** @type {(() => void) | undefined} */ #wake;
  /** @type {T | undefined} */ #value;
  /** @type {Error | undefined} */ #error;
  #has = false;
  isOver = false;

  /** @param {T} value */
  push(value) {
    this.#value = value;
    this.#has = true;
    this.#wake?.();
  }

  /** Ends it, after the value that is still unread. @param {Error} [error] */
  end(error) {
    this.isOver = true;
    this.#error = error;
    this.#wake?.();
  }

  /** @returns {AsyncGenerator<T, void, void>} */
  async *values() {
    for (;;) {
      if (this.#has) {
        this.#has = false;
        yield /** @type {T} */ (this.#value);
      } else if (this.#error) throw this.#error;
      else if (this.isOver) return;
      else await new Promise((/** @type {(value?: unknown) => void} */ resolve) => (this.#wake = resolve));
    }
  }
}

export class MarqueeClient {
  /** @type {Port} */ #port;
  #options;
  #lastId = 0;
  /** What waits for messages, by id. @type {Map<number, (message: Message) => void>} */
  #waiting = new Map();
  /** Those who show something of collections. @type {Set<() => void>} */
  #overlays = new Set();
  /** Loops over events. @type {Set<{queue: any[], wake: () => void}>} */
  #listeners = new Set();
  /** @type {readonly Row[]} */
  #rows = [];
  /** @type {any} */
  #lastState = { type: "state", state: "idle" };
  /** @type {ScreenState | undefined} */
  #collections;
  #watchesCollections = false;
  #isClosed = false;

  /**
   * @param {string} url `wss://host` or, with another transport, what that takes
   * @param {Options} [options]
   */
  constructor(url, options = {}) {
    const { transport = websocket, mirror = memory(), user, token, limits } = options;
    this.#options = options;
    const own = { transport, mirror, user, token, limits };
    const receive = (/** @type {Message} */ message) => this.#receive(message);
    this.#port = mirror.share?.(url, own, receive) ?? portOf(url, own, receive);
    this.#port.receive({ type: "hello" });
  }

  // ---------------------------------------------------------------- screens

  /**
   * A screen: what the mirror has, then each newer state. Leaving the loop ends the subscription.
   * @param {string} name
   * @param {SectionOptions & {locale?: string, signal?: AbortSignal}} [options]
   * @returns {AsyncGenerator<{screen: Screen, changes: import("./changes.js").Change[]}, void, void>}
   * @throws {MarqueeError} in the loop, if the server refuses the screen or the connection for good
   */
  async *screen(name, { locale = this.#options.locale ?? "", sorts, windows, signal } = {}) {
    /** @type {Latest<ScreenState>} */
    const latest = new Latest();
    /** @type {ScreenState | undefined} */
    let state;
    const stop = this.#watch(name, locale, { sorts, windows }, signal, latest, (one) => (state = one));
    const overlaid = () => state && latest.push(state);
    this.#overlays.add(overlaid);
    /** @type {Screen | undefined} */
    let shown;
    try {
      for await (const one of latest.values()) {
        const screen = new Screen(one, this.#rows, shown);
        const changes = shown ? changesBetween(shown, screen) : [];
        shown = screen;
        yield { screen, changes };
      }
    } finally {
      this.#overlays.delete(overlaid);
      stop();
    }
  }

  /**
   * Shows a screen that is being looped over with other sorts or windows, for all its loops.
   * @param {string} name
   * @param {SectionOptions & {locale?: string}} options
   */
  setOptions(name, { locale = this.#options.locale ?? "", sorts, windows }) {
    const id = this.#watched.get(`${name}\n${locale}`)?.[0];
    if (id === undefined) throw new MarqueeError("NOT_SHOWN", `no loop shows ${name}`);
    this.#port.receive({ type: "options", id, options: { sorts, windows } });
  }

  /** Ids of watches by screen and locale. @type {Map<string, number[]>} */
  #watched = new Map();

  /**
   * @param {string} screen
   * @param {string} locale
   * @param {SectionOptions} options
   * @param {AbortSignal | undefined} signal
   * @param {Latest<ScreenState>} latest
   * @param {(state: ScreenState) => void} note
   * @returns {() => void} ends it
   */
  #watch(screen, locale, options, signal, latest, note) {
    const id = ++this.#lastId;
    const key = `${screen}\n${locale}`;
    const stop = () => {
      if (!this.#waiting.delete(id)) return;
      signal?.removeEventListener("abort", abort);
      this.#watched.set(key, (this.#watched.get(key) ?? []).filter((one) => one !== id));
      this.#port.receive({ type: "unwatch", id });
    };
    const abort = () => {
      latest.end(abortError(/** @type {AbortSignal} */ (signal)));
      stop();
    };
    if (this.#isClosed) latest.end(closedError());
    else if (signal?.aborted) latest.end(abortError(signal));
    else {
      signal?.addEventListener("abort", abort);
      this.#waiting.set(id, (message) => {
        if (message.type === "view") {
          note(message.state);
          latest.push(message.state);
        } else {
          latest.end(message.error);
          stop();
        }
      });
      this.#watched.set(key, [...(this.#watched.get(key) ?? []), id]);
      this.#port.receive({ type: "watch", id, screen, locale, options });
    }
    return stop;
  }

  // ---------------------------------------------------------------- collections

  /**
   * A collection of the user.
   * @param {string} name
   */
  collection(name) {
    return new Collection(this, name);
  }

  /** Takes a change over; see `Collection`. @param {import("./outbox.js").Mutation} mutation */
  async change(mutation) {
    /** @type {(error: MarqueeError | undefined, result?: any) => void} */
    let settle = () => {};
    const confirmed = new Promise((resolve, reject) => (settle = (error, result) => (error ? reject(error) : resolve(result))));
    confirmed.catch(() => {}); // Whoever doesn't look at it hears of a refusal by an event.
    await new Promise((/** @type {(value?: unknown) => void} */ resolve, reject) => {
      this.#request({ type: "mutate", mutation }, (message) => {
        if (message.type === "stored") return resolve();
        message.error ? reject(message.error) : resolve();
        settle(message.error, message.result);
        return true;
      });
    });
    return { confirmed };
  }

  /** Collections as they are, and what waits. @param {string} name */
  members(name) {
    this.#watchCollections();
    const { contents, live = false, asOf = 0 } = this.#collections ?? {};
    /** @type {Member[]} */
    let members = (contents?.get(name)?.items ?? []).map(({ subject, content }) => ({ subject, value: jsonOf(content?.value), pending: false }));
    for (const { subject, member, value, collection = FAVORITES } of this.#rows) {
      if (subject === undefined || collection !== name) continue;
      const at = members.findIndex((one) => one.subject === subject);
      if (member && at >= 0 && value === undefined) continue;
      members = members.filter((one) => one.subject !== subject);
      if (member) members.unshift({ subject, value: jsonOf(value), pending: true });
    }
    return { members, live, asOf: asOf ? new Date(asOf) : undefined, isKnown: !!this.#collections };
  }

  #watchCollections() {
    if (this.#watchesCollections || this.#isClosed) return;
    this.#watchesCollections = true;
    /** @type {Latest<ScreenState>} */
    const latest = new Latest();
    this.#watch(COLLECTIONS, "", {}, undefined, latest, (state) => {
      this.#collections = state;
      for (const overlay of this.#overlays) overlay();
    });
    latest.values().next().catch(() => (this.#watchesCollections = false));
  }

  /**
   * States of a collection.
   * @param {string} name
   * @param {AbortSignal} [signal]
   */
  async *collectionStates(name, signal) {
    /** @type {Latest<ReturnType<MarqueeClient["members"]>>} */
    const latest = new Latest();
    const changed = () => {
      const state = this.members(name);
      if (state.isKnown || state.members.length) latest.push(state);
    };
    const abort = () => latest.end(abortError(/** @type {AbortSignal} */ (signal)));
    signal?.aborted ? abort() : signal?.addEventListener("abort", abort);
    this.#overlays.add(changed);
    this.#ends.add(latest);
    changed();
    try {
      yield* latest.values();
    } finally {
      this.#overlays.delete(changed);
      this.#ends.delete(latest);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Loops that end when the client is closed. @type {Set<Latest<any>>} */
  #ends = new Set();

  /**
   * Publishes changes as one commit; resolves when the server has made it.
   * @param {object[]} changes such as `{put: {type, id, record}}`
   * @param {{key?: string}} [options] with a key the commit is made once, whoever sends it
   * @returns {Promise<{changed: boolean}>}
   */
  async publish(changes, { key } = {}) {
    const { confirmed } = await this.change({ changes: changes.map((change) => utf8(JSON.stringify(change))), key });
    return confirmed;
  }

  // ---------------------------------------------------------------- calls

  /**
   * Searches.
   * @param {string} query
   * @param {CallOptions & {page?: number, locale?: string}} [options] pages count from 1
   * @returns {Promise<{items: Item[], total: number, totalCapped: boolean, page: number, pages: number}>}
   */
  async search(query, { page, locale = this.#options.locale, ...options } = {}) {
    const answer = await this.#call(SEARCH, "SearchAnswer", encode("SearchRequest", { query, page, locale }), options);
    const { items = [], total = 0, totalCapped = false, pages = 0 } = answer;
    return { items: items.map(Item.of), total, totalCapped, page: answer.page ?? 1, pages };
  }

  /** What the server offers to this client. @param {CallOptions & {locale?: string}} [options] */
  describe({ locale = this.#options.locale, ...options } = {}) {
    return this.#call(DESCRIBE, "DescribeAnswer", encode("DescribeRequest", { locale }), options);
  }

  /** The state of the server. @param {CallOptions} [options] */
  health(options = {}) {
    return this.#call(HEALTH, "HealthAnswer", encode("DescribeRequest", {}), options);
  }

  /**
   * @param {number} method
   * @param {string} answer the message of the answer
   * @param {Uint8Array} body
   * @param {CallOptions} options
   * @returns {Promise<any>}
   */
  #call(method, answer, body, { signal, timeout = this.#options.timeout ?? CALL_TIMEOUT }) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortError(signal));
      const abort = () => {
        this.#waiting.delete(id);
        this.#port.receive({ type: "cancel", id });
        reject(abortError(/** @type {AbortSignal} */ (signal)));
      };
      const id = this.#request({ type: "call", method, body, timeout }, ({ error, body: bytes }) => {
        signal?.removeEventListener("abort", abort);
        if (error) reject(error);
        else
          try {
            resolve(decode(answer, bytes));
          } catch (cause) {
            reject(new MarqueeError("BODY_INVALID", "an answer that can't be read", { cause }));
          }
        return true;
      });
      signal?.addEventListener("abort", abort);
    });
  }

  // ---------------------------------------------------------------- messages

  /**
   * Sends a message and waits for others with its id, until the handler returns true.
   * @param {Message} message
   * @param {(message: Message) => boolean | void} handler
   * @returns {number} the id
   */
  #request(message, handler) {
    const id = ++this.#lastId;
    this.#waiting.set(id, (answer) => {
      if (handler(answer)) this.#waiting.delete(id);
    });
    if (this.#isClosed) this.#waiting.get(id)?.({ type: "outcome", error: closedError() });
    else this.#port.receive({ ...message, id });
    return id;
  }

  /** @param {Message} message */
  #receive(message) {
    if (message.type === "event") return this.#notify(message.event);
    if (message.type === "rows") {
      this.#rows = message.rows;
      for (const overlay of this.#overlays) overlay();
      return;
    }
    this.#waiting.get(/** @type {number} */ (message.id))?.(message);
  }

  /** @param {any} event */
  #notify(event) {
    if (event.type === "state") this.#lastState = event;
    for (const { queue, wake } of this.#listeners) {
      queue.push(event);
      if (queue.length > MAX_EVENTS) queue.shift();
      wake();
    }
  }

  /**
   * What concerns the client as a whole: `state` (connecting, connected, waiting, failed, with an error and a pause),
   * `changeRejected`, `changesHeldUp`, `optionsRefused`, `tokenRefused`, `renewalFailed`, `notStored`, `cutRefused`,
   * `role` (leads, follows). A loop begins with the state at that moment.
   * @returns {AsyncGenerator<any, void, void>}
   */
  get events() {
    return this.#eventLoop();
  }

  async *#eventLoop() {
    /** @type {any[]} */
    const queue = [this.#lastState];
    let wake = () => {};
    const listener = { queue, wake: () => wake() };
    this.#listeners.add(listener);
    try {
      while (!this.#isClosed || queue.length) {
        if (queue.length) yield queue.shift();
        else await new Promise((/** @type {(value?: unknown) => void} */ resolve) => (wake = resolve));
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }

  /** Connects at once, if it is pausing: the network came back. */
  retry() {
    this.#port.receive({ type: "retry" });
  }

  /** Ends all loops and calls. What waits in the outbox is sent by the next client of the mirror. */
  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const error = closedError();
    for (const handler of [...this.#waiting.values()]) handler({ type: "outcome", error });
    for (const latest of this.#ends) latest.end(error);
    for (const { wake } of this.#listeners) wake();
    await this.#port.close();
  }
}

const closedError = () => new MarqueeError("CLOSED", "the client was closed");

/** @param {string | undefined} value */
function jsonOf(value) {
  try {
    return value === undefined ? undefined : JSON.parse(value);
  } catch {
    return value;
  }
}

/** @param {string} url @param {import("./engine.js").EngineOptions} options @param {(message: Message) => void} receive @returns {Port} */
function portOf(url, options, receive) {
  const engine = new Engine(url, options, (_, message) => receive(message));
  return { receive: (message) => void engine.receive("", message), close: () => engine.close() };
}

/** A member of a collection. @typedef {{subject: string, value: any, pending: boolean}} Member */

/** A set of subjects that belongs to the user. Changes are stored at once, and sent when there is a connection. */
export class Collection {
  #client;

  /** @param {MarqueeClient} client @param {string} name */
  constructor(client, name) {
    this.#client = client;
    this.name = name;
  }

  /**
   * Makes a subject a member, or gives it another value. Resolves when the change is stored; `confirmed` resolves when
   * the server has made it, and rejects with its reason if it was rolled back.
   * @param {string} subject such as `movie/27205`
   * @param {any} [value] what the collection keeps with it
   * @returns {Promise<{confirmed: Promise<{changed?: boolean, replaced?: boolean}>}>}
   */
  set(subject, value) {
    return this.#change(subject, true, value === undefined ? undefined : JSON.stringify(value));
  }

  /** Removes a subject. @param {string} subject */
  remove(subject) {
    return this.#change(subject, false, undefined);
  }

  /** @param {string} subject @param {boolean} member @param {string | undefined} value */
  #change(subject, member, value) {
    return this.#client.change({ collection: this.name === FAVORITES ? undefined : this.name, subject, member, value });
  }

  /** Whether a subject is a member, as far as is known now, pending changes included. @param {string} subject */
  has(subject) {
    return this.#client.members(this.name).members.some((member) => member.subject === subject);
  }

  /**
   * The members, newest first, and each newer state.
   * @param {{signal?: AbortSignal}} [options]
   */
  states({ signal } = {}) {
    return this.#client.collectionStates(this.name, signal);
  }

  [Symbol.asyncIterator]() {
    return this.states();
  }
}

