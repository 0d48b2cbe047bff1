/**
 * Changes that the server hasn't confirmed (chapter 18). A row is stored before its effect is shown, and stored as sent
 * before it is sent. Rows are sent one at a time, in the order of their numbers, and each takes effect exactly once.
 */

import { MAX_ROWS } from "./constants.js";
import { FATAL, MarqueeError, RESYNC, RETRY } from "./errors.js";
import { decodeBody, encode } from "./protobuf.js";
import { COLLECTIONS, keyOf } from "./view.js";

/** A change: messages of one method, all of which take effect when the last one arrives. A change of a collection is a
 * single message, and names its subject.
 * @typedef {{method: number, type: string, messages: any[], subject?: string, collection?: string}} Mutation */

/** @typedef {Mutation & {number: number, state: RowState, cut?: import("./messages.js").Cut}} Row */

/**
 * In the states `new` and `sending`, the row is being stored.
 * @typedef {"new" | "pending" | "sending" | "sent" | "answered"} RowState
 */

/**
 * An exponential backoff.
 * @param {number} first
 * @param {number} longest
 * @param {number} tries
 */
export const pauseOf = (first, longest, tries) => Math.min(longest, first * 2 ** tries);

export class Outbox {
  #core;
  #clientId;
  /**
   * The tickets waiting for an outcome, by row.
   * @type {Map<Row, import("./core.js").Ticket>}
   */
  #tickets = new Map();
  #refusals = 0;
  /** When to resume sending after a temporary failure; 0 for at once. */
  retryAt = 0;
  /**
   * The row that awaits its answer.
   * @type {Row | undefined}
   */
  inFlight;
  /** Whether the server has refused the connection for good; existing rows alone are then no reason to reconnect. */
  isHeld = false;

  /** @param {import("./core.js").Core} core @param {Row[]} rows as stored @param {() => Uint8Array} clientId */
  constructor(core, rows, clientId) {
    this.#core = core;
    this.#clientId = clientId;
    this.rows = rows;
  }

  get isWaiting() {
    return !this.isHeld && this.rows.some(({ state }) => state !== "answered");
  }

  /** @param {Row[]} rows */
  #remove(rows) {
    this.rows = this.rows.filter((row) => !rows.includes(row));
    return rows.map(({ number }) => number);
  }

  /** @param {Row} row @param {MarqueeError | undefined} error @param {any} [result] */
  #settle(row, error, result) {
    this.#core.finish(this.#tickets.get(row), error, result);
    this.#tickets.delete(row);
    this.#core.act("tell", this.shown);
  }

  /** A message with the rows that may be shown: those that are stored. */
  get shown() {
    return { type: "rows", rows: this.rows.filter(({ state }) => state !== "new") };
  }

  /**
   * Adds a change. Its ticket receives `stored` once the change is durable, and `done` once it is answered.
   * @param {import("./core.js").Ticket} ticket
   * @param {Mutation} mutation
   */
  add(ticket, mutation) {
    if (this.rows.length >= MAX_ROWS) return this.#core.finish(ticket, new MarqueeError("LIMIT"));
    /** @type {Row} */
    const row = { ...mutation, number: ++this.#core.state.next, state: "new" };
    this.rows.push(row);
    this.#tickets.set(row, ticket);
    this.isHeld = false;
    this.#core.write({ strict: true, put: [{ ...row, state: "pending" }] }, (error) => {
      if (error) {
        this.#remove([row]);
        return this.#settle(row, error);
      }
      row.state = "pending";
      this.#core.act("say", ticket, { type: "stored" });
      this.#core.act("tell", this.shown);
      this.flush();
    });
    this.#core.pump();
  }

  /**
   * Sends the next row, unless one is in flight.
   */
  flush() {
    if (!this.#core.ready || this.inFlight || this.#core.now < this.retryAt) return;
    this.retryAt = 0;
    const row = this.rows.find(({ state }) => state !== "answered");
    if (row?.state === "sent") return this.#send(row);
    if (row?.state !== "pending") return;
    row.state = "sending";
    this.#core.write({ strict: true, put: [{ ...row, state: "sent" }] }, (error) => {
      row.state = error ? "pending" : "sent";
      if (error) this.#postpone();
      this.flush();
    });
  }

  /** @param {Row} row */
  #send(row) {
    const { number, method, type, messages } = row;
    this.inFlight = row;
    messages.forEach((message, i) => {
      const body = encode(type, { ...message, number, answeredThrough: this.#core.state.answered });
      this.#core.ready?.request(method, body, (error, answer) => {
        if (this.inFlight === row && (error || !messages[i + 1])) this.#take(row, error, answer);
      });
    });
  }

  /**
   * Handles the answer to a row.
   * @param {Row} row
   * @param {MarqueeError | undefined} error
   * @param {Uint8Array} body
   */
  #take(row, error, body) {
    const { session, state } = this.#core;
    const { number } = row;
    const answer = decodeBody("MutationAnswer", body);
    if (error || !answer) return this.#refused(row, error ?? new MarqueeError("BODY_INVALID", RETRY));
    /** @type {Row} */
    const answered = { ...row, state: "answered", cut: { ...session?.position, userRevision: 0, ...answer.cut } };
    const before = { answered: state.answered, confirmed: state.confirmed };
    state.answered = state.confirmed = number;
    this.#core.write({ strict: true, put: [answered] }, (failed) => {
      this.inFlight = undefined;
      if (failed) {
        // The row is sent again; the server repeats its answer.
        Object.assign(state, before);
        return this.#postpone();
      }
      this.#refusals = 0;
      Object.assign(row, answered);
      this.#settle(row, undefined, { changed: !!answer.changed });
      this.#core.write({ removed: this.leave() });
      this.flush();
    });
  }

  /** @param {Row} row @param {MarqueeError} error */
  #refused(row, error) {
    this.inFlight = undefined;
    if (error.code === "CLIENT_CLONED") return this.#renew([]);
    if (error.remedy !== RESYNC && error.remedy !== FATAL) {
      this.#postpone(error.retryAfterMs);
      return this.#core.tell("changesHeldUp", { error });
    }
    this.#core.state.answered = row.number;
    this.#core.write({ strict: true, removed: [row.number] });
    this.#rollBack([row], error);
    this.flush();
  }

  /** @param {Row[]} rows @param {MarqueeError} error */
  #rollBack(rows, error) {
    this.#remove(rows);
    for (const row of rows) {
      const { subject, collection } = row;
      this.#core.tell("changeRejected", { subject, collection, error });
      this.#settle(row, error);
    }
  }

  /** @param {number} [atLeast] */
  #postpone(atLeast = 0) {
    this.retryAt = this.#core.now + Math.max(atLeast, pauseOf(1000, 60_000, this.#refusals++));
  }

  /**
   * Compares the server's last mutation number with the outbox's.
   * @param {number | undefined} last
   * @returns {boolean} false if the client has to reconnect, with a new client id
   */
  welcomed(last = 0) {
    const { confirmed, answered } = this.#core.state;
    if (last >= Math.min(confirmed, answered)) return true;
    this.#renew(this.rows.filter(({ state }) => /^sen/.test(state)));
    return false;
  }

  /**
   * Continues with a new client id.
   * @param {Row[]} lost rows that may or may not have taken effect
   */
  #renew(lost) {
    const { state } = this.#core;
    const removed = this.rows.map(({ number }) => number);
    this.#rollBack(lost, new MarqueeError("MUTATION_FORGOTTEN", RESYNC));
    this.#remove(this.rows.filter((row) => row.state === "answered"));
    for (const row of this.rows) {
      row.number = ++state.next;
      if (row.state !== "new") row.state = "pending";
    }
    state.clientId = this.#clientId();
    state.answered = state.confirmed = 0;
    this.#core.write({ strict: true, removed, put: this.rows.map((row) => ({ ...row, state: "pending" })) });
    this.#core.disconnect(new MarqueeError("CLIENT_CLONED", RETRY));
  }

  /** Removes the answered rows whose effect is shown, and returns their numbers. */
  leave() {
    const { session, views } = this.#core;
    if (!session) return [];
    const { userEpoch, userRevision } = session.position;
    const isLive = views.get(keyOf(COLLECTIONS, ""))?.live;
    const leaving = this.rows.filter((/** @type {any} */ { state, subject, cut }) => state === "answered" &&
      (!isLive || subject === undefined || cut.userEpoch !== userEpoch || cut.userRevision <= userRevision));
    const numbers = this.#remove(leaving);
    if (leaving.length) this.#core.act("tell", this.shown);
    return numbers;
  }
}
