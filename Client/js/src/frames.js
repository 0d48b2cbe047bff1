/** Frames (chapter 2): twelve bytes, then a message. */

import { crc32c } from "./crc32c.js";
import { Fault } from "./errors.js";
import { encode } from "./protobuf.js";

export const Flag = { critical: 1, first: 2, last: 4 };

/** Bytes of a frame besides its body. */
const HEADER = 12;
/** The least value of `length`. */
const ENVELOPE = 8;

/** Name and message of each kind that clients and servers send; kinds from 64 on are for relays. */
/** @type {Record<number, string>} */
export const kinds = {
  1: "Hello", 2: "Welcome", 3: "Ping", 4: "Pong", 5: "Progress", 6: "Ack", 7: "GoAway", 8: "Close",
  16: "Subscribe", 17: "Unsubscribe", 18: "SubscriptionError", 19: "Join", 20: "Nack", 21: "Repair", 22: "Rebase",
  23: "Manifest", 32: "Part", 33: "Part", 48: "Request", 49: "Answer", 50: "Cancel",
};
export const Kind = {
  hello: 1, welcome: 2, ping: 3, pong: 4, progress: 5, ack: 6, goAway: 7, close: 8, subscribe: 16, unsubscribe: 17,
  subscriptionError: 18, join: 19, nack: 20, repair: 21, rebase: 22, manifest: 23, data: 32, stage: 33, request: 48,
  answer: 49, cancel: 50,
};
/** Kinds that only a client sends. */
export const fromClient = new Set([1, 6, 16, 17, 20, 23, 48, 50]);

const scratch = new Uint8Array(ENVELOPE);

/** @param {number} length @param {number} kind @param {number} flags @param {Uint8Array} body */
function checkOf(length, kind, flags, body) {
  const view = new DataView(scratch.buffer);
  view.setUint32(0, length);
  view.setUint16(4, kind);
  view.setUint16(6, flags);
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
 * @param {number} kind
 * @param {import("./protobuf.js").Message} message
 */
export const encodeFrame = (kind, message) => frameOf(kind, encode(kinds[kind], message));

/** @typedef {{kind: number, flags: number, body: Uint8Array, size: number}} Frame */

/** Cuts a stream of bytes into frames, and verifies the check of each. */
export class FrameReader {
  /** @param {number} limit the largest `length` that is accepted */
  constructor(limit) {
    this.limit = limit;
    this.buffer = new Uint8Array(0);
    this.start = 0;
    this.end = 0;
    /** Whether the buffer is what the caller gave, and not to be written to. */
    this.foreign = true;
  }

  /** Whether a frame has begun and not ended. */
  get unfinished() {
    return this.start < this.end;
  }

  /**
   * Takes bytes. Bodies of frames may share their memory.
   * @param {Uint8Array} bytes
   */
  push(bytes) {
    const rest = this.end - this.start;
    if (!rest) {
      this.buffer = bytes;
      this.start = this.end = 0;
    } else if (this.end + bytes.length > this.buffer.length || this.foreign) {
      const larger = new Uint8Array(Math.max(2 * rest, rest + bytes.length));
      larger.set(this.buffer.subarray(this.start, this.end));
      this.buffer = larger;
      this.start = 0;
      this.end = rest;
    }
    this.foreign = !rest;
    if (rest) this.buffer.set(bytes, this.end);
    this.end += bytes.length;
  }

  /**
   * The next frame that is whole.
   * @returns {Frame | undefined}
   * @throws {Fault}
   */
  next() {
    const { buffer, start } = this;
    const have = this.end - start;
    if (have < 4) return;
    const view = new DataView(buffer.buffer, buffer.byteOffset + start, have);
    const length = view.getUint32(0);
    if (length < ENVELOPE) throw new Fault("FRAME_TOO_SHORT", `${length} bytes`);
    if (length > this.limit) throw new Fault("FRAME_TOO_LONG", `${length} bytes`);
    if (have < length + 4) return;
    const kind = view.getUint16(4);
    const flags = view.getUint16(6);
    const body = buffer.subarray(start + HEADER, start + length + 4);
    this.start += length + 4;
    if (view.getUint32(8) !== checkOf(length, kind, flags, body)) throw new Fault("FRAME_DAMAGED", `${length} bytes`);
    return { kind, flags, body, size: length + 4 };
  }
}
