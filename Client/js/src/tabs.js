/**
 * Several tabs, one connection: the tab that holds a Web Lock leads, and runs the engine. The others send it their
 * requests over a BroadcastChannel and receive verified changes, which they verify again. When the leader closes, the
 * next tab takes over.
 */

import { EMPTY } from "./content.js";
import { MarqueeError, RETRY, errorOf } from "./errors.js";
import { replay, wholePart } from "./patch.js";

/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./engine.js").Message} Message */
/** @typedef {import("./core.js").Ticket} Ticket */

/**
 * An error as it can be sent to another tab.
 * @param {MarqueeError | undefined} error
 */
const packed = (error) => error && { ...error, reason: error.code, message: error.message };
/** @param {any} error */
const unpacked = (error) => error && errorOf({ reason: error.code, ...error });

/**
 * A request of this tab while another one leads, with the content that it holds of a screen.
 * @typedef {{id: number, message: Message, isStored?: boolean, contents?: Map<string, Content>}} Wish
 */

/** A port to the engine of whichever tab leads. */
export class Tabs {
  #me = crypto.randomUUID();
  #channel;
  /** @type {import("./engine.js").Engine | undefined} */
  #engine;
  /** @type {Map<Ticket, Wish>} */
  #requests = new Map();
  #lastId = 0;
  /**
   * The tickets of the tabs that follow this one, by their ids.
   * @type {Map<string, Map<number, Ticket>>}
   */
  #followers = new Map();
  #isClosed = false;
  /** Whether others can notice the end of this tab. */
  #isKnown = false;
  /** @type {(value?: any) => void} */
  #leave = () => {};
  #left = new Promise((resolve) => (this.#leave = resolve));

  /**
   * @param {string} name of what is shared
   * @param {() => import("./engine.js").Engine} start
   */
  constructor(name, start) {
    this.#channel = new BroadcastChannel("marquee/" + name);
    this.#channel.onmessage = ({ data: { from, to, id, leads, message } }) => {
      if (leads) {
        if (!this.#engine) this.#retell();
      } else if (this.#engine && !to) this.#serve(from, id, message);
      else if (to === this.#me) this.#hear(id, message);
    };
    this.#hold("tab/" + this.#me, async () => {
      this.#hold(name, async () => {
        if (this.#isClosed) return;
        this.#engine = start();
        this.#retell();
        for (const [ticket, { message }] of this.#requests)
          if (message.type === "hello") ticket({ type: "role", role: "leads" });
        this.#send({ leads: true });
        await this.#left;
        await this.#engine.close();
      });
      this.#isKnown = true;
      if (!this.#engine) this.#retell();
      await this.#left;
    });
  }

  /**
   * Runs something while this tab holds a lock.
   * @param {string} name
   * @param {() => any} run
   */
  #hold(name, run) {
    return navigator.locks.request("marquee/" + name, run);
  }

  /** @param {object} message */
  #send(message) {
    this.#channel.postMessage({ from: this.#me, ...message });
  }

  /** @param {Ticket} ticket @param {Message} message */
  receive(ticket, message) {
    if (this.#engine) return this.#engine.receive(ticket, message);
    const request = this.#requests.get(ticket) ?? { id: ++this.#lastId, message };
    if (message.type === "leave") this.#requests.delete(ticket);
    else this.#requests.set(ticket, request);
    if (this.#isKnown) this.#send({ id: request.id, message });
  }

  /** Sends all requests to the engine that runs now. */
  #retell() {
    for (const [ticket, request] of this.#requests) {
      request.contents = undefined;
      if (!request.isStored) this.receive(ticket, request.message);
      else {
        // The new one sends what was stored, but doesn't know who waits for it.
        this.#requests.delete(ticket);
        ticket({ type: "done", error: new MarqueeError("UNCONFIRMED", RETRY) });
      }
    }
  }

  /**
   * Passes the engine's messages on to a follower.
   * @param {string} to
   * @param {number} id
   * @returns {Ticket}
   */
  #ticketOf(to, id) {
    /** @type {Map<string, Content> | undefined} what it holds of a screen */
    let held;
    return ({ contents, ...message }) => {
      message.error = packed(message.error);
      if (message.type === "done") this.#followers.get(to)?.delete(id);
      if (contents) {
        message.sections = [...contents].map(([section, content]) => {
          const base = held?.get(section);
          return [section, base === content ? [] : (base === content.base && content.bodies) || [wholePart(content)]];
        });
        message.errors = [...message.errors].map(([section, one]) => [section, packed(one)]);
        held = contents;
      }
      this.#send({ to, id, message });
    };
  }

  /** @param {string} from @param {number} id @param {Message} message */
  #serve(from, id, message) {
    const { type } = message;
    const tickets = this.#followers.get(from) ?? new Map();
    if (!this.#followers.has(from)) {
      this.#followers.set(from, tickets);
      this.#hold("tab/" + from, () => {
        this.#followers.delete(from);
        for (const [, ticket] of tickets) /** @type {any} */ (this.#engine).receive(ticket, { type: "leave" });
      });
    }
    const known = tickets.get(id);
    const isOnce = /call|change/.test(type), isNew = isOnce || /hello|watch/.test(type);
    // It was sent twice.
    if (known && isOnce) return;
    const ticket = (!isNew && known) || this.#ticketOf(from, id);
    tickets.set(id, ticket);
    /** @type {any} */ (this.#engine).receive(ticket, message);
    if (known && isNew) /** @type {any} */ (this.#engine).receive(known, { type: "leave" });
    if (type === "leave") tickets.delete(id);
  }

  /** @param {number} id @param {any} message */
  #hear(id, message) {
    const { errors, type, sections } = message;
    for (const [ticket, request] of this.#requests)
      if (request.id === id) {
        message.error = unpacked(message.error);
        if (type === "stored") request.isStored = true;
        if (type === "done") this.#requests.delete(ticket);
        if (sections) {
          const contents = (message.contents = new Map());
          try {
            for (const [section, bodies] of sections)
              contents.set(section, replay(request.contents?.get(section) ?? EMPTY, bodies));
          } catch {
            return; // It was based on what this tab held before it asked again; the answer to that comes next.
          }
          request.contents = contents;
          message.errors = new Map(errors.map((/** @type {any[]} */ [section, one]) => [section, unpacked(one)]));
        }
        ticket(message);
      }
  }

  close() {
    this.#isClosed = true;
    this.#leave();
    this.#channel.close();
  }
}
