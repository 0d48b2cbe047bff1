/**
 * Runs the core: its actions on a transport, a mirror and a timer, and the wishes of those who use it. What it hears
 * and says are messages, so that it may serve other tabs as well as its own.
 */

import { concat } from "./bytes.js";
import { Core } from "./core.js";
import { MarqueeError } from "./errors.js";

/** @typedef {import("./view.js").View} View */

/** A screen as it is now, to be read only.
 * @typedef {object} ScreenState
 * @property {string} screen
 * @property {string} locale the one that is served
 * @property {ReadonlyMap<string, import("./content.js").Content>} contents by section, "" is the view's own list
 * @property {boolean} live whether this is what the server has now
 * @property {number} asOf milliseconds since 1970; 0 if it was never current
 * @property {number | bigint} revision of the catalogue
 * @property {MarqueeError | undefined} error why it isn't live
 * @property {ReadonlyMap<string, MarqueeError>} sectionErrors
 */

/** @typedef {{type: string, id?: number, [more: string]: any}} Message */

/** Keeps content, state and the outbox.
 * @typedef {object} Mirror
 * @property {boolean} [isMemory] whether nothing outlives the program
 * @property {string} [name] of what several tabs share
 * @property {() => Promise<{state?: any, views?: View[], rows?: any[]}>} open
 * @property {(write: import("./core.js").Write) => Promise<void>} write
 * @property {() => void} [close]
 */

/** @typedef {{refused: string | undefined}} TokenRequest */

/**
 * @typedef {object} EngineOptions
 * @property {import("./websocket.js").Transport} transport
 * @property {Mirror} mirror
 * @property {string} [user]
 * @property {string | ((request: TokenRequest) => string | Promise<string>)} [token]
 * @property {any} [limits]
 */

/** Bytes that may wait for the server to take them. */
const UNSENT_BYTES = 32 << 20;
const CLIENT_ID_BYTES = 16;
/** The longest time a timer can be set to. */
const LONGEST_TIMER = 0x7fffffff;

/** A mirror in memory. @returns {Mirror} */
export const memory = () => ({ isMemory: true, open: async () => ({}), write: async () => {} });

export class Engine {
  /**
   * @param {string} url
   * @param {EngineOptions} options
   * @param {(to: any, message: Message, changes?: Map<string, import("./session.js").Change>) => void} post
   */
  constructor(url, options, post) {
    this.url = url;
    this.options = options;
    this.post = post;
    this.mirror = options.mirror;
    /** @type {Core | undefined} */
    this.core = undefined;
    /** @type {import("./websocket.js").Connection | undefined} */
    this.connection = undefined;
    /** Those who watch, by client and id. @type {Map<any, Map<number, View>>} */
    this.clients = new Map();
    /** @type {any} */
    this.timer = undefined;
    this.isClosed = false;
    /** @type {Message | undefined} */
    this.lastState = undefined;
    this.ready = this.open();
  }

  async open() {
    let stored = {};
    try {
      stored = await this.mirror.open();
    } catch (cause) {
      this.mirror = memory();
      this.tell({ type: "notStored", error: notStored(cause) });
    }
    const { user, token, limits } = this.options;
    this.core = new Core(
      {
        random: Math.random,
        clientId: () => crypto.getRandomValues(new Uint8Array(CLIENT_ID_BYTES)),
        isMemory: !!this.mirror.isMemory,
        renews: typeof token === "function",
        user,
        limits,
      },
      stored,
    );
    this.core.outbox.changed();
    this.core.pump(Date.now());
    this.run();
  }

  /** Tells everybody. @param {any} event */
  tell(event) {
    const message = { type: "event", event };
    if (event.type === "state") this.lastState = message;
    for (const to of this.clients.keys()) this.post(to, message);
  }

  /**
   * Does what a client wants.
   * @param {any} from
   * @param {Message} message
   */
  async receive(from, message) {
    if (!this.clients.has(from)) this.clients.set(from, new Map());
    await this.ready;
    if (!this.core || this.isClosed) return;
    this.handle(this.core, from, message, Date.now());
    this.run();
  }

  /** @param {Core} core @param {any} from @param {Message} message @param {number} now */
  handle(core, from, message, now) {
    const watches = this.clients.get(from);
    if (!watches) return;
    const id = /** @type {number} */ (message.id);
    const ticket = { from, id };
    const view = watches.get(id);
    switch (message.type) {
      case "hello":
        if (this.lastState) this.post(from, this.lastState);
        return this.post(from, { type: "rows", rows: core.outbox.rows.filter(({ state }) => state !== "new") });
      case "watch": {
        const watched = core.watch(message.screen, message.locale, message.options, now);
        watches.set(id, watched);
        if (watched.isHeld) this.post(from, { type: "view", id, state: stateOf(watched) });
        return;
      }
      case "options":
        return view && core.setOptions(view, message.options);
      case "unwatch":
        watches.delete(id);
        return view && core.unwatch(view);
      case "call":
        return core.call(this.ticketOf(ticket), message.method, message.body, now + message.timeout, now);
      case "cancel":
        return core.cancelCall(this.ticketOf(ticket));
      case "mutate":
        return core.outbox.add(ticket, message.mutation, now);
      case "retry":
        return core.retry(now);
      case "bye":
        for (const one of watches.values()) core.unwatch(one);
        this.clients.delete(from);
    }
  }

  /** Calls are found again by it. @param {{from: any, id: number}} ticket */
  ticketOf({ from, id }) {
    return `${id} ${from}`;
  }

  // ---------------------------------------------------------------- actions

  /** Runs what the core has decided. */
  run() {
    const { core } = this;
    if (!core) return;
    /** @type {Uint8Array[]} */
    let unsent = [];
    const flush = () => {
      if (unsent.length) this.connection?.send(concat(unsent));
      unsent = [];
    };
    for (let actions; (actions = core.take()).length; )
      for (const action of actions) {
        if (action.do === "send") unsent.push(action.bytes);
        else {
          if (action.do === "disconnect") flush();
          this.perform(core, action);
        }
      }
    flush();
    if ((this.connection?.buffered() ?? 0) > UNSENT_BYTES) {
      core.disconnect(new MarqueeError("UNAVAILABLE", "the server takes nothing", { remedy: 1 }), Date.now());
      return this.run();
    }
    clearTimeout(this.timer);
    if (core.due < Infinity)
      this.timer = setTimeout(() => this.step((now) => core.tick(now)), Math.min(LONGEST_TIMER, Math.max(0, core.due - Date.now())));
  }

  /** An event for the core. @param {(now: number) => void} event */
  step(event) {
    if (this.isClosed) return;
    event(Date.now());
    this.run();
  }

  /** @param {Core} core @param {import("./core.js").Action} action */
  perform(core, action) {
    switch (action.do) {
      case "connect":
        return void this.connect(core, action.refused);
      case "disconnect":
        this.connection?.close();
        this.connection = undefined;
        return;
      case "write":
        return void this.write(core, action.id, action.write);
      case "view":
        return this.eachWatch(action.view, (from, id) => this.post(from, { type: "view", id, state: stateOf(action.view) }, action.changes));
      case "ended":
        return this.eachWatch(action.view, (from, id, watches) => {
          watches.delete(id);
          this.post(from, { type: "ended", id, error: action.error });
        });
      case "event":
        return this.tell(action.event);
      case "rows":
        for (const to of this.clients.keys()) this.post(to, { type: "rows", rows: action.rows });
        return;
      case "renew":
        return void this.renew(core);
      case "answer": {
        const [, id, from] = /** @type {string[]} */ (/^(\d+) (.*)/s.exec(action.ticket));
        return this.post(from, { type: "answer", id: +id, error: action.error, body: action.body });
      }
      case "stored":
      case "outcome":
        if (action.ticket) {
          const { from, id } = action.ticket;
          this.post(from, { type: action.do, id, error: action.error, result: action.result });
        }
    }
  }

  /** @param {View} view @param {(from: any, id: number, watches: Map<number, View>) => void} run */
  eachWatch(view, run) {
    for (const [from, watches] of this.clients) for (const [id, one] of [...watches]) if (one === view) run(from, id, watches);
  }

  /** @param {Core} core @param {string | undefined} refused */
  async connect(core, refused) {
    const attempt = {};
    this.attempt = attempt;
    const isOver = () => this.isClosed || this.attempt !== attempt || core.phase !== "connecting";
    let token;
    try {
      token = await this.token(refused);
    } catch (cause) {
      if (!isOver()) this.step((now) => core.lost(new MarqueeError("TOKEN_REFUSED", "no token", { remedy: 4, status: 16, cause }), now));
      return;
    }
    if (isOver()) return;
    const lost = (/** @type {unknown} */ cause) => {
      if (this.connection !== connection) return;
      this.connection = undefined;
      this.step((now) => core.lost(new MarqueeError("UNAVAILABLE", "the connection ended", { remedy: 1, status: 14, cause }), now));
    };
    /** @type {import("./websocket.js").Connection | undefined} */
    let connection;
    try {
      connection = this.connection = this.options.transport(this.url, {
        open: () => connection && this.connection === connection && this.step((now) => core.opened(token, now)),
        data: (bytes) => connection && this.connection === connection && this.step((now) => core.received(bytes, now)),
        close: lost,
      });
    } catch (cause) {
      this.step((now) => core.fail(new MarqueeError("UNAVAILABLE", `${this.url} can't be connected to`, { cause }), now));
    }
  }

  /** A token that isn't the refused one. @param {string | undefined} refused */
  async token(refused) {
    const { token } = this.options;
    const found = typeof token === "function" ? await token({ refused }) : token;
    if (refused !== undefined && found === refused) throw new Error("the same token was refused before");
    return found;
  }

  /** @param {Core} core */
  async renew(core) {
    try {
      const token = await this.token(undefined);
      if (token !== undefined) this.step((now) => core.renew(token, now));
    } catch (cause) {
      this.tell({ type: "renewalFailed", error: new MarqueeError("TOKEN_REFUSED", "no token", { remedy: 4, cause }) });
    }
  }

  /** @param {Core} core @param {number} id @param {import("./core.js").Write} write */
  async write(core, id, write) {
    /** @type {MarqueeError | undefined} */
    let error;
    try {
      await this.mirror.write(write);
      this.isStored = true;
    } catch (cause) {
      error = notStored(cause);
      if (this.isStored !== false) this.tell({ type: "notStored", error });
      this.isStored = false;
    }
    this.step((now) => core.written(id, error, now));
  }

  /** Ends everything. Nothing is sent any more; what is being stored still is. */
  async close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.connection?.close();
    this.connection = undefined;
    await this.ready;
    this.mirror.close?.();
  }
}

/** @param {unknown} cause */
const notStored = (cause) => new MarqueeError("NOT_STORED", `the mirror can't be used: ${cause}`, { remedy: 1, cause });

/** @param {View} view @returns {ScreenState} */
function stateOf({ screen, served, contents, damaged, live, asOf, cut, error, sectionErrors }) {
  const shown = damaged.size ? new Map([...contents].filter(([section]) => !damaged.has(section))) : contents;
  return {
    screen, locale: served, contents: shown, live, asOf, revision: cut.catalogueRevision ?? 0,
    error: live ? undefined : error, sectionErrors: new Map(sectionErrors),
  };
}
