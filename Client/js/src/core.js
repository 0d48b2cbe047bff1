/**
 * The client as a state machine: events go in as method calls with the time, actions come out of `take`. It opens no
 * socket, sets no timer and awaits nothing, so all of it is tested by calling functions. The engine runs the actions.
 */

import { Fault, MarqueeError, Remedy, statusOf } from "./errors.js";
import { Kind, encodeFrame } from "./frames.js";
import { Outbox } from "./outbox.js";
import { advanced, isBehind, whole } from "./positions.js";
import { decodeBody, encode } from "./protobuf.js";
import { Session } from "./session.js";
import { View, keyOf } from "./view.js";

/** @typedef {import("./messages.js").Cut} Cut */

/** What a mirror keeps beside content and the outbox.
 * @typedef {object} State
 * @property {string | undefined} cluster undefined while the mirror is new
 * @property {string} user
 * @property {Uint8Array} clientId
 * @property {Cut | undefined} claimed the newest position seen
 * @property {Cut | undefined} proven the newest position that content came with
 * @property {number} next the highest number of a mutation so far
 * @property {number} answered the highest number up to which all answers are recorded
 * @property {number} confirmed the highest number that was applied
 */

/** A change of the mirror, made in one transaction.
 * @typedef {object} Write
 * @property {State} [state]
 * @property {boolean} [strict] whether it has to survive a power cut
 * @property {{view: View, changes: Map<string, import("./session.js").Change>, gone: string[]}[]} [views]
 * @property {string[]} [dropped] keys of views
 * @property {import("./outbox.js").Row[]} [put]
 * @property {number[]} [removed] numbers of rows
 */

/** @typedef {{do: string, [more: string]: any}} Action */

/** A call that has no answer yet.
 * @typedef {{ticket: any, method: number, body: Uint8Array, deadline: number, id: number}} Pending */

/** The screen of a user's collections, which is kept subscribed. */
export const COLLECTIONS = "user-collections";
const AGENT = "marquee-js/0.1.0";
const PROTOCOL = 1;
/** Milliseconds. */
const CONNECT_WAIT = 15_000;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 30_000;
const GOOD_CONNECTION = 5000;
/** Attempts, and the time, after which a claimed position that no server has is given up. */
const CLAIM_ATTEMPTS = 8;
const CLAIM_MS = 300_000;
/** Calls that wait or are in flight. */
const MAX_CALLS = 256;
const RENEW = 7;

export class Core {
  /**
   * @param {object} config
   * @param {() => number} config.random from 0 to 1
   * @param {() => Uint8Array} config.clientId a new one
   * @param {boolean} config.isMemory whether nothing outlives the program
   * @param {boolean} config.renews whether new tokens can be asked for
   * @param {string} [config.user]
   * @param {Partial<Session["limits"]>} [config.limits]
   * @param {{state?: State, views?: View[], rows?: import("./outbox.js").Row[]}} stored
   */
  constructor(config, { state, views = [], rows = [] }) {
    this.config = config;
    this.limits = {
      frameBytes: 1 << 20, creditBytes: 1 << 20, cutBytes: 16 << 20, answerBytes: 1 << 20, ...config.limits,
    };
    /** @type {State} */
    this.state = state ?? {
      cluster: undefined, user: config.user ?? "", clientId: config.clientId(), claimed: undefined, proven: undefined,
      next: 0, answered: 0, confirmed: 0,
    };
    /** @type {Map<string, View>} */
    this.views = new Map(views.map((view) => [view.key, view]));
    this.outbox = new Outbox(this, rows);
    /** @type {Action[]} */
    this.actions = [];
    /** @type {Session | undefined} */
    this.session = undefined;
    /** @type {"idle" | "connecting" | "open" | "waiting" | "failed"} */
    this.phase = "idle";
    /** When the phase ends by itself; 0: it doesn't. */
    this.phaseEnds = 0;
    this.attempts = 0;
    /** @type {string | undefined} */
    this.token = undefined;
    /** A token that was refused. @type {string | undefined} */
    this.refusedToken = undefined;
    this.offersNothing = false;
    /** Where the last cut was refused. @type {{view: View, section: string} | undefined} */
    this.refusedAt = undefined;
    /** Welcomes of other mirrors in a row, and nodes that were behind. */
    this.strangers = 0;
    this.behind = 0;
    this.behindSince = 0;
    /** A pause that goAway asked for. @type {{error: MarqueeError, atLeast: number, atMost: number} | undefined} */
    this.leaving = undefined;
    this.renewAt = 0;
    /** @type {Map<any, Pending>} */
    this.calls = new Map();
    /** What waits for a write of the mirror. @type {Map<number, (error: MarqueeError | undefined, now: number) => void>} */
    this.writes = new Map();
    this.lastWrite = 0;
    /** The position that the mirror has stored. @type {Cut | undefined} */
    this.stored = state?.claimed;
  }

  /** @param {Action} action */
  act(action) {
    this.actions.push(action);
  }

  /** The actions since the last call. */
  take() {
    const { actions } = this;
    this.actions = [];
    return actions;
  }

  /** @param {string} type @param {object} [more] */
  tell(type, more) {
    this.act({ do: "event", event: { type, ...more } });
  }

  // ---------------------------------------------------------------- wishes

  /**
   * Somebody watches a screen.
   * @param {string} screen
   * @param {string} locale
   * @param {import("./view.js").Options} options
   * @param {number} now
   * @returns {View}
   */
  watch(screen, locale, options, now) {
    const key = keyOf(screen, locale);
    let view = this.views.get(key);
    if (!view) this.views.set(key, (view = new View(screen, locale)));
    if (!view.watchers++) {
      view.retryAt = view.refusals = 0;
      view.error = undefined;
      view.options = options;
      if (this.ready) this.session?.subscribe(view);
    } else if (options.sorts || options.windows) this.setOptions(view, options);
    this.pump(now);
    return view;
  }

  /** @param {View} view */
  unwatch(view) {
    if (--view.watchers > 0) return;
    this.session?.unsubscribe(view);
    if (!view.isHeld) this.views.delete(view.key);
  }

  /** Shows a screen with other sorts and windows, for all who watch it. @param {View} view @param {import("./view.js").Options} options */
  setOptions(view, { sorts, windows }) {
    view.options = { sorts: { ...view.options.sorts, ...sorts }, windows: { ...view.options.windows, ...windows } };
    this.session?.change(view);
  }

  /**
   * Starts a call. It is answered by an action `answer` with the ticket.
   * @param {any} ticket
   * @param {number} method
   * @param {Uint8Array} body
   * @param {number} deadline
   * @param {number} now
   */
  call(ticket, method, body, deadline, now) {
    if (this.calls.size >= MAX_CALLS) return this.answer(ticket, new MarqueeError("LIMIT", "too many calls", { remedy: 1 }));
    this.calls.set(ticket, { ticket, method, body, deadline, id: 0 });
    this.pump(now);
    this.sendCalls(now);
  }

  /** @param {any} ticket */
  cancelCall(ticket) {
    const call = this.calls.get(ticket);
    this.calls.delete(ticket);
    if (call?.id) this.session?.cancel(call.id);
  }

  /** @param {any} ticket @param {MarqueeError | undefined} error @param {Uint8Array} [body] */
  answer(ticket, error, body) {
    this.calls.delete(ticket);
    this.act({ do: "answer", ticket, error, body });
  }

  /** @param {number} now */
  sendCalls(now) {
    if (!this.ready || !this.session) return;
    for (const call of this.calls.values()) {
      if (call.id) continue;
      if (this.session.callsLeft <= 0) return;
      const deadline = Math.max(0, call.deadline - now);
      call.id = this.session.request(call.method, call.body, deadline, (error, body) => this.answer(call.ticket, error, body));
    }
  }

  /** Whether subscriptions and calls may be sent. */
  get ready() {
    return !!this.session?.welcome && !this.leaving;
  }

  get isWanted() {
    if (this.calls.size || this.outbox.isWaiting) return true;
    for (const view of this.views.values()) if (view.watchers) return true;
    return false;
  }

  // ---------------------------------------------------------------- connecting

  /** Connects if there is a reason to. @param {number} now */
  pump(now) {
    if (this.phase !== "idle" || !this.isWanted) return;
    this.phase = "connecting";
    this.phaseEnds = now + CONNECT_WAIT;
    this.act({ do: "connect", refused: this.refusedToken });
    this.tell("state", { state: "connecting" });
  }

  /**
   * The transport is connected.
   * @param {string | undefined} token
   * @param {number} now
   */
  opened(token, now) {
    const { state } = this;
    this.phase = "open";
    this.phaseEnds = 0;
    this.token = token;
    this.session = new Session(this, now);
    this.session.send(Kind.hello, {
      protocolMin: PROTOCOL, protocolMax: PROTOCOL,
      limits: { creditBytes: this.limits.creditBytes, cutBytes: this.limits.cutBytes, frameBytes: this.limits.frameBytes },
      user: this.config.user || undefined, token, clientId: state.clientId, agent: AGENT,
      cluster: state.cluster, seen: this.seen(now), answeredThrough: state.answered || undefined,
    });
  }

  /** The position that hello names. @param {number} now */
  seen(now) {
    return this.behind >= CLAIM_ATTEMPTS && now - this.behindSince >= CLAIM_MS ? this.state.proven : this.state.claimed;
  }

  /**
   * Judges a welcome before anything else is sent.
   * @param {import("./messages.js").Welcome} welcome
   * @param {number} now
   */
  judge({ cluster, user = "", cut }, now) {
    const { state } = this;
    if (state.cluster !== undefined && (state.cluster !== cluster || state.user !== user)) {
      const code = state.cluster === cluster ? "OTHER_USER" : "OTHER_MIRROR";
      if (!this.strangers++) throw new Fault(code, "taken for damage", true);
      this.fail(new MarqueeError(code, `the mirror is of user '${state.user}' of ${state.cluster}, the server of '${user}' of ${cluster}`), now);
      return;
    }
    this.strangers = 0;
    const seen = this.seen(now);
    if (seen && isBehind(cut, seen)) throw new Fault("NODE_BEHIND");
    if (this.behind && seen === state.proven) state.claimed = seen;
    this.behind = 0;
    state.cluster = cluster;
    state.user = user;
  }

  /** @param {number} now */
  welcomed(now) {
    const { session, state } = this;
    if (!session?.welcome) return; // It was left at once.
    const { welcome } = session;
    this.refusedToken = undefined;
    if (!this.outbox.welcomed(welcome.lastMutation, now)) return;
    this.write({ state });
    if (welcome.identityMs && this.config.renews) this.scheduleRenewal(welcome.identityMs, now);
    this.tell("state", { state: "connected", welcome });
    if (state.user && !this.views.get(keyOf(COLLECTIONS, ""))?.watchers) this.watch(COLLECTIONS, "", {}, now);
    for (const view of this.views.values())
      if (view.watchers && now >= view.retryAt && !session.find(view)) {
        view.retryAt = 0;
        session.subscribe(view);
      }
    this.sendCalls(now);
    this.outbox.flush(now);
  }

  /** @param {number} ms @param {number} now */
  scheduleRenewal(ms, now) {
    this.renewAt = now + ms * (0.7 + 0.2 * this.config.random());
  }

  /** Goes on under a new token. @param {string} token @param {number} now */
  renew(token, now) {
    if (!this.ready || !this.session) return;
    this.session.request(RENEW, encode("RenewRequest", { token }), undefined, (error, body) => {
      if (error) {
        this.renewAt = now + Math.max(error.retryAfter, LONGEST_PAUSE);
        return this.tell("renewalFailed", { error });
      }
      this.token = token;
      const { identityMs } = decodeBody("RenewAnswer", body) ?? {};
      if (identityMs) this.scheduleRenewal(identityMs, now);
    });
  }

  /** @param {Uint8Array} bytes @param {number} now */
  received(bytes, now) {
    this.guarded(now, (session) => session.receive(bytes, now));
    this.sendCalls(now);
  }

  /** Runs a step of the session, and ends the connection where the peer broke the protocol.
   * @param {number} now @param {(session: Session) => boolean | void} step */
  guarded(now, step) {
    const { session } = this;
    if (!session) return;
    try {
      if (step(session)) this.disconnect(new MarqueeError("UNAVAILABLE", "the server fell silent", { remedy: 1 }), now);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.ended(error, now);
    }
  }

  /** @param {Fault} fault @param {number} now */
  ended({ reason, message, silent }, now) {
    if (reason === "CUT_REFUSED") this.offerLess();
    if (reason === "NODE_BEHIND" && !this.behind++) this.behindSince = now;
    const status = statusOf(reason, message);
    if (!silent) this.act({ do: "send", bytes: encodeFrame(Kind.close, { status }) });
    this.disconnect(new MarqueeError(reason, message, { remedy: Remedy.retrySame, status: status.code }), now);
  }

  offerLess() {
    if (!this.refusedAt || !this.refusedAt.view.offerLess(this.refusedAt.section)) this.offersNothing = true;
  }

  /** The server closed. @param {MarqueeError} error @param {number} now */
  closed(error, now) {
    switch (error.remedy) {
      case Remedy.resync:
        this.offerLess();
        break;
      case Remedy.reauthenticate:
        this.refusedToken = this.token;
        this.tell("tokenRefused", { error });
        if (this.config.renews) break;
        return this.fail(error, now);
      case Remedy.fatal:
        return this.fail(error, now);
    }
    this.disconnect(error, now);
  }

  /** The server is about to stop. @param {MarqueeError} error @param {number} atLeast @param {number} atMost milliseconds */
  leave(error, atLeast, atMost) {
    this.leaving = { error, atLeast, atMost };
  }

  /** Ends the connection from this side, and pauses. @param {MarqueeError} error @param {number} now */
  disconnect(error, now) {
    this.act({ do: "disconnect" });
    this.lost(error, now);
  }

  /** The connection, or the attempt to make one, has ended. @param {MarqueeError} error @param {number} now */
  lost(error, now) {
    if (this.phase !== "open" && this.phase !== "connecting") return;
    const { session, leaving } = this;
    const bound = () => Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.attempts);
    if (session?.good && now - session.opened >= Math.min(bound(), GOOD_CONNECTION)) this.attempts = 0;
    const drawn = this.config.random() * bound();
    this.attempts++;
    this.drop(error);
    const pause = leaving
      ? leaving.atLeast + this.config.random() * (leaving.atMost - leaving.atLeast)
      : Math.max(drawn, error.retryAfter);
    this.phase = "waiting";
    this.phaseEnds = now + pause;
    this.tell("state", { state: "waiting", error: leaving?.error ?? error, pause });
  }

  /** Forgets the connection. @param {MarqueeError} error */
  drop(error) {
    this.session = this.leaving = undefined;
    this.renewAt = 0;
    this.outbox.disconnected();
    for (const call of this.calls.values()) call.id = 0;
    for (const view of this.views.values()) {
      if (!view.watchers) continue;
      view.live = false;
      view.error = error;
      this.show(view);
    }
  }

  /** Connecting again would not help: whoever waits is told. @param {MarqueeError} error @param {number} now */
  fail(error, now) {
    this.act({ do: "disconnect" });
    this.drop(error);
    this.phase = "idle";
    this.phaseEnds = now;
    this.outbox.isHeld = true;
    for (const view of this.views.values()) this.end(view, error);
    for (const { ticket } of [...this.calls.values()]) this.answer(ticket, error);
    this.tell("state", { state: "failed", error });
  }

  /** Connects at once, if it waits to: the network came back, or there is another token. @param {number} now */
  retry(now) {
    this.outbox.isHeld = false;
    if (this.phase === "waiting") this.phase = "idle";
    this.pump(now);
  }

  /** @param {number} now */
  tick(now) {
    if (this.phaseEnds && now >= this.phaseEnds) {
      if (this.phase === "connecting") this.disconnect(new MarqueeError("TIMEOUT", "no connection in time", { remedy: 1 }), now);
      else if (this.phase === "waiting") this.phase = "idle";
    }
    this.guarded(now, (session) => session.tick(now));
    for (const call of [...this.calls.values()])
      if (now >= call.deadline) {
        this.cancelCall(call.ticket);
        this.answer(call.ticket, new MarqueeError("TIMEOUT", "no answer in time", { remedy: 1, status: 4 }));
      }
    if (this.ready && this.session)
      for (const view of this.views.values())
        if (view.watchers && view.retryAt && now >= view.retryAt) {
          view.retryAt = 0;
          if (!this.session.find(view)) this.session.subscribe(view);
        }
    if (this.renewAt && now >= this.renewAt) {
      this.renewAt = 0;
      this.act({ do: "renew" });
    }
    this.outbox.flush(now);
    this.pump(now);
  }

  /** When `tick` has something to do next; Infinity if never. */
  get due() {
    let due = this.phaseEnds && this.phase !== "idle" ? this.phaseEnds : Infinity;
    if (this.session) due = Math.min(due, this.session.due);
    if (this.renewAt) due = Math.min(due, this.renewAt);
    for (const { deadline } of this.calls.values()) due = Math.min(due, deadline);
    for (const view of this.views.values())
      if (view.watchers && view.retryAt && this.ready) due = Math.min(due, view.retryAt);
    return this.ready ? Math.min(due, this.outbox.due) : due;
  }

  // ---------------------------------------------------------------- content

  /** Shows a view as it is now. @param {View} view @param {Map<string, import("./session.js").Change>} [changes] */
  show(view, changes) {
    this.act({ do: "view", view, changes });
  }

  /** Nobody will hear of a view again, unless it is watched anew. @param {View} view @param {MarqueeError} error */
  end(view, error) {
    if (!view.watchers) return;
    view.watchers = 0;
    view.retryAt = 0;
    this.act({ do: "ended", view, error });
  }

  /** @param {View} view @param {MarqueeError} error @param {number} now */
  subscriptionEnded(view, error, now) {
    view.error = error;
    if (error.remedy > Remedy.resync) return this.end(view, error);
    if (error.remedy === Remedy.resync) view.offersNothing = true;
    view.postpone(now, error.retryAfter);
    this.show(view);
  }

  /** @param {View} view @param {string} section @param {MarqueeError} error */
  sectionFailed(view, section, error) {
    view.sectionErrors.set(section, error);
    this.show(view);
  }

  /** Options were refused; the view stays as it was. @param {View} view @param {MarqueeError} error */
  optionsRefused(view, error) {
    view.options = view.shownOptions;
    this.tell("optionsRefused", { screen: view.screen, error });
  }

  /** @param {string} why @param {{view: View, section: string} | undefined} place */
  cutRefused(why, place) {
    this.refusedAt = place;
    this.tell("cutRefused", { message: why, screen: place?.view.screen, section: place?.section });
  }

  /**
   * A cut was verified as a whole.
   * @param {Map<import("./session.js").Subscription, import("./session.js").Step>} steps
   * @param {Cut[]} proven
   * @param {number} now
   */
  cutApplied(steps, proven, now) {
    const session = /** @type {Session} */ (this.session);
    const views = [];
    for (const [{ view }, { contents, join, changes }] of steps) {
      const gone = [...view.contents.keys()].filter((section) => !contents.has(section));
      view.contents = contents;
      if (join) {
        view.joined(now, session.position);
        view.served = join.locale;
        view.shownOptions = view.options;
        for (const { section, sum } of join.sections ?? []) if (sum !== undefined) view.sectionErrors.delete(section);
        for (const section of gone) view.sectionErrors.delete(section);
        this.offersNothing = false;
      }
      views.push({ view, changes, gone });
    }
    const { state } = this;
    state.proven = proven.reduce(advanced, sameEpochs(session.position, whole(state.proven)));
    this.settle(now, views);
    for (const { view, changes } of views) this.show(view, changes);
  }

  /** Everything up to a position was delivered. @param {number} now */
  progressed(now) {
    this.settle(now, undefined);
  }

  /** Takes over the session's position, in one write with what came with it.
   * @param {number} now @param {Write["views"]} views */
  settle(now, views) {
    const position = /** @type {Session} */ (this.session).position;
    this.state.claimed = position;
    for (const view of this.views.values())
      if (view.live) {
        view.cut = position;
        view.asOf = now;
      }
    const removed = this.outbox.leaving();
    this.write({ state: this.state, views, removed }, (error) => {
      if (!error) this.stored = position;
    });
    if (removed.length) this.outbox.changed();
  }

  /** The position that an ack names. */
  get ackPosition() {
    const session = this.session;
    if (this.config.isMemory) return session?.progressed ? session.position : undefined;
    return this.stored;
  }

  // ---------------------------------------------------------------- the mirror

  /** @param {Write} write @param {(error: MarqueeError | undefined, now: number) => void} [done] */
  write(write, done) {
    if (write.state) write.state = { ...write.state };
    const id = ++this.lastWrite;
    if (done) this.writes.set(id, done);
    this.act({ do: "write", id, write });
  }

  /** A write has ended. @param {number} id @param {MarqueeError | undefined} error @param {number} now */
  written(id, error, now) {
    const done = this.writes.get(id);
    this.writes.delete(id);
    done?.(error, now);
  }
}

/** Revisions of a position, as far as they are of the epochs of another. @param {Required<Cut>} epochs @param {Required<Cut>} position */
const sameEpochs = (epochs, position) => ({
  ...epochs,
  catalogueRevision: position.catalogueEpoch === epochs.catalogueEpoch ? position.catalogueRevision : 0,
  userRevision: position.userEpoch === epochs.userEpoch ? position.userRevision : 0,
});
