/**
 * A mirror in the browser's IndexedDB: one transaction for each cut. A section is stored as the parts that built it, as
 * they were received; a cut appends its own, and now and then a section is folded into one whole part. So a change of a
 * field costs its own bytes. What is read proves itself: parts are applied and their sums computed again.
 */

import { EMPTY } from "./content.js";
import { faultOf } from "./errors.js";
import { apply, patchOf, wholePart } from "./patch.js";
import { decode } from "./protobuf.js";
import { share } from "./tabs.js";
import { View } from "./view.js";

/** @typedef {import("./content.js").Content} Content */

const STORES = ["state", "views", "parts", "rows"];
/** Records of one section before it is folded. */
const MAX_RECORDS = 64;
/** Views that are kept; those that were current longest ago go first. */
const MAX_VIEWS = 64;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const result = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * All records of a section.
 * @param {string} key
 * @param {string} [section]
 */
const rangeOf = (key, section) =>
  section === undefined ? IDBKeyRange.bound([key], [key, []]) : IDBKeyRange.bound([key, section], [key, section, []]);

/**
 * Applies parts as they were received.
 * @param {Content} content
 * @param {Uint8Array[]} bodies
 * @throws {Fault} where they don't fit
 */
export function replay(content, bodies) {
  let parts = [];
  for (const body of bodies) {
    const part = decode("Part", body);
    parts.push(part);
    if (part.more) continue;
    const patch = patchOf(parts);
    content = apply((patch.baseSum ?? EMPTY.sum) === EMPTY.sum ? EMPTY : content, patch);
    parts = [];
  }
  return content;
}

/**
 * The mirror of a name; each user has one. Tabs of one origin that use the same name share one connection.
 * @param {string} name
 * @returns {import("./engine.js").Mirror}
 */
export function indexedDBMirror(name) {
  /** @type {IDBDatabase} */
  let database;
  /**
   * What is stored of each section, and in how many records.
   * @type {Map<string, {content: Content, records: number}>}
   */
  const stored = new Map();
  /**
   * Views of which a write has failed: they are stored whole with the next one.
   * @type {Set<View>}
   */
  const missed = new Set();

  /** @param {Record<string, any>} record @param {Map<string, Uint8Array[][]>} records */
  const viewOf = ({ screen, locale, sections, ...more }, records) => {
    const view = Object.assign(new View(screen, locale), more);
    /** @type {Map<string, Content>} */
    const contents = new Map();
    for (const section of sections) {
      const id = view.key + "\n" + section;
      const kept = records.get(id) ?? [];
      // One that was damaged comes again.
      faultOf(() => {
        const content = kept.reduce(replay, EMPTY);
        contents.set(section, content);
        stored.set(id, { content, records: kept.length });
      });
    }
    view.contents = contents;
    return view;
  };

  /**
   * @param {IDBTransaction} transaction
   * @param {View} view
   * @param {string} section
   * @param {import("./session.js").Change} [change]
   */
  const put = (transaction, view, section, change) => {
    const parts = transaction.objectStore("parts");
    const content = /** @type {Content} */ (view.contents.get(section));
    const id = view.key + "\n" + section;
    const known = stored.get(id);
    const appends = change && known && known.records < MAX_RECORDS && known.content === change.base;
    if (!appends) parts.delete(rangeOf(view.key, section));
    const records = appends ? known.records : 0;
    const isReceived = change && (appends || change.base === EMPTY);
    // Copies: the bytes of a body may be a small part of a large buffer.
    const bodies = isReceived ? change.bodies.map((body) => body.slice()) : [wholePart(content)];
    parts.put(bodies, [view.key, section, records]);
    stored.set(id, { content, records: records + 1 });
  };

  return {
    async open() {
      const request = indexedDB.open("marquee/" + name, 1);
      request.onupgradeneeded = () => STORES.forEach((store) => request.result.createObjectStore(store));
      database = await result(request);
      const transaction = database.transaction(STORES, "readwrite");
      const keys = result(transaction.objectStore("parts").getAllKeys());
      const all = STORES.map((store) => result(transaction.objectStore(store).getAll()));
      const [[state], records, parts, rows] = await Promise.all(all);
      /**
       * By view and section.
       * @type {Map<string, Uint8Array[][]>}
       */
      const bySection = new Map();
      /** @type {any[]} */ (await keys).forEach(([key, section], i) => {
        const id = key + "\n" + section;
        bySection.set(id, [...(bySection.get(id) ?? []), parts[i]]);
      });
      records.sort((a, b) => b.asOf - a.asOf);
      const views = records.slice(0, MAX_VIEWS).map((record) => viewOf(record, bySection));
      for (const { screen, locale } of records.slice(MAX_VIEWS)) {
        const { key } = new View(screen, locale);
        transaction.objectStore("views").delete(key);
        transaction.objectStore("parts").delete(rangeOf(key));
      }
      return { state, views, rows };
    },

    write: ({ state, strict, views = [], put: rows = [], removed = [] }) =>
      new Promise((resolve, reject) => {
        const transaction = database.transaction(STORES, "readwrite", { durability: strict ? "strict" : "relaxed" });
        const changed = [...views];
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => {
          for (const { view } of changed) missed.add(view);
          reject(transaction.error);
        };
        const [states, viewRecords, parts, rowRecords] = STORES.map((store) => transaction.objectStore(store));
        if (state) states.put(state, 0);
        for (const row of rows) rowRecords.put(row, row.number);
        for (const number of removed) rowRecords.delete(number);
        for (const view of missed) {
          changed.push({ view, changes: new Map(), gone: [] });
          for (const section of view.contents.keys()) put(transaction, view, section);
        }
        missed.clear();
        for (const { view, changes, gone } of changed) {
          const { key, screen, locale, served, options, cut, asOf, contents } = view;
          viewRecords.put({ screen, locale, served, options, cut, asOf, sections: [...contents.keys()] }, key);
          for (const [section, change] of changes) put(transaction, view, section, change);
          for (const section of gone) {
            parts.delete(rangeOf(key, section));
            stored.delete(key + "\n" + section);
          }
        }
      }),

    close: () => database?.close(),
    share: globalThis.navigator?.locks && ((start, receive) => share(name, start, receive)),
  };
}
