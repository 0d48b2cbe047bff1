/**
 * Runs the core: passes requests to it, and runs its actions on a transport, a mirror and a timer. It communicates by
 * messages, so it can serve other tabs as well as its own.
 */

import { LONGEST_TIMER, UNSENT_BYTES } from "./constants.js";
import { Core } from "./core.js";
import { FATAL, MarqueeError, REAUTHENTICATE, RETRY, check } from "./errors.js";

/** @typedef {import("./core.js").Ticket} Ticket */

/** The current state of a screen; read-only.
 * @typedef {object} ScreenState
 * @property {string} screen
 * @property {string} served the locale that the server chose
 * @property {ReadonlyMap<string, import("./content.js").Content>} contents by section; "" is the view's own list
 * @property {boolean} live whether this is what the server has now
 * @property {number} asOf milliseconds since 1970; 0 if it was never current
 * @property {import("./messages.js").Cut} cut the position
 * @property {MarqueeError | undefined} error why it isn't live
 * @property {ReadonlyMap<string, MarqueeError>} errors of sections
 */

/** @typedef {{type: string, [more: string]: any}} Message */

/** Keeps content, state and the outbox.
 * @typedef {object} Mirror
 * @property {() => Promise<{state?: any, views?: import("./view.js").View[], rows?: any[]}>} open returns the rows in
 *   ascending order of their numbers
 * @property {(write: import("./core.js").Write) => Promise<void>} write
 * @property {() => void} [close]
 * @property {(start: () => Engine) => Port} [share] lets one engine serve several tabs
 */

/**
 * Receives a client's messages. The ticket identifies the request that a message begins or refers to, and receives the
 * request's outcome. The ticket of `hello` receives messages about the client as a whole.
 * @typedef {{receive: (ticket: Ticket, message: Message) => void, close: () => unknown}} Port
 */

/**
 * @typedef {object} EngineOptions
 * @property {import("./websocket.js").Transport} transport
 * @property {Mirror} mirror
 * @property {string} [user]
 * @property {string | ((request: {refused: string | undefined}) => string | Promise<string>)} [token]
 * @property {object} [limits]
 */

/**
 * A mirror in memory.
 * @returns {Mirror}
 */
export const memory = () => ({ open: async () => ({}), write: async () => {} });

export class Engine {
  #url;
  #options;
  #mirror;
  /** @type {Core | undefined} */
  #core;
  #ready;
  /** @type {import("./websocket.js").Connection | undefined} */
  #connection;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isClosed = false;
  #isStored = true;
  /**
   * The tickets that receive messages about the client as a whole.
   * @type {Set<Ticket>}
   */
  #listeners = new Set();
  /** @type {Message} */
  #state = { type: "state", state: "idle" };

  /** @param {string} url @param {EngineOptions} options */
  constructor(url, options) {
    this.#url = url;
    this.#options = options;
    this.#mirror = options.mirror;
    this.#ready = this.#open();
  }

  async #open() {
    let stored = {};
    try {
      stored = await this.#mirror.open();
    } catch (cause) {
      this.#mirror = memory();
      this.#notStored(cause);
    }
    this.#core = new Core({
      ...this.#options,
      random: Math.random,
      clientId: () => crypto.getRandomValues(new Uint8Array(16)),
      renews: typeof this.#options.token === "function",
    }, stored);
    this.#step((core) => core.pump());
  }

  /** Ends everything. Nothing more is sent; a write that has begun is completed. */
  async close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#connection?.close();
    await this.#ready;
    this.#mirror.close?.();
  }

  // ---------------------------------------------------------------- requests

  /**
   * Handles a client's message; the core has a method for each type.
   * @param {Ticket} ticket
   * @param {Message} message
   */
  async receive(ticket, message) {
    const { type } = message;
    if (type === "leave") this.#listeners.delete(ticket);
    if (type === "hello") this.#listeners.add(ticket);
    await this.#ready;
    this.#step((core) => {
      if (type === "hello") ticket(this.#state);
      /** @type {any} */ (core)[type]?.(ticket, message);
    });
  }

  // ---------------------------------------------------------------- actions, called by name

  /**
   * Passes an event to the core, and runs the resulting actions.
   * @param {(core: Core) => void} event
   * @returns {void}
   */
  #step(event) {
    const core = this.#core;
    if (!core || this.#isClosed) return;
    core.now = Date.now();
    event(core);
    for (const [name, ...more] of core.take()) /** @type {any} */ (this)[name](...more);
    if (/** @type {number} */ (this.#connection?.buffered()) > UNSENT_BYTES)
      return this.#step(() => core.disconnect(new MarqueeError("UNAVAILABLE", RETRY)));
    clearTimeout(this.#timer);
    const pause = core.due - Date.now();
    if (pause < Infinity)
      this.#timer = setTimeout(() => this.#step(() => core.tick()), Math.min(pause, LONGEST_TIMER));
  }

  /** @param {Uint8Array} bytes */
  send(bytes) {
    this.#connection?.send(bytes);
  }

  disconnect() {
    this.#connection?.close();
    this.#connection = undefined;
  }

  /** @param {Ticket} ticket @param {Message} message */
  say(ticket, message) {
    ticket(message);
  }

  /**
   * Sends a message to all listeners.
   * @param {Message} event
   */
  tell(event) {
    if (event.type === "state") this.#state = event;
    for (const listener of this.#listeners) listener(event);
  }

  /** @param {string | undefined} refused */
  async connect(refused) {
    const core = /** @type {Core} */ (this.#core);
    /** @type {import("./websocket.js").Connection | undefined} */
    let connection;
    const step = (/** @type {(core: Core) => void} */ event) => {
      if (connection === this.#connection) this.#step(event);
    };
    const lost = (/** @type {unknown} */ cause, code = "UNAVAILABLE", remedy = RETRY) =>
      step(() => {
        this.#connection = undefined;
        core.lost(new MarqueeError(code, remedy, { cause }));
      });
    /** @type {string | undefined} */
    let token;
    try {
      token = await this.#token(refused);
    } catch (cause) {
      return core.phase === "connecting" && lost(cause, "TOKEN_REFUSED", REAUTHENTICATE);
    }
    if (this.#isClosed || core.phase !== "connecting" || this.#connection) return;
    try {
      this.#connection = connection = this.#options.transport(this.#url, {
        open: () => step(() => core.opened(token)),
        data: (bytes) => step(() => core.received(bytes)),
        close: lost,
      });
    } catch (cause) {
      this.#step(() => core.fail(new MarqueeError("UNAVAILABLE", FATAL, { message: `${cause}`, cause })));
    }
  }

  /**
   * Gets a token; throws if it is the one that was refused.
   * @param {string} [refused]
   */
  async #token(refused) {
    const { token } = this.#options;
    const found = typeof token === "function" ? await token({ refused }) : token;
    check(!refused || found !== refused, "refused before");
    return found;
  }

  async renew() {
    const token = await this.#token().catch(() => {});
    if (token) this.#step((core) => core.renew(token));
  }

  /** @param {import("./core.js").Write} write @param {(error: MarqueeError | undefined) => void} [done] */
  async write(write, done) {
    /** @type {MarqueeError | undefined} */
    let error;
    try {
      await this.#mirror.write(write);
      this.#isStored = true;
    } catch (cause) {
      error = this.#notStored(cause);
    }
    this.#step(() => done?.(error));
  }

  /**
   * Reports that the mirror fails; only once, until it works again.
   * @param {unknown} cause
   */
  #notStored(cause) {
    const error = new MarqueeError("NOT_STORED", RETRY, { message: `${cause}`, cause });
    if (this.#isStored) this.tell({ type: "notStored", error });
    this.#isStored = false;
    return error;
  }
}
