/** Frames (chapter 2): twelve bytes, then a message. */

import { concat, viewOf } from "./bytes.js";
import { CRITICAL, ENVELOPE, FIRST, HEADER, LAST } from "./constants.js";
import { crc32c } from "./crc32c.js";
import { check } from "./errors.js";
import { encode } from "./protobuf.js";
import { names } from "./schema.js";

/**
 * The checksum of a complete frame.
 * @param {Uint8Array} frame
 */
const checkOf = (frame) => ~crc32c(crc32c(-1, frame.subarray(HEADER)), frame.subarray(0, ENVELOPE)) >>> 0;

/**
 * Makes a frame.
 * @param {number} kind
 * @param {Uint8Array} body
 * @param {number} [flags]
 */
export function frameOf(kind, body, flags = 0) {
  const frame = concat([new Uint8Array(HEADER), body]);
  const view = viewOf(frame);
  view.setUint32(0, ENVELOPE + body.length);
  view.setUint16(4, kind);
  view.setUint16(6, flags);
  view.setUint32(8, checkOf(frame));
  return frame;
}

/**
 * Makes a frame that carries a message.
 * @param {string} name of the frame's kind
 * @param {import("./protobuf.js").Message} message
 */
export const encodeFrame = (name, message) => frameOf(names.indexOf(name), encode(name, message));

/** A frame; `name` is undefined for unknown kinds.
 * @typedef {{name: string | undefined, flags: number, body: Uint8Array, size: number}} Frame */

/** Splits a stream of bytes into frames, and verifies the checksum of each. */
export class FrameReader {
  #limit;
  /** @type {Uint8Array[]} */
  #chunks = [];
  /** The number of buffered bytes; if there are any, a frame has begun. */
  size = 0;
  /** The number of buffered bytes needed for the next step. */
  #need = 4;

  /** @param {number} limit the largest `length` that is accepted */
  constructor(limit) {
    this.#limit = limit;
  }

  /**
   * Adds bytes. The bodies of frames may share their memory.
   * @param {Uint8Array} bytes
   */
  push(bytes) {
    this.#chunks.push(bytes);
    this.size += bytes.length;
  }

  /**
   * The next complete frame.
   * @returns {Frame | undefined}
   * @throws {Fault}
   */
  next() {
    if (this.size < this.#need) return;
    const bytes = concat(this.#chunks);
    this.#chunks = [bytes];
    const view = viewOf(bytes);
    const length = view.getUint32(0);
    check(length >= ENVELOPE, "FRAME_TOO_SHORT");
    check(length <= this.#limit, "FRAME_TOO_LONG");
    const size = (this.#need = length + 4);
    if (this.size < size) return;
    this.#chunks = [bytes.subarray(size)];
    this.size -= size;
    this.#need = 4;
    const frame = bytes.subarray(0, size);
    check(view.getUint32(8) === checkOf(frame), "FRAME_DAMAGED");
    return { name: names[view.getUint16(4)], flags: view.getUint16(6), body: frame.subarray(HEADER), size };
  }
}
