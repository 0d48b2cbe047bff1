/**
 * Several tabs, one connection: the tab that holds a Web Lock leads, and runs the engine. The others send it their
 * wishes by a BroadcastChannel and hear verified changes, which they verify again. When it closes, the next one takes
 * over.
 */

import { EMPTY } from "./content.js";
import { MarqueeError, RETRY } from "./errors.js";
import { replay, wholePart } from "./patch.js";

/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./engine.js").Message} Message */
/** @typedef {import("./core.js").Ticket} Ticket */

/**
 * An error as it can be sent to another tab.
 * @param {MarqueeError | undefined} error
 */
const packed = (error) => error && { ...error, message: error.message };
/** @param {any} error */
const unpacked = (error) => error && new MarqueeError(error.code, error.remedy, error);

/** @type {Message} */
const LEAVE = { type: "leave" };

/**
 * What this tab waits for while another one leads, with what it holds of a screen.
 * @typedef {{id: number, message: Message, isStored?: boolean, contents?: Map<string, Content>}} Wish
 */

/**
 * @param {string} name of what is shared
 * @param {() => import("./engine.js").Engine} start
 * @returns {import("./engine.js").Port}
 */
export function share(name, start) {
  const { locks } = navigator;
  const me = crypto.randomUUID();
  const channel = new BroadcastChannel("marquee/" + name);
  const send = (/** @type {object} */ message) => channel.postMessage({ from: me, ...message });
  /** @type {import("./engine.js").Engine | undefined} */
  let engine;
  /** @type {Map<Ticket, Wish>} */
  const wishes = new Map();
  let lastId = 0;
  /**
   * What those wait for who follow this tab, by their ids.
   * @type {Map<string, Map<number, Ticket>>}
   */
  const followers = new Map();
  let isClosed = false;
  /** Whether others can notice the end of this tab. */
  let isKnown = false;
  /** @type {(value?: any) => void} */
  let leave = () => {};
  const left = new Promise((resolve) => (leave = resolve));

  /** @param {Ticket} ticket @param {Message} message */
  const receive = (ticket, message) => {
    if (engine) return engine.receive(ticket, message);
    const wish = wishes.get(ticket) ?? { id: ++lastId, message };
    if (message.type === "leave") wishes.delete(ticket);
    else wishes.set(ticket, wish);
    if (isKnown) send({ id: wish.id, message });
  };

  /** Another engine runs: it hears all wishes. */
  const retell = () => {
    for (const [ticket, wish] of wishes) {
      wish.contents = undefined;
      if (!wish.isStored) receive(ticket, wish.message);
      else {
        // The new one sends what was stored, but doesn't know who waits for it.
        wishes.delete(ticket);
        ticket({ type: "done", error: new MarqueeError("UNCONFIRMED", RETRY) });
      }
    }
  };

  /**
   * Says to a follower what the engine says.
   * @param {string} to
   * @param {number} id
   * @returns {Ticket}
   */
  const ticketOf = (to, id) => {
    /** @type {Map<string, Content> | undefined} what it holds of a screen */
    let held;
    return ({ contents, ...message }) => {
      message.error = packed(message.error);
      if (message.type === "done") followers.get(to)?.delete(id);
      if (contents) {
        message.sections = [...contents].map(([section, content]) => {
          const base = held?.get(section);
          return [section, base === content ? [] : (base === content.base && content.bodies) || [wholePart(content)]];
        });
        message.errors = [...message.errors].map(([section, one]) => [section, packed(one)]);
        held = contents;
      }
      send({ to, id, message });
    };
  };

  /** @param {string} from @param {number} id @param {Message} message */
  const serve = (from, id, message) => {
    const { type } = message;
    const tickets = followers.get(from) ?? new Map();
    if (!followers.has(from)) {
      followers.set(from, tickets);
      void locks.request("marquee/tab/" + from, () => {
        followers.delete(from);
        for (const ticket of tickets.values()) engine?.receive(ticket, LEAVE);
      });
    }
    const known = tickets.get(id);
    const isOnce = /call|change/.test(type), isNew = isOnce || /hello|watch/.test(type);
    // It was told twice.
    if (known && isOnce) return;
    const ticket = (!isNew && known) || ticketOf(from, id);
    tickets.set(id, ticket);
    engine?.receive(ticket, message);
    if (known && isNew) engine?.receive(known, LEAVE);
    if (type === "leave") tickets.delete(id);
  };

  /** @param {number} id @param {any} message */
  const hear = (id, message) => {
    const { type, sections, errors } = message;
    for (const [ticket, wish] of wishes)
      if (wish.id === id) {
        message.error = unpacked(message.error);
        if (type === "stored") wish.isStored = true;
        if (type === "done") wishes.delete(ticket);
        if (sections) {
          const contents = (message.contents = new Map());
          try {
            for (const [section, bodies] of sections)
              contents.set(section, replay(wish.contents?.get(section) ?? EMPTY, bodies));
          } catch {
            return; // It was for what this tab held before it asked anew, which is answered next.
          }
          wish.contents = contents;
          message.errors = new Map(errors.map((/** @type {any[]} */ [section, one]) => [section, unpacked(one)]));
        }
        ticket(message);
      }
  };

  channel.onmessage = ({ data: { from, to, id, leads, message } }) => {
    if (leads) {
      if (!engine) retell();
    } else if (engine && !to) serve(from, id, message);
    else if (to === me) hear(id, message);
  };

  void locks.request("marquee/tab/" + me, async () => {
    void locks.request("marquee/" + name, async () => {
      if (isClosed) return;
      engine = start();
      retell();
      for (const [ticket, { message }] of wishes) if (message.type === "hello") ticket({ type: "role", role: "leads" });
      send({ leads: true });
      await left;
      await engine.close();
    });
    isKnown = true;
    if (!engine) retell();
    await left;
  });

  return {
    receive,
    close() {
      isClosed = true;
      leave();
      channel.close();
    },
  };
}
