/** Errors, and the statuses with which this side ends a connection. */

/**
 * How to react to an error, as numbered in chapter 21 of the protocol: 1 retry the same, 2 retry elsewhere, 3 resync,
 * 4 re-authenticate, 5 fatal.
 * @typedef {number} Remedy
 */
export const RETRY = 1, RESYNC = 3, REAUTHENTICATE = 4, FATAL = 5;

/**
 * Any error that this library reports. Programs should look at `code`: a reason of the protocol, such as
 * `UNKNOWN_SCREEN`, or one of the client's own: `UNAVAILABLE`, `TIMEOUT`, `CLOSED`, `ABORTED`, `NOT_STORED`,
 * `NOT_SHOWN`, `LIMIT`, `OTHER_MIRROR`, `MIRROR_IN_USE`, `UNCONFIRMED`.
 */
export class MarqueeError extends Error {
  name = "MarqueeError";

  /**
   * @param {string} code
   * @param {Remedy} [remedy] unknown remedies count as fatal
   * @param {{message?: string, retryAfterMs?: number, cause?: unknown}} more
   */
  constructor(code, remedy = FATAL, { message = code, retryAfterMs = 0, cause } = {}) {
    super(message, { cause });
    this.code = code;
    this.remedy = remedy > 0 && remedy < FATAL ? remedy : FATAL;
    /** Milliseconds to wait before retrying; 0 if the server gave none. */
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The error for a status that the server sent.
 * @param {import("./messages.js").Status} status
 */
export const errorOf = (status) => new MarqueeError(status.reason || "UNKNOWN", status.remedy, status);

/**
 * Thrown for bytes that break a rule. Its message is a reason of the protocol, or the reason for refusing a cut. A
 * fault in a frame's message ends the connection; one in a patch refuses the cut.
 */
export class Fault extends Error {}

/**
 * Throws a fault unless a condition holds.
 * @param {unknown} condition
 * @param {string} reason
 * @returns {asserts condition}
 */
export function check(condition, reason) {
  if (!condition) throw new Fault(reason);
}

/**
 * Runs a function, and returns the fault that it throws, if any.
 * @param {() => void} run
 * @returns {Fault | undefined}
 */
export function faultOf(run) {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/**
 * Codes and remedies of reasons; all other reasons have code 3 and remedy 5.
 * @type {[number, Remedy, RegExp][]}
 */
const statuses = [
  [15, RETRY, /^FRAME_DAMAGED/], [3, RETRY, /^FRAME_TOO_SHORT/], [4, RETRY, /^FRAME_U/],
  [8, RETRY, /^FRAME|CUT_TOO/], [8, FATAL, /^TOO_/], [11, FATAL, /^OUT_/], [12, FATAL, /^UNKNOWN_C/],
  [14, 2, /^NODE_/], [9, RETRY, /^CUT_O/], [15, RESYNC, /^CUT_/], [9, FATAL, /^WRONG_D|^PROTOCOL/],
];

/**
 * The status that this side sends for a reason.
 * @param {string} reason
 * @param {string} [message]
 */
export function statusOf(reason, message) {
  const [code, remedy] = statuses.find((row) => row[2].test(reason)) ?? [3, FATAL];
  return { code, reason, remedy, message };
}
