/**
 * Runs the core: its actions on a transport, a mirror and a timer, and the wishes of those who use it. What it hears
 * and says are messages, so that it may serve other tabs as well as its own.
 */

import { concat } from "./bytes.js";
import { Core } from "./core.js";
import { FATAL, MarqueeError, REAUTHENTICATE, RETRY } from "./errors.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {import("./session.js").Change} Change */

/** A screen as it is now, to be read only.
 * @typedef {object} ScreenState
 * @property {string} screen
 * @property {string} locale the one that is served
 * @property {ReadonlyMap<string, import("./content.js").Content>} contents by section, "" is the view's own list
 * @property {boolean} live whether this is what the server has now
 * @property {number} asOf milliseconds since 1970; 0 if it was never current
 * @property {number} revision of the catalogue
 * @property {MarqueeError | undefined} error why it isn't live
 * @property {ReadonlyMap<string, MarqueeError>} errors of sections
 */

/** @typedef {{type: string, id?: number, [more: string]: any}} Message */
/**
 * Hears what an engine says to one of those who use it.
 * @typedef {(message: Message, changes?: Map<string, Change>) => void} Listener
 */

/** Keeps content, state and the outbox.
 * @typedef {object} Mirror
 * @property {boolean} [isMemory] whether nothing outlives the program
 * @property {() => Promise<{state?: any, views?: View[], rows?: any[]}>} open
 * @property {(write: import("./core.js").Write) => Promise<void>} write
 * @property {() => void} [close]
 * @property {(start: () => Engine, receive: Listener) => Port} [share] makes one engine serve several tabs
 */

/** @typedef {{watches: Map<number, View>, calls: Map<number, Listener>}} User */

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
   * Those who use it, with what they watch and what they have called, by their ids.
   * @type {Map<Listener, User>}
   */
  #users = new Map();
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
      this.tell({ type: "notStored", error: notStored(cause) });
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
  async receive(user, message) {
    const state = this.#users.get(user) ?? { watches: new Map(), calls: new Map() };
    this.#users.set(user, state);
    await this.#ready;
    this.#step((core, now) => this.#handle(core, user, state, message, now));
  }

  /** @param {Core} core @param {Listener} user @param {User} state @param {Message} message @param {number} now */
  #handle(core, user, { watches, calls }, { type, id = 0, ...message }, now) {
    const view = watches.get(id);
    const answer = (/** @type {Message} */ one) => {
      if (one.type === "done") calls.delete(id);
      user({ ...one, id });
    };
    switch (type) {
      case "hello":
        user({ type: "event", event: this.#state });
        return user({ type: "rows", rows: core.outbox.stored });
      case "watch": {
        const watched = view ?? core.watch(message.screen, message.locale, message.options, now);
        watches.set(id, watched);
        if (watched.isHeld) answer(stateOf(watched));
        return;
      }
      case "options":
        return view && core.setOptions(view, message.options);
      case "unwatch":
        watches.delete(id);
        return view && core.unwatch(view);
      case "call":
        if (calls.has(id)) return;
        calls.set(id, answer);
        return core.call(answer, message.method, message.body, now + message.timeout, now);
      case "cancel":
        return core.cancelCall(calls.get(id));
      case "change":
        if (calls.has(id)) return;
        calls.set(id, answer);
        return core.outbox.add(answer, message.mutation, now);
      case "retry":
        return core.retry(now);
      case "bye":
        this.#users.delete(user);
        for (const one of watches.values()) core.unwatch(one);
        for (const one of calls.values()) core.cancelCall(one);
    }
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
    if (this.#unsent.length) this.#connection?.send(concat(this.#unsent));
    this.#unsent = [];
  }

  /** @param {Core} core @param {string} name @param {any[]} more */
  #perform(core, name, [a, b, c]) {
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
        return void this.#write(core, a, b);
      case "show":
        return this.#each(a, (user, id) => user({ ...stateOf(a), id }, b));
      case "end":
        return this.#each(a, (user, id, watches) => {
          watches.delete(id);
          user({ type: "end", id, error: b });
        });
      case "tell":
        return this.tell(a);
      case "rows":
        for (const user of this.#users.keys()) user({ type: "rows", rows: core.outbox.stored });
        return;
      case "renew":
        return void this.#renew();
      case "stored":
        return a?.({ type: "stored" });
      default: // answer and outcome
        return a?.({ type: "done", error: b, result: c });
    }
  }

  /** @param {View} view @param {(user: Listener, id: number, watches: Map<number, View>) => void} run */
  #each(view, run) {
    for (const [user, { watches }] of this.#users)
      for (const [id, one] of [...watches]) if (one === view) run(user, id, watches);
  }

  /**
   * Tells all users.
   * @param {any} event
   */
  tell(event) {
    if (event.type === "state") this.#state = event;
    for (const user of this.#users.keys()) user({ type: "event", event });
  }

  /** @param {Core} core @param {string | undefined} refused */
  async #connect(core, refused) {
    /** @type {import("./websocket.js").Connection | undefined} */
    let connection;
    const lost = (/** @type {unknown} */ cause, code = "UNAVAILABLE", remedy = RETRY) => {
      if (connection !== this.#connection) return;
      this.#connection = undefined;
      this.#step((_, now) => core.lost(new MarqueeError(code, remedy, { cause }), now));
    };
    /** @type {string | undefined} */
    let token;
    try {
      token = await this.#token(refused);
    } catch (cause) {
      return core.phase === "connecting" && lost(cause, "TOKEN_REFUSED", REAUTHENTICATE);
    }
    if (this.#isClosed || core.phase !== "connecting" || this.#connection) return;
    const step = (/** @type {(now: number) => void} */ event) => {
      if (connection === this.#connection) this.#step((_, now) => event(now));
    };
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

  /** @param {Core} core @param {number} id @param {import("./core.js").Write} write */
  async #write(core, id, write) {
    /** @type {MarqueeError | undefined} */
    let error;
    try {
      await this.#mirror.write(write);
      this.#isStored ||= !this.#mirror.isMemory;
    } catch (cause) {
      error = notStored(cause);
      if (this.#isStored) this.tell({ type: "notStored", error });
      this.#isStored = false;
    }
    this.#step((_, now) => core.written(id, error, now));
  }
}

/** @param {View} view @returns {ScreenState & {type: "view"}} */
function stateOf({ screen, served, contents, damaged, live, asOf, cut, error, errors }) {
  return {
    type: "view", screen, locale: served, live, asOf, revision: cut.catalogueRevision ?? 0,
    contents: damaged.size ? new Map([...contents].filter(([section]) => !damaged.has(section))) : contents,
    error: live ? undefined : error, errors: new Map(errors),
  };
}
