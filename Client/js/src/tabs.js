/**
 * Shares one connection among several tabs. The tab that holds a Web Lock is the leader, and runs the engine. The
 * others send it their requests over a BroadcastChannel; they receive verified changes, and verify them again. When the
 * leader closes, the next tab takes over.
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
 * A request of this tab while another one leads; for a screen, with the content received so far.
 * @typedef {{id: number, message: Message, isStored?: boolean, contents?: Map<string, Content>}} PendingRequest
 */

/** A port to the engine of whichever tab leads. */
export class Tabs {
  #me = crypto.randomUUID();
  #channel;
  /** @type {import("./engine.js").Engine | undefined} */
  #engine;
  /** @type {Map<Ticket, PendingRequest>} */
  #requests = new Map();
  #lastId = 0;
  /**
   * The tickets of the tabs that follow this one, by tab and request id.
   * @type {Map<string, Map<number, Ticket>>}
   */
  #followers = new Map();
  #isClosed = false;
  /** Whether this tab holds its own lock, so that others can notice when it closes. */
  #isKnown = false;
  /** @type {(value?: any) => void} */
  #leave = () => {};
  #left = new Promise((resolve) => (this.#leave = resolve));

  /**
   * @param {string} name of the mirror that is shared
   * @param {() => import("./engine.js").Engine} start
   */
  constructor(name, start) {
    this.#channel = new BroadcastChannel("marquee/" + name);
    this.#channel.onmessage = ({ data: { from, to, id, leads, message } }) => {
      if (leads) {
        if (!this.#engine) this.#resendRequests();
      } else if (this.#engine && !to) this.#serve(from, id, message);
      else if (to === this.#me) this.#receiveAnswer(id, message);
    };
    this.#hold("tab/" + this.#me, async () => {
      this.#hold(name, async () => {
        if (this.#isClosed) return;
        this.#engine = start();
        this.#resendRequests();
        for (const [ticket, { message }] of this.#requests)
          if (message.type === "hello") ticket({ type: "role", role: "leads" });
        this.#send({ leads: true });
        await this.#left;
        await this.#engine.close();
      });
      this.#isKnown = true;
      if (!this.#engine) this.#resendRequests();
      await this.#left;
    });
  }

  /**
   * Runs a function once this tab has a lock, which it holds until the function is done.
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

  /** Sends all requests again, to the engine that now runs. */
  #resendRequests() {
    for (const [ticket, request] of this.#requests) {
      request.contents = undefined;
      if (!request.isStored) this.receive(ticket, request.message);
      else {
        // The new engine sends the stored change, but doesn't know the ticket that waits for it.
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
    /** @type {Map<string, Content> | undefined} the content that the follower has of a screen */
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
    // A call or change that was sent twice is handled once.
    if (known && isOnce) return;
    const ticket = (!isNew && known) || this.#ticketOf(from, id);
    tickets.set(id, ticket);
    /** @type {any} */ (this.#engine).receive(ticket, message);
    if (known && isNew) /** @type {any} */ (this.#engine).receive(known, { type: "leave" });
    if (type === "leave") tickets.delete(id);
  }

  /** @param {number} id @param {any} message */
  #receiveAnswer(id, message) {
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
            return; // It was based on content from before this tab resent its request; the right answer follows.
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
