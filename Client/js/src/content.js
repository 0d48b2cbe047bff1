/** Items, versions of variants, and their sums (chapter 7). */

import { NONE, concat, encoder, fixed64, uint64, utf8, viewOf } from "./bytes.js";
import { EDGE_BYTES } from "./constants.js";
import { decodeBody } from "./protobuf.js";
import { xxh64 } from "./xxh64.js";

/**
 * The messages of the item kinds that this library can decode. Those in a view's own list are left out: only their ids
 * are read.
 * @type {Record<number, string>}
 */
const bodies = { 9: "MemberBody", 12: "OtherBody", 13: "CardBody" };

/** A reusable buffer for hashing edges. */
let buffer = new Uint8Array(1024);

/**
 * The hash of an edge: an item and the id of the one before it.
 * @param {string} previous
 * @param {string} id
 * @param {number} kind
 * @param {string} subject
 * @param {bigint} bodyHash
 */
export function edge(previous, id, kind, subject, bodyHash) {
  const most = 3 * (previous.length + id.length + subject.length) + EDGE_BYTES;
  if (most > buffer.length) buffer = new Uint8Array(most);
  const view = viewOf(buffer);
  let at = 0;
  const write = (/** @type {string} */ text) => {
    const written = /** @type {number} */ (encoder.encodeInto(text, buffer.subarray(at + 4)).written);
    view.setUint32(at, written, true);
    at += 4 + written;
  };
  write(previous);
  write(id);
  view.setUint32(at, kind, true);
  at += 4;
  write(subject);
  view.setBigUint64(at, bodyHash, true);
  return xxh64(buffer, at + 8);
}

/** An item of a section. Its body is as received; never change it. */
export class Item {
  /** @type {any} */ #decoded;
  /**
   * The previous id that the cached edge was computed with.
   * @type {string | undefined}
   */
  #previous;
  #edge = 0n;

  /**
   * @param {import("./messages.js").ItemMessage} message its id is unique in its section; its subject is an entity's
   * type and id, or empty
   * @param {bigint} [bodyHash]
   */
  constructor({ id, kind, body = NONE, subject = "" }, bodyHash = xxh64(body)) {
    this.id = id;
    this.kind = kind;
    this.subject = subject;
    this.body = body;
    this.bodyHash = bodyHash;
  }

  /** The decoded body, if the protocol defines the item's kind; otherwise undefined. */
  get content() {
    const type = bodies[this.kind];
    return (this.#decoded ??= type && decodeBody(type, this.body));
  }

  /**
   * The decoded body of a card.
   * @returns {import("./messages.js").Card | undefined}
   */
  get card() {
    return this.kind === 13 ? this.content : undefined;
  }

  /**
   * Whether an item with the same id has the same kind, subject and body.
   * @param {Item} other
   */
  equals({ bodyHash, kind, subject }) {
    return this.kind === kind && this.subject === subject && this.bodyHash === bodyHash;
  }

  /**
   * The sum of all edges, including the closing edge.
   * @param {readonly Item[]} items
   */
  static edges(items) {
    let total = 0n, previous = "";
    for (const item of items) {
      const { id, kind, subject, bodyHash } = item;
      if (item.#previous !== previous) {
        item.#edge = edge(previous, id, kind, subject, bodyHash);
        item.#previous = previous;
      }
      total += item.#edge;
      previous = id;
    }
    return total + edge(previous, "", 0, "", 0n);
  }
}

/** A version of a variant: its head, its items, and their sum, which is computed here. */
export class Content {
  /** @type {any} */ #decoded;

  /**
   * @param {Uint8Array} head
   * @param {readonly Item[]} items
   * @param {Content} [base] the version before
   * @param {Uint8Array[]} [bodies] the parts that lead from `base` to this version, as received
   */
  constructor(head, items, base, bodies) {
    this.head = head;
    this.items = items;
    // Kept only until the next version, so that old versions don't keep older ones alive.
    this.base = base;
    this.bodies = bodies;
    if (base) base.base = base.bodies = undefined;
    this.sum = uint64(Item.edges(items) + xxh64(head));
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

/** The empty version, which client and server always hold. */
export const EMPTY = new Content(NONE, []);

/**
 * The pairs of a manifest for a version's items (chapter 15).
 * @param {readonly Item[]} items
 */
export const pairsOf = (items) =>
  concat(items.flatMap(({ bodyHash, id }) => [xxh64(utf8(id)), bodyHash]).map(fixed64));

/**
 * The screen sum: the sum of a view's own list, with each section's sum in place of its item's body hash.
 * @param {Content} own
 * @param {(section: string) => bigint | undefined} sumOf of a section; undefined for one that isn't held
 */
export const screenSum = ({ head, items }, sumOf) =>
  new Content(head, items.map((item) => new Item(item, sumOf(item.id) ?? 0n))).sum;
