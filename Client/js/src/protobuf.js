/**
 * Reads and writes the messages of `schemas`. Decoding checks every rule of the protocol's guard (chapter 3), so no
 * part of a message that breaks one is used.
 */

import { NONE, concat, fixed64, uint64, utf8, viewOf } from "./bytes.js";
import {
  BODY_ELEMENTS, FRAME_ELEMENTS, HIGH, MAX_LEVELS, NAME_BYTES, UNKNOWN_PER_MESSAGE,
} from "./constants.js";
import { Fault, check, faultOf } from "./errors.js";
import { schemas } from "./schema.js";

/**
 * A decoded message: present fields by name.
 * @typedef {Record<string, any>} Message
 */

/** The reader's position, and the start of the value read last. */
let at = 0;
let start = 0;
/** The wire type of the tag read last. */
let wire = 0;
/** The lower 28 bits of the varint read last, and its remaining bits. */
let low = 0;
let high = 0;
/** The whole varint, if a double holds it exactly. */
let number = 0;

/** How many more repeated elements and records the message being read may have. */
let elements = 0;
let records = 0;

/**
 * Reads a varint into `low` and `high`.
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {number} [most] the maximum number of bytes
 * @returns {number} the varint, if a double holds it exactly
 */
function varint(bytes, end, most = 5) {
  low = high = 0;
  for (let i = 0, byte = 128; byte > 127; i++) {
    check(at < end, "TRUNCATED");
    check(i !== most, "MALFORMED");
    byte = bytes[at++];
    if (i < 4) low += (byte & 127) << (7 * i);
    else high += (byte & 127) * 128 ** (i - 4);
  }
  return (number = high * HIGH + low);
}

/**
 * Reads a value: a varint into `low` and `high`; any other value is left between `start` and `at`.
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {number} type its wire type
 */
function raw(bytes, end, type) {
  let length = [0, 8, 0, 0, 0, 4][type];
  if (type === 0) varint(bytes, end, 10);
  else if (type === 2) length = varint(bytes, end);
  else check(length, "WRONG_WIRE_TYPE");
  check(length <= end - at, "TRUNCATED");
  start = at;
  at += length;
}

/**
 * Interprets the value read last as one of a type.
 * @param {Uint8Array} bytes
 * @param {string} type
 * @param {number} level
 * @returns {any}
 */
function interpreted(bytes, type, level) {
  if (type === "u") return number >>> 0;
  if (type === "o") return number > 0;
  // A number if that is exact, otherwise a BigInt.
  if (type === "n") return high < 2 ** 25 ? number : uint64((BigInt(high) << 28n) + BigInt(low));
  const content = bytes.subarray(start, at);
  if (type === "b") return content;
  if (type === "s") {
    let text;
    try {
      text = decoder.decode(content);
    } catch {
      throw new Fault("INVALID_UTF8");
    }
    check(!text.includes("\0"), "NUL_IN_TEXT");
    return text;
  }
  if (type === "x") return viewOf(content).getBigUint64(0, true);
  if (type === "d") return viewOf(content).getFloat64(0, true);
  const end = at;
  at = start;
  return message(bytes, end, type, level + 1);
}

/** `ignoreBOM` keeps a U+FEFF at the beginning, which is part of the text; if it were dropped, no sum would match. */
const decoder = new TextDecoder("utf8", { fatal: true, ignoreBOM: true });

/**
 * Reads a record's tag, and returns its field number. The wire type is left in `wire`.
 * @param {Uint8Array} bytes
 * @param {number} end
 */
function tag(bytes, end) {
  const key = varint(bytes, end);
  check(key > 7 && key < 2 ** 32, "MALFORMED");
  wire = key & 7;
  return key >>> 3;
}

/**
 * Reads a message from `at` to `end`.
 * @param {Uint8Array} bytes
 * @param {number} end
 * @param {string} type
 * @param {number} level
 * @returns {Message}
 */
function message(bytes, end, type, level) {
  check(level <= MAX_LEVELS, "TOO_DEEP");
  const fields = schemas[type];
  /** @type {Message} */
  const result = {};
  let unknown = 0;
  while (at < end) {
    check(--records >= 0, "TOO_MANY_RECORDS");
    const field = fields[tag(bytes, end)], found = wire;
    raw(bytes, end, found);
    if (!field) {
      check(++unknown <= UNKNOWN_PER_MESSAGE, "TOO_MANY_UNKNOWN_FIELDS");
      continue;
    }
    const [name, one, isRepeated, , declared] = field;
    const isPacked = isRepeated && found === 2 && declared < 2;
    check(found === declared || isPacked, "WRONG_WIRE_TYPE");
    if (!isRepeated) {
      check(one.length < 2 || !(name in result), "REPEATED_SUBMESSAGE");
      result[name] = interpreted(bytes, one, level);
      continue;
    }
    const list = (result[name] ??= []);
    const read = () => {
      check(--elements >= 0, "TOO_MANY_ELEMENTS");
      list.push(interpreted(bytes, one, level));
    };
    if (!isPacked) {
      read();
      continue;
    }
    const limit = at;
    for (at = start; at < limit; read()) raw(bytes, limit, declared);
  }
  fields.forEach(([name, , , isNeeded, , least]) => {
    // An absent value passes, because `undefined < least` is false. `least` is a string of digits, compared as a
    // number.
    check(!isNeeded || (result[name] ?? "") !== "", "MISSING_FIELD");
    check(!least || !(result[name] < least), "OUT_OF_RANGE");
  });
  check(!fields.refuses?.(result), "OUT_OF_RANGE");
  return result;
}

schemas.GoAway.refuses = ({ reconnectMinMs = 0, reconnectMaxMs }) => reconnectMaxMs < reconnectMinMs;
schemas.Join.refuses = ({ screen }) => utf8(screen).length > NAME_BYTES;
schemas.Part.refuses = ({ count }) => count > FRAME_ELEMENTS;

/**
 * Checks and decodes a message.
 * @param {string} type its name
 * @param {Uint8Array} bytes the result's bytes share its memory
 * @param {number} [most] the maximum number of repeated elements
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
 * Decodes a body for display. Returns undefined if it can't be decoded, which isn't an error.
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
 * The records of a body: the field number and the bytes of each.
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
 * The numbers of a patch's script: 32-bit varints in their shortest form.
 * @param {Uint8Array} script
 */
export function numbersOf(script) {
  const numbers = [];
  for (at = 0; at < script.length; ) {
    const begin = at;
    const number = varint(script, script.length);
    check(number < 2 ** 32 && (at <= begin + 1 || script[at - 1]), "malformedScript");
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
 * Encodes a message, leaving out undefined fields. Doubles aren't supported: this client only reads them.
 * @param {string} type its name
 * @param {Message} content
 * @returns {Uint8Array}
 */
export function encode(type, content) {
  /** @type {Uint8Array[]} */
  const pieces = [];
  schemas[type].forEach(([name, one, isRepeated, , kind], number) => {
    const field = content[name];
    if (field === undefined) return;
    for (const value of isRepeated ? field : [field]) {
      const bytes = one === "b" ? value : one === "s" ? utf8(value) : one === "x" ? fixed64(value)
        : one.length > 1 ? encode(one, value) : varintOf(value);
      pieces.push(varintOf(number * 8 + kind), kind > 1 ? varintOf(bytes.length) : NONE, bytes);
    }
  });
  return concat(pieces);
}
