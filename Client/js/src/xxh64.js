/**
 * XXH64 with seed 0, in 32-bit halves: BigInt is ten times slower.
 * Algorithm: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
 */

/**
 * A 64-bit number: its high and its low half.
 * @typedef {number[]} Pair
 */

/** The number that is worked on, as signed halves. */
let high = 0;
let low = 0;

/** @type {Pair[]} */
const [P1, P2, P3, P4, P5, NOTHING] = [
  [0x9e3779b1, 0x85ebca87], [0xc2b2ae3d, 0x27d4eb4f], [0x165667b1, 0x9e3779f9], [0x85ebca77, 0xc2b2ae63],
  [0x27d4eb2f, 0x165667c5], [0, 0],
];

/** @param {Pair} factor */
function multiply(factor) {
  const l = factor[1];
  // The low half times each half of the factor's: both products are exact.
  const first = (low >>> 0) * (l & 0xffff);
  const second = (low >>> 0) * (l >>> 16) + Math.floor(first / 65536);
  high = (Math.floor(second / 65536) + Math.imul(high, l) + Math.imul(low, factor[0])) | 0;
  low = Math.imul(low, l);
}

/** @param {Pair} addend */
function add(addend) {
  const total = (low >>> 0) + (addend[1] >>> 0);
  high = (high + addend[0] + (total > 0xffffffff ? 1 : 0)) | 0;
  low = total | 0;
}

/** @param {number} bits 0 to 31 */
function rotate(bits) {
  const h = high;
  // In two steps, as a shift by 32 would be one by 0.
  high = (h << bits) | (low >>> 1 >>> (31 - bits));
  low = (low << bits) | (h >>> 1 >>> (31 - bits));
}

/**
 * Mixes an input into the number.
 * @param {number} h
 * @param {number} l
 * @param {Pair} factor of the input
 * @param {number} bits then the number is rotated
 * @param {Pair} next and multiplied
 * @param {Pair} addend
 */
function mix(h, l, factor, bits, next, addend) {
  const h0 = high, l0 = low;
  high = h;
  low = l;
  multiply(factor);
  if (factor === P2) {
    rotate(31);
    multiply(P1);
  }
  high ^= h0;
  low ^= l0;
  rotate(bits);
  multiply(next);
  add(addend);
}

/** @param {Uint8Array} b @param {number} i */
const word = (b, i) => b[i] | (b[i + 1] << 8) | (b[i + 2] << 16) | (b[i + 3] << 24);

/**
 * Hashes the first bytes of an array.
 * @param {Uint8Array} bytes
 * @param {number} [length]
 * @returns {bigint}
 */
export function xxh64(bytes, length = bytes.length) {
  let at = 0;
  high = P5[0];
  low = P5[1];
  if (length > 31) {
    // P1 + P2, P2, 0, −P1
    const lanes = [[0x60ea27ee, 0xadc0b5d6], P2.slice(), [0, 0], [0x61c8864e, 0x7a143579]];
    for (; at + 32 <= length; )
      for (const lane of lanes) {
        high = word(bytes, at + 4);
        low = word(bytes, at);
        multiply(P2);
        add(lane);
        rotate(31);
        multiply(P1);
        lane[0] = high;
        lane[1] = low;
        at += 8;
      }
    const total = [0, 0];
    lanes.forEach((lane, i) => {
      high = lane[0];
      low = lane[1];
      rotate([1, 7, 12, 18][i]);
      add(total);
      total[0] = high;
      total[1] = low;
    });
    for (const lane of lanes) mix(lane[0], lane[1], P2, 0, P1, P4);
  }
  add([0, length]);
  for (; at + 8 <= length; at += 8) mix(word(bytes, at + 4), word(bytes, at), P2, 27, P1, P4);
  for (; at + 4 <= length; at += 4) mix(0, word(bytes, at), P1, 23, P2, P3);
  while (at < length) mix(0, bytes[at++], P5, 11, P1, NOTHING);
  // Shifts by 33, 29 and 32 bits.
  low ^= high >>> 1;
  multiply(P2);
  low ^= (low >>> 29) | (high << 3);
  high ^= high >>> 29;
  multiply(P3);
  low ^= high;
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}
