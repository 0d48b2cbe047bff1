/**
 * Changes that the server hasn't confirmed (chapter 18). A row is stored before anything is shown of it, and stored as
 * sent before it is sent; rows go out one at a time, in the order of their numbers, and each takes effect once.
 */

import { MarqueeError, Remedy } from "./errors.js";
import { decodeBody, encode } from "./protobuf.js";
import { keyOf } from "./view.js";

/**
 * @typedef {object} Row
 * @property {number} number
 * @property {string} [collection] of a change of a collection
 * @property {string} [subject]
 * @property {boolean} [member]
 * @property {string} [value] JSON
 * @property {string} [key] of a publication
 * @property {Uint8Array[]} [changes]
 * @property {"new" | "pending" | "sending" | "sent" | "answered"} state `new` and `sending` are being stored
 * @property {import("./messages.js").Cut} [cut] a position that contains its effect
 */

/** What a row is made of. @typedef {Pick<Row, "collection" | "subject" | "member" | "value" | "key" | "changes">} Mutation */

const MAX_ROWS = 1000;
const SUBJECT_BYTES = 256;
const COLLECTION = 5;
const PUBLISH = 6;
/** Bytes of changes in one request, and besides them. */
const PART_BYTES = 60_000;
const PART_OVERHEAD = 512;
const PUBLICATION_BYTES = 8 << 20;
/** Milliseconds. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;

export class Outbox {
  /** @param {import("./core.js").Core} core @param {Row[]} rows as stored */
  constructor(core, rows) {
    this.core = core;
    this.rows = rows.sort((a, b) => a.number - b.number);
    /** Tickets of those who wait for an outcome, by row. @type {Map<Row, any>} */
    this.tickets = new Map();
    /** The row that awaits its answer. @type {Row | undefined} */
    this.inFlight = undefined;
    this.refusals = 0;
    this.retryAt = 0;
    /** Whether the server refused the connection for good: rows alone don't make another one. */
    this.isHeld = false;
  }

  get isWaiting() {
    return !this.isHeld && this.rows.some(({ state }) => state !== "answered");
  }

  get due() {
    return this.retryAt || Infinity;
  }

  /** Rows are other ones now. */
  changed() {
    this.core.act({ do: "rows", rows: this.rows.filter(({ state }) => state !== "new") });
  }

  /** @param {Row} row @param {MarqueeError | undefined} error @param {any} [result] */
  settle(row, error, result) {
    const ticket = this.tickets.get(row);
    this.tickets.delete(row);
    if (ticket !== undefined) this.core.act({ do: "outcome", ticket, error, result });
  }

  /**
   * Takes a change. Its ticket is in an action `stored` once it is durable, and in `outcome` when the server has answered.
   * @param {any} ticket
   * @param {Mutation} mutation
   * @param {number} now
   */
  add(ticket, mutation, now) {
    const { core } = this;
    const problem = this.problemOf(mutation);
    if (problem) return core.act({ do: "outcome", ticket, error: new MarqueeError("LIMIT", problem) });
    const replaced = mutation.subject === undefined ? [] : this.rows.filter((row) =>
      (row.state === "pending" || row.state === "new") && row.subject === mutation.subject && row.collection === mutation.collection);
    /** @type {Row} */
    const row = { ...mutation, number: ++core.state.next, state: "new" };
    this.rows = [...this.rows.filter((one) => !replaced.includes(one)), row];
    this.tickets.set(row, ticket);
    this.isHeld = false;
    const write = { state: core.state, strict: true, put: [{ ...row, state: "pending" }], removed: replaced.map(({ number }) => number) };
    core.write(/** @type {any} */ (write), (error, later) => this.added(row, replaced, error, later));
    core.pump(now);
  }

  /** @param {Mutation} mutation */
  problemOf({ subject, changes }) {
    if (this.rows.length >= MAX_ROWS) return `${MAX_ROWS} changes wait already`;
    if (subject !== undefined && new TextEncoder().encode(subject).length > SUBJECT_BYTES) return `a subject has at most ${SUBJECT_BYTES} bytes`;
    if (changes?.some((change) => change.length > PART_BYTES)) return `a change has at most ${PART_BYTES} bytes`;
    if ((changes ?? []).reduce((total, { length }) => total + length, 0) > PUBLICATION_BYTES) return "a publication has at most 8 MiB";
  }

  /** @param {Row} row @param {Row[]} replaced @param {MarqueeError | undefined} error @param {number} now */
  added(row, replaced, error, now) {
    if (error) {
      this.rows = this.rows.filter((one) => one !== row).concat(replaced).sort((a, b) => a.number - b.number);
      return this.settle(row, error);
    }
    if (row.state === "new") row.state = "pending";
    for (const one of replaced) this.settle(one, undefined, { replaced: true });
    this.core.act({ do: "stored", ticket: this.tickets.get(row) });
    this.changed();
    this.flush(now);
  }

  /** Sends the next row, if none is on its way. @param {number} now */
  flush(now) {
    const { core } = this;
    if (!core.ready || this.inFlight || now < this.retryAt) return;
    this.retryAt = 0;
    const row = this.rows.find(({ state }) => state !== "answered");
    if (row?.state === "sent") return this.send(row, now);
    if (row?.state !== "pending") return;
    row.state = "sending";
    core.write({ strict: true, put: [{ ...row, state: "sent" }] }, (error, later) => {
      row.state = error ? "pending" : "sent";
      if (error) this.postpone(later, 0);
      else this.flush(later);
    });
  }

  /** @param {Row} row @param {number} now */
  send(row, now) {
    const session = /** @type {import("./session.js").Session} */ (this.core.session);
    this.inFlight = row;
    const { number, collection, subject, member, value, key, changes } = row;
    const { answered } = this.core.state;
    const answeredThrough = answered || undefined;
    const done = (/** @type {MarqueeError | undefined} */ error, /** @type {Uint8Array} */ body) => this.take(row, error, body, now);
    if (subject !== undefined) {
      const body = encode("CollectionRequest", { number, answeredThrough, subject, member, collection, value });
      session.request(COLLECTION, body, undefined, done);
      return;
    }
    const parts = partsOf(changes ?? []);
    parts.forEach((part, index) => {
      const last = index === parts.length - 1;
      const body = encode("PublishRequest", { number, answeredThrough, key, index, last, changes: part });
      session.request(PUBLISH, body, undefined, (error, answer) => {
        if (this.inFlight === row && (error || last)) done(error, answer);
      });
    });
  }

  /** An answer came. @param {Row} row @param {MarqueeError | undefined} error @param {Uint8Array} body @param {number} now */
  take(row, error, body, now) {
    if (error) return this.refused(row, error, now);
    const { core } = this;
    const { state, session } = core;
    const answer = decodeBody("MutationAnswer", body);
    if (!answer) return this.refused(row, new MarqueeError("BODY_INVALID", "an answer that can't be read", { remedy: 1 }), now);
    const { position } = /** @type {import("./session.js").Session} */ (session);
    this.refusals = 0;
    state.answered = state.confirmed = row.number;
    row.state = "answered";
    row.cut = { catalogueEpoch: position.catalogueEpoch, userEpoch: position.userEpoch, ...answer.cut };
    const removed = this.leaving();
    const put = removed.includes(row.number) ? [] : [{ ...row }];
    core.write({ state, strict: true, put, removed }, (failed, later) => {
      this.inFlight = undefined;
      // What couldn't be stored is asked again, and answered as before.
      if (failed) this.postpone(later, 0);
      this.settle(row, undefined, { changed: !!answer.changed });
      this.flush(later);
    });
    this.changed();
  }

  /** @param {Row} row @param {MarqueeError} error @param {number} now */
  refused(row, error, now) {
    const { core } = this;
    this.inFlight = undefined;
    if (error.code === "CLIENT_CLONED") return this.renew([], now);
    const isLater = error.remedy === Remedy.retrySame || error.remedy === Remedy.retryOther || error.remedy === Remedy.reauthenticate;
    if (isLater && error.code !== "MUTATION_FORGOTTEN") {
      this.postpone(now, error.retryAfter);
      return core.tell("changesHeldUp", { pending: this.rows.length, error });
    }
    core.state.answered = row.number;
    core.write({ state: core.state, strict: true, removed: [row.number] });
    this.rollBack([row], error);
    this.flush(now);
  }

  /** @param {Row[]} rows @param {MarqueeError} error */
  rollBack(rows, error) {
    this.rows = this.rows.filter((row) => !rows.includes(row));
    for (const row of rows) {
      const { collection, subject, member, value } = row;
      this.core.tell("changeRejected", { collection, subject, member, value, error });
      this.settle(row, error);
    }
    this.changed();
  }

  /** @param {number} now @param {number} atLeast */
  postpone(now, atLeast) {
    this.retryAt = now + Math.max(atLeast, Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.refusals++));
  }

  disconnected() {
    this.inFlight = undefined;
  }

  /**
   * Compares the server's memory with this one.
   * @param {number | undefined} last
   * @param {number} now
   * @returns {boolean} false if the connection has to be made anew, with another client id
   */
  welcomed(last, now) {
    const { confirmed, answered } = this.core.state;
    if (!confirmed || (last !== undefined && (last >= confirmed || last >= answered))) return true;
    this.renew(this.rows.filter(({ state }) => state === "sent" || state === "sending"), now);
    return false;
  }

  /** Goes on under a new client id. @param {Row[]} lost rows that may or may not have taken effect @param {number} now */
  renew(lost, now) {
    const { core } = this;
    const { state } = core;
    this.rollBack(lost, new MarqueeError("MUTATION_FORGOTTEN", "the server doesn't know whether it took effect"));
    const removed = [...lost, ...this.rows].map(({ number }) => number);
    const left = this.rows.filter((row) => row.state !== "answered");
    for (const row of left) {
      row.number = ++state.next;
      if (row.state !== "new") row.state = "pending";
    }
    this.rows = left;
    Object.assign(state, { clientId: core.config.clientId(), answered: 0, confirmed: 0 });
    core.write({ state, strict: true, put: left.map((row) => ({ ...row, state: "pending" })), removed });
    core.disconnect(new MarqueeError("CLIENT_CLONED", "going on under another client id", { remedy: Remedy.retrySame }), now);
  }

  /** Removes answered rows whose effect is shown, and gives their numbers. */
  leaving() {
    const { session, views } = this.core;
    if (!session) return [];
    const isLive = views.get(keyOf("user-collections", ""))?.live;
    const { userEpoch, userRevision } = session.position;
    const leaves = (/** @type {Row} */ { state, subject, cut }) =>
      state === "answered" &&
      (subject === undefined || !isLive || !cut || cut.userEpoch !== userEpoch || (cut.userRevision ?? 0) <= userRevision);
    const gone = this.rows.filter(leaves);
    this.rows = this.rows.filter((row) => !gone.includes(row));
    return gone.map(({ number }) => number);
  }
}

/** Distributes changes over requests. @param {Uint8Array[]} changes */
function partsOf(changes) {
  /** @type {Uint8Array[][]} */
  const parts = [[]];
  let size = PART_OVERHEAD;
  for (const change of changes) {
    if (size + change.length + 8 > PART_BYTES && parts[parts.length - 1].length) {
      parts.push([]);
      size = PART_OVERHEAD;
    }
    parts[parts.length - 1].push(change);
    size += change.length + 8;
  }
  return parts;
}

