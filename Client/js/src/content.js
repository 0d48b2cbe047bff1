/** Items, versions of variants, and their sums (chapter 7). */

import { NONE, utf8, writeText } from "./bytes.js";
import { decodeBody } from "./protobuf.js";
import { hash, high, joined, low, xxh64 } from "./xxh64.js";

/**
 * Kinds of items that this library can decode.
 * @type {Record<number, string>}
 */
const bodies = { 9: "MemberBody", 12: "OtherBody", 13: "CardBody", 100: "SectionReference" };

let scratch = new Uint8Array(1024);

/**
 * Writes a length as u32, little endian.
 * @param {number} at
 * @param {number} number
 */
function writeLength(at, number) {
  scratch[at] = number;
  scratch[at + 1] = number >>> 8;
  scratch[at + 2] = number >>> 16;
  scratch[at + 3] = number >>> 24;
  return at + 4;
}

/**
 * Writes `lp(text)`.
 * @param {number} at
 * @param {string} text
 */
function writeLp(at, text) {
  const end = writeText(text, scratch, at + 4);
  writeLength(at, end - at - 4);
  return end;
}

/**
 * Hashes an edge; the result is in `high` and `low` of xxh64.js.
 * @param {string} previous
 * @param {string} id
 * @param {number} kind
 * @param {string} subject
 * @param {number} h the halves of the body's hash
 * @param {number} l
 */
function hashEdge(previous, id, kind, subject, h, l) {
  const most = 3 * (previous.length + id.length + subject.length) + 32;
  if (most > scratch.length) scratch = new Uint8Array(2 * most);
  let at = writeLength(writeLp(writeLp(0, previous), id), kind);
  at = writeLength(writeLength(writeLp(at, subject), l), h);
  hash(scratch, at);
}

/** An item of a section. Its body is as received; never change it. */
export class Item {
  /** @type {any} */ #decoded = null;
  /** Halves of the hash of the body. */
  #bodyHigh = 0;
  #bodyLow = 0;
  /**
   * The id that the cached edge comes from, and the edge's halves.
   * @type {string | undefined}
   */
  #previous;
  #edgeHigh = 0;
  #edgeLow = 0;

  /**
   * @param {string} id unique in its section
   * @param {number} kind
   * @param {string} subject the entity by type and id; may be empty
   * @param {Uint8Array} body
   */
  constructor(id, kind, subject, body) {
    this.id = id;
    this.kind = kind;
    this.subject = subject;
    this.body = body;
    hash(body);
    this.#bodyHigh = high;
    this.#bodyLow = low;
  }

  /**
   * Item of a message.
   * @param {import("./messages.js").ItemMessage} m
   */
  static of(m) {
    return new Item(m.id, m.kind, m.subject ?? "", m.body ?? NONE);
  }

  /** The decoded body, if its kind is one of the protocol's; undefined for others. */
  get content() {
    const type = bodies[this.kind];
    if (this.#decoded === null) this.#decoded = type && decodeBody(type, this.body);
    return this.#decoded;
  }

  /**
   * The decoded body of a card.
   * @returns {import("./messages.js").Card | undefined}
   */
  get card() {
    return this.kind === 13 ? this.content : undefined;
  }

  get bodyHash() {
    return joined(this.#bodyHigh, this.#bodyLow);
  }

  /**
   * Whether two items with the same id are the same.
   * @param {Item} other
   */
  equals(other) {
    const { kind, subject, bodyHash } = other;
    return this === other || (this.kind === kind && this.subject === subject && this.bodyHash === bodyHash);
  }

  /**
   * The same item with another body.
   * @param {Uint8Array} body
   */
  withBody(body) {
    return new Item(this.id, this.kind, this.subject, body);
  }

  /**
   * The sum of all edges and the closing edge.
   * @param {readonly Item[]} items
   */
  static edges(items) {
    let h = 0, l = 0, previous = "";
    for (const item of items) {
      if (item.#previous !== previous) {
        hashEdge(previous, item.id, item.kind, item.subject, item.#bodyHigh, item.#bodyLow);
        item.#previous = previous;
        item.#edgeHigh = high;
        item.#edgeLow = low;
      }
      l += item.#edgeLow >>> 0;
      h += item.#edgeHigh >>> 0;
      previous = item.id;
    }
    hashEdge(previous, "", 0, "", 0, 0);
    return ((BigInt(h + (high >>> 0)) << 32n) + BigInt(l + (low >>> 0))) & MASK;
  }
}

const MASK = (1n << 64n) - 1n;

/**
 * One edge.
 * @param {string} previous
 * @param {string} id
 * @param {number} kind
 * @param {string} subject
 * @param {bigint} bodyHash
 */
export function edge(previous, id, kind, subject, bodyHash) {
  hashEdge(previous, id, kind, subject, Number(bodyHash >> 32n), Number(bodyHash & 0xffffffffn));
  return joined(high, low);
}

/** A version of a variant: its head, its items, and their sum, computed here. */
export class Content {
  /** @type {any} */ #decoded;

  /**
   * @param {Uint8Array} head
   * @param {readonly Item[]} items
   */
  constructor(head, items) {
    this.head = head;
    this.items = items;
    this.sum = (Item.edges(items) + xxh64(head)) & MASK;
  }

  /**
   * The decoded head; an empty message if it can't be decoded.
   * @param {"SectionHead" | "ViewHead"} type
   * @returns {any}
   */
  decoded(type) {
    return (this.#decoded ??= decodeBody(type, this.head) ?? {});
  }
}

/** The empty version, which everybody holds. */
export const EMPTY = new Content(NONE, []);

/**
 * What a manifest says of a version's items (chapter 15).
 * @param {readonly Item[]} items
 */
export function pairsOf(items) {
  const pairs = new Uint8Array(16 * items.length);
  const view = new DataView(pairs.buffer);
  items.forEach((item, i) => {
    view.setBigUint64(16 * i, xxh64(utf8(item.id)), true);
    view.setBigUint64(16 * i + 8, item.bodyHash, true);
  });
  return pairs;
}

/**
 * The screen sum: that of a view's own list, with each section's sum in place of its item's body hash.
 * @param {Content} own
 * @param {(section: string) => bigint | undefined} sumOf of a section; undefined for one that isn't held
 */
export function screenSum(own, sumOf) {
  let total = xxh64(own.head), previous = "";
  for (const { id, kind, subject } of own.items) {
    total += edge(previous, id, kind, subject, sumOf(id) ?? 0n);
    previous = id;
  }
  return (total + edge(previous, "", 0, "", 0n)) & MASK;
}
