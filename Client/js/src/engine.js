/**
 * Runs the core: its actions on a transport, a mirror and a timer, and the wishes of those who use it. What it hears
 * and says are messages, so that it may serve other tabs as well as its own.
 */

import { concat } from "./bytes.js";
import { Core } from "./core.js";
import { FATAL, MarqueeError, REAUTHENTICATE, RETRY } from "./errors.js";

/** @typedef {import("./core.js").Ticket} Ticket */

/** A screen as it is now, to be read only.
 * @typedef {object} ScreenState
 * @property {string} screen
 * @property {string} served the locale
 * @property {ReadonlyMap<string, import("./content.js").Content>} contents by section, "" is the view's own list
 * @property {boolean} live whether this is what the server has now
 * @property {number} asOf milliseconds since 1970; 0 if it was never current
 * @property {import("./messages.js").Cut} cut the position
 * @property {MarqueeError | undefined} error why it isn't live
 * @property {ReadonlyMap<string, MarqueeError>} errors of sections
 */

/**
 * A message has an `id` if it is about a wish; any other is an event.
 * @typedef {{type: string, id?: number, [more: string]: any}} Message
 */
/**
 * Hears what an engine says to one of those who use it.
 * @typedef {(message: Message) => void} Listener
 */

/** Keeps content, state and the outbox.
 * @typedef {object} Mirror
 * @property {boolean} [isMemory] whether nothing outlives the program
 * @property {() => Promise<{state?: any, views?: import("./view.js").View[], rows?: any[]}>} open
 * @property {(write: import("./core.js").Write) => Promise<void>} write
 * @property {() => void} [close]
 * @property {(start: () => Engine, receive: Listener) => Port} [share] makes one engine serve several tabs
 */

/**
 * Takes the messages of a client.
 * @typedef {{receive: (message: Message) => void, close: () => unknown}} Port
 */

/**
 * @typedef {object} EngineOptions
 * @property {import("./websocket.js").Transport} transport
 * @property {Mirror} mirror
 * @property {string} [user]
 * @property {string | ((request: {refused: string | undefined}) => string | Promise<string>)} [token]
 * @property {object} [limits]
 */

/** Bytes that may wait for the server to take them. */
const UNSENT_BYTES = 32 << 20;
/** The longest time a timer can be set to. */
const LONGEST_TIMER = 0x7fffffff;

/**
 * A mirror in memory.
 * @returns {Mirror}
 */
export const memory = () => ({ isMemory: true, open: async () => ({}), write: async () => {} });

/** @param {unknown} cause */
const notStored = (cause) => new MarqueeError("NOT_STORED", RETRY, { message: `${cause}`, cause });

export class Engine {
  #url;
  #options;
  #mirror;
  /** @type {Core | undefined} */
  #core;
  #ready;
  /** @type {import("./websocket.js").Connection | undefined} */
  #connection;
  /** @type {Uint8Array[]} */
  #unsent = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isClosed = false;
  #isStored = true;
  /**
   * Those who use it, with what they wait for, by their ids.
   * @type {Map<Listener, Map<number, Ticket>>}
   */
  #users = new Map();
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
      this.#isStored = false;
      this.#tell({ type: "notStored", error: notStored(cause) });
    }
    const { user, token, limits } = this.#options;
    this.#core = new Core({
      random: Math.random,
      clientId: () => crypto.getRandomValues(new Uint8Array(16)),
      isMemory: !!this.#mirror.isMemory,
      renews: typeof token === "function",
      user,
      limits,
    }, stored);
    this.#step((core, now) => core.pump(now));
  }

  /** Ends everything. Nothing is sent any more; what is being stored still is. */
  async close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#connection?.close();
    await this.#ready;
    this.#mirror.close?.();
  }

  // ---------------------------------------------------------------- wishes

  /**
   * Does what a user wants.
   * @param {Listener} user
   * @param {Message} message
   */
  async receive(user, { type, id = 0, ...message }) {
    const tickets = this.#users.get(user) ?? new Map();
    this.#users.set(user, tickets);
    await this.#ready;
    /** @type {Ticket | undefined} */
    const known = tickets.get(id);
    const ticket = known ?? ((one) => {
      if (one.type === "done") tickets.delete(id);
      user({ ...one, id });
    });
    this.#step((core, now) => {
      switch (type) {
        case "hello":
          user(this.#state);
          return user({ type: "rows", rows: core.outbox.stored });
        case "retry":
          return core.retry(now);
        case "options":
          return core.setOptions(ticket, message.options);
        case "leave":
          tickets.delete(id);
          return core.leave(ticket);
        case "bye":
          this.#users.delete(user);
          for (const one of tickets.values()) core.leave(one);
          return;
      }
      // The same again: another engine was told before.
      if (known && type !== "watch") return;
      tickets.set(id, ticket);
      if (type === "watch") core.watch(ticket, message.screen, message.locale, message.options, now);
      else if (type === "call") core.call(ticket, message.method, message.body, now + message.timeout, now);
      else core.outbox.add(ticket, message.mutation, now);
    });
  }

  // ---------------------------------------------------------------- actions

  /**
   * An event for the core, and what it decides.
   * @param {(core: Core, now: number) => void} event
   * @returns {void}
   */
  #step(event) {
    const core = this.#core;
    if (!core || this.#isClosed) return;
    event(core, Date.now());
    for (let actions; (actions = core.take()).length; )
      for (const [name, ...more] of actions) this.#perform(core, name, more);
    this.#flush();
    if ((this.#connection?.buffered() ?? 0) > UNSENT_BYTES)
      return this.#step((_, now) => core.disconnect(new MarqueeError("UNAVAILABLE", RETRY), now));
    clearTimeout(this.#timer);
    const pause = Math.min(LONGEST_TIMER, Math.max(0, core.due - Date.now()));
    if (core.due < Infinity) this.#timer = setTimeout(() => this.#step(() => core.tick(Date.now())), pause);
  }

  #flush() {
    const bytes = concat(this.#unsent.splice(0));
    if (bytes.length) this.#connection?.send(bytes);
  }

  /** @param {Core} core @param {string} name @param {any[]} more */
  #perform(core, name, [a, b]) {
    switch (name) {
      case "send":
        return this.#unsent.push(a);
      case "connect":
        return void this.#connect(core, a);
      case "disconnect":
        this.#flush();
        this.#connection?.close();
        this.#connection = undefined;
        return;
      case "write":
        return void this.#write(a, b);
      case "say":
        return a(b);
      case "tell":
        return this.#tell(a);
      case "renew":
        return void this.#renew();
    }
  }

  /**
   * Tells all users.
   * @param {Message} event
   */
  #tell(event) {
    if (event.type === "state") this.#state = event;
    for (const user of this.#users.keys()) user(event);
  }

  /** @param {Core} core @param {string | undefined} refused */
  async #connect(core, refused) {
    /** @type {import("./websocket.js").Connection | undefined} */
    let connection;
    const step = (/** @type {(now: number) => void} */ event) => {
      if (connection === this.#connection) this.#step((_, now) => event(now));
    };
    const lost = (/** @type {unknown} */ cause, code = "UNAVAILABLE", remedy = RETRY) =>
      step((now) => {
        this.#connection = undefined;
        core.lost(new MarqueeError(code, remedy, { cause }), now);
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
        open: () => step((now) => core.opened(token, now)),
        data: (bytes) => step((now) => core.received(bytes, now)),
        close: lost,
      });
    } catch (cause) {
      this.#step(() => core.fail(new MarqueeError("UNAVAILABLE", FATAL, { message: `${cause}`, cause })));
    }
  }

  /**
   * A token that isn't the refused one.
   * @param {string} [refused]
   */
  async #token(refused) {
    const { token } = this.#options;
    const found = typeof token === "function" ? await token({ refused }) : token;
    if (refused && found === refused) throw new Error("it was refused before");
    return found;
  }

  async #renew() {
    const token = await this.#token().catch(() => {});
    if (token) this.#step((core, now) => core.renew(token, now));
  }

  /** @param {import("./core.js").Write} write @param {(error: MarqueeError | undefined, now: number) => void} [done] */
  async #write(write, done) {
    /** @type {MarqueeError | undefined} */
    let error;
    try {
      await this.#mirror.write(write);
      this.#isStored ||= !this.#mirror.isMemory;
    } catch (cause) {
      error = notStored(cause);
      if (this.#isStored) this.#tell({ type: "notStored", error });
      this.#isStored = false;
    }
    this.#step((_, now) => done?.(error, now));
  }
}
