/**
 * The protocol of one connection, as a value: frames go in, frames go out through `send`. What exists only while
 * connected lives here. There is no socket, no timer and no promise; time is an argument. What it means for the mirror,
 * the outbox and those who watch is the core's affair, which it tells.
 */

import { NONE, concat } from "./bytes.js";
import { EMPTY, pairsOf } from "./content.js";
import { Fault, MarqueeError, Refused, errorOf, statusOf } from "./errors.js";
import { Flag, FrameReader, Kind, encodeFrame, fromClient, kinds } from "./frames.js";
import { apply, patchOf } from "./patch.js";
import { advanced, isOfOtherEpoch, whole } from "./positions.js";
import { decode } from "./protobuf.js";
import { OWN } from "./view.js";
import { xxh64 } from "./xxh64.js";

/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./messages.js").Part} Part */
/** @typedef {import("./messages.js").Join} Join */

/** Nacks without a good cut between them. */
const NACKS = 3;
/** Bytes of a manifest's frame besides its pairs, at most. */
const MANIFEST_BYTES = 64;
const PAIR_BYTES = 16;
/** The table of limits, where the server states none. */
const PART_BYTES = 65536;
const CALLS = 16;
/** Milliseconds. */
const WELCOME_WAIT = 10_000;
const LEAVING_WAIT = 5000;
const LEAST_INTERVAL = 1000;

/**
 * @typedef {object} Subscription
 * @property {number} id
 * @property {View} view
 * @property {number} sent the newest generation that was sent
 * @property {number} joined the generation of the last join; −1 before the first
 * @property {Map<string, number>} handles by section
 */

/** A section that changed in a cut. `bodies` are the parts that lead there from `base`; undefined: it came whole.
 * @typedef {{base: Content | undefined, content: Content, bodies: Uint8Array[] | undefined}} Change */

/** What a cut does to one subscription.
 * @typedef {{handles: Map<string, number>, contents: Map<string, Content>, join: Join | undefined,
 *   changes: Map<string, Change>}} Step */

/** One request in flight. @typedef {{pieces: Uint8Array[], size: number, done: (error: MarqueeError | undefined, body: Uint8Array) => void}} Call */

export class Session {
  /**
   * @param {import("./core.js").Core} core
   * @param {number} now
   */
  constructor(core, now) {
    this.core = core;
    this.limits = core.limits;
    this.frames = new FrameReader(this.limits.frameBytes);
    /** @type {import("./messages.js").Welcome | undefined} */
    this.welcome = undefined;
    this.position = whole();
    /** Whether the position counts as seen: a cut or progress has come. */
    this.progressed = false;
    /** Whether a cut, progress or an answer has come. */
    this.good = false;

    this.opened = this.heard = now;
    this.interval = WELCOME_WAIT;
    this.pingedAt = 0;
    this.unfinishedSince = 0;
    /** When to close at the latest, after goAway. */
    this.leavingAt = 0;

    /** Live subscriptions by id. @type {Map<number, Subscription>} */
    this.subscriptions = new Map();
    this.lastSubscription = 0;
    /** Subscription and section by handle. @type {Map<number, {subscription: Subscription, section: string}>} */
    this.bound = new Map();

    /** Complete staged versions by handle, the one completed longest ago first. @type {Map<number, {content: Content, size: number}>} */
    this.staged = new Map();
    /** The staged patch that isn't complete. @type {{parts: Part[], size: number} | undefined} */
    this.staging = undefined;
    /** What manifests have described, by handle. @type {Map<number, {subscription: Subscription, content: Content}>} */
    this.described = new Map();

    /** The frames of a cut that has begun. @type {{frames: {kind: number, message: any, body: Uint8Array}[], size: number} | undefined} */
    this.cut = undefined;
    this.nacks = 0;
    this.failures = 0;
    this.waiting = false;

    this.received = 0;
    this.acknowledged = 0;
    this.credit = this.limits.creditBytes;

    /** @type {Map<number, Call>} */
    this.calls = new Map();
    this.lastCall = 0;
  }

  /** @param {number} kind @param {import("./protobuf.js").Message} message */
  send(kind, message) {
    this.core.act({ do: "send", bytes: encodeFrame(kind, message) });
  }

  // ---------------------------------------------------------------- receiving

  /**
   * @param {Uint8Array} bytes
   * @param {number} now
   * @throws {Fault}
   */
  receive(bytes, now) {
    this.heard = now;
    this.pingedAt = 0;
    this.frames.push(bytes);
    for (let frame; (frame = this.frames.next()); ) {
      this.unfinishedSince = 0;
      this.take(frame, now);
      if (this.core.session !== this) return;
    }
    if (!this.frames.unfinished) this.unfinishedSince = 0;
    else this.unfinishedSince ||= now;
  }

  /** @param {import("./frames.js").Frame} frame @param {number} now */
  take(frame, now) {
    const { kind, flags, body, size } = frame;
    const type = kinds[kind];
    if (!type) {
      if (flags & Flag.critical) throw new Fault("UNKNOWN_CRITICAL_KIND", `${kind}`);
      return;
    }
    if (fromClient.has(kind)) throw new Fault("WRONG_DIRECTION", type);
    const message = decode(type, body);
    if (kind === Kind.close) return this.core.closed(errorOf(message.status), now);
    if (!this.welcome !== (kind === Kind.welcome) && (this.welcome || kind !== Kind.goAway))
      throw new Fault("WRONG_DIRECTION", `${type} before welcome, or welcome twice`);
    if (kind === Kind.data || kind === Kind.stage) {
      this.received += size;
      if (this.received - this.acknowledged > this.credit / 2) this.acknowledge();
    }
    switch (kind) {
      case Kind.welcome:
        return this.takeWelcome(message, now);
      case Kind.ping:
        return this.send(Kind.pong, message);
      case Kind.progress:
        return this.takeProgress(message.cut, now);
      case Kind.goAway:
        return this.takeGoAway(message, now);
      case Kind.subscriptionError:
        return this.takeError(message, now);
      case Kind.rebase:
        return this.describe(message);
      case Kind.stage:
        return this.stage(message, flags, size);
      case Kind.answer:
        return this.takeAnswer(message, now);
      case Kind.join:
      case Kind.repair:
      case Kind.data:
        return this.takeOfCut(frame, message, now);
    }
  }

  /** @param {import("./messages.js").Welcome} welcome @param {number} now */
  takeWelcome(welcome, now) {
    if (welcome.protocol !== 1) throw new Fault("PROTOCOL_UNSUPPORTED", `${welcome.protocol}`);
    this.core.judge(welcome, now);
    this.welcome = welcome;
    this.position = whole(welcome.cut);
    this.credit = Math.min(this.credit, Number(welcome.limits.creditBytes ?? this.credit));
    this.interval = Math.max(welcome.pingIntervalMs ?? 20_000, welcome.pingMinimumMs ?? 5000, LEAST_INTERVAL);
    this.core.welcomed(now);
  }

  /** @param {import("./messages.js").Cut} cut @param {number} now */
  takeProgress(cut, now) {
    if (this.cut) throw new Fault("CUT_ORDER", "progress within a cut");
    if (isOfOtherEpoch(cut, this.position)) throw new Fault("CUT_ORDER", "another epoch");
    if (!this.waiting) {
      this.position = advanced(this.position, cut);
      this.progressed = this.good = true;
      this.core.progressed(now);
    }
    this.acknowledge();
  }

  acknowledge() {
    this.acknowledged = this.received;
    const cut = this.core.ackPosition;
    this.send(Kind.ack, { bytes: this.received, cut: cut && !isOfOtherEpoch(cut, this.position) ? cut : undefined });
  }

  /** @param {{status: any, reconnectMinMs?: number, reconnectMaxMs?: number}} message @param {number} now */
  takeGoAway({ status, reconnectMinMs = 0, reconnectMaxMs = reconnectMinMs }, now) {
    this.core.leave(errorOf(status), reconnectMinMs, reconnectMaxMs);
    this.leavingAt = this.calls.size ? now + LEAVING_WAIT : now;
  }

  // ---------------------------------------------------------------- subscriptions

  /** Opens a subscription. @param {View} view */
  subscribe(view) {
    const id = ++this.lastSubscription;
    this.subscriptions.set(id, { id, view, sent: 0, joined: -1, handles: new Map() });
    this.sendSubscribe(id, 0, view, this.core.offersNothing ? undefined : view.resume);
  }

  /** @param {number} subscription @param {number} generation @param {View} view @param {any} [resume] */
  sendSubscribe(subscription, generation, view, resume) {
    const { screen, locale, parameters } = view;
    this.send(Kind.subscribe, {
      subscription, generation: generation || undefined, screen, locale: locale || undefined, sections: parameters, resume,
    });
  }

  /** @param {View} view */
  find(view) {
    for (const subscription of this.subscriptions.values()) if (subscription.view === view) return subscription;
  }

  /** Asks for the view's options as they are now. @param {View} view */
  change(view) {
    const subscription = this.find(view);
    if (subscription) this.sendSubscribe(subscription.id, ++subscription.sent, view);
  }

  /** @param {View} view */
  unsubscribe(view) {
    const subscription = this.find(view);
    if (!subscription) return;
    this.send(Kind.unsubscribe, { subscription: subscription.id });
    this.drop(subscription);
  }

  /** @param {Subscription} subscription */
  drop(subscription) {
    this.subscriptions.delete(subscription.id);
    for (const handle of subscription.handles.values()) this.bound.delete(handle);
    this.forgetDescribed(subscription);
    subscription.view.live = false;
  }

  /** @param {Subscription} subscription */
  forgetDescribed(subscription) {
    for (const [handle, one] of this.described) if (one.subscription === subscription) this.described.delete(handle);
  }

  /** @param {{subscription: number, generation?: number, status: any, section?: string}} message @param {number} now */
  takeError({ subscription: id, generation = 0, status, section }, now) {
    const subscription = this.subscriptions.get(id);
    if (!subscription) return;
    const { view, joined } = subscription;
    const error = errorOf(status);
    if (section) return this.core.sectionFailed(view, section, error);
    if (joined >= 0 && generation > joined) return this.core.optionsRefused(view, error);
    this.drop(subscription);
    this.core.subscriptionEnded(view, error, now);
  }

  /** Answers a rebase with manifests. @param {{subscription: number, sections?: {section?: string, handle: number}[]}} rebase */
  describe({ subscription: id, sections = [] }) {
    const { partBytes = PART_BYTES, frameBytes = PART_BYTES } = /** @type {any} */ (this.welcome).limits;
    const most = Math.floor((Math.min(partBytes, frameBytes) - MANIFEST_BYTES) / PAIR_BYTES) * PAIR_BYTES;
    const subscription = this.subscriptions.get(id);
    for (const { section = OWN, handle } of sections) {
      const held = subscription?.view.contents.get(section);
      if (subscription && held) this.described.set(handle, { subscription, content: held });
      const { head, items, sum } = held ?? EMPTY;
      const pairs = pairsOf(items);
      for (let start = 0; start === 0 || start < pairs.length; start += most)
        this.send(Kind.manifest, {
          handle, sum, headHash: xxh64(head), pairs: pairs.subarray(start, start + most),
          more: start + most < pairs.length || undefined,
        });
    }
  }

  // ---------------------------------------------------------------- staged parts

  /** @param {Part} part @param {number} flags @param {number} size */
  stage(part, flags, size) {
    if (flags & Flag.first) this.staging = { parts: [], size: 0 };
    const staging = this.staging;
    if (!staging) return; // The rest of a patch that was given up.
    staging.parts.push(part);
    staging.size += size;
    if (!part.more) {
      this.staging = undefined;
      this.completeStaged(part.handle, staging);
    }
    let total = this.staging?.size ?? 0;
    for (const one of this.staged.values()) total += one.size;
    for (const [handle, one] of this.staged) {
      if (total <= this.limits.cutBytes) break;
      total -= one.size;
      this.staged.delete(handle);
    }
    if (total > this.limits.cutBytes) throw new Fault("CUT_TOO_LARGE", "staged parts");
  }

  /** @param {number} handle @param {{parts: Part[], size: number}} staging */
  completeStaged(handle, { parts, size }) {
    this.staged.delete(handle);
    const { baseSum } = parts[0];
    const base = baseSum === undefined ? EMPTY : this.described.get(handle)?.content;
    try {
      if (base) this.staged.set(handle, { content: apply(base, patchOf(parts)), size });
    } catch (error) {
      // The join will miss the version, and is answered by a nack.
      if (!(error instanceof Refused)) throw error;
    }
  }

  // ---------------------------------------------------------------- cuts

  /** @param {import("./frames.js").Frame} frame @param {any} message @param {number} now */
  takeOfCut({ kind, flags, body, size }, message, now) {
    if (!(flags & Flag.first) !== !!this.cut) throw new Fault("CUT_ORDER");
    if (message.cut && isOfOtherEpoch(message.cut, this.position)) throw new Fault("CUT_ORDER", "another epoch");
    const cut = (this.cut ??= { frames: [], size: 0 });
    cut.frames.push({ kind, message, body });
    cut.size += size;
    if (cut.size > this.limits.cutBytes) throw new Fault("CUT_TOO_LARGE");
    if (!(flags & Flag.last)) return;
    this.cut = undefined;
    this.applyCut(cut.frames, now);
  }

  /** @param {{kind: number, message: any, body: Uint8Array}[]} frames @param {number} now */
  applyCut(frames, now) {
    const of = (/** @type {number} */ kind) => frames.filter((frame) => frame.kind === kind);
    if (this.waiting && !of(Kind.repair).some(({ message }) => message.number === this.nacks)) return;
    this.waiting = false;
    const joins = of(Kind.join).map(({ message }) => /** @type {Join} */ (message));
    /** @type {Map<Subscription, Step>} */
    const steps = new Map();
    /** Positions that frames have proven. @type {import("./messages.js").Cut[]} */
    const proven = [];
    try {
      this.bind(joins, steps, proven);
      this.patch(of(Kind.data), steps, proven);
      for (const { handles, contents } of steps.values()) checkSections(handles, contents);
    } catch (error) {
      if (error instanceof Refused) return this.refuse(error, joins);
      throw error;
    }
    for (const { message } of frames) if (message.cut) this.position = advanced(this.position, message.cut);
    this.failures = 0;
    this.progressed = this.good = true;
    for (const [subscription, step] of steps) this.commit(subscription, step);
    this.core.cutApplied(steps, proven, now);
  }

  /** Takes the bindings of a good cut over. @param {Subscription} subscription @param {Step} step */
  commit(subscription, { join, handles }) {
    if (!join) return;
    for (const [, handle] of subscription.handles)
      if (this.bound.get(handle)?.subscription === subscription) this.bound.delete(handle);
    for (const [section, handle] of handles) {
      this.bound.set(handle, { subscription, section });
      this.staged.delete(handle);
    }
    subscription.handles = handles;
    subscription.joined = join.generation ?? 0;
    this.forgetDescribed(subscription);
  }

  /**
   * Binds the views that join, and finds the versions that they name.
   * @param {Join[]} joins
   * @param {Map<Subscription, Step>} steps
   * @param {import("./messages.js").Cut[]} proven
   */
  bind(joins, steps, proven) {
    const joining = new Set(joins.map((join) => this.subscriptions.get(join.subscription)));
    const taken = new Set();
    for (const join of joins) {
      const subscription = this.subscriptions.get(join.subscription);
      if (!subscription) continue; // It was unsubscribed meanwhile.
      if ((join.generation ?? 0) > subscription.sent) throw new Refused("generation", "never sent", join.viewHandle);
      const { view } = subscription;
      /** @type {Step} */
      const step = { handles: new Map(), contents: new Map(), join, changes: new Map() };
      for (const { section, handle, sum } of bindingsOf(join)) {
        const owner = this.bound.get(handle);
        if (taken.has(handle) || step.handles.has(section) || (owner && !joining.has(owner.subscription)))
          throw new Refused("boundTwice", `'${section}' of ${view.screen}`, handle);
        taken.add(handle);
        const held = view.contents.get(section);
        const content = this.version(held, handle, sum);
        step.handles.set(section, handle);
        step.contents.set(section, content);
        if (content !== held) step.changes.set(section, { base: held, content, bodies: undefined });
      }
      steps.set(subscription, step);
      proven.push(join.cut);
    }
  }

  /** The version that a binding names. @param {Content | undefined} held @param {number} handle @param {bigint} [sum] */
  version(held, handle, sum) {
    if (sum === undefined) return held ?? EMPTY;
    const staged = this.staged.get(handle)?.content;
    for (const content of [held, staged, EMPTY]) if (content?.sum === sum) return content;
    throw new Refused("missingVersion", "a version that is not held", handle);
  }

  /**
   * Applies the patches of a cut.
   * @param {{message: Part, body: Uint8Array}[]} data
   * @param {Map<Subscription, Step>} steps
   * @param {import("./messages.js").Cut[]} proven
   */
  patch(data, steps, proven) {
    /** @type {Map<number, {subscription: Subscription, section: string}>} */
    const joined = new Map();
    for (const [subscription, { handles }] of steps)
      for (const [section, handle] of handles) joined.set(handle, { subscription, section });
    const patched = new Set();
    for (let start = 0, end; start < data.length; start = end) {
      const { handle, cut } = data[start].message;
      for (end = start + 1; end < data.length && data[end].message.handle === handle; ) end++;
      const bound = this.bound.get(handle);
      const place = joined.get(handle) ?? (bound && !steps.get(bound.subscription)?.join ? bound : undefined);
      if (!place) continue; // Its view was closed meanwhile.
      try {
        if (patched.has(handle)) throw new Refused("twoPatches");
        this.patchSection(place, data.slice(start, end), steps);
      } catch (error) {
        if (error instanceof Refused) error.handle = handle;
        throw error;
      }
      patched.add(handle);
      if (cut) proven.push(cut);
    }
  }

  /**
   * @param {{subscription: Subscription, section: string}} place
   * @param {{message: Part, body: Uint8Array}[]} parts
   * @param {Map<Subscription, Step>} steps
   */
  patchSection({ subscription, section }, parts, steps) {
    let step = steps.get(subscription);
    if (!step) {
      const { handles, view } = subscription;
      step = { handles, contents: new Map(view.contents), join: undefined, changes: new Map() };
      steps.set(subscription, step);
    }
    const patch = patchOf(parts.map(({ message }) => message));
    const held = step.contents.get(section);
    const isWhole = patch.baseSum === undefined || patch.baseSum === EMPTY.sum;
    const content = apply(isWhole ? EMPTY : /** @type {Content} */ (held), patch);
    const before = step.changes.get(section);
    const bodies = isWhole || (before && !before.bodies) ? undefined : parts.map(({ body }) => body);
    step.contents.set(section, content);
    step.changes.set(section, { base: before ? before.base : held, content, bodies });
  }

  /** Refuses a cut. @param {Refused} refused @param {Join[]} joins */
  refuse({ why, message, handle }, joins) {
    /** What is held under each handle, bound or about to be. @type {Map<number, Content | undefined>} */
    const held = new Map([[handle, undefined]]);
    /** @type {{view: View, section: string} | undefined} */
    let place;
    const note = (/** @type {Subscription} */ subscription, /** @type {string} */ section, /** @type {number} */ one) => {
      held.set(one, subscription.view.contents.get(section));
      if (one === handle) place = { view: subscription.view, section };
    };
    for (const join of joins) {
      const subscription = this.subscriptions.get(join.subscription);
      if (subscription) for (const { section, handle: one } of bindingsOf(join)) note(subscription, section, one);
    }
    for (const [one, { subscription, section }] of this.bound) note(subscription, section, one);
    const why_ = `${why}: handle ${handle}${place ? `, '${place.section}' of ${place.view.screen}` : ""}: ${message}`;
    this.core.cutRefused(why_, place);
    if (++this.failures > NACKS) throw new Fault("CUT_REFUSED", why_);
    this.staging = undefined;
    this.staged.delete(handle);
    this.waiting = true;
    this.send(Kind.nack, {
      number: ++this.nacks,
      good: this.position,
      held: [...held].map(([one, content]) => ({ handle: one, sum: content?.sum, refused: one === handle || undefined })),
      staged: [...this.staged].map(([one, { content }]) => ({ handle: one, sum: content.sum })),
      status: statusOf("CUT_REFUSED", why_),
    });
  }

  // ---------------------------------------------------------------- calls

  /** How many more requests may be sent now. */
  get callsLeft() {
    return this.welcome && !this.leavingAt ? Math.min(CALLS, this.welcome.limits.calls ?? CALLS) - this.calls.size : 0;
  }

  /**
   * @param {number} method
   * @param {Uint8Array} body
   * @param {number | undefined} deadlineMs
   * @param {Call["done"]} done
   * @returns {number} the call's id
   */
  request(method, body, deadlineMs, done) {
    const call = ++this.lastCall;
    this.calls.set(call, { pieces: [], size: 0, done });
    this.send(Kind.request, { call, method, deadlineMs, body });
    return call;
  }

  /** @param {number} call */
  cancel(call) {
    if (this.calls.delete(call)) this.send(Kind.cancel, { call });
  }

  /** @param {{call: number, status?: any, body?: Uint8Array, more?: boolean}} answer @param {number} now */
  takeAnswer({ call: id, status, body = NONE, more }, now) {
    const call = this.calls.get(id);
    if (!call) return;
    call.pieces.push(body);
    call.size += body.length;
    let error = status && status.code !== 0 ? errorOf(status) : undefined;
    if (call.size > this.limits.answerBytes) {
      this.cancel(id);
      error = new MarqueeError("ANSWER_TOO_LARGE", "the answer is too large", { status: 8 });
    } else if (more) return;
    this.calls.delete(id);
    this.good = true;
    call.done(error, concat(call.pieces));
    if (this.leavingAt && !this.calls.size) this.leavingAt = now;
  }

  // ---------------------------------------------------------------- liveness

  /** When `tick` has something to do next. */
  get due() {
    const times = [this.pingedAt ? this.pingedAt + this.interval : this.heard + this.interval];
    if (!this.welcome) times[0] = this.opened + WELCOME_WAIT;
    if (this.unfinishedSince) times.push(this.unfinishedSince + 3 * this.interval);
    if (this.leavingAt) times.push(this.leavingAt);
    return Math.min(...times);
  }

  /**
   * @param {number} now
   * @returns {boolean} whether the connection is over
   * @throws {Fault}
   */
  tick(now) {
    if (this.leavingAt && now >= this.leavingAt) return true;
    if (!this.welcome) return now >= this.opened + WELCOME_WAIT;
    if (this.unfinishedSince && now >= this.unfinishedSince + 3 * this.interval) throw new Fault("FRAME_UNFINISHED");
    const late = now - this.due;
    if (late < 0) return false;
    // After a sleep it asks again before it gives the connection up.
    if (this.pingedAt && late < this.interval) return true;
    this.pingedAt = now;
    this.send(Kind.ping, { nonce: 1 });
    return false;
  }
}

/**
 * All that a join binds, the view's own list first.
 * @param {Join} join
 * @returns {import("./messages.js").Binding[]}
 */
const bindingsOf = ({ viewHandle, viewSum, sections = [] }) => [{ section: OWN, handle: viewHandle, sum: viewSum }, ...sections];

/**
 * The view's own list and the bound sections have to be the same set.
 * @param {Map<string, number>} handles
 * @param {Map<string, Content>} contents
 */
function checkSections(handles, contents) {
  const { items } = contents.get(OWN) ?? EMPTY;
  if (items.length !== handles.size - 1 || items.some(({ id }) => !handles.has(id)))
    throw new Refused("otherSections", "the list names other sections than are bound", handles.get(OWN));
}
