/** Errors, and the reasons for which a side ends a connection. */

/**
 * How to react, as the protocol's chapter 21 numbers it: 1 retry the same, 2 retry elsewhere, 3 resync,
 * 4 re-authenticate, 5 fatal.
 * @typedef {number} Remedy
 */
export const RETRY = 1, RESYNC = 3, REAUTHENTICATE = 4, FATAL = 5;

/**
 * Anything that this library reports. Programs look at `code`: a reason of the protocol, such as `UNKNOWN_SCREEN`,
 * or one of the client's own: `UNAVAILABLE`, `TIMEOUT`, `CLOSED`, `ABORTED`, `NOT_STORED`, `NOT_SHOWN`, `LIMIT`,
 * `OTHER_MIRROR`, `MIRROR_IN_USE`, `UNCONFIRMED`.
 */
export class MarqueeError extends Error {
  name = "MarqueeError";

  /**
   * @param {string} code
   * @param {Remedy} [remedy] an unknown one counts as fatal
   * @param {{message?: string, retryAfterMs?: number, cause?: unknown}} more
   */
  constructor(code, remedy = FATAL, { message = code, retryAfterMs = 0, cause } = {}) {
    super(message, { cause });
    this.code = code;
    this.remedy = remedy > 0 && remedy < FATAL ? remedy : FATAL;
    /** Milliseconds; 0 if none were given. */
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * An error of a status that the server sent.
 * @param {import("./messages.js").Status} status
 */
export const errorOf = (status) => new MarqueeError(status.reason || "UNKNOWN", status.remedy, status);

/**
 * Bytes that break a rule; the message is a reason of the protocol, or of a refusal. In a message it ends the
 * connection; in a patch it refuses the cut.
 */
export class Fault extends Error {}

/**
 * Throws a fault where a rule is broken.
 * @param {unknown} condition that has to hold
 * @param {string} reason
 * @returns {asserts condition}
 */
export function check(condition, reason) {
  if (!condition) throw new Fault(reason);
}

/**
 * Runs something, and returns the fault that it threw.
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
 * Reasons by code and remedy; all others have 3 and 5.
 * @type {[number, Remedy, RegExp][]}
 */
const statuses = [
  [15, RETRY, /^FRAME_DAMAGED/], [3, RETRY, /^FRAME_TOO_SHORT/], [4, RETRY, /^FRAME_U/],
  [8, RETRY, /^FRAME|CUT_TOO/], [8, FATAL, /^TOO_/], [11, FATAL, /^OUT_/], [12, FATAL, /^UNKNOWN_C/],
  [14, 2, /^NODE_/], [9, RETRY, /^CUT_O/], [15, RESYNC, /^CUT_/], [9, FATAL, /^WRONG_D|^PROTOCOL/],
];

/**
 * The status that this side sends with a reason.
 * @param {string} reason
 * @param {string} [message]
 */
export function statusOf(reason, message) {
  const [code, remedy] = statuses.find((row) => row[2].test(reason)) ?? [3, FATAL];
  return { code, reason, remedy, message };
}
