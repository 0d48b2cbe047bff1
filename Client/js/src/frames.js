/** Frames (chapter 2): twelve bytes, then a message. */

import { concat } from "./bytes.js";
import { crc32c } from "./crc32c.js";
import { Fault } from "./errors.js";
import { encode } from "./protobuf.js";
import { kinds, names } from "./schema.js";

export const CRITICAL = 1, FIRST = 2, LAST = 4;

/** Bytes of a frame besides its body, and the least value of `length`. */
const HEADER = 12, ENVELOPE = 8;

const scratch = new Uint8Array(ENVELOPE);
const scratchView = new DataView(scratch.buffer);

/** @param {number} length @param {number} kind @param {number} flags @param {Uint8Array} body */
function checkOf(length, kind, flags, body) {
  scratchView.setUint32(0, length);
  scratchView.setUint32(4, kind * 65536 + flags);
  return ~crc32c(crc32c(-1, body), scratch) >>> 0;
}

/**
 * A whole frame.
 * @param {number} kind
 * @param {Uint8Array} body
 * @param {number} [flags]
 */
export function frameOf(kind, body, flags = 0) {
  const frame = new Uint8Array(HEADER + body.length);
  const check = checkOf(ENVELOPE + body.length, kind, flags, body);
  frame.set(scratch);
  new DataView(frame.buffer).setUint32(8, check);
  frame.set(body, HEADER);
  return frame;
}

/**
 * A whole frame of a message.
 * @param {string} name of the kind
 * @param {import("./protobuf.js").Message} message
 */
export const encodeFrame = (name, message) => frameOf(kinds[name], encode(name, message));

/** A frame; `name` is undefined for kinds that aren't known.
 * @typedef {{kind: number, name: string | undefined, flags: number, body: Uint8Array, size: number}} Frame */

/** Cuts a stream of bytes into frames, and verifies the check of each. */
export class FrameReader {
  #limit;
  /** @type {Uint8Array[]} */
  #chunks = [];
  #have = 0;
  /** How many there have to be for the next step. */
  #need = 4;

  /** @param {number} limit the largest `length` that is accepted */
  constructor(limit) {
    this.#limit = limit;
  }

  /** Whether a frame has begun and not ended. */
  get unfinished() {
    return this.#have > 0;
  }

  /**
   * Takes bytes. Bodies of frames may share their memory.
   * @param {Uint8Array} bytes
   */
  push(bytes) {
    this.#chunks.push(bytes);
    this.#have += bytes.length;
  }

  /**
   * The next frame that is whole.
   * @returns {Frame | undefined}
   * @throws {Fault}
   */
  next() {
    if (this.#have < this.#need) return;
    const bytes = concat(this.#chunks);
    this.#chunks = [bytes];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const length = view.getUint32(0);
    if (length < ENVELOPE) throw new Fault("FRAME_TOO_SHORT");
    if (length > this.#limit) throw new Fault("FRAME_TOO_LONG");
    const size = (this.#need = length + 4);
    if (this.#have < size) return;
    this.#chunks = [bytes.subarray(size)];
    this.#have -= size;
    this.#need = 4;
    const kind = view.getUint16(4), flags = view.getUint16(6);
    const body = bytes.subarray(HEADER, size);
    if (view.getUint32(8) !== checkOf(length, kind, flags, body)) throw new Fault("FRAME_DAMAGED");
    return { kind, name: names[kind], flags, body, size };
  }
}
