/**
 * Several tabs, one connection: the tab that holds a Web Lock leads, and runs the engine. The others send it their
 * wishes by a BroadcastChannel and hear verified changes, which they verify again. When it closes, the next one takes
 * over.
 */

import { EMPTY } from "./content.js";
import { MarqueeError, RETRY } from "./errors.js";
import { replay } from "./indexeddb.js";
import { wholePart } from "./patch.js";

/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./engine.js").Message} Message */

/**
 * An error as it can be sent to another tab.
 * @param {MarqueeError | undefined} error
 */
const packed = (error) => error && { ...error, message: error.message };
/** @param {any} error */
const unpacked = (error) => error && new MarqueeError(error.code, error.remedy, error);

/**
 * @param {string} name of what is shared
 * @param {() => import("./engine.js").Engine} start
 * @param {import("./engine.js").Listener} receive
 * @returns {import("./engine.js").Port}
 */
export function share(name, start, receive) {
  const { locks } = navigator;
  const me = crypto.randomUUID();
  const channel = new BroadcastChannel("marquee/" + name);
  const send = (/** @type {object} */ message) => channel.postMessage({ from: me, ...message });
  /** @type {import("./engine.js").Engine | undefined} */
  let engine;
  /**
   * What this tab wants, by id.
   * @type {Map<number, Message>}
   */
  const wishes = new Map();
  /**
   * What it holds of each screen that it watches.
   * @type {Map<number, Map<string, Content>>}
   */
  const held = new Map();
  /**
   * Those who follow this tab, with what they hold of each screen.
   * @type {Map<string, {known: Map<number, ReadonlyMap<string, Content>>, listener: import("./engine.js").Listener}>}
   */
  const followers = new Map();
  let isClosed = false;
  /** Whether others can notice the end of this tab. */
  let isKnown = false;
  /** @type {(value?: any) => void} */
  let leave = () => {};
  const left = new Promise((resolve) => (leave = resolve));

  /**
   * Hears the engine, wherever it is.
   * @param {Message} message
   */
  const hear = (message) => {
    const { type, id = 0 } = message;
    const wish = wishes.get(id);
    if (type === "stored" && wish) wish.isStored = true;
    if (type === "done") wishes.delete(id);
    receive(message);
  };

  /**
   * Tells the engine.
   * @param {Message} message
   */
  const tell = (message) => {
    if (engine) void engine.receive(hear, message);
    else if (isKnown) send({ message });
  };

  /** Another engine runs: it hears all wishes. */
  const retell = () => {
    held.clear();
    tell({ type: "hello" });
    for (const [id, wish] of [...wishes])
      // The new one sends what was stored, but doesn't know who waits for it.
      if (wish.isStored) hear({ type: "done", id, error: new MarqueeError("UNCONFIRMED", RETRY) });
      else tell(wish);
  };

  /**
   * Says to a follower what the engine says.
   * @param {string} to
   * @param {Map<number, ReadonlyMap<string, Content>>} known
   * @returns {import("./engine.js").Listener}
   */
  const listenerOf = (to, known) => ({ contents, ...message }) => {
    const { id = 0, error, errors } = message;
    message.error = packed(error);
    if (contents) {
      const before = known.get(id);
      message.sections = [...contents].map(([section, content]) => {
        const base = before?.get(section);
        return [section, base === content ? [] : (base === content.base && content.bodies) || [wholePart(content)]];
      });
      message.errors = [...errors].map(([section, one]) => [section, packed(one)]);
      known.set(id, contents);
    }
    send({ to, message });
  };

  channel.onmessage = ({ data: { from, to, leads, message } }) => {
    if (leads) return engine ? undefined : retell();
    if (engine) {
      if (to) return;
      const known = new Map();
      const follower = followers.get(from) ?? { known, listener: listenerOf(from, known) };
      if (!followers.has(from)) {
        followers.set(from, follower);
        void locks.request("marquee/tab/" + from, () => {
          followers.delete(from);
          void engine?.receive(follower.listener, { type: "bye" });
        });
      }
      if (message.type === "watch") follower.known.delete(message.id);
      return void engine.receive(follower.listener, message);
    }
    if (to !== me) return;
    const { id, sections, error, errors } = message;
    message.error = unpacked(error);
    if (sections) {
      const before = held.get(id);
      message.contents = new Map();
      try {
        for (const [section, bodies] of sections)
          message.contents.set(section, replay(before?.get(section) ?? EMPTY, bodies));
      } catch {
        return; // It was for what this tab held before it asked anew, which is answered next.
      }
      held.set(id, message.contents);
      message.errors = new Map(errors.map((/** @type {any[]} */ [section, one]) => [section, unpacked(one)]));
    }
    hear(message);
  };

  void locks.request("marquee/tab/" + me, async () => {
    void locks.request("marquee/" + name, async () => {
      if (isClosed) return;
      engine = start();
      receive({ type: "role", role: "leads" });
      send({ leads: true });
      retell();
      await left;
      await engine.close();
    });
    isKnown = true;
    if (!engine) retell();
    await left;
  });

  return {
    receive(message) {
      const { type, id = 0 } = message;
      if (type === "leave") wishes.delete(id);
      else if (/watch|call|change/.test(type)) wishes.set(id, message);
      tell(message);
    },
    close() {
      isClosed = true;
      if (!engine) send({ message: { type: "bye" } });
      leave();
      channel.close();
    },
  };
}
