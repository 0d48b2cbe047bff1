/** Changes of bodies (chapter 6) and patches of lists (chapter 8). */

import { NONE, concat } from "./bytes.js";
import { Content, EMPTY, Item } from "./content.js";
import { Fault, Refused } from "./errors.js";
import { eachRecord } from "./protobuf.js";

/** @typedef {import("./messages.js").FieldChange} FieldChange */

/** A patch: parts that were joined. @typedef {import("./messages.js").Part} Patch */

const BODY_BYTES = 65536;
const LIST_ITEMS = 65536;

/**
 * A body's records as [number, bytes].
 * @param {Uint8Array} body
 * @param {boolean} [anyOrder] whether it need not be canonical
 * @returns {[number, Uint8Array][]}
 */
function recordsOf(body, anyOrder = false) {
  /** @type {[number, Uint8Array][]} */
  const records = [];
  let last = 0;
  try {
    eachRecord(body, (number, start, end) => {
      if (number < last && !anyOrder) throw new Fault("order");
      last = number;
      records.push([number, body.subarray(start, end)]);
    });
  } catch (error) {
    if (error instanceof Fault) throw new Refused("invalidBody", error.reason);
    throw error;
  }
  return records;
}

/** @param {[number, Uint8Array][]} records */
const bodyOf = (records) =>
  records.length ? concat(records.sort((a, b) => a[0] - b[0]).map((record) => record[1])) : NONE;

/**
 * A body in canonical form. Only servers need it.
 * @param {Uint8Array} body
 */
export const canonical = (body) => bodyOf(recordsOf(body, true));

/**
 * Applies a change.
 * @param {Uint8Array} body
 * @param {FieldChange} change
 * @returns {Uint8Array} of its own memory
 */
export function changed(body, { records = NONE, cleared = [], replace = false }) {
  const added = recordsOf(records);
  const gone = new Set(cleared);
  const drop = new Set(gone);
  for (const [number] of added) {
    if (gone.has(number)) throw new Refused("invalidBody", `field ${number} is set and cleared`);
    drop.add(number);
  }
  if (cleared.some((number, i) => number < 1 || number > 536870911 || (i && number <= cleared[i - 1])) || (replace && gone.size))
    throw new Refused("invalidBody", "numbers that are cleared");
  const result = replace ? records.slice() : bodyOf([...recordsOf(body).filter(([number]) => !drop.has(number)), ...added]);
  if (result.length > BODY_BYTES) throw new Refused("invalidBody", `${result.length} bytes`);
  return result;
}

/**
 * Reads the varints of a script.
 * @param {Uint8Array} script
 * @returns {() => number}
 */
function numbersOf(script) {
  let at = 0;
  return () => {
    let number = 0;
    for (let factor = 1, size = 1; ; factor *= 128, size++) {
      const byte = script[at++];
      if (byte === undefined || size > 5) throw new Refused("malformedScript");
      number += (byte & 127) * factor;
      if (byte > 127) continue;
      if ((!byte && size > 1) || number > 0xffffffff) throw new Refused("malformedScript");
      return number;
    }
  };
}

/**
 * Joins the parts of one patch.
 * @param {readonly Patch[]} parts
 * @returns {Patch}
 */
export function patchOf(parts) {
  const [first] = parts;
  if (parts.length === 1 && !first.more) return first;
  const last = parts.length - 1;
  const cut = (/** @type {Patch} */ part) => JSON.stringify(part.cut ?? 0, (_, one) => typeof one === "bigint" ? `${one}` : one);
  parts.forEach((part, i) => {
    if (part.baseSum !== first.baseSum || part.targetSum !== first.targetSum || part.count !== first.count ||
      cut(part) !== cut(first) || !part.more !== (i === last) || (i && part.head) || part.handle !== first.handle)
      throw new Refused("mixedParts");
  });
  const adds = parts.flatMap((part) => part.adds ?? []);
  const updates = parts.flatMap((part) => part.updates ?? []);
  if (adds.length > LIST_ITEMS || updates.length > LIST_ITEMS) throw new Refused("wrongCount");
  return { ...first, adds, updates, script: concat(parts.map((part) => part.script ?? NONE)) };
}

/**
 * Applies a patch to its base, and verifies the sum of the result.
 * @param {Content} base
 * @param {Patch} patch
 * @returns {Content}
 * @throws {Refused}
 */
export function apply(base, patch) {
  if ((patch.baseSum ?? EMPTY.sum) !== base.sum) throw new Refused("otherBase");
  const items = built(base.items, patch);
  const head = patch.head ? changed(base.head, patch.head) : base.head;
  const result = new Content(head, items);
  if (result.sum !== patch.targetSum) throw new Refused("otherTarget");
  return result;
}

/**
 * The new list.
 * @param {readonly Item[]} old
 * @param {Patch} patch
 */
function built(old, { script = NONE, adds = [], updates = [], count }) {
  const next = numbersOf(script);
  const used = new Uint8Array(old.length);
  /** Ranges of added items, as start and end. @type {number[]} */
  const added = [];
  /** @type {Item[]} */
  let items = [];
  let keepEnd = 0, updateEnd = 0, addsTaken = 0, updatesTaken = 0, updating = false;
  for (let left = script.length; left > 0; ) {
    const word = next();
    const number = Math.floor(word / 4);
    const opcode = word % 4;
    if (!number) throw new Refused("malformedScript", "a count of 0");
    left -= sizeOf(word);
    const operand = opcode === 2 ? 0 : next();
    if (opcode !== 2) left -= sizeOf(operand);
    if (opcode === 3) {
      updating = true;
      const start = updateEnd + operand;
      updateEnd = start + number;
      if (updateEnd > items.length) throw new Refused("outOfRange");
      for (let i = 0; i < added.length; i += 2)
        if (start < added[i + 1] && added[i] < updateEnd) throw new Refused("updateOfAdded");
      if (updatesTaken + number > updates.length) throw new Refused("wrongCount");
      for (let i = start; i < updateEnd; i++) items[i] = items[i].withBody(changed(items[i].body, updates[updatesTaken++]));
      continue;
    }
    if (updating) throw new Refused("malformedScript", "a list operation after an update");
    if (items.length + number > count) throw new Refused("wrongCount");
    if (opcode === 2) {
      if (addsTaken + number > adds.length) throw new Refused("wrongCount");
      added.push(items.length, items.length + number);
      for (const end = addsTaken + number; addsTaken < end; ) items.push(itemOf(adds[addsTaken++]));
      continue;
    }
    const start = operand + (opcode ? 0 : keepEnd);
    const end = start + number;
    if (end > old.length) throw new Refused("outOfRange");
    if (used.subarray(start, end).includes(1)) throw new Refused("usedTwice");
    used.fill(1, start, end);
    if (items.length) for (let i = start; i < end; i++) items.push(old[i]);
    else items = old.slice(start, end);
    if (!opcode) keepEnd = end;
  }
  if (items.length !== count || addsTaken < adds.length || updatesTaken < updates.length) throw new Refused("wrongCount");
  // Kept and moved items are used once each, so only added ones can repeat an id.
  if (addsTaken && new Set(items.map((item) => item.id)).size < count) throw new Refused("invalidID");
  return items;
}

/** Bytes of a script's varint. @param {number} number */
const sizeOf = (number) => (number < 128 ? 1 : number < 16384 ? 2 : number < 2097152 ? 3 : number < 268435456 ? 4 : 5);

/** @param {import("./messages.js").ItemMessage} added */
function itemOf(added) {
  if ((added.body?.length ?? 0) > BODY_BYTES) throw new Refused("invalidBody", "an added body is too large");
  return Item.of(added);
}
