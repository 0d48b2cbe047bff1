/**
 * Constants of the protocol and of this client. This module imports nothing, so bundlers can inline them.
 */

/** Frames (chapter 2): the flags, the size of the header, and the minimum value of `length`. */
export const CRITICAL = 1, FIRST = 2, LAST = 4;
export const HEADER = 12, ENVELOPE = 8;

/** Limits of a message (chapter 3), and the highest field number. */
export const MAX_LEVELS = 8;
export const FRAME_ELEMENTS = 65536;
export const UNKNOWN_PER_MESSAGE = 32;
export const NAME_BYTES = 256;
export const MAX_NUMBER = 2 ** 29 - 1;
/** Maximum number of repeated elements in a body that is decoded for display. */
export const BODY_ELEMENTS = 4096;
/** The value of one unit of a varint's higher half. */
export const HIGH = 2 ** 28;

/** Bytes hashed for an edge, not counting its texts, which take at most three bytes per UTF-16 code unit. */
export const EDGE_BYTES = 24;

/** The maximum size of a body, and the operations of a patch's script (chapter 8); operation 0 keeps items. */
export const BODY_BYTES = 65536;
export const MOVE = 1, ADD = 2, UPDATE = 3;

/** Methods of calls. */
export const SEARCH = 4, COLLECTION = 5, RENEW = 7;

/** Maximum number of nacks without a good cut in between. */
export const NACKS = 3;
/** Maximum number of bytes in a manifest's frame, not counting its pairs. */
export const MANIFEST_BYTES = 64;
export const PAIR_BYTES = 16;
/** Limits assumed if the server doesn't state any. */
export const PART_BYTES = 65536;
export const CALLS = 16;
/** Ping intervals within which a frame that has begun must be complete. */
export const FRAME_INTERVALS = 3;
/** The key of the version that is being staged. Real handles are above 0. */
export const INCOMPLETE = 0;

/** Milliseconds. */
export const SECOND = 1000;
export const WELCOME_WAIT = 10_000;
export const LEAVING_WAIT = 5000;
export const CONNECT_WAIT = 15_000;
export const GOOD_CONNECTION = 5000;
/** The default timeout of calls. */
export const TIMEOUT = 10_000;
/** The longest delay of a timer. */
export const LONGEST_TIMER = 0x7fffffff;
/** The attempts and the time after which the client gives up on a claimed position that no server has reached. */
export const CLAIM_ATTEMPTS = 8;
export const CLAIM_MS = 300_000;

/** Maximum numbers of calls, waiting or in flight, and of rows in the outbox. */
export const MAX_CALLS = 256;
export const MAX_ROWS = 1000;
/** Maximum number of bytes buffered for sending. */
export const UNSENT_BYTES = 32 << 20;
/** Maximum number of unread events per loop; the oldest are dropped. */
export const MAX_EVENTS = 256;

/** The version of the mirror in IndexedDB; version 1 had object stores with other names. */
export const VERSION = 2;
/** Maximum number of records of a section before it is folded. */
export const MAX_RECORDS = 64;
/** Maximum number of views kept; those that have been out of date longest are evicted first. */
export const MAX_VIEWS = 64;
