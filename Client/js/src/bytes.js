/** Helpers for bytes: UTF-8, little-endian numbers, and hexadecimal for people. */

export const encoder = new TextEncoder();

/** No bytes. */
export const NONE = new Uint8Array(0);

/**
 * Encodes UTF-8.
 * @param {string} string
 */
export const utf8 = (string) => encoder.encode(string);

/** @param {Uint8Array} bytes */
export const viewOf = ({ buffer, byteOffset }) => new DataView(buffer, byteOffset);

/**
 * The lower 64 bits. JavaScript engines can use machine words if every result is passed through this.
 * @param {bigint} value
 */
export const uint64 = (value) => BigInt.asUintN(64, value);

/**
 * A fixed64, little endian.
 * @param {bigint} value
 */
export function fixed64(value) {
  const bytes = new Uint8Array(8);
  viewOf(bytes).setBigUint64(0, value, true);
  return bytes;
}

/**
 * Joins pieces.
 * @param {Uint8Array[]} pieces
 * @returns {Uint8Array} if there is a single piece, that piece itself
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
