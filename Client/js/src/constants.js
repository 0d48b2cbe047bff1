/**
 * Numbers of the protocol and of this client. Their module imports nothing, so bundlers inline them.
 */

/** Frames (chapter 2): flags, bytes besides the body, and the least value of `length`. */
export const CRITICAL = 1, FIRST = 2, LAST = 4;
export const HEADER = 12, ENVELOPE = 8;

/** Limits of a message (chapter 3), and the highest number of a field. */
export const MAX_LEVELS = 8;
export const FRAME_ELEMENTS = 65536;
export const UNKNOWN_PER_MESSAGE = 32;
export const NAME_BYTES = 256;
export const MAX_NUMBER = 2 ** 29 - 1;
/** Repeated elements of a body that is decoded for display. */
export const BODY_ELEMENTS = 4096;
/** The value of one unit of a varint's higher half. */
export const HIGH = 2 ** 28;

/** Bytes hashed for an edge besides its texts, which take at most three per UTF-16 unit. */
export const EDGE_BYTES = 24;

/** Bodies, and operations of a patch's script (chapter 8); a 0 keeps. */
export const BODY_BYTES = 65536;
export const MOVE = 1, ADD = 2, UPDATE = 3;

/** Methods of calls. */
export const SEARCH = 4, COLLECTION = 5, RENEW = 7;

/** Nacks without a good cut between them. */
export const NACKS = 3;
/** Bytes of a manifest's frame besides its pairs, at most. */
export const MANIFEST_BYTES = 64;
export const PAIR_BYTES = 16;
/** Limits that a server doesn't state. */
export const PART_BYTES = 65536;
export const CALLS = 16;
/** Intervals in which a frame has to arrive. */
export const FRAME_INTERVALS = 3;
/** Handles are above 0; what is being staged has this one. */
export const INCOMPLETE = 0;

/** Milliseconds. */
export const SECOND = 1000;
export const WELCOME_WAIT = 10_000;
export const LEAVING_WAIT = 5000;
export const CONNECT_WAIT = 15_000;
export const GOOD_CONNECTION = 5000;
/** The timeout of calls that name none. */
export const TIMEOUT = 10_000;
/** The longest time a timer can be set to. */
export const LONGEST_TIMER = 0x7fffffff;
/** Attempts, and the time, after which a claimed position that no server has is given up. */
export const CLAIM_ATTEMPTS = 8;
export const CLAIM_MS = 300_000;

/** Calls that wait or are in flight, and rows of the outbox. */
export const MAX_CALLS = 256;
export const MAX_ROWS = 1000;
/** Bytes that may wait for the server to take them. */
export const UNSENT_BYTES = 32 << 20;
/** Events that a loop may leave unread; the oldest are dropped. */
export const MAX_EVENTS = 256;

/** The version of the mirror in IndexedDB; version 1 had stores of other names. */
export const VERSION = 2;
/** Records of one section before it is folded. */
export const MAX_RECORDS = 64;
/** Views that are kept; those that were current longest ago go first. */
export const MAX_VIEWS = 64;
