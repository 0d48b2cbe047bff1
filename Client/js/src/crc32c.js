/** CRC-32C (Castagnoli, reflected), eight bytes at a time ("slicing by 8"). */

/** Table k has the remainder of a byte followed by k zero bytes. */
const tables = new Int32Array(8 * 256);
for (let byte = 0; byte < 256; byte++) {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0x82f63b78 : 0);
  tables[byte] = remainder;
}
for (let i = 256; i < tables.length; i++) tables[i] = (tables[i - 256] >>> 8) ^ tables[tables[i - 256] & 255];

/**
 * Extends a remainder by more bytes. It begins as −1, and its complement is the checksum.
 * @param {number} remainder
 * @param {Uint8Array} b
 */
export function crc32c(remainder, b) {
  let i = 0;
  for (const end = b.length - 7; i < end; i += 8) {
    const first = remainder ^ (b[i] | (b[i + 1] << 8) | (b[i + 2] << 16) | (b[i + 3] << 24));
    remainder =
      tables[1792 + (first & 255)] ^ tables[1536 + ((first >>> 8) & 255)] ^
      tables[1280 + ((first >>> 16) & 255)] ^ tables[1024 + (first >>> 24)] ^
      tables[768 + b[i + 4]] ^ tables[512 + b[i + 5]] ^ tables[256 + b[i + 6]] ^ tables[b[i + 7]];
  }
  for (; i < b.length; i++) remainder = (remainder >>> 8) ^ tables[(remainder ^ b[i]) & 255];
  return remainder;
}
