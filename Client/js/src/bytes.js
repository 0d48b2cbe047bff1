/** Bytes and text: strict UTF-8 in both directions, and hexadecimal for people. */

/** The length up to which a loop beats a call of TextDecoder: a snapshot has thousands of short texts. */
const SHORT_TEXT = 32;

/** A U+FEFF at the beginning belongs to the text; without `ignoreBOM` it would vanish, and no sum would match. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** No bytes. */
export const NONE = new Uint8Array(0);

/**
 * Decodes UTF-8.
 * @param {Uint8Array} bytes
 * @returns {string}
 * @throws {TypeError} where it isn't valid
 */
export function text(bytes) {
  if (bytes.length > SHORT_TEXT) return decoder.decode(bytes);
  let result = "";
  for (const byte of bytes) {
    if (byte > 127) return decoder.decode(bytes);
    result += String.fromCharCode(byte);
  }
  return result;
}

/**
 * Encodes UTF-8.
 * @param {string} string
 */
export const utf8 = (string) => encoder.encode(string);

/**
 * Writes a text into a buffer that has room for it.
 * @param {string} string
 * @param {Uint8Array} buffer
 * @param {number} at
 * @returns {number} the offset behind it
 */
export function writeText(string, buffer, at) {
  for (let i = 0; i < string.length; i++) {
    const unit = string.charCodeAt(i);
    if (unit > 127) return at + /** @type {number} */ (encoder.encodeInto(string, buffer.subarray(at)).written);
    buffer[at + i] = unit;
  }
  return at + string.length;
}

/**
 * A fixed64, or a double, little endian.
 * @param {bigint | number} value
 */
export function fixed64(value) {
  const bytes = new Uint8Array(8), view = new DataView(bytes.buffer);
  if (typeof value === "bigint") view.setBigUint64(0, value, true);
  else view.setFloat64(0, value, true);
  return bytes;
}

/**
 * Joins pieces.
 * @param {Uint8Array[]} pieces
 * @returns {Uint8Array} a single piece itself
 */
export function concat(pieces) {
  if (pieces.length === 1) return pieces[0];
  const result = new Uint8Array(pieces.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const piece of pieces) {
    result.set(piece, at);
    at += piece.length;
  }
  return result;
}

/**
 * A sum as 16 hexadecimal digits.
 * @param {bigint} sum
 */
export const hex = (sum) => sum.toString(16).padStart(16, "0");
