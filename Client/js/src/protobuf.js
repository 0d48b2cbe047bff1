/**
 * Reads and writes the messages of `schemas`. Every rule of the protocol's guard (chapter 3) is checked in the pass
 * that decodes, so nothing of a message that breaks one is seen.
 */

import { concat, fixed64, text, utf8 } from "./bytes.js";
import {
  BODY_ELEMENTS, FRAME_ELEMENTS, HIGH, MAX_LEVELS, MAX_NUMBER, NAME_BYTES, UNKNOWN_PER_MESSAGE,
} from "./constants.js";
import { Fault, faultOf } from "./errors.js";
import { schemas } from "./schema.js";

/**
 * A decoded message: present fields by name.
 * @typedef {Record<string, any>} Message
 */

/** Where the reader is, and where the value that it read last begins. */
let at = 0;
let start = 0;
/** The wire type of the tag that was read last. */
let wire = 0;
/** A varint's lower 28 bits, and those above. */
let low = 0;
let high = 0;

/** What the message that is being read may still have. */
let elements = 0;
let records = 0;

/**
 * Reads a varint into `low` and `high`.
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {number} most bytes it may take
 * @returns {number} it, where that is exact
 */
function varint(bytes, end, most) {
  low = high = 0;
  for (let i = 0, byte = 128; byte > 127; i++) {
    if (at >= end) throw new Fault("TRUNCATED");
    if (i === most) throw new Fault("MALFORMED");
    byte = bytes[at++];
    if (i < 4) low += (byte & 127) << (7 * i);
    else high += (byte & 127) * 128 ** (i - 4);
  }
  return high * HIGH + low;
}

/**
 * Reads a value: a varint is in `low` and `high`, anything else from `start` to `at`.
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {number} type its wire type
 */
function raw(bytes, end, type) {
  let length = type === 1 ? 8 : type === 5 ? 4 : 0;
  if (type === 0) varint(bytes, end, 10);
  else if (type === 2) length = varint(bytes, end, 5);
  else if (!length) throw new Fault("WRONG_WIRE_TYPE");
  if (length > end - at) throw new Fault("TRUNCATED");
  start = at;
  at += length;
}

/**
 * What was read as a value of a type.
 * @param {Uint8Array} bytes
 * @param {string} type
 * @param {number} level
 * @returns {any}
 */
function interpreted(bytes, type, level) {
  const number = high * HIGH + low;
  if (type === "u") return number >>> 0;
  if (type === "o") return number > 0;
  // A number where that is exact, else a BigInt.
  if (type === "n") return high < 2 ** 25 ? number : BigInt.asUintN(64, (BigInt(high) << 28n) + BigInt(low));
  const content = bytes.subarray(start, at);
  if (type === "b") return content;
  if (type === "s") return string(content);
  if (type.length > 1) {
    const end = at;
    at = start;
    return message(bytes, end, type, level + 1);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + start);
  return type === "x" ? view.getBigUint64(0, true) : view.getFloat64(0, true);
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
 * Reads a record's tag, and gives its field number. The wire type is left in `wire`.
 * @param {Uint8Array} bytes
 * @param {number} end
 */
function tag(bytes, end) {
  const key = varint(bytes, end, 5);
  wire = key % 8;
  const number = (key - wire) / 8;
  if (!number || number > MAX_NUMBER) throw new Fault("MALFORMED");
  return number;
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
  const { fields, refuses } = schemas[type];
  /** @type {Message} */
  const result = {};
  let unknown = 0;
  while (at < end) {
    if (--records < 0) throw new Fault("TOO_MANY_RECORDS");
    const field = fields[tag(bytes, end)], found = wire;
    raw(bytes, end, found);
    if (!field) {
      if (++unknown > UNKNOWN_PER_MESSAGE) throw new Fault("TOO_MANY_UNKNOWN_FIELDS");
      continue;
    }
    const { name, repeated, type: one } = field;
    const isPacked = repeated && found === 2 && field.wire < 2;
    if (found !== field.wire && !isPacked) throw new Fault("WRONG_WIRE_TYPE");
    if (!repeated) {
      if (one.length > 1 && name in result) throw new Fault("REPEATED_SUBMESSAGE");
      result[name] = interpreted(bytes, one, level);
      continue;
    }
    const list = (result[name] ??= []);
    const read = () => {
      if (--elements < 0) throw new Fault("TOO_MANY_ELEMENTS");
      list.push(interpreted(bytes, one, level));
    };
    if (!isPacked) {
      read();
      continue;
    }
    const limit = at;
    for (at = start; at < limit; read()) raw(bytes, limit, field.wire);
  }
  for (const field of fields) if (field?.needed && (result[field.name] ?? "") === "") throw new Fault("MISSING_FIELD");
  if (refuses?.(result)) throw new Fault("OUT_OF_RANGE");
  return result;
}

const longScreen = (/** @type {Message} */ { screen }) => utf8(screen).length > NAME_BYTES;

// What is absent is compared with undefined, and so within its range.
schemas.Limits.refuses = ({ frameBytes, partBytes, elementsPerFrame, creditBytes, cutBytes }) =>
  frameBytes < 4096 || partBytes < 4096 || elementsPerFrame < 64 || creditBytes < 1 || cutBytes < 1;
schemas.GoAway.refuses = ({ reconnectMinMs = 0, reconnectMaxMs }) => reconnectMaxMs < reconnectMinMs;
schemas.Join.refuses = schemas.Subscribe.refuses = longScreen;
schemas.Part.refuses = ({ count }) => count > FRAME_ELEMENTS;

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
  let result;
  faultOf(() => (result = decode(type, body, BODY_ELEMENTS)));
  return result;
}

/**
 * Each record of a body: its field number, and its bytes.
 * @param {Uint8Array} body
 */
export function recordsOf(body) {
  /** @type {[number, Uint8Array][]} */
  const found = [];
  for (at = 0; at < body.length; ) {
    const begin = at;
    const number = tag(body, body.length);
    raw(body, body.length, wire);
    found.push([number, body.subarray(begin, at)]);
  }
  return found;
}

/**
 * The numbers of a patch's script: varints of 32 bits in their shortest form.
 * @param {Uint8Array} script
 */
export function numbersOf(script) {
  const numbers = [];
  for (at = 0; at < script.length; ) {
    const begin = at;
    const number = varint(script, script.length, 5);
    if (number >= 2 ** 32 || (at > begin + 1 && !script[at - 1])) throw new Fault("malformedScript");
    numbers.push(number);
  }
  return numbers;
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
 * The bytes of a value.
 * @param {string} type
 * @param {any} value
 * @returns {Uint8Array}
 */
const bytesOf = (type, value) =>
  type === "b" ? value : type === "s" ? utf8(value) : type.length > 1 ? encode(type, value) : fixed64(value);

/**
 * Encodes a message. Fields that are undefined are absent.
 * @param {string} type its name
 * @param {Message} content
 * @returns {Uint8Array}
 */
export function encode(type, content) {
  /** @type {Uint8Array[]} */
  const pieces = [];
  for (const field of schemas[type].fields) {
    const value = content[field?.name ?? ""];
    if (!field || value === undefined) continue;
    const { number, wire: kind, repeated, type: one } = field;
    for (const element of repeated ? value : [value]) {
      pieces.push(varintOf(number * 8 + kind));
      if (!kind) pieces.push(varintOf(element));
      else {
        const bytes = bytesOf(one, element);
        if (kind > 1) pieces.push(varintOf(bytes.length));
        pieces.push(bytes);
      }
    }
  }
  return concat(pieces);
}
