/** CRC-32C (Castagnoli, reflected). */

/** The remainder for each byte value. */
const table = new Int32Array(256).map((_, remainder) => {
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 && 0x82f63b78);
  return remainder;
});

/**
 * Extends a remainder by more bytes. The initial remainder is −1; the checksum is the complement of the final one.
 * @param {number} remainder
 * @param {Uint8Array} bytes
 */
export function crc32c(remainder, bytes) {
  for (let i = 0; i < bytes.length; i++) remainder = (remainder >>> 8) ^ table[(remainder ^ bytes[i]) & 255];
  return remainder;
}
