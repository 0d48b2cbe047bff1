/**
 * XXH64 with seed 0, in 32-bit halves: BigInt is ten times slower.
 * Algorithm: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
 */

/** The halves of the last result, as signed 32-bit numbers. */
export let high = 0;
export let low = 0;

const P1H = 0x9e3779b1 | 0, P1L = 0x85ebca87 | 0;
const P2H = 0xc2b2ae3d | 0, P2L = 0x27d4eb4f | 0;
const P3H = 0x165667b1 | 0, P3L = 0x9e3779f9 | 0;
const P4H = 0x85ebca77 | 0, P4L = 0xc2b2ae63 | 0;
const P5H = 0x27d4eb2f | 0, P5L = 0x165667c5 | 0;

/** Four accumulators, each its high and its low half. */
const lanes = new Int32Array(8);

/**
 * high, low = high, low × (h, l), modulo 2^64.
 * @param {number} h
 * @param {number} l
 */
function multiply(h, l) {
  const a0 = low & 0xffff, a1 = low >>> 16, b0 = l & 0xffff, b1 = l >>> 16;
  const middle = a1 * b0 + ((a0 * b0) >>> 16);
  const carry = a0 * b1 + (middle % 65536);
  const upper = a1 * b1 + Math.floor(middle / 65536) + Math.floor(carry / 65536);
  high = (upper + Math.imul(high, l) + Math.imul(low, h)) | 0;
  low = Math.imul(low, l);
}

/** @param {number} h @param {number} l */
function add(h, l) {
  const total = (low >>> 0) + (l >>> 0);
  high = (high + h + (total > 0xffffffff ? 1 : 0)) | 0;
  low = total | 0;
}

/** @param {number} bits 0 to 31 */
function rotate(bits) {
  if (!bits) return;
  const h = high;
  high = (h << bits) | (low >>> (32 - bits));
  low = (low << bits) | (h >>> (32 - bits));
}

/** @param {number} bits 29 or more: 33 shifts the high half by one */
function fold(bits) {
  if (bits > 31) low ^= high >>> (bits - 32);
  else {
    low ^= (low >>> bits) | (high << (32 - bits));
    high ^= high >>> bits;
  }
}

/**
 * One round on an accumulator that is in high and low.
 * @param {number} h
 * @param {number} l
 */
function round(h, l) {
  const ah = high, al = low;
  high = h;
  low = l;
  multiply(P2H, P2L);
  add(ah, al);
  rotate(31);
  multiply(P1H, P1L);
}

/**
 * Mixes what is in high and low into an accumulator: exclusive or, rotate, multiply, add.
 * @param {number} h
 * @param {number} l
 * @param {number} bits
 * @param {number} mh
 * @param {number} ml
 * @param {number} ah
 * @param {number} al
 */
function mix(h, l, bits, mh, ml, ah, al) {
  high ^= h;
  low ^= l;
  rotate(bits);
  multiply(mh, ml);
  add(ah, al);
}

/**
 * Multiplies a small input, and mixes it in.
 * @param {number} input
 * @param {number} h
 * @param {number} l
 * @param {[number, number, number, number, number]} more
 */
function mixSmall(input, h, l, ...more) {
  const accumulatorHigh = high, accumulatorLow = low;
  high = 0;
  low = input;
  multiply(h, l);
  mix(accumulatorHigh, accumulatorLow, ...more);
}

/** @param {Uint8Array} b @param {number} i */
const word = (b, i) => b[i] | (b[i + 1] << 8) | (b[i + 2] << 16) | (b[i + 3] << 24);

/**
 * Mixes the input's first length − length % 32 bytes.
 * @param {Uint8Array} bytes
 * @param {number} end
 */
function stripes(bytes, end) {
  // P1 + P2, P2, 0, −P1
  lanes.set([0x60ea27ee, 0xadc0b5d6, P2H, P2L, 0, 0, 0x61c8864e, 0x7a143579]);
  let at = 0;
  for (; at + 32 <= end; at += 32)
    for (let lane = 0; lane < 8; lane += 2) {
      high = lanes[lane];
      low = lanes[lane + 1];
      round(word(bytes, at + lane * 4 + 4), word(bytes, at + lane * 4));
      lanes[lane] = high;
      lanes[lane + 1] = low;
    }
  let h = 0, l = 0;
  [1, 7, 12, 18].forEach((bits, lane) => {
    high = lanes[lane * 2];
    low = lanes[lane * 2 + 1];
    rotate(bits);
    add(h, l);
    h = high;
    l = low;
  });
  for (let lane = 0; lane < 8; lane += 2) {
    h = high;
    l = low;
    high = low = 0;
    round(lanes[lane], lanes[lane + 1]);
    mix(h, l, 0, P1H, P1L, P4H, P4L);
  }
  return at;
}

/**
 * Hashes the first bytes of an array; the result is in `high` and `low`.
 * @param {Uint8Array} bytes
 * @param {number} [length]
 */
export function hash(bytes, length = bytes.length) {
  let at = 0;
  if (length >= 32) at = stripes(bytes, length);
  else {
    high = P5H;
    low = P5L;
  }
  add(0, length);
  for (; at + 8 <= length; at += 8) {
    const h = high, l = low;
    high = low = 0;
    round(word(bytes, at + 4), word(bytes, at));
    mix(h, l, 27, P1H, P1L, P4H, P4L);
  }
  if (at + 4 <= length) {
    mixSmall(word(bytes, at), P1H, P1L, 23, P2H, P2L, P3H, P3L);
    at += 4;
  }
  while (at < length) mixSmall(bytes[at++], P5H, P5L, 11, P1H, P1L, 0, 0);
  fold(33);
  multiply(P2H, P2L);
  fold(29);
  multiply(P3H, P3L);
  fold(32);
}

/**
 * Two halves as one number.
 * @param {number} h
 * @param {number} l
 */
export const joined = (h, l) => (BigInt(h >>> 0) << 32n) | BigInt(l >>> 0);

/**
 * @param {Uint8Array} bytes
 * @returns {bigint}
 */
export function xxh64(bytes) {
  hash(bytes);
  return joined(high, low);
}
