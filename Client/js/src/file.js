/**
 * A mirror in a file, for Node: a journal of writes, each with its length and checksum, which is compacted when it has
 * grown. A record that was incomplete when the program was killed is dropped when the file is opened.
 */

import { EMPTY } from "./content.js";
import { crc32c } from "./crc32c.js";
import { MarqueeError, faultOf } from "./errors.js";
import { replay, wholePart } from "./patch.js";
import { View } from "./view.js";
import {
  closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, renameSync, rmSync, statSync,
  writeSync,
} from "node:fs";
import { deserialize, serialize } from "node:v8";

/** @typedef {import("./core.js").Write} Write */

/**
 * A view in a record: its fields and, for each changed section, its id, whether its parts start from the empty
 * version, and the parts.
 */
/** @typedef {{fields: any, parts: [string, boolean, Uint8Array[]][]}} StoredView */

/** The size of a record's header: a length and a checksum. */
const HEADER = 8;
/** The journal is compacted once it is larger than this and has grown by this factor since the last time. */
const LEAST_FOLDED = 4 << 20;
const GROWTH = 4;

/** @param {Uint8Array} bytes */
const checkOf = (bytes) => ~crc32c(-1, bytes) >>> 0;

/** @param {any} content */
function recordOf(content) {
  const body = serialize(content);
  const record = Buffer.alloc(HEADER + body.length);
  record.writeUInt32BE(body.length);
  record.writeUInt32BE(checkOf(body), 4);
  record.set(body, HEADER);
  return record;
}

/**
 * All complete records of a journal.
 * @param {Buffer} bytes
 */
function* recordsOf(bytes) {
  for (let at = 0; at + HEADER <= bytes.length; ) {
    const end = at + HEADER + bytes.readUInt32BE(at);
    const body = bytes.subarray(at + HEADER, end);
    if (end > bytes.length || checkOf(body) !== bytes.readUInt32BE(at + 4)) return;
    yield { record: deserialize(body), end };
    at = end;
  }
}

/** @param {View} view */
const fieldsOf = ({ screen, locale, served, options, cut, asOf, contents }) =>
  ({ screen, locale, served, options, cut, asOf, sections: [...contents.keys()] });

/**
 * A mirror in a file, which only one program at a time may use. Each user needs a file of their own.
 * @param {string} path
 * @returns {import("./engine.js").Mirror}
 */
export function fileMirror(path) {
  /** @type {number | undefined} */
  let file;
  let size = 0, folded = 0;
  /** Whether a write has failed, so that the file is incomplete. */
  let isBehind = false;
  let isHeld = false;
  /** @type {import("./core.js").State | undefined} */
  let state;
  /** @type {Map<number, import("./outbox.js").Row>} */
  const rows = new Map();
  /** @type {Map<string, View>} */
  const views = new Map();
  /**
   * The position and the content of each view in the file.
   * @type {Map<string, {cut: unknown, contents: View["contents"]}>}
   */
  const stored = new Map();
  /** @param {View} view */
  const note = ({ key, cut, contents }) => stored.set(key, { cut, contents });
  const lock = path + ".lock";

  /**
   * Applies a stored record.
   * @param {any} record
   */
  const take = ({ state: newer, put = [], removed = [], views: changed = [] }) => {
    state = newer ?? state;
    for (const row of put) rows.set(row.number, row);
    for (const number of removed) rows.delete(number);
    for (const { fields, parts } of /** @type {StoredView[]} */ (changed)) {
      const { screen, locale, sections, ...more } = fields;
      const fresh = new View(screen, locale);
      const view = Object.assign(views.get(fresh.key) ?? fresh, more);
      const contents = new Map(view.contents);
      for (const [section, isAnew, bodies] of parts)
        // A damaged section is dropped, and received from the server again.
        if (faultOf(() => contents.set(section, replay(isAnew ? EMPTY : contents.get(section) ?? EMPTY, bodies))))
          contents.delete(section);
      for (const section of contents.keys()) if (!sections.includes(section)) contents.delete(section);
      view.contents = contents;
      views.set(view.key, view);
    }
  };

  /** Takes the lock. A program that was killed may have left its lock behind; that one is replaced. */
  const hold = () => {
    for (let tries = 0; ; tries++)
      try {
        const handle = openSync(lock, "wx");
        isHeld = true;
        writeSync(handle, `${process.pid}`);
        return closeSync(handle);
      } catch (cause) {
        if (isHeld) throw cause;
        if (tries || isTaken(lock)) throw new MarqueeError("MIRROR_IN_USE", 5, { cause });
        rmSync(lock, { force: true });
      }
  };

  /** Gives the lock back, if it is ours. */
  const release = () => {
    if (isHeld) rmSync(lock, { force: true });
    isHeld = false;
  };

  /** Compacts the journal: writes everything to a new file, which replaces the old one. */
  const fold = () => {
    const whole = [...views.values()].map((view) => {
      note(view);
      const parts = [...view.contents].map(([section, content]) => [section, true, [wholePart(content)]]);
      return { fields: fieldsOf(view), parts };
    });
    const record = recordOf({ state, put: [...rows.values()], views: whole });
    const next = openSync(path + ".next", "w");
    try {
      if (writeSync(next, record) < record.length) throw new Error("the disk is full");
      fdatasyncSync(next);
      renameSync(path + ".next", path);
    } catch (error) {
      closeSync(next);
      throw error;
    }
    if (file !== undefined) closeSync(file);
    file = next;
    size = folded = record.length;
    isBehind = false;
  };

  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
    release();
  };

  return {
    async open() {
      try {
        hold();
        let bytes = Buffer.alloc(0);
        try {
          bytes = readFileSync(path);
        } catch (error) {
          if (/** @type {any} */ (error).code !== "ENOENT") throw error;
        }
        for (const { record, end } of recordsOf(bytes)) {
          take(record);
          size = end;
        }
        for (const view of views.values()) note(view);
        file = openSync(path, "a");
        ftruncateSync(file, size);
        return { state, rows: [...rows.values()], views: [...views.values()] };
      } catch (error) {
        close();
        throw error;
      }
    },

    async write({ state: newer, strict, views: changed = [], put = [], removed = [] }) {
      if (file === undefined) throw new Error("the file is not open");
      state = newer ?? state;
      const before = new Map(rows);
      for (const row of put) rows.set(row.number, row);
      for (const number of removed) rows.delete(number);
      const storedViews = changed.filter(({ key, cut }) => stored.get(key)?.cut !== cut).map((view) => {
        const { key, contents } = view;
        const known = stored.get(key)?.contents;
        views.set(key, view);
        note(view);
        const changedContents = [...contents].filter(([section, content]) => known?.get(section) !== content);
        const parts = changedContents.map(([section, content]) => {
          const { base, bodies } = content;
          const isAnew = base === EMPTY;
          return bodies && (isAnew || (base && base === known?.get(section)))
            ? [section, isAnew, bodies.map((body) => body.slice())]
            : [section, true, [wholePart(content)]];
        });
        return { fields: fieldsOf(view), parts };
      });
      try {
        if (isBehind || (size > LEAST_FOLDED && size > GROWTH * folded)) return fold();
        const record = recordOf({ state, put, removed, views: storedViews });
        if (writeSync(file, record) < record.length) throw new Error("the disk is full");
        size += record.length;
        if (strict) fdatasyncSync(file);
      } catch (error) {
        // This write is undone; the next one that succeeds stores everything.
        isBehind = true;
        ftruncateSync(file, size);
        rows.clear();
        for (const [number, row] of before) rows.set(number, row);
        throw error;
      }
    },

    close,
  };
}

/** How long a lock may be without its process's id, in milliseconds: its program was killed before it wrote that. */
const UNNAMED = 1_000;

/** @param {string} lock */
function isTaken(lock) {
  const pid = Number(readFileSync(lock, "utf8"));
  return pid ? isAlive(pid) : Date.now() - statSync(lock).mtimeMs < UNNAMED;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists, but belongs to another user.
    return /** @type {any} */ (error).code === "EPERM";
  }
}
