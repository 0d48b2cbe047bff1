/**
 * XXH64 with seed 0, computed in 32-bit halves, because BigInt is several times slower.
 * Algorithm: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
 */

import { viewOf } from "./bytes.js";

/**
 * A 64-bit number: its high and its low half.
 * @typedef {number[]} Pair
 */

/** The accumulator, as signed halves. */
let high = 0;
let low = 0;

/** @type {Pair[]} */
const [P1, P2, P3, P4, P5, NOTHING] = [
  [0x9e3779b1, 0x85ebca87], [0xc2b2ae3d, 0x27d4eb4f], [0x165667b1, 0x9e3779f9], [0x85ebca77, 0xc2b2ae63],
  [0x27d4eb2f, 0x165667c5], [0, 0],
];

/**
 * Sets the accumulator to a product.
 * @param {number} h
 * @param {number} l
 * @param {Pair} factor
 */
function multiply(h, l, factor) {
  // A double holds only the product's upper 53 bits. The low half is computed exactly; subtracting it leaves a value
  // that rounds to the high half.
  const product = (l >>> 0) * factor[1];
  low = Math.imul(l, factor[1]);
  high = (Math.round((product - (low >>> 0)) / 2 ** 32) + Math.imul(h, factor[1]) + Math.imul(l, factor[0])) | 0;
}

/** Adds to the accumulator.
 * @param {number} h @param {number} l */
function add(h, l) {
  const total = (low >>> 0) + (l >>> 0);
  high = (high + h + (total >= 2 ** 32 ? 1 : 0)) | 0;
  low = total | 0;
}

/** Rotates the accumulator to the left.
 * @param {number} bits 0 to 31 */
function rotate(bits) {
  const h = high;
  // In two steps, because a shift by 32 would be a shift by 0.
  high = (h << bits) | (low >>> 1 >>> (31 - bits));
  low = (low << bits) | (h >>> 1 >>> (31 - bits));
}

/**
 * Sets the accumulator to a lane combined with its next input.
 * @param {number} h
 * @param {number} l
 * @param {Pair} lane
 */
function round(h, l, lane) {
  multiply(h, l, P2);
  add(lane[0], lane[1]);
  rotate(31);
  multiply(high, low, P1);
}

/**
 * Mixes an input into the accumulator.
 * @param {number} h
 * @param {number} l
 * @param {Pair} factor to multiply the input by
 * @param {number} bits to rotate the accumulator by
 * @param {Pair} next factor to multiply the accumulator by
 * @param {Pair} addend to add to the accumulator
 */
function mix(h, l, factor, bits, next, addend) {
  const h0 = high, l0 = low;
  if (factor === P2) round(h, l, NOTHING);
  else multiply(h, l, factor);
  high ^= h0;
  low ^= l0;
  rotate(bits);
  multiply(high, low, next);
  add(addend[0], addend[1]);
}

/**
 * Hashes the first bytes of an array.
 * @param {Uint8Array} bytes
 * @param {number} [length]
 * @returns {bigint}
 */
export function xxh64(bytes, length = bytes.length) {
  const view = viewOf(bytes);
  let at = 0;
  [high, low] = P5;
  if (length > 31) {
    // P1 + P2, P2, 0, −P1. The sum of the low halves doesn't carry, and later operations wrap the high halves.
    const lanes = [[P1[0] + P2[0], P1[1] + P2[1]], [...P2], [0, 0], [~P1[0], -P1[1]]];
    for (; at + 32 <= length; )
      for (const lane of lanes) {
        round(view.getInt32(at + 4, true), view.getInt32(at, true), lane);
        lane[0] = high;
        lane[1] = low;
        at += 8;
      }
    let h = 0, l = 0;
    lanes.forEach((lane, i) => {
      [high, low] = lane;
      rotate([1, 7, 12, 18][i]);
      add(h, l);
      h = high;
      l = low;
    });
    for (const lane of lanes) mix(lane[0], lane[1], P2, 0, P1, P4);
  }
  add(0, length);
  for (; at + 8 <= length; at += 8) mix(view.getInt32(at + 4, true), view.getInt32(at, true), P2, 27, P1, P4);
  for (; at + 4 <= length; at += 4) mix(0, view.getInt32(at, true), P1, 23, P2, P3);
  while (at < length) mix(0, bytes[at++], P5, 11, P1, NOTHING);
  // Shifts by 33, 29 and 32 bits.
  multiply(high, low ^ (high >>> 1), P2);
  multiply(high ^ (high >>> 29), low ^ ((low >>> 29) | (high << 3)), P3);
  return (BigInt(high >>> 0) << 32n) | BigInt((low ^ high) >>> 0);
}
