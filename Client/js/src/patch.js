/** Changes to bodies (chapter 6) and patches of lists (chapter 8). */

import { NONE, concat } from "./bytes.js";
import { ADD, BODY_BYTES, MAX_NUMBER, MOVE, UPDATE } from "./constants.js";
import { Content, EMPTY, Item } from "./content.js";
import { check } from "./errors.js";
import { whole } from "./positions.js";
import { decode, encode, numbersOf, recordsOf, varintOf } from "./protobuf.js";

/** @typedef {import("./messages.js").FieldChange} FieldChange */
/**
 * A patch, joined from its parts.
 * @typedef {import("./messages.js").Part} Patch
 */
/**
 * A record: its field number and its bytes.
 * @typedef {[number, Uint8Array]} Record_
 */

/** @param {Record_[]} records */
const bodyOf = (records) => concat(records.sort((a, b) => a[0] - b[0]).map((record) => record[1]));

/**
 * Puts a body into canonical form. Only servers need this.
 * @param {Uint8Array} body
 */
export const canonical = (body) => bodyOf(recordsOf(body));

/**
 * The records of a body, which must be canonical.
 * @param {Uint8Array} body
 */
function canonicalRecords(body) {
  const records = recordsOf(body);
  check(records.every(([number], i) => !i || number >= records[i - 1][0]), "invalidBody");
  return records;
}

/**
 * Applies a change to a body.
 * @param {Uint8Array} body
 * @param {FieldChange} change
 * @returns {Uint8Array} a new array
 */
export function changed(body, { cleared = [], records = NONE, replace }) {
  const added = canonicalRecords(records);
  const gone = new Set(cleared);
  const isSound = cleared.every((number, i) => number > (cleared[i - 1] ?? 0) && number <= MAX_NUMBER);
  check(isSound && !(replace && cleared.length) && !added.some(([number]) => gone.has(number)), "invalidBody");
  for (const [number] of added) gone.add(number);
  const left = replace ? [] : canonicalRecords(body).filter(([number]) => !gone.has(number));
  const result = bodyOf(left.concat(added));
  check(result.length <= BODY_BYTES, "invalidBody");
  return result;
}

/**
 * The values that all parts of a patch share.
 * @param {Patch} part
 */
const signature = ({ handle, targetSum, count, cut, baseSum }) =>
  [handle, baseSum, targetSum, count, Object.values(whole(cut))].join();

/**
 * Joins the parts of one patch.
 * @param {readonly Patch[]} parts
 * @returns {Patch}
 */
export function patchOf(parts) {
  const [first] = parts;
  parts.forEach((part, i) => {
    check(signature(part) === signature(first) && !part.more === !parts[i + 1] && !(i && part.head), "mixedParts");
  });
  const adds = parts.flatMap((part) => part.adds ?? []);
  const updates = parts.flatMap((part) => part.updates ?? []);
  return { ...first, adds, updates, script: concat(parts.map((part) => part.script ?? NONE)) };
}

/**
 * Applies a patch to its base, and verifies the sum of the result.
 * @param {Content} base the version to patch; ignored by a patch without a base
 * @param {Patch} patch
 * @param {Uint8Array[]} [bodies] the parts that the patch came in
 * @param {Content} [held] the version that the mirror holds, if `base` is an intermediate version built on it
 * @returns {Content}
 * @throws {Fault}
 */
export function apply(base, patch, bodies, held = base) {
  const { baseSum = EMPTY.sum, targetSum, head } = patch;
  if (baseSum === EMPTY.sum) base = EMPTY;
  check(baseSum === base.sum, "otherBase");
  const isDirect = base === EMPTY || base === held;
  const result = new Content(
    head ? changed(base.head, head) : base.head,
    built(base.items, patch),
    isDirect ? bodies && base : base.base,
    isDirect ? bodies : bodies && base.bodies?.concat(bodies),
  );
  check(result.sum === targetSum, "otherTarget");
  return result;
}

/**
 * Builds the new list.
 * @param {readonly Item[]} old
 * @param {Patch} patch
 */
function built(old, { count, script = NONE, adds = [], updates = [] }) {
  const numbers = numbersOf(script);
  /** @type {Item[]} */
  const items = [];
  /**
   * By index: whether an old item was kept or moved, and whether a new one was added.
   * @type {boolean[][]}
   */
  const [used, added] = [[], []];
  /** Where the last range of each operation ended. A move's range starts anywhere. */
  const ends = [0, 0, 0, 0];
  let updatesTaken = 0;
  for (let i = 0; i < numbers.length; ) {
    const word = numbers[i++], operation = word & 3, length = word >>> 2;
    let start = operation === ADD ? ends[ADD] : numbers[i++] + (operation === MOVE ? 0 : ends[operation]);
    const end = (ends[operation] = start + length);
    check(length && start >= 0 && (operation === UPDATE || !updatesTaken), "malformedScript");
    if (operation === ADD) check(end <= adds.length, "wrongCount");
    else check(end <= (operation === UPDATE ? items : old).length, "outOfRange");
    for (; start < end; start++)
      if (operation === UPDATE) {
        check(!added[start], "updateOfAdded");
        check(updatesTaken < updates.length, "wrongCount");
        const { id, kind, subject, body } = items[start];
        items[start] = new Item({ id, kind, subject, body: changed(body, updates[updatesTaken++]) });
      } else {
        if (operation === ADD) {
          const item = new Item(adds[start]);
          check(item.body.length <= BODY_BYTES, "invalidBody");
          added[items.length] = true;
          items.push(item);
        } else {
          check(!used[start], "usedTwice");
          used[start] = true;
          items.push(old[start]);
        }
      }
  }
  check(items.length === count && ends[ADD] === adds.length && updatesTaken === updates.length, "wrongCount");
  // Kept and moved items are used once each, so only added ones can repeat an id.
  check(!adds.length || new Set(items.map(({ id }) => id)).size === count, "invalidID");
  return items;
}

/**
 * Applies the frames of one patch.
 * @param {Content} base
 * @param {readonly {message: Patch, body: Uint8Array}[]} frames
 * @param {Content} [held]
 */
export const applyFrames = (base, frames, held) =>
  apply(base, patchOf(frames.map(({ message }) => message)), frames.map(({ body }) => body), held);

/**
 * Applies parts as they were received.
 * @param {Content} content
 * @param {Uint8Array[]} bodies
 * @throws {Fault} if they don't fit
 */
export function replay(content, bodies) {
  let parts = [];
  for (const body of bodies) {
    const part = decode("Part", body);
    parts.push(part);
    if (part.more) continue;
    content = apply(content, patchOf(parts));
    parts = [];
  }
  return content;
}

/**
 * A version as one part, as a server would send it.
 * @param {Content} content
 */
export const wholePart = ({ head, items, sum }) =>
  encode("Part", {
    handle: 1, targetSum: sum, adds: items, head: { records: head }, count: items.length,
    script: items.length ? varintOf(items.length * 4 + ADD) : NONE,
  });
