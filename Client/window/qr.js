// QR codes by ISO/IEC 18004: bytes, versions 1 to 10, error correction M, which survives the loss of 15 %.

/** Of each version: error-correcting bytes of a block, and how many blocks there are of how many data bytes (table 9). */
const VERSIONS = [
  { correction: 10, blocks: [[1, 16]] }, { correction: 16, blocks: [[1, 28]] }, { correction: 26, blocks: [[1, 44]] },
  { correction: 18, blocks: [[2, 32]] }, { correction: 24, blocks: [[2, 43]] }, { correction: 16, blocks: [[4, 27]] },
  { correction: 18, blocks: [[4, 31]] }, { correction: 22, blocks: [[2, 38], [2, 39]] },
  { correction: 22, blocks: [[3, 36], [2, 37]] }, { correction: 26, blocks: [[4, 43], [1, 44]] },
];
/** Rows and columns of alignment patterns (annex E), between 6 and 4 before the end. */
const ALIGNMENT = [[], [], [], [], [], [], [22], [24], [26], [28]];
/** Which modules a mask inverts (table 10).
 * @type {((row: number, column: number) => boolean)[]} */
const MASKS = [
  (r, c) => (r + c) % 2 === 0, (r) => r % 2 === 0, (_, c) => c % 3 === 0, (r, c) => (r + c) % 3 === 0,
  (r, c) => ((r >> 1) + Math.floor(c / 3)) % 2 === 0, (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0, (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** Powers of 2 in the field of 256 elements, by x^8 + x^4 + x^3 + x^2 + 1. */
const powers = [1];
for (let i = 1; i < 255; i += 1) powers.push((powers[i - 1] << 1) ^ (powers[i - 1] >= 128 ? 0x11d : 0));

/** @param {number} a @param {number} b */
const product = (a, b) => (a && b ? powers[(powers.indexOf(a) + powers.indexOf(b)) % 255] : 0);

/** The error-correcting bytes of a block: the remainder of a division by (x − 2^0) … (x − 2^(count − 1)).
 * @param {readonly number[]} data @param {number} count */
export function correctionOf(data, count) {
  let divisor = [1];
  for (let i = 0; i < count; i += 1)
    divisor = [...divisor, 0].map((value, at) => value ^ product(divisor[at - 1] ?? 0, powers[i]));
  const rest = [...data, ...new Array(count).fill(0)];
  for (let at = 0; at < data.length; at += 1) {
    const factor = rest[at];
    for (const [i, value] of divisor.entries()) rest[at + i] ^= product(value, factor);
  }
  return rest.slice(data.length);
}

/** A number followed by the remainder of its division by a polynomial.
 * @param {number} value @param {number} bits Of the remainder. @param {number} polynomial */
function withRemainder(value, bits, polynomial) {
  let rest = value << bits;
  for (let bit = 31 - Math.clz32(rest); bit >= bits; bit = 31 - Math.clz32(rest)) rest ^= polynomial << (bit - bits);
  return (value << bits) | rest;
}

/** Bytes of data and of correction, in the order in which they are drawn.
 * @param {Uint8Array} bytes @param {number} version */
function codewords(bytes, version) {
  const { correction, blocks } = VERSIONS[version - 1];
  const capacity = blocks.reduce((sum, [count, size]) => sum + count * size, 0);
  const wide = version > 9 ? 16 : 8;
  const number = (/** @type {number} */ value, /** @type {number} */ bits) => value.toString(2).padStart(bits, "0");
  let text = number(4, 4) + number(bytes.length, wide) + [...bytes].map((byte) => number(byte, 8)).join("");
  text += "0".repeat(Math.min(4, capacity * 8 - text.length));
  text = text.padEnd(Math.ceil(text.length / 8) * 8, "0");
  const data = (text.match(/.{8}/g) ?? []).map((one) => parseInt(one, 2));
  for (let pad = 0xec; data.length < capacity; pad ^= 0xec ^ 0x11) data.push(pad);
  /** @type {number[][]} */
  const parts = [];
  for (const [count, size] of blocks) for (let i = 0; i < count; i += 1) parts.push(data.splice(0, size));
  const checks = parts.map((part) => correctionOf(part, correction));
  const interleaved = (/** @type {number[][]} */ lists) =>
    Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, i) =>
      lists.flatMap((list) => list[i] ?? [])).flat();
  return [...interleaved(parts), ...interleaved(checks)];
}

/** The square with its fixed patterns; `null` is room for data.
 * @param {number} version @returns {(boolean | null)[][]} */
function patterns(version) {
  const size = 17 + 4 * version;
  /** @type {(boolean | null)[][]} */
  const square = Array.from({ length: size }, () => new Array(size).fill(null));
  const put = (/** @type {number} */ row, /** @type {number} */ column, /** @type {boolean} */ isDark) => {
    if (square[row]?.[column] !== undefined) square[row][column] = isDark;
  };
  /** @param {number} row @param {number} column @param {number} reach @param {number[]} dark Distances from the middle. */
  const rings = (row, column, reach, dark) => {
    for (let y = -reach; y <= reach; y += 1)
      for (let x = -reach; x <= reach; x += 1)
        put(row + y, column + x, dark.includes(Math.max(Math.abs(x), Math.abs(y))));
  };
  for (let i = 8; i < size - 8; i += 1) {
    put(6, i, i % 2 === 0);
    put(i, 6, i % 2 === 0);
  }
  for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) rings(row, column, 4, [0, 1, 3]);
  const places = version > 1 ? [6, ...ALIGNMENT[version - 1], size - 7] : [];
  for (const row of places)
    for (const column of places) {
      const isCorner = [row, column].includes(6) && (row === column || row + column === size - 1);
      if (!isCorner) rings(row, column, 2, [0, 2]);
    }
  // Room for the format, and for the version from 7 on.
  drawFormat(square, 0);
  if (version < 7) return square;
  const bits = withRemainder(version, 12, 0x1f25);
  for (let i = 0; i < 18; i += 1) {
    const [near, far] = [Math.floor(i / 3), size - 11 + (i % 3)];
    put(near, far, Boolean((bits >> i) & 1));
    put(far, near, Boolean((bits >> i) & 1));
  }
  return square;
}

/** Draws which mask is used, at both places.
 * @param {(boolean | null)[][]} square @param {number} mask */
function drawFormat(square, mask) {
  const size = square.length;
  // Error correction M is 0.
  const bits = withRemainder(mask, 10, 0x537) ^ 0x5412;
  for (let i = 0; i < 15; i += 1) {
    const isDark = Boolean((bits >> i) & 1);
    const near = i < 6 ? i : i < 8 ? i + 1 : i === 8 ? 7 : 14 - i;
    if (i < 8) square[near][8] = square[8][size - 1 - i] = isDark;
    else square[8][near] = square[size - 15 + i][8] = isDark;
  }
  square[size - 8][8] = true;
}

/** How hard a square is to read (7.8.3.1): runs, blocks, what looks like a corner, and unevenness.
 * @param {(boolean | null)[][]} square */
function penaltyOf(square) {
  const columns = square.map((_, at) => square.map((row) => row[at]));
  const lines = [...square, ...columns].map((line) => line.map((one) => (one ? "1" : "0")).join(""));
  let sum = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    sum += 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  for (let y = 1; y < square.length; y += 1)
    for (let x = 1; x < square.length; x += 1)
      if (new Set([square[y][x], square[y - 1][x], square[y][x - 1], square[y - 1][x - 1]]).size === 1) sum += 3;
  const dark = square.flat().filter(Boolean).length / square.length ** 2;
  return sum + 10 * Math.floor(Math.abs(dark * 100 - 50) / 5);
}

/**
 * The code of a text: rows from the top, from the left, `true` for dark, without the quiet zone of 4 around it.
 * @param {string} text
 * @returns {boolean[][] | null} `null` for one that is too long.
 */
export function codeOf(text) {
  const bytes = new TextEncoder().encode(text);
  const version = 1 + VERSIONS.findIndex(({ blocks }, at) =>
    blocks.reduce((sum, [count, size]) => sum + count * size, 0) >= bytes.length + (at > 8 ? 3 : 2));
  if (!version) return null;
  const bits = codewords(bytes, version).map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const fixed = patterns(version);
  const size = fixed.length;
  const candidates = MASKS.map((mask, number) => {
    const square = fixed.map((row) => [...row]);
    let at = 0;
    // Two columns at a time from the right, up and down in turn; column 6 has a pattern of its own.
    for (let right = size - 1, isUp = true; right > 0; right -= right === 8 ? 3 : 2, isUp = !isUp)
      for (let i = 0; i < size; i += 1)
        for (const column of [right, right - 1]) {
          const row = isUp ? size - 1 - i : i;
          if (fixed[row][column] === null) square[row][column] = (bits[at++] === "1") !== mask(row, column);
        }
    drawFormat(square, number);
    return { square, penalty: penaltyOf(square) };
  });
  const best = candidates.reduce((one, other) => (other.penalty < one.penalty ? other : one));
  return best.square.map((row) => row.map(Boolean));
}
