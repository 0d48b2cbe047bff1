/** Errors, and the reasons for which a side ends a connection. */

/** How to react, as the protocol's chapter 21 numbers it. */
export const Remedy = { retrySame: 1, retryOther: 2, resync: 3, reauthenticate: 4, fatal: 5 };

/**
 * Anything that this library reports. Programs look at `code`: a reason of the protocol, such as `UNKNOWN_SCREEN`,
 * or one of the client's own: `UNAVAILABLE`, `TIMEOUT`, `CLOSED`, `ABORTED`, `NOT_STORED`, `LIMIT`, `OTHER_USER`,
 * `OTHER_MIRROR`.
 */
export class MarqueeError extends Error {
  /**
   * @param {string} code
   * @param {string} [message] for people
   * @param {{remedy?: number, status?: number, retryAfter?: number, cause?: unknown}} [more]
   */
  constructor(code, message = code, { remedy = Remedy.fatal, status = 2, retryAfter = 0, cause } = {}) {
    super(message, { cause });
    this.name = "MarqueeError";
    this.code = code;
    /** One of `Remedy`: what the protocol advises. */
    this.remedy = remedy >= 1 && remedy <= 5 ? remedy : Remedy.fatal;
    /** gRPC's number. */
    this.status = status;
    /** Milliseconds; 0 if nobody said. */
    this.retryAfter = retryAfter;
  }
}

/**
 * An error of a status that the server sent.
 * @param {import("./messages.js").Status} status
 */
export const errorOf = (status) =>
  new MarqueeError(status.reason || "UNKNOWN", status.message || status.reason || "the server gave no reason", {
    remedy: status.remedy,
    status: status.code,
    retryAfter: status.retryAfterMs,
  });

/** The peer broke the protocol: the connection ends with this reason. */
export class Fault extends Error {
  /**
   * @param {string} reason
   * @param {string} [message]
   * @param {boolean} [silent] whether the connection ends without a close frame
   */
  constructor(reason, message = reason, silent = false) {
    super(message);
    this.reason = reason;
    this.silent = silent;
  }
}

/** Content that can't be taken as it came: a patch, a body, a cut. */
export class Refused extends Error {
  /**
   * @param {string} why
   * @param {string} [message]
   * @param {number} [handle] the variant that failed
   */
  constructor(why, message = why, handle = 0) {
    super(message);
    this.why = why;
    this.handle = handle;
  }
}

/** Code and remedy of reasons that differ from 3 and fatal. @type {Record<string, [number, number]>} */
const statuses = {
  FRAME_DAMAGED: [15, 1], FRAME_TOO_SHORT: [3, 1], FRAME_TOO_LONG: [8, 1], FRAME_UNFINISHED: [4, 1],
  TOO_DEEP: [8, 5], TOO_MANY_ELEMENTS: [8, 5], TOO_MANY_RECORDS: [8, 5], TOO_MANY_UNKNOWN_FIELDS: [8, 5],
  OUT_OF_RANGE: [11, 5], UNKNOWN_CRITICAL_KIND: [12, 5], WRONG_DIRECTION: [9, 5], PROTOCOL_UNSUPPORTED: [9, 5],
  NODE_BEHIND: [14, 2], CUT_ORDER: [9, 1], CUT_TOO_LARGE: [8, 1], CUT_REFUSED: [15, 3],
};

/**
 * The status that this side sends with a reason.
 * @param {string} reason
 * @param {string} message
 */
export function statusOf(reason, message) {
  const [code, remedy] = statuses[reason] ?? [3, 5];
  return { code, reason, remedy, message };
}
