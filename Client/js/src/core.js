/**
 * The client as a state machine: the caller sets `now` and reports an event by calling a method; `take` returns the
 * resulting actions, which the engine runs. It opens no socket, sets no timer and awaits nothing, so it can be tested
 * by calling functions.
 */

import { CLAIM_ATTEMPTS, CLAIM_MS, CONNECT_WAIT, GOOD_CONNECTION, MAX_CALLS, RENEW } from "./constants.js";
import { FATAL, Fault, MarqueeError, REAUTHENTICATE, RESYNC, RETRY, errorOf, faultOf, statusOf } from "./errors.js";
import { encodeFrame } from "./frames.js";
import { Session } from "./session.js";
import { Outbox, pauseOf } from "./outbox.js";
import { advanced, isBehind, whole, within } from "./positions.js";
import { decodeBody, encode } from "./protobuf.js";
import { COLLECTIONS, OWN, View } from "./view.js";

/** @typedef {import("./messages.js").Cut} Cut */
/** @typedef {import("./view.js").SectionOptions} SectionOptions */

/** The state that a mirror keeps in addition to content and the outbox.
 * @typedef {object} State
 * @property {string} [cluster] absent if the mirror is new
 * @property {string} user
 * @property {Uint8Array} clientId
 * @property {import("./positions.js").Position} [claimed] the newest position seen
 * @property {import("./positions.js").Position} [proven] the newest position that content came with
 * @property {number} next the highest mutation number so far
 * @property {number} answered the number up to which all answers are recorded
 * @property {number} confirmed the highest number that was applied
 */

/** A change of the mirror, made in one transaction.
 * @typedef {object} Write
 * @property {State} [state]
 * @property {boolean} [strict] whether it has to survive a power cut
 * @property {View[]} [views] all that hold content; unchanged versions are already stored
 * @property {import("./outbox.js").Row[]} [put]
 * @property {number[]} [removed] numbers of rows
 */

/**
 * An instruction to the engine: a name and arguments.
 * @typedef {[string, ...any]} Action
 */

/**
 * Receives the outcome of a request. To the core it only identifies the request.
 * @typedef {(message: import("./engine.js").Message) => void} Ticket
 */

/** A call without an answer yet; `id` is 0 until it is sent.
 * @typedef {{method: number, body: Uint8Array, deadline: number, id: number}} Pending */

/**
 * @typedef {object} Config
 * @property {() => number} random returns a number from 0 to 1
 * @property {() => Uint8Array} clientId makes a new client id
 * @property {boolean} renews whether the app can supply new tokens
 * @property {string} [user]
 * @property {object} [limits]
 */

/** The limits of this side, in bytes. */
const LIMITS = { frameBytes: 1 << 20, creditBytes: 1 << 20, cutBytes: 1 << 24, answerBytes: 1 << 20 };
const AGENT = "marquee-js/0.2.0";

export class Core {
  #config;
  /** @type {Action[]} */
  #actions = [];
  /** When the current phase times out. */
  #phaseEnds = Infinity;
  #attempts = 0;
  #openedAt = 0;
  /** @type {string | undefined} */
  #token;
  /** @type {string | undefined} */
  #refusedToken;
  /** Consecutive welcomes that belong to another mirror. */
  #otherMirrors = 0;
  /** Consecutive nodes that were behind the claimed position. */
  #behind = 0;
  #behindSince = 0;
  #renewAt = Infinity;
  /** @type {Map<Ticket, Pending>} */
  #calls = new Map();
  /**
   * The view that each ticket watches.
   * @type {Map<Ticket, View>}
   */
  #watches = new Map();
  /**
   * The ticket of the watch that keeps the user's collections subscribed.
   * @type {Ticket}
   */
  #forCollections = () => {};
  /** The time of the event being handled, in milliseconds; the caller sets it. */
  now = 0;
  /**
   * The position that the mirror has stored, which acks report.
   * @type {import("./positions.js").Position | undefined}
   */
  stored;
  /** @type {Session | undefined} */
  session;
  /** @type {"idle" | "connecting" | "open" | "waiting"} */
  phase = "idle";
  /**
   * The server's GoAway message, once it has sent one.
   * @type {any}
   */
  leaving;

  /**
   * @param {Config} config
   * @param {{state?: State, views?: View[], rows?: import("./outbox.js").Row[]}} stored
   */
  constructor(config, { state, views = [], rows = [] }) {
    this.#config = config;
    this.limits = { ...LIMITS, ...config.limits };
    /** @type {State} */
    this.state = state ?? { user: config.user ?? "", clientId: config.clientId(), next: 0, answered: 0, confirmed: 0 };
    this.stored = this.state.claimed;
    /** @type {Map<string, View>} */
    this.views = new Map(views.map((view) => [view.key, view]));
    this.outbox = new Outbox(this, rows, config.clientId);
  }

  /** @param {Action} action */
  act(...action) {
    this.#actions.push(action);
  }

  /** The actions since the last call. */
  take() {
    return this.#actions.splice(0);
  }

  /**
   * Sends a message to all listeners.
   * @param {string} type
   * @param {object} [more]
   */
  tell(type, more) {
    this.act("tell", { type, ...more });
  }

  // ---------------------------------------------------------------- requests

  /**
   * Subscribes a ticket to messages about the client as a whole.
   * @param {Ticket} ticket
   */
  hello(ticket) {
    this.act("say", ticket, this.outbox.shown);
  }

  /**
   * Watches a screen.
   * @param {Ticket} ticket
   * @param {{screen: string, locale: string, options: SectionOptions}} request
   */
  watch(ticket, { options, screen, locale }) {
    const fresh = new View(screen, locale);
    const view = this.views.get(fresh.key) ?? fresh;
    const isNew = !this.#isWatched(view);
    this.views.set(view.key, view);
    this.#watches.set(ticket, view);
    if (isNew) {
      view.tries = 0;
      view.error = undefined;
      view.options = options;
      this.#subscribe(view);
    } else if (options.sorts || options.windows) this.options(ticket, { options });
    if (view.isHeld) this.act("say", ticket, { ...view, type: "view" });
    this.pump();
  }

  /** @param {View} view */
  #isWatched(view) {
    return [...this.#watches.values()].includes(view);
  }

  /**
   * Changes the sorts and windows of a screen, for all its watches.
   * @param {Ticket} ticket
   * @param {{options: SectionOptions}} request
   */
  options(ticket, { options }) {
    const view = this.#watches.get(ticket);
    if (!view) return;
    view.options = options;
    this.session?.change(view);
  }

  /**
   * Drops a request whose outcome is no longer needed.
   * @param {Ticket} ticket
   */
  leave(ticket) {
    this.session?.cancel(this.#calls.get(ticket)?.id ?? 0);
    this.#calls.delete(ticket);
    const view = this.#watches.get(ticket);
    this.#watches.delete(ticket);
    if (view && !this.#isWatched(view)) {
      this.session?.unsubscribe(view);
      if (!view.isHeld) this.views.delete(view.key);
    }
  }

  /** @param {View} view */
  #subscribe(view) {
    view.retryAt = 0;
    this.ready?.subscribe(view);
  }

  /**
   * Starts a call.
   * @param {Ticket} ticket
   * @param {{method: number, body: Uint8Array, timeout: number}} request
   */
  call(ticket, request) {
    if (this.#calls.size >= MAX_CALLS) return this.finish(ticket, new MarqueeError("LIMIT", RETRY));
    this.#calls.set(ticket, { ...request, deadline: this.now + request.timeout, id: 0 });
    this.pump();
    this.#sendCalls();
  }

  /**
   * Puts a change into the outbox.
   * @param {Ticket} ticket
   * @param {{mutation: import("./outbox.js").Mutation}} request
   */
  change(ticket, { mutation }) {
    this.outbox.add(ticket, mutation);
  }

  /**
   * Ends a request with its outcome.
   * @param {Ticket | undefined} ticket
   * @param {MarqueeError | undefined} error
   * @param {any} [result]
   */
  finish(ticket, error, result) {
    if (ticket) {
      this.#calls.delete(ticket);
      this.#watches.delete(ticket);
      this.act("say", ticket, { type: "done", error, result });
    }
  }

  #sendCalls() {
    const { ready } = this;
    for (const [ticket, call] of this.#calls)
      if (ready && !call.id && ready.callsLeft > 0)
        call.id = ready.request(
          call.method,
          call.body,
          (error, body) => this.finish(ticket, error, body),
          Math.max(0, call.deadline - this.now),
        );
  }

  /** The session, if it can send subscriptions and calls. */
  get ready() {
    return this.session?.welcome && !this.leaving ? this.session : undefined;
  }

  // ---------------------------------------------------------------- connecting

  /**
   * Connects if there is a reason to.
   */
  pump() {
    if (this.phase !== "idle" || !(this.#watches.size || this.#calls.size || this.outbox.isWaiting)) return;
    this.phase = "connecting";
    this.#phaseEnds = this.now + CONNECT_WAIT;
    this.act("connect", this.#refusedToken);
    this.tell("state", { state: "connecting" });
  }

  /**
   * The transport is connected.
   * @param {string | undefined} token
   */
  opened(token) {
    const { cluster, answered, clientId } = this.state;
    this.phase = "open";
    this.#phaseEnds = Infinity;
    this.#token = token;
    this.#openedAt = this.now;
    this.session = new Session(this);
    this.session.send("Hello", {
      protocolMin: 1, protocolMax: 1, limits: this.limits, user: this.#config.user, token, clientId,
      agent: AGENT, cluster, seen: this.#seen(), answeredThrough: answered,
    });
  }

  /**
   * The position to send in Hello.
   */
  #seen() {
    const isGivenUp = this.#behind >= CLAIM_ATTEMPTS && this.now - this.#behindSince >= CLAIM_MS;
    return isGivenUp ? this.state.proven : this.state.claimed;
  }

  /**
   * Checks a Welcome before anything else is sent.
   * @param {import("./messages.js").Welcome} welcome
   */
  welcomed(welcome) {
    const { state } = this;
    const { cluster, user = "", identityMs, cut, lastMutation } = welcome;
    const seen = this.#seen();
    if (state.cluster && (state.cluster !== cluster || state.user !== user)) {
      // The first time, it may be a damaged message, so the client reconnects.
      const error = new MarqueeError("OTHER_MIRROR");
      return this.#otherMirrors++ ? this.fail(error) : this.disconnect(error);
    }
    this.#otherMirrors = 0;
    if (seen && isBehind(whole(cut), seen)) {
      if (!this.#behind++) this.#behindSince = this.now;
      throw new Fault("NODE_BEHIND");
    }
    if (this.#behind) state.claimed = this.stored = seen;
    this.#behind = 0;
    state.cluster = cluster;
    state.user = user;
    this.#refusedToken = undefined;
    if (!this.outbox.welcomed(lastMutation)) return;
    this.write({});
    this.#scheduleRenewal(identityMs);
    this.tell("state", { state: "connected", welcome });
    if (user) this.watch(this.#forCollections, { screen: COLLECTIONS, locale: "", options: {} });
    this.tick();
  }

  /** @param {number | undefined} ms */
  #scheduleRenewal(ms) {
    this.#renewAt = ms && this.#config.renews ? this.now + ms * (0.7 + 0.2 * this.#config.random()) : Infinity;
  }

  /**
   * Presents a new token on the current connection.
   * @param {string} token
   */
  renew(token) {
    this.ready?.request(RENEW, encode("RenewRequest", { token }), (error, body) => {
      if (error) {
        this.#renewAt = this.now + Math.max(error.retryAfterMs, 30_000);
        return this.tell("renewalFailed", { error });
      }
      this.#token = token;
      this.#scheduleRenewal(decodeBody("RenewAnswer", body)?.identityMs);
    });
  }

  /** @param {Uint8Array} bytes */
  received(bytes) {
    this.#guard((session) => session.receive(bytes));
    this.#sendCalls();
  }

  /** Runs a step of the session, and ends the connection if the peer broke the protocol.
   * @param {(session: Session) => boolean | void} step */
  #guard(step) {
    const fault = faultOf(() => {
      if (this.session && step(this.session)) this.disconnect(new MarqueeError("UNAVAILABLE", RETRY));
    });
    if (!fault) return;
    this.act("send", encodeFrame("Close", { status: statusOf(fault.message) }));
    this.disconnect(new MarqueeError(fault.message, RETRY));
  }

  /** Some offer has failed, but it isn't known which one, so nothing is offered next time. */
  #offerNothing() {
    for (const [, { withheld }] of this.views) withheld.add(OWN);
  }

  /**
   * Offers less after repairs of held content have failed (chapter 13): next time without the section, after that
   * without its view, and then nothing.
   * @param {View} view
   * @param {string} section
   */
  offerLess({ withheld }, section) {
    if (withheld.has(OWN)) this.#offerNothing();
    else withheld.add(withheld.size ? OWN : section);
  }

  /**
   * The server has closed the connection.
   * @param {MarqueeError} error
   */
  closed(error) {
    const { remedy } = error;
    if (remedy === RESYNC) this.#offerNothing();
    if (remedy === REAUTHENTICATE) {
      this.#refusedToken = this.#token;
      this.tell("tokenRefused", { error });
    }
    if (remedy === FATAL || (remedy === REAUTHENTICATE && !this.#config.renews)) this.fail(error);
    else this.disconnect(error);
  }

  /**
   * Ends the connection from this side, and waits before reconnecting.
   * @param {MarqueeError} error
   */
  disconnect(error) {
    this.act("disconnect");
    this.lost(error);
  }

  /**
   * The connection, or the attempt to make one, has ended.
   * @param {MarqueeError} error
   */
  lost(error) {
    const { session, leaving } = this;
    const bound = () => pauseOf(250, 30_000, this.#attempts);
    if (session?.good && this.now - this.#openedAt >= Math.min(bound(), GOOD_CONNECTION)) this.#attempts = 0;
    /** @type {{reconnectMinMs?: number, reconnectMaxMs?: number}} */
    const { reconnectMinMs: least = 0, reconnectMaxMs: most = leaving ? least : bound() } = leaving ?? {};
    let pause = least + this.#config.random() * (most - least);
    if (leaving) error = errorOf(leaving.status);
    else pause = Math.max(pause, error.retryAfterMs);
    this.#attempts++;
    this.#drop(error);
    this.phase = "waiting";
    this.#phaseEnds = this.now + pause;
    this.tell("state", { state: "waiting", error, pause });
  }

  /**
   * Forgets the connection.
   * @param {MarqueeError} error
   */
  #drop(error) {
    this.session = this.leaving = undefined;
    this.#renewAt = Infinity;
    this.outbox.inFlight = undefined;
    for (const [, call] of this.#calls) call.id = 0;
    for (const [, view] of this.views) {
      view.live = false;
      view.error = error;
      this.#show(view);
    }
  }

  /**
   * Gives up, because reconnecting would not help, and ends all requests with the error.
   * @param {MarqueeError} error
   */
  fail(error) {
    this.act("disconnect");
    this.#drop(error);
    this.phase = "idle";
    this.outbox.isHeld = true;
    for (const [ticket] of [...this.#watches, ...this.#calls]) this.finish(ticket, error);
    this.tell("state", { state: "failed", error });
  }

  /**
   * Reconnects at once instead of waiting, for example when the network is back or there is a new token.
   */
  retry() {
    this.outbox.isHeld = false;
    if (this.phase === "waiting") this.phase = "idle";
    this.pump();
  }

  tick() {
    if (this.now >= this.#phaseEnds) {
      this.#phaseEnds = Infinity;
      if (this.phase === "connecting") this.disconnect(new MarqueeError("TIMEOUT", RETRY));
      else this.phase = "idle";
    }
    this.#guard((session) => session.tick());
    for (const [ticket, { deadline }] of this.#calls)
      if (this.now >= deadline) {
        this.leave(ticket);
        this.finish(ticket, new MarqueeError("TIMEOUT", RETRY));
      }
    for (const [, view] of this.#watches) if (this.now >= view.retryAt) this.#subscribe(view);
    if (this.now >= this.#renewAt) {
      this.#renewAt = Infinity;
      this.act("renew");
    }
    this.#sendCalls();
    this.outbox.flush();
    this.pump();
  }

  /** When `tick` next has something to do; Infinity if never. */
  get due() {
    const retries = this.ready ? [this.outbox, ...this.#watches.values()] : [];
    return Math.min(
      this.#phaseEnds,
      this.#renewAt,
      this.session?.due ?? Infinity,
      ...[...this.#calls.values()].map(({ deadline }) => deadline),
      ...retries.map(({ retryAt }) => retryAt || Infinity),
    );
  }

  // ---------------------------------------------------------------- content

  /** @param {View} view */
  #show(view) {
    if (view.isHeld)
      for (const [ticket, one] of this.#watches) if (one === view) this.act("say", ticket, { ...view, type: "view" });
  }

  /**
   * The server has refused a subscription, a section of it, or a change of its options.
   * @param {View} view
   * @param {MarqueeError} error
   * @param {string | undefined} section
   * @param {boolean} isWhole whether the subscription has ended
   */
  refused(view, error, section, isWhole) {
    if (section) view.errors = new Map(view.errors).set(section, error);
    else if (!isWhole) {
      view.options = view.shown;
      return this.tell("optionsRefused", { screen: view.screen, error });
    } else {
      view.error = error;
      if (error.remedy > RESYNC) {
        for (const [ticket, one] of this.#watches) if (one === view) this.finish(ticket, error);
        return;
      }
      if (error.remedy === RESYNC) view.withheld.add(OWN);
      view.retryAt = this.now + Math.max(error.retryAfterMs, pauseOf(1000, 60_000, view.tries++));
    }
    this.#show(view);
  }

  /**
   * A whole cut has been verified.
   * @param {Map<import("./session.js").Subscription, import("./session.js").Step>} steps
   * @param {Cut[]} proven
   */
  applied(steps, proven) {
    const { position } = /** @type {Session} */ (this.session);
    for (const [{ view }, { contents, join }] of steps) {
      view.contents = contents;
      if (!join) continue;
      view.live = true;
      view.error = undefined;
      view.tries = 0;
      view.served = join.locale;
      view.shown = view.options;
      view.errors = new Map([...view.errors].filter(([id]) =>
        join.sections?.some(({ section, sum }) => section === id && sum === undefined)));
      view.withheld.clear();
    }
    this.state.proven = proven.reduce(advanced, within(position, whole(this.state.proven)));
    this.settle();
    for (const [{ view }] of steps) this.#show(view);
  }

  /**
   * Adopts the session's position, in one write with the content that came with it.
   */
  settle() {
    const { position } = /** @type {Session} */ (this.session);
    this.state.claimed = position;
    const views = [...this.views.values()].filter(({ isHeld }) => isHeld);
    for (const view of views)
      if (view.live) {
        view.cut = position;
        view.asOf = this.now;
      }
    this.write({ views, removed: this.outbox.leave() }, (error) => {
      if (!error) this.stored = position;
    });
  }

  // ---------------------------------------------------------------- the mirror

  /** Writes, in one transaction with the state.
   * @param {Write} write @param {(error: MarqueeError | undefined) => void} [done] */
  write(write, done) {
    this.act("write", { ...write, state: { ...this.state } }, done);
  }
}

