/**
 * The protocol of one connection, as a value: frames go in, frames go out as actions of the core. What exists only
 * while connected lives here. There is no socket, no timer and no promise; time is an argument. What it means for the
 * mirror, the outbox and those who watch is the core's affair, which it tells.
 */

import { NONE, concat } from "./bytes.js";
import { EMPTY, pairsOf } from "./content.js";
import { Fault, MarqueeError, errorOf, statusOf } from "./errors.js";
import { CRITICAL, FIRST, FrameReader, LAST, encodeFrame } from "./frames.js";
import { apply, patchOf } from "./patch.js";
import { advanced, isForeign, whole } from "./positions.js";
import { decode } from "./protobuf.js";
import { OWN } from "./view.js";
import { xxh64 } from "./xxh64.js";

/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./messages.js").Part} Part */
/** @typedef {import("./messages.js").Join} Join */
/** @typedef {import("./messages.js").Cut} Cut */

/** Nacks without a good cut between them. */
const NACKS = 3;
/** Bytes of a manifest's frame besides its pairs, at most. */
const MANIFEST_BYTES = 64;
const PAIR_BYTES = 16;
/** Limits that a server doesn't state. */
const PART_BYTES = 65536;
const CALLS = 16;
/** Milliseconds. */
const WELCOME_WAIT = 10_000;
const LEAVING_WAIT = 5000;

/**
 * @typedef {object} Subscription
 * @property {number} id
 * @property {View} view
 * @property {number} sent the newest generation that was sent
 * @property {number} joined the generation of the last join; −1 before the first
 * @property {Map<string, number>} handles by section
 */

/**
 * A version, and the parts that lead there from `base`, as received.
 * @typedef {{base: Content, content: Content, bodies: Uint8Array[]}} Change
 */
/**
 * A staged version.
 * @typedef {Change & {size: number}} Staged
 */

/** What a cut does to one subscription.
 * @typedef {object} Step
 * @property {Map<string, number>} handles
 * @property {Map<string, Content>} contents
 * @property {Join} [join]
 * @property {Map<string, Change>} changes
 */

/**
 * A section of a subscription.
 * @typedef {{subscription: Subscription, section: string}} Place
 */
/**
 * A frame of a cut.
 * @typedef {{name: string | undefined, message: any, body: Uint8Array}} CutFrame
 */
/**
 * Hears an answer.
 * @typedef {(error: MarqueeError | undefined, body: Uint8Array) => void} Done
 */

export class Session {
  #core;
  #frames;
  #limits;
  #opened;
  #heard;
  #interval = 0;
  #pingedAt = 0;
  #unfinishedSince = 0;
  /** When to close at the latest, after goAway. */
  #leavingAt = 0;
  /**
   * Live subscriptions by id.
   * @type {Map<number, Subscription>}
   */
  #subscriptions = new Map();
  #lastSubscription = 0;
  /**
   * By handle.
   * @type {Map<number, Place>}
   */
  #bound = new Map();
  /**
   * Complete staged versions by handle, the one completed longest ago first.
   * @type {Map<number, Staged>}
   */
  #staged = new Map();
  /**
   * The staged patch that isn't complete.
   * @type {{parts: Part[], bodies: Uint8Array[], size: number} | undefined}
   */
  #staging;
  /**
   * What manifests have described, by handle.
   * @type {Map<number, {subscription: Subscription, content: Content}>}
   */
  #described = new Map();
  /**
   * The frames of a cut that has begun.
   * @type {{frames: CutFrame[], size: number} | undefined}
   */
  #cut;
  #nacks = 0;
  #failures = 0;
  #waits = false;
  #received = 0;
  #acknowledged = 0;
  #credit;
  /** @type {Map<number, {pieces: Uint8Array[], size: number, done: Done}>} */
  #calls = new Map();
  #lastCall = 0;

  /** @type {import("./messages.js").Welcome | undefined} */
  welcome = undefined;
  position = whole();
  /** Whether the position counts as seen: a cut or progress has come. */
  progressed = false;
  /** Whether a cut, progress or an answer has come. */
  good = false;

  /**
   * @param {import("./core.js").Core} core
   * @param {number} now
   */
  constructor(core, now) {
    this.#core = core;
    this.#limits = core.limits;
    this.#frames = new FrameReader(this.#limits.frameBytes);
    this.#credit = this.#limits.creditBytes;
    this.#opened = this.#heard = now;
  }

  /** @param {string} name @param {import("./protobuf.js").Message} message */
  send(name, message) {
    this.#core.act("send", encodeFrame(name, message));
  }

  // ---------------------------------------------------------------- receiving

  /**
   * @param {Uint8Array} bytes
   * @param {number} now
   * @throws {Fault}
   */
  receive(bytes, now) {
    this.#heard = now;
    this.#pingedAt = 0;
    this.#frames.push(bytes);
    for (let frame; this.#core.session === this && (frame = this.#frames.next()); ) {
      this.#unfinishedSince = 0;
      this.#take(frame, now);
    }
    if (this.#frames.unfinished) this.#unfinishedSince ||= now;
  }

  /** @param {import("./frames.js").Frame} frame @param {number} now */
  #take({ name, flags, body, size }, now) {
    if (!name) {
      if (flags & CRITICAL) throw new Fault("UNKNOWN_CRITICAL_KIND");
      return;
    }
    const message = decode(name, body);
    if (name === "Close") return this.#core.closed(errorOf(message.status), now);
    const isFirst = !this.welcome;
    if (isFirst !== (name === "Welcome") && !(isFirst && name === "GoAway")) throw new Fault("WRONG_DIRECTION");
    switch (name) {
      case "Data":
      case "Stage":
        this.#received += size;
        if (this.#received - this.#acknowledged > this.#credit / 2) this.#acknowledge();
        if (name === "Stage") return this.#stage(message, body, flags, size);
      case "Join":
      case "Repair":
        return this.#takeOfCut({ name, message, body }, flags, size, now);
      case "Welcome":
        return this.#takeWelcome(message, now);
      case "Ping":
        return this.send("Pong", message);
      case "Progress":
        return this.#takeProgress(message.cut, now);
      case "GoAway":
        this.#core.leaving = message;
        this.#leavingAt = this.#calls.size ? now + LEAVING_WAIT : now;
        return;
      case "SubscriptionError":
        return this.#takeError(message, now);
      case "Rebase":
        return this.#describe(message);
      case "Answer":
        return this.#takeAnswer(message, now);
      case "Pong":
        return;
      default: // Only clients send it.
        throw new Fault("WRONG_DIRECTION");
    }
  }

  /** @param {import("./messages.js").Welcome} welcome @param {number} now */
  #takeWelcome(welcome, now) {
    const { protocol, limits, cut, pingIntervalMs = 20_000, pingMinimumMs = 5000 } = welcome;
    if (protocol !== 1) throw new Fault("PROTOCOL_UNSUPPORTED");
    this.position = whole(cut);
    this.#credit = Math.min(this.#credit, limits.creditBytes ?? this.#credit);
    this.#interval = Math.max(pingIntervalMs, pingMinimumMs, 1000);
    this.welcome = welcome;
    this.#core.welcomed(welcome, now);
  }

  /** @param {Cut} cut @param {number} now */
  #takeProgress(cut, now) {
    if (this.#cut || isForeign(cut, this.position)) throw new Fault("CUT_ORDER");
    if (!this.#waits) {
      this.position = advanced(this.position, cut);
      this.progressed = this.good = true;
      this.#core.settle(now);
    }
    this.#acknowledge();
  }

  #acknowledge() {
    this.#acknowledged = this.#received;
    const cut = this.#core.ackPosition;
    this.send("Ack", { bytes: this.#received, cut: cut && !isForeign(cut, this.position) ? cut : undefined });
  }

  // ---------------------------------------------------------------- subscriptions

  /**
   * Opens a subscription.
   * @param {View} view
   * @param {any} resume
   */
  subscribe(view, resume) {
    const id = ++this.#lastSubscription;
    this.#subscriptions.set(id, { id, view, sent: 0, joined: -1, handles: new Map() });
    this.#sendSubscribe(id, undefined, view, resume);
  }

  /** @param {number} subscription @param {number | undefined} generation @param {View} view @param {any} [resume] */
  #sendSubscribe(subscription, generation, { screen, locale, parameters }, resume) {
    const sections = parameters;
    this.send("Subscribe", { subscription, generation, screen, locale: locale || undefined, sections, resume });
  }

  /** @param {View} view */
  find(view) {
    for (const subscription of this.#subscriptions.values()) if (subscription.view === view) return subscription;
  }

  /**
   * Asks for the view's options as they are now.
   * @param {View} view
   */
  change(view) {
    const subscription = this.find(view);
    if (subscription) this.#sendSubscribe(subscription.id, ++subscription.sent, view);
  }

  /** @param {View} view */
  unsubscribe(view) {
    const subscription = this.find(view);
    if (!subscription) return;
    this.send("Unsubscribe", { subscription: subscription.id });
    this.#drop(subscription);
  }

  /** @param {Subscription} subscription */
  #drop(subscription) {
    this.#subscriptions.delete(subscription.id);
    this.#forget(this.#bound, subscription);
    this.#forget(this.#described, subscription);
    subscription.view.live = false;
  }

  /** @param {Map<number, {subscription: Subscription}>} map @param {Subscription} subscription */
  #forget(map, subscription) {
    for (const [handle, one] of map) if (one.subscription === subscription) map.delete(handle);
  }

  /** @param {{subscription: number, generation?: number, status: any, section?: string}} message @param {number} now */
  #takeError({ subscription: id, generation = 0, status, section }, now) {
    const subscription = this.#subscriptions.get(id);
    if (!subscription) return;
    const { view, joined } = subscription;
    const isWhole = !section && (joined < 0 || generation <= joined);
    if (isWhole) this.#drop(subscription);
    // The server may have sent a join of an older generation, in a cut that was refused: it would show that on.
    if (isWhole && joined < 0 && generation > 0) this.send("Unsubscribe", { subscription: id });
    this.#core.refusedView(view, errorOf(status), section, isWhole, now);
  }

  /**
   * Answers a rebase with manifests.
   * @param {{subscription: number, sections?: {section?: string, handle: number}[]}} rebase
   */
  #describe({ subscription: id, sections = [] }) {
    const { partBytes = PART_BYTES, frameBytes = PART_BYTES } = this.welcome?.limits ?? {};
    const most = Math.floor((Math.min(partBytes, frameBytes) - MANIFEST_BYTES) / PAIR_BYTES) * PAIR_BYTES;
    const subscription = this.#subscriptions.get(id);
    for (const { section = OWN, handle } of sections) {
      const content = subscription?.view.contents.get(section) ?? EMPTY;
      if (subscription) this.#described.set(handle, { subscription, content });
      const { head, items, sum } = content;
      const pairs = pairsOf(items);
      let start = 0;
      do {
        const end = start + most;
        const part = pairs.subarray(start, end);
        this.send("Manifest", { handle, sum, headHash: xxh64(head), pairs: part, more: end < pairs.length });
        start = end;
      } while (start < pairs.length);
    }
  }

  // ---------------------------------------------------------------- staged parts

  /** @param {Part} part @param {Uint8Array} body @param {number} flags @param {number} size */
  #stage(part, body, flags, size) {
    if (flags & FIRST) this.#staging = { parts: [], bodies: [], size: 0 };
    const staging = this.#staging;
    if (!staging) return; // The rest of a patch that was given up.
    staging.parts.push(part);
    staging.bodies.push(body);
    staging.size += size;
    if (!part.more) this.#complete(staging, part.handle);
    let total = this.#staging?.size ?? 0;
    for (const one of this.#staged.values()) total += one.size;
    for (const [handle, one] of this.#staged)
      if (total > this.#limits.cutBytes) {
        total -= one.size;
        this.#staged.delete(handle);
      }
    if (total > this.#limits.cutBytes) throw new Fault("CUT_TOO_LARGE");
  }

  /** @param {{parts: Part[], bodies: Uint8Array[], size: number}} staging @param {number} handle */
  #complete({ parts, bodies, size }, handle) {
    this.#staging = undefined;
    this.#staged.delete(handle);
    const base = parts[0].baseSum === undefined ? EMPTY : this.#described.get(handle)?.content;
    try {
      if (base) this.#staged.set(handle, { base, content: apply(base, patchOf(parts)), bodies, size });
    } catch (error) {
      // The join will miss the version, and is answered by a nack.
      if (!(error instanceof Fault)) throw error;
    }
  }

  // ---------------------------------------------------------------- cuts

  /** @param {CutFrame} frame @param {number} flags @param {number} size @param {number} now */
  #takeOfCut(frame, flags, size, now) {
    if (!(flags & FIRST) !== !!this.#cut || isForeign(frame.message.cut, this.position)) throw new Fault("CUT_ORDER");
    const cut = (this.#cut ??= { frames: [], size: 0 });
    cut.frames.push(frame);
    cut.size += size;
    if (cut.size > this.#limits.cutBytes) throw new Fault("CUT_TOO_LARGE");
    if (!(flags & LAST)) return;
    this.#cut = undefined;
    this.#apply(cut.frames, now);
  }

  /** @param {CutFrame[]} frames @param {number} now */
  #apply(frames, now) {
    const of = (/** @type {string} */ name) => frames.filter((frame) => frame.name === name);
    if (this.#waits && !of("Repair").some(({ message }) => message.number === this.#nacks)) return;
    this.#waits = false;
    /** @type {Join[]} */
    const joins = of("Join").map(({ message }) => message);
    /** @type {Map<Subscription, Step>} */
    const steps = new Map();
    /**
     * Positions that frames have proven.
     * @type {Cut[]}
     */
    const proven = [];
    try {
      this.#bind(joins, steps, proven);
      this.#patch(of("Data"), steps, proven);
      for (const { handles, contents } of steps.values()) {
        const items = contents.get(OWN)?.items ?? [];
        if (items.length !== handles.size - 1 || items.some(({ id }) => !handles.has(id)))
          throw new Fault("otherSections", handles.get(OWN));
      }
    } catch (error) {
      if (error instanceof Fault) return this.#refuse(error, joins);
      throw error;
    }
    for (const { message } of frames) this.position = advanced(this.position, message.cut ?? {});
    this.#failures = 0;
    this.progressed = this.good = true;
    for (const [subscription, step] of steps) if (step.join) this.#commit(subscription, step.handles, step.join);
    this.#core.cutApplied(steps, proven, now);
  }

  /**
   * Takes the bindings of a good cut over.
   * @param {Subscription} subscription
   * @param {Map<string, number>} handles
   * @param {Join} join
   */
  #commit(subscription, handles, { generation = 0 }) {
    this.#forget(this.#bound, subscription);
    this.#forget(this.#described, subscription);
    for (const [section, handle] of handles) {
      this.#bound.set(handle, { subscription, section });
      this.#staged.delete(handle);
    }
    subscription.handles = handles;
    subscription.joined = generation;
  }

  /**
   * Binds the views that join, and finds the versions that they name.
   * @param {Join[]} joins
   * @param {Map<Subscription, Step>} steps
   * @param {Cut[]} proven
   */
  #bind(joins, steps, proven) {
    const joining = new Set(joins.map((join) => this.#subscriptions.get(join.subscription)));
    const taken = new Set();
    for (const join of joins) {
      const subscription = this.#subscriptions.get(join.subscription);
      if (!subscription) continue; // It was unsubscribed meanwhile.
      if ((join.generation ?? 0) > subscription.sent) throw new Fault("generation", join.viewHandle);
      /** @type {Step} */
      const step = { handles: new Map(), contents: new Map(), join, changes: new Map() };
      for (const { section, handle, sum } of bindingsOf(join)) {
        const owner = this.#bound.get(handle)?.subscription;
        if (taken.has(handle) || step.handles.has(section) || (owner && !joining.has(owner)))
          throw new Fault("boundTwice", handle);
        taken.add(handle);
        const held = subscription.view.contents.get(section);
        const staged = this.#staged.get(handle);
        const isStaged = sum !== undefined && sum !== held?.sum && sum === staged?.content.sum;
        const content = (isStaged ? staged?.content : held) ?? EMPTY;
        const found = sum === undefined || content.sum === sum ? content : EMPTY;
        if (sum !== undefined && found.sum !== sum) throw new Fault("missingVersion", handle);
        step.handles.set(section, handle);
        step.contents.set(section, found);
        if (found !== held)
          step.changes.set(section, staged?.content === found ? staged : { base: EMPTY, content: found, bodies: [] });
      }
      steps.set(subscription, step);
      proven.push(join.cut);
    }
  }

  /**
   * Applies the patches of a cut.
   * @param {CutFrame[]} data
   * @param {Map<Subscription, Step>} steps
   * @param {Cut[]} proven
   */
  #patch(data, steps, proven) {
    /**
     * By handle.
     * @type {Map<number, Place>}
     */
    const joined = new Map();
    for (const [subscription, { handles }] of steps)
      for (const [section, handle] of handles) joined.set(handle, { subscription, section });
    const patched = new Set();
    while (data.length) {
      const { handle, cut } = data[0].message;
      const end = data.findIndex(({ message }) => message.handle !== handle);
      const parts = data.splice(0, end < 0 ? data.length : end);
      const bound = this.#bound.get(handle);
      const place = joined.get(handle) ?? (bound && !steps.get(bound.subscription)?.join && bound);
      if (!place) continue; // Its view was closed meanwhile.
      try {
        if (patched.has(handle)) throw new Fault("twoPatches");
        this.#patchSection(place, parts, steps);
      } catch (error) {
        if (error instanceof Fault) error.handle = handle;
        throw error;
      }
      patched.add(handle);
      if (cut) proven.push(cut);
    }
  }

  /** @param {Place} place @param {CutFrame[]} parts @param {Map<Subscription, Step>} steps */
  #patchSection({ subscription, section }, parts, steps) {
    const { handles, view } = subscription;
    const step = steps.get(subscription) ?? { handles, contents: new Map(view.contents), changes: new Map() };
    steps.set(subscription, step);
    const patch = patchOf(parts.map(({ message }) => message));
    const held = step.contents.get(section) ?? EMPTY;
    // A whole patch replaces the section, whatever is held.
    const from = (patch.baseSum ?? EMPTY.sum) === EMPTY.sum ? EMPTY : held;
    const content = apply(from, patch);
    const before = from === held ? step.changes.get(section) : undefined;
    const bodies = parts.map(({ body }) => body);
    step.contents.set(section, content);
    const { base, bodies: earlier } = before ?? { base: from, bodies: [] };
    step.changes.set(section, { base, content, bodies: earlier.concat(bodies) });
  }

  /**
   * Refuses a cut.
   * @param {Fault} fault
   * @param {Join[]} joins
   */
  #refuse({ code, handle = 0 }, joins) {
    /**
     * What is held under each handle, bound or about to be.
     * @type {Map<number, Content | undefined>}
     */
    const held = new Map([[handle, undefined]]);
    /** @type {Place | undefined} */
    let place;
    const note = (/** @type {number} */ one, /** @type {Place} */ of) => {
      held.set(one, of.subscription.view.contents.get(of.section));
      if (one === handle) place = of;
    };
    for (const join of joins) {
      const subscription = this.#subscriptions.get(join.subscription);
      if (subscription) for (const one of bindingsOf(join)) note(one.handle, { subscription, section: one.section });
    }
    for (const [one, of] of this.#bound) note(one, of);
    const message = `${code}: handle ${handle}, '${place?.section}' of ${place?.subscription.view.screen}`;
    this.#core.tell("cutRefused", { message });
    if (++this.#failures > NACKS) throw new Fault("CUT_REFUSED");
    this.#staging = undefined;
    this.#staged.delete(handle);
    this.#waits = true;
    this.send("Nack", {
      number: ++this.#nacks,
      good: this.position,
      held: [...held].map(([one, content]) => ({ handle: one, sum: content?.sum, refused: one === handle })),
      staged: [...this.#staged].map(([one, { content }]) => ({ handle: one, sum: content.sum })),
      status: statusOf("CUT_REFUSED", message),
    });
  }

  // ---------------------------------------------------------------- calls

  /** How many more requests may be sent now. */
  get callsLeft() {
    return Math.min(CALLS, this.welcome?.limits.calls ?? CALLS) - this.#calls.size;
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
    this.#calls.set(call, { pieces: [], size: 0, done });
    this.send("Request", { call, method, deadlineMs, body });
    return call;
  }

  /** @param {number} call */
  cancel(call) {
    if (this.#calls.delete(call)) this.send("Cancel", { call });
  }

  /** @param {{call: number, status?: any, body?: Uint8Array, more?: boolean}} answer @param {number} now */
  #takeAnswer({ call: id, status, body = NONE, more }, now) {
    const call = this.#calls.get(id);
    if (!call) return;
    call.pieces.push(body);
    call.size += body.length;
    const isTooLarge = call.size > this.#limits.answerBytes;
    if (isTooLarge) this.cancel(id);
    else if (more) return;
    this.#calls.delete(id);
    this.good = true;
    if (this.#leavingAt && !this.#calls.size) this.#leavingAt = now;
    const error = isTooLarge ? new MarqueeError("ANSWER_TOO_LARGE") : status && status.code !== 0 && errorOf(status);
    call.done(error || undefined, concat(call.pieces));
  }

  // ---------------------------------------------------------------- liveness

  /**
   * How long the connection has lasted.
   * @param {number} now
   */
  age(now) {
    return now - this.#opened;
  }

  /** When `tick` has something to do next. */
  get due() {
    if (this.#leavingAt) return this.#leavingAt;
    if (!this.welcome) return this.#opened + WELCOME_WAIT;
    const silent = (this.#pingedAt || this.#heard) + this.#interval;
    return this.#unfinishedSince ? Math.min(silent, this.#unfinishedSince + 3 * this.#interval) : silent;
  }

  /**
   * @param {number} now
   * @returns {boolean} whether the connection is over
   * @throws {Fault}
   */
  tick(now) {
    const late = now - this.due;
    if (late < 0) return false;
    if (this.#leavingAt || !this.welcome) return true;
    if (this.#unfinishedSince && now >= this.#unfinishedSince + 3 * this.#interval) throw new Fault("FRAME_UNFINISHED");
    // After a sleep it asks again before it gives the connection up.
    if (this.#pingedAt && late < this.#interval) return true;
    this.#pingedAt = now;
    this.send("Ping", { nonce: 1 });
    return false;
  }
}

/**
 * All that a join binds, the view's own list first.
 * @param {Join} join
 * @returns {import("./messages.js").Binding[]}
 */
const bindingsOf = ({ viewHandle, viewSum, sections = [] }) => [
  { section: OWN, handle: viewHandle, sum: viewSum },
  ...sections,
];
