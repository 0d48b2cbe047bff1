/**
 * A mirror in the browser's IndexedDB, written in one transaction per cut. A section is stored as the parts it was
 * built from, as received. Each cut appends its parts, so a change of one field costs only its own bytes; a section
 * with many records is folded into one whole part. Everything read is verified: parts are applied and their sums
 * recomputed.
 */

import { MAX_RECORDS, MAX_VIEWS, VERSION } from "./constants.js";
import { EMPTY } from "./content.js";
import { faultOf } from "./errors.js";
import { replay, wholePart } from "./patch.js";
import { Tabs } from "./tabs.js";
import { View } from "./view.js";

/** @typedef {import("./content.js").Content} Content */
/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("./engine.js").Mirror} Mirror */

/** The only object store. Each key begins with the kind of its value. */
const STORE = "mirror";
const STATE = ["state"], VIEW = "view", PART = "part", ROW = "row";

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const result = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * The range of all keys with this prefix.
 * @param {string[]} key
 */
const rangeOf = (...key) => IDBKeyRange.bound(key, [...key, []]);

/** @implements {Mirror} */
class IndexedDBMirror {
  #name;
  /** @type {IDBDatabase | undefined} */
  #database;
  /**
   * The stored content of each view. Empty after a failed write: the next one stores everything.
   * @type {Map<string, {cut?: unknown, contents: View["contents"]}>}
   */
  #stored = new Map();
  /**
   * The number of records in which a version is stored.
   * @type {WeakMap<Content, number>}
   */
  #records = new WeakMap();

  /** @param {string} name */
  constructor(name) {
    this.#name = name;
    /** Lets tabs share one engine; undefined without Web Locks. */
    this.share = globalThis.navigator?.locks && ((/** @type {() => Engine} */ start) => new Tabs(name, start));
  }

  async open() {
    const request = indexedDB.open("marquee/" + this.#name, VERSION);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    this.#database = await result(request);
    const store = this.#database.transaction(STORE, "readwrite").objectStore(STORE);
    const all = (/** @type {string[]} */ ...key) => result(store.getAll(rangeOf(...key)));
    const views = [];
    for (const { sections, ...fields } of (await all(VIEW)).sort((a, b) => b.asOf - a.asOf)) {
      const view = Object.assign(new View(fields.screen, fields.locale), fields);
      const { key } = view;
      if (views.length < MAX_VIEWS) {
        const contents = new Map();
        for (const section of sections) {
          const bodies = await all(PART, key, section);
          // A damaged section is dropped, and received from the server again.
          faultOf(() => {
            const content = bodies.reduce(replay, EMPTY);
            contents.set(section, content);
            this.#records.set(content, bodies.length);
          });
        }
        view.contents = contents;
        this.#stored.set(key, { contents });
        views.push(view);
      } else {
        store.delete([VIEW, key]);
        store.delete(rangeOf(PART, key));
      }
    }
    return { state: await result(store.get(STATE)), views, rows: await all(ROW) };
  }

  /**
   * @param {import("./core.js").Write} write
   * @returns {Promise<void>}
   */
  write({ removed = [], state, strict, views = [], put = [] }) {
    return new Promise((resolve, reject) => {
      const database = /** @type {IDBDatabase} */ (this.#database);
      const transaction = database.transaction(STORE, "readwrite", { durability: strict ? "strict" : "relaxed" });
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => {
        this.#stored.clear();
        reject(transaction.error);
      };
      const store = transaction.objectStore(STORE);
      if (state) store.put(state, STATE);
      for (const row of put) store.put(row, [ROW, row.number]);
      for (const number of removed) store.delete([ROW, number]);
      for (const view of views) this.#put(store, view);
    });
  }

  /** @param {IDBObjectStore} store @param {View} view */
  #put(store, { options, screen, locale, served, cut, asOf, key, contents }) {
    const before = this.#stored.get(key);
    if (before?.cut === cut) return;
    this.#stored.set(key, { cut, contents });
    if (!before) store.delete(rangeOf(PART, key));
    store.put({ screen, locale, served, options, cut, asOf, sections: [...contents.keys()] }, [VIEW, key]);
    for (const [section, content] of contents) {
      const { base, bodies } = content;
      const known = before?.contents.get(section);
      if (known === content) continue;
      // A section with too many records starts over with one whole part.
      const count = known === base ? (this.#records.get(/** @type {Content} */ (known)) ?? 0) % MAX_RECORDS : 0;
      if (!count) store.delete(rangeOf(PART, key, section));
      // Copies the bodies, because one may be a small part of a large buffer.
      const received = (count || base === EMPTY) && bodies?.map((body) => body.slice());
      store.put(received || [wholePart(content)], [PART, key, section, count]);
      this.#records.set(content, count + 1);
    }
    for (const section of before?.contents.keys() ?? [])
      if (!contents.has(section)) store.delete(rangeOf(PART, key, section));
  }

  close() {
    this.#database?.close();
  }
}

/**
 * The mirror with this name. Each user needs a name of their own. Tabs of one origin with the same name share a
 * connection.
 * @param {string} name
 * @returns {Mirror}
 */
export const indexedDBMirror = (name) => new IndexedDBMirror(name);
