/**
 * Reads and writes the messages of `schemas`. Every rule of the protocol's guard (chapter 3) is checked in the pass
 * that decodes, so nothing of a message that breaks one is seen.
 */

import { concat, text, utf8 } from "./bytes.js";
import { Fault } from "./errors.js";
import { schemas } from "./schema.js";

/**
 * A decoded message: present fields by name.
 * @typedef {Record<string, any>} Message
 */

const MAX_LEVELS = 8;
const FRAME_ELEMENTS = 65536;
/** Repeated elements of a body that is decoded for display. */
export const BODY_ELEMENTS = 4096;
const UNKNOWN_PER_MESSAGE = 32;
const NAME_BYTES = 256;

const view = new DataView(new ArrayBuffer(8));
const viewBytes = new Uint8Array(view.buffer);

/** Where the reader is, and the halves of the varint it read last. */
let at = 0;
let lo = 0;
let hi = 0;

/** What the message that is being read may still have. */
let elements = 0;
let records = 0;

/**
 * Reads a varint into `lo` and `hi`.
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {number} most bytes it may take
 */
function varint(bytes, end, most) {
  lo = hi = 0;
  for (let shift = 0; ; shift += 7) {
    if (at >= end) throw new Fault("TRUNCATED");
    if (shift === most * 7) throw new Fault("MALFORMED");
    const byte = bytes[at++];
    const bits = byte & 127;
    if (shift < 28) lo |= bits << shift;
    else if (shift === 28) {
      lo |= bits << 28;
      hi = bits >>> 4;
    } else if (shift < 64) hi |= bits << (shift - 32);
    if (byte < 128) break;
  }
  lo >>>= 0;
  hi >>>= 0;
}

/** A uint64 as a number where that is exact, else as a BigInt. */
const wide = () => (hi < 0x200000 ? hi * 4294967296 + lo : (BigInt(hi) << 32n) | BigInt(lo));

/**
 * Reads one value of a field.
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {string} type
 * @param {number} level
 * @returns {any}
 */
function value(bytes, end, type, level) {
  switch (type) {
    case "u":
    case "n":
    case "o":
      varint(bytes, end, 10);
      return type === "u" ? lo : type === "o" ? (lo | hi) !== 0 : wide();
    case "x":
    case "d":
      if (end - at < 8) throw new Fault("TRUNCATED");
      for (let i = 0; i < 8; i++) viewBytes[i] = bytes[at++];
      return type === "x" ? view.getBigUint64(0, true) : view.getFloat64(0, true);
  }
  varint(bytes, end, 5);
  const length = hi * 4294967296 + lo;
  if (length > end - at) throw new Fault("TRUNCATED");
  const start = at;
  const limit = at + length;
  if (type.length > 1) return message(bytes, limit, type, level + 1);
  at = limit;
  const content = bytes.subarray(start, limit);
  return type === "b" ? content : string(content);
}

/** @param {Uint8Array} content */
function string(content) {
  let result;
  try {
    result = text(content);
  } catch {
    throw new Fault("INVALID_UTF8");
  }
  if (result.includes("\0")) throw new Fault("NUL_IN_TEXT");
  return result;
}

/**
 * Skips a value of an unknown field.
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {number} wire
 */
function skip(bytes, end, wire) {
  if (wire === 0) varint(bytes, end, 10);
  else if (wire === 2) value(bytes, end, "b", 0);
  else if (wire === 1 || wire === 5) {
    at += wire === 1 ? 8 : 4;
    if (at > end) throw new Fault("TRUNCATED");
  } else throw new Fault("WRONG_WIRE_TYPE");
}

/** Reads a record's tag, and gives its field number. The wire type is left in `lo`. */
function tag(/** @type {Uint8Array} */ bytes, /** @type {number} */ end) {
  varint(bytes, end, 5);
  const number = hi * 536870912 + (lo >>> 3);
  if (!number || number > 536870911) throw new Fault("MALFORMED");
  lo &= 7;
  return number;
}

/** Counts one more repeated element. */
function count() {
  if (--elements < 0) throw new Fault("TOO_MANY_ELEMENTS");
}

/**
 * Reads a message from `at` to the end.
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {string} type
 * @param {number} level
 * @returns {Message}
 */
function message(bytes, end, type, level) {
  if (level > MAX_LEVELS) throw new Fault("TOO_DEEP");
  const { byNumber, needed, isOutOfRange } = schemas[type];
  /** @type {Message} */
  const result = {};
  let unknown = 0;
  while (at < end) {
    if (--records < 0) throw new Fault("TOO_MANY_RECORDS");
    const number = tag(bytes, end);
    const wire = lo;
    const field = byNumber[number];
    if (!field) {
      skip(bytes, end, wire);
      if (++unknown > UNKNOWN_PER_MESSAGE) throw new Fault("TOO_MANY_UNKNOWN_FIELDS");
      continue;
    }
    const { name } = field;
    if (wire !== field.wire) {
      if (!field.repeated || wire !== 2 || field.wire === 2) {
        skip(bytes, end, wire);
        throw new Fault("WRONG_WIRE_TYPE");
      }
      const list = (result[name] ??= []);
      varint(bytes, end, 5);
      const limit = at + hi * 4294967296 + lo;
      if (limit > end) throw new Fault("TRUNCATED");
      for (; at < limit; list.push(value(bytes, limit, field.type, level))) count();
      continue;
    }
    if (field.repeated) {
      count();
      const one = value(bytes, end, field.type, level);
      const list = result[name];
      if (list) list.push(one);
      else result[name] = [one];
      continue;
    }
    if (field.type.length > 1 && name in result) throw new Fault("REPEATED_SUBMESSAGE");
    result[name] = value(bytes, end, field.type, level);
  }
  for (const { name } of needed)
    if (result[name] === undefined || result[name] === "") throw new Fault("MISSING_FIELD");
  if (isOutOfRange?.(result)) throw new Fault("OUT_OF_RANGE");
  return result;
}

/** @param {string} name */
const long = (name) => name.length > NAME_BYTES / 3 && utf8(name).length > NAME_BYTES;
const longScreen = (/** @type {Message} */ { screen }) => long(screen);

/** Limits below their minimum. */
schemas.Limits.isOutOfRange = ({ frameBytes = 4096, partBytes = 4096, elementsPerFrame = 64, creditBytes = 1, cutBytes = 1 }) =>
  frameBytes < 4096 || partBytes < 4096 || elementsPerFrame < 64 || creditBytes < 1 || cutBytes < 1;
schemas.GoAway.isOutOfRange = ({ reconnectMinMs = 0, reconnectMaxMs = reconnectMinMs }) => reconnectMaxMs < reconnectMinMs;
schemas.Join.isOutOfRange = schemas.Subscribe.isOutOfRange = longScreen;
schemas.Part.isOutOfRange = ({ count }) => count > FRAME_ELEMENTS;

/**
 * Checks and decodes a message.
 * @param {string} type its name
 * @param {Uint8Array} bytes which the result's bytes share
 * @param {number} [most] repeated elements it may have
 * @returns {any}
 * @throws {Fault}
 */
export function decode(type, bytes, most = FRAME_ELEMENTS) {
  at = 0;
  elements = most;
  records = 8 * most + 1024;
  return message(bytes, bytes.length, type, 1);
}

/**
 * Decodes a body for display; undefined if it can't be, which is no error.
 * @param {string} type
 * @param {Uint8Array} body
 * @returns {any}
 */
export function decodeBody(type, body) {
  try {
    return decode(type, body, BODY_ELEMENTS);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/**
 * Calls back with each record of a body.
 * @param {Uint8Array} body
 * @param {(number: number, start: number, end: number) => void} visit
 */
export function eachRecord(body, visit) {
  for (at = 0; at < body.length; ) {
    const start = at;
    const number = tag(body, body.length);
    skip(body, body.length, lo);
    visit(number, start, at);
  }
}

// ---------------------------------------------------------------- writing

/** @param {number | bigint | boolean} value */
export function varintOf(value) {
  const bytes = [];
  let number = BigInt(value);
  for (; number > 127n; number >>= 7n) bytes.push(Number(number & 127n) | 128);
  bytes.push(Number(number));
  return new Uint8Array(bytes);
}

/**
 * Encodes a message. Fields that are undefined are absent.
 * @param {string} type its name
 * @param {Message} content
 * @returns {Uint8Array}
 */
export function encode(type, content) {
  /** @type {Uint8Array[]} */
  const pieces = [];
  for (const { name, number, wire, repeated, type: one } of schemas[type].fields) {
    const value = content[name];
    if (value === undefined) continue;
    for (const element of repeated ? value : [value]) {
      pieces.push(varintOf(number * 8 + wire));
      if (wire === 0) pieces.push(varintOf(element));
      else if (wire === 1) {
        if (one === "x") view.setBigUint64(0, element, true);
        else view.setFloat64(0, element, true);
        pieces.push(viewBytes.slice());
      } else {
        const bytes = one === "b" ? element : one === "s" ? utf8(element) : encode(one, element);
        pieces.push(varintOf(bytes.length), bytes);
      }
    }
  }
  return concat(pieces);
}
