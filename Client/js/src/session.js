/**
 * The protocol of one connection, as a state machine: it receives frames, and sends frames as actions of the core. It
 * holds the state that exists only while connected. It has no socket, timer or promise, and uses the core's time. It
 * reports to the core, which decides what events mean for the mirror, the outbox and the watches.
 */

import { NONE, concat } from "./bytes.js";
import {
  CALLS, CRITICAL, FIRST, FRAME_INTERVALS, INCOMPLETE, LAST, LEAVING_WAIT, MANIFEST_BYTES, NACKS, PAIR_BYTES,
  PART_BYTES, WELCOME_WAIT,
} from "./constants.js";
import { EMPTY, pairsOf } from "./content.js";
import { Fault, MarqueeError, check, errorOf, faultOf, statusOf } from "./errors.js";
import { FrameReader, encodeFrame } from "./frames.js";
import { applyFrames } from "./patch.js";
import { advanced, isForeign, whole } from "./positions.js";
import { decode } from "./protobuf.js";
import { OWN } from "./view.js";
import { xxh64 } from "./xxh64.js";

/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./messages.js").Part} Part */
/** @typedef {import("./messages.js").Join} Join */
/** @typedef {import("./messages.js").Cut} Cut */

/**
 * @typedef {object} Subscription
 * @property {number} id
 * @property {View} view
 * @property {number} sent the newest generation that was sent
 * @property {number} join the generation of the last join; −1 before the first
 * @property {number} [handle] of the view's own list
 */

/**
 * A frame with its decoded message.
 * @typedef {import("./frames.js").Frame & {message: any}} Decoded
 */

/**
 * A staged version; it has no content until it is complete.
 * @typedef {{frames: Decoded[], size: number, content?: Content}} Staged
 */

/**
 * The effect of a cut on one subscription.
 * @typedef {{contents: Map<string, Content>, join?: Join}} Step
 */

/**
 * A section of a subscription that a join binds to a handle.
 * @typedef {import("./messages.js").Binding & {subscription: Subscription}} Place
 */
/**
 * A join of a subscription that is still open.
 * @typedef {{subscription: Subscription, message: Join}} Joining
 */
/**
 * Receives an answer.
 * @typedef {(error: MarqueeError | undefined, body: Uint8Array) => void} Done
 */

export class Session {
  #core;
  #frames;
  #limits;
  #heard;
  #interval = Infinity;
  #pingedAt = 0;
  /** The time by which a frame that has begun must be complete. */
  #frameEndsAt = Infinity;
  /** The time at which to close: if there is no Welcome by then, or after GoAway. */
  #endsAt;
  /**
   * Live subscriptions by id.
   * @type {Map<number, Subscription>}
   */
  #subscriptions = new Map();
  #lastSubscription = 0;
  /**
   * The bound sections by handle.
   * @type {Map<number, Place>}
   */
  #bound = new Map();
  /**
   * Staged versions by handle, in the order of their completion.
   * @type {Map<number, Staged>}
   */
  #staged = new Map();
  /**
   * The versions described to the server in manifests, by handle.
   * @type {Map<number, {subscription: Subscription, content: Content}>}
   */
  #described = new Map();
  /**
   * The frames of a cut that has begun.
   * @type {Decoded[]}
   */
  #cut = [];
  #cutBytes = 0;
  /** The handle that is being bound or patched. */
  #applying = 0;
  #nacks = 0;
  /** The number of cuts refused since the last good one; if there are any, only a repair is applied. */
  #failures = 0;
  #received = 0;
  #acknowledged = 0;
  #credit = 0;
  /** @type {Map<number, {bodies: Uint8Array[], size: number, done: Done}>} */
  #calls = new Map();
  #lastCall = 0;

  /** @type {import("./messages.js").Welcome | undefined} */
  welcome;
  position = whole();
  /** Whether a cut, progress or an answer has arrived. */
  good = false;

  /**
   * @param {import("./core.js").Core} core
   */
  constructor(core) {
    this.#core = core;
    this.#limits = core.limits;
    this.#frames = new FrameReader(this.#limits.frameBytes);
    this.#heard = core.now;
    this.#endsAt = core.now + WELCOME_WAIT;
  }

  /** @param {string} name @param {import("./protobuf.js").Message} message */
  send(name, message) {
    this.#core.act("send", encodeFrame(name, message));
  }

  // ---------------------------------------------------------------- receiving

  /**
   * @param {Uint8Array} bytes
   * @throws {Fault}
   */
  receive(bytes) {
    this.#heard = this.#core.now;
    this.#pingedAt = 0;
    this.#frames.push(bytes);
    for (let frame; this.#core.session === this && (frame = this.#frames.next()); this.#take(frame))
      this.#frameEndsAt = Infinity;
    if (this.#frames.size)
      this.#frameEndsAt = Math.min(this.#frameEndsAt, this.#core.now + FRAME_INTERVALS * this.#interval);
  }

  /** @param {import("./frames.js").Frame} frame */
  #take(frame) {
    const { body, flags, size } = frame, name = /** @type {string} */ (frame.name);
    if (!name) return check(!(flags & CRITICAL), "UNKNOWN_CRITICAL_KIND");
    const message = decode(name, body);
    /** @type {any} */
    const handlers = this;
    // Kinds without a method here are only sent by clients.
    check(handlers[name] && (this.welcome ? name !== "Welcome" : /Welcome|GoAway|Close/.test(name)), "WRONG_DIRECTION");
    if (/Data|Stage/.test(name)) {
      this.#received += size;
      if (this.#received - this.#acknowledged > this.#credit / 2) this.#acknowledge();
    }
    handlers[name](message, { ...frame, message });
  }

  // The method that handles a frame has the name of the frame's kind.

  /** @param {import("./messages.js").Welcome} welcome */
  Welcome(welcome) {
    const { limits, cut, pingIntervalMs = 20_000, pingMinimumMs = 5000, protocol } = welcome;
    check(protocol === 1, "PROTOCOL_UNSUPPORTED");
    this.position = whole(cut);
    this.#credit = Math.min(this.#limits.creditBytes, limits.creditBytes ?? Infinity);
    this.#interval = Math.max(1000, pingIntervalMs, pingMinimumMs);
    this.#endsAt = Infinity;
    this.welcome = welcome;
    this.#core.welcomed(welcome);
  }

  /** @param {any} close */
  Close({ status }) {
    this.#core.closed(errorOf(status));
  }

  /** @param {any} goAway */
  GoAway(goAway) {
    this.#core.leaving = goAway;
    this.#endsAt = this.#core.now + (this.#calls.size && LEAVING_WAIT);
  }

  /** @param {any} ping */
  Ping(ping) {
    this.send("Pong", ping);
  }

  Pong() {}

  /** @param {{cut: Cut}} progress */
  Progress({ cut }) {
    check(!this.#cut.length && !isForeign(cut, this.position), "CUT_ORDER");
    if (!this.#failures) {
      this.position = advanced(this.position, cut);
      this.good = true;
      this.#core.settle();
    }
    this.#acknowledge();
  }

  #acknowledge() {
    this.#acknowledged = this.#received;
    const cut = this.#core.stored;
    this.send("Ack", { bytes: this.#received, cut: cut && !isForeign(cut, this.position) ? cut : undefined });
  }

  // ---------------------------------------------------------------- subscriptions

  /**
   * Subscribes to a view, unless there is a subscription already.
   * @param {View} view
   */
  subscribe(view) {
    if (this.#find(view)) return;
    const id = ++this.#lastSubscription;
    this.#subscriptions.set(id, { id, view, sent: 0, join: -1 });
    this.send("Subscribe", { subscription: id, ...view.request, resume: view.offer });
  }

  /** @param {View} view */
  #find(view) {
    return [...this.#subscriptions.values()].find((subscription) => subscription.view === view);
  }

  /**
   * Requests the view's current options.
   * @param {View} view
   */
  change(view) {
    const subscription = this.#find(view);
    if (subscription)
      this.send("Subscribe", { subscription: subscription.id, generation: ++subscription.sent, ...view.request });
  }

  /** @param {View} view */
  unsubscribe(view) {
    const subscription = this.#find(view);
    if (!subscription) return;
    this.send("Unsubscribe", { subscription: subscription.id });
    this.#drop(subscription);
  }

  /** @param {Subscription} subscription */
  #drop(subscription) {
    this.#subscriptions.delete(subscription.id);
    forget(this.#bound, subscription);
    forget(this.#described, subscription);
    subscription.view.live = false;
  }

  /** @param {{subscription: number, generation?: number, status: any, section?: string}} message */
  SubscriptionError({ subscription: id, generation = 0, status, section }) {
    const subscription = this.#subscriptions.get(id);
    if (!subscription) return;
    const { join, view } = subscription;
    const isWhole = !section && (join < 0 || generation <= join);
    if (isWhole) this.#drop(subscription);
    // The server may already have joined an older generation, in a cut that was refused, and would keep sending it.
    if (isWhole && join < 0 && generation > 0) this.send("Unsubscribe", { subscription: id });
    this.#core.refused(view, errorOf(status), section, isWhole);
  }

  /**
   * Answers a rebase with manifests.
   * @param {{subscription: number, sections?: {section?: string, handle: number}[]}} rebase
   */
  Rebase({ subscription: id, sections = [] }) {
    const { partBytes = PART_BYTES, frameBytes = PART_BYTES } = this.welcome?.limits ?? {};
    const most = (Math.min(partBytes, frameBytes) - MANIFEST_BYTES) & -PAIR_BYTES;
    const subscription = this.#subscriptions.get(id);
    for (const { section = OWN, handle } of sections) {
      const content = subscription?.view.contents.get(section) ?? EMPTY;
      if (subscription) this.#described.set(handle, { subscription, content });
      const { head, items, sum } = content;
      const pairs = pairsOf(items);
      let start = 0;
      do {
        const part = pairs.subarray(start, (start += most));
        this.send("Manifest", { handle, sum, headHash: xxh64(head), pairs: part, more: start < pairs.length });
      } while (start < pairs.length);
    }
  }

  // ---------------------------------------------------------------- staged parts

  /** @param {Part} part @param {Decoded} frame */
  Stage({ handle, more }, frame) {
    if (frame.flags & FIRST) {
      this.#staged.delete(INCOMPLETE);
      this.#staged.set(INCOMPLETE, { frames: [], size: 0 });
    }
    const staging = this.#staged.get(INCOMPLETE);
    if (!staging) return; // The rest of a patch that was dropped.
    const { frames } = staging;
    frames.push(frame);
    staging.size += frame.size;
    let total = 0;
    for (const [, one] of this.#staged) total += one.size;
    for (const [one, { size: bytes }] of this.#staged)
      if (total > this.#limits.cutBytes) {
        // The incomplete version is last in the map, so all others are already gone.
        check(one !== INCOMPLETE, "CUT_TOO_LARGE");
        total -= bytes;
        this.#staged.delete(one);
      }
    if (more) return;
    this.#staged.delete(INCOMPLETE);
    this.#staged.delete(handle);
    const base = frames[0].message.baseSum === undefined ? EMPTY : this.#described.get(handle)?.content;
    // If this fails, the join will lack the version, and a nack answers it.
    faultOf(() => base && this.#staged.set(handle, { ...staging, content: applyFrames(base, frames) }));
  }

  // ---------------------------------------------------------------- cuts

  /** @param {{cut: Cut}} message @param {Decoded} frame */
  Join({ cut }, frame) {
    const { flags, size } = frame;
    check(!(flags & FIRST) === this.#cut.length > 0 && !isForeign(cut, this.position), "CUT_ORDER");
    this.#cutBytes = this.#cut.length ? this.#cutBytes + size : size;
    this.#cut.push(frame);
    check(this.#cutBytes <= this.#limits.cutBytes, "CUT_TOO_LARGE");
    if (flags & LAST) this.#apply(this.#cut.splice(0));
  }
  Data = this.Join;
  Repair = this.Join;

  /** @param {Decoded[]} frames */
  #apply(frames) {
    const of = (/** @type {string} */ name) => frames.filter((frame) => frame.name === name);
    if (this.#failures && !of("Repair").some(({ message }) => message.number === this.#nacks)) return;
    /** @type {Map<Subscription, Step>} */
    const steps = new Map();
    /**
     * The positions of frames whose content was verified.
     * @type {Cut[]}
     */
    const proven = [];
    const joins = of("Join").flatMap(({ message }) => {
      const subscription = this.#subscriptions.get(message.subscription);
      return subscription ? { subscription, message } : []; // It may have been unsubscribed meanwhile.
    });
    const bound = new Map(this.#bound);
    for (const { subscription } of joins) forget(bound, subscription);
    const fault = faultOf(() => {
      for (const join of joins) {
        steps.set(join.subscription, this.#bind(join, bound));
        proven.push(join.message.cut);
      }
      this.#patch(of("Data"), bound, steps, proven);
      for (const [{ handle }, { join, contents }] of steps) {
        const items = contents.get(OWN)?.items ?? [];
        this.#applying = /** @type {number} */ (join?.viewHandle ?? handle);
        check(items.length === contents.size - 1 && items.every(({ id }) => contents.has(id)), "otherSections");
      }
    });
    if (fault) return this.#refuse(fault.message, this.#applying, joins);
    for (const { message } of frames) this.position = advanced(this.position, message.cut ?? {});
    this.#failures = 0;
    this.good = true;
    for (const join of joins) {
      const { subscription, message } = join;
      forget(this.#described, subscription);
      subscription.join = message.generation ?? 0;
      subscription.handle = message.viewHandle;
      for (const { handle } of bindingsOf(join)) this.#staged.delete(handle);
    }
    this.#bound = bound;
    this.#core.applied(steps, proven);
  }

  /**
   * Binds the sections of a joining view, and finds the versions that the join names.
   * @param {Joining} join
   * @param {Map<number, Place>} bound the bindings after the cut
   * @returns {Step}
   */
  #bind(join, bound) {
    const { subscription, message } = join;
    this.#applying = message.viewHandle;
    check((message.generation ?? 0) <= subscription.sent, "generation");
    const contents = new Map();
    for (const place of bindingsOf(join)) {
      const { section, handle, sum } = place;
      this.#applying = handle;
      check(!bound.has(handle) && !contents.has(section), "boundTwice");
      bound.set(handle, place);
      const held = subscription.view.contents.get(section) ?? EMPTY;
      const content = [held, this.#staged.get(handle)?.content, EMPTY].find((one) => one?.sum === (sum ?? held.sum));
      check(content, "missingVersion");
      contents.set(section, content);
    }
    return { contents, join: message };
  }

  /**
   * Applies the patches of a cut.
   * @param {Decoded[]} data
   * @param {Map<number, Place>} bound
   * @param {Map<Subscription, Step>} steps
   * @param {Cut[]} proven
   */
  #patch(data, bound, steps, proven) {
    /**
     * The frames of each handle. Frames of different patches for one handle would be refused.
     * @type {Map<number, Decoded[]>}
     */
    const patches = new Map();
    for (const frame of data) {
      const { handle } = frame.message;
      patches.set(handle, patches.get(handle) ?? []);
      patches.get(handle)?.push(frame);
    }
    for (const [handle, frames] of patches) {
      const place = bound.get(handle);
      if (!place) continue; // Its view was unsubscribed meanwhile.
      this.#applying = handle;
      const { subscription, section } = place;
      const held = subscription.view.contents;
      const step = steps.get(subscription) ?? { contents: new Map(held) };
      steps.set(subscription, step);
      const base = step.contents.get(section) ?? EMPTY;
      step.contents.set(section, applyFrames(base, frames, held.get(section) ?? EMPTY));
      proven.push(frames[0].message.cut ?? {});
    }
  }

  /**
   * Refuses a cut.
   * @param {string} code
   * @param {number} handle of the variant that failed
   * @param {Joining[]} joins
   */
  #refuse(code, handle, joins) {
    /** The sections that are bound or were about to be, by handle. */
    const places = new Map([
      ...joins.flatMap(bindingsOf).map((place) => /** @type {[number, Place]} */ ([place.handle, place])),
      ...this.#bound,
    ]);
    const { subscription, section } = /** @type {Place} */ (places.get(handle));
    const message = `${code}: '${section}' of ${subscription.view.screen}`;
    this.#core.tell("cutRefused", { message });
    if (++this.#failures > NACKS) {
      this.#core.offerLess(subscription.view, section);
      throw new Fault("CUT_REFUSED");
    }
    this.#staged.delete(INCOMPLETE);
    this.#staged.delete(handle);
    this.send("Nack", {
      number: ++this.#nacks,
      good: this.position,
      held: [...places.values()].map(({ handle: one, subscription: { view }, section: of }) => (
        { handle: one, sum: view.contents.get(of)?.sum, refused: one === handle })),
      staged: [...this.#staged].map(([one, { content }]) => ({ handle: one, sum: content?.sum })),
      status: statusOf("CUT_REFUSED", message),
    });
  }

  // ---------------------------------------------------------------- calls

  /** How many more requests may be sent now. */
  get callsLeft() {
    const { calls = CALLS } = this.welcome?.limits ?? {};
    return Math.min(CALLS, calls) - this.#calls.size;
  }

  /**
   * @param {number} method
   * @param {Uint8Array} body
   * @param {Done} done
   * @param {number} [deadlineMs]
   * @returns {number} the call's id
   */
  request(method, body, done, deadlineMs) {
    const call = ++this.#lastCall;
    this.#calls.set(call, { bodies: [], size: 0, done });
    this.send("Request", { call, method, body, deadlineMs });
    return call;
  }

  /** @param {number} call */
  cancel(call) {
    if (this.#calls.delete(call)) this.send("Cancel", { call });
  }

  /** @param {{call: number, status?: any, body?: Uint8Array, more?: boolean}} answer */
  Answer({ call: id, status, body = NONE, more }) {
    const call = this.#calls.get(id);
    if (!call) return;
    call.bodies.push(body);
    call.size += body.length;
    let error = status && status.code !== 0 ? errorOf(status) : undefined;
    if (call.size > this.#limits.answerBytes) {
      this.cancel(id);
      error = new MarqueeError("ANSWER_TOO_LARGE");
    } else if (more) return;
    this.#calls.delete(id);
    this.good = true;
    if (this.#core.leaving && !this.#calls.size) this.#endsAt = this.#core.now;
    call.done(error, concat(call.bodies));
  }

  // ---------------------------------------------------------------- liveness

  /** When `tick` next has something to do. */
  get due() {
    return Math.min(this.#endsAt, this.#frameEndsAt, (this.#pingedAt || this.#heard) + this.#interval);
  }

  /**
   * @returns {boolean} whether the connection is over
   * @throws {Fault}
   */
  tick() {
    const { now } = this.#core;
    const late = now - this.due;
    if (late < 0) return false;
    if (now >= this.#endsAt) return true;
    check(now < this.#frameEndsAt, "FRAME_UNFINISHED");
    // If much more time has passed, the device was asleep: ping again before giving up the connection.
    if (this.#pingedAt && late < this.#interval) return true;
    this.#pingedAt = now;
    this.send("Ping", { nonce: 1 });
    return false;
  }
}

/**
 * Removes the entries of a subscription.
 * @param {Map<number, {subscription: Subscription}>} map by handle
 * @param {Subscription} subscription
 */
function forget(map, subscription) {
  for (const [handle, one] of map) if (one.subscription === subscription) map.delete(handle);
}

/**
 * Everything that a join binds, the view's own list first.
 * @param {Joining} join
 * @returns {Place[]}
 */
const bindingsOf = ({ subscription, message: { viewHandle, viewSum, sections = [] } }) =>
  [{ section: OWN, handle: viewHandle, sum: viewSum }, ...sections].map((binding) => ({ ...binding, subscription }));
