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
 * All records of a view, or of a section.
 * @param {string[]} key
 */
const rangeOf = (...key) => IDBKeyRange.bound(key, [...key, []]);

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
   * What is stored of each view: its position, and of each section the version and in how many records. Nothing after a
   * write that failed: everything is stored with the next one.
   * @type {Map<string, {cut?: unknown, sections: Map<string, {content: Content, records: number}>}>}
   */
  const stored = new Map();

  return {
    async open() {
      const request = indexedDB.open("marquee/" + name, 1);
      request.onupgradeneeded = () => STORES.forEach((store) => request.result.createObjectStore(store));
      database = await result(request);
      const transaction = database.transaction(STORES, "readwrite");
      const [states, records, parts, rows] = STORES.map((store) => transaction.objectStore(store));
      const views = [];
      const newestFirst = (await result(records.getAll())).sort((a, b) => b.asOf - a.asOf);
      for (const { screen, locale, sections, ...more } of newestFirst) {
        const view = Object.assign(new View(screen, locale), more);
        const { key } = view;
        if (views.length < MAX_VIEWS) {
          const kept = new Map();
          for (const section of sections) {
            const bodies = await result(parts.getAll(rangeOf(key, section)));
            // One that was damaged comes again.
            faultOf(() => kept.set(section, { content: bodies.reduce(replay, EMPTY), records: bodies.length }));
          }
          view.contents = new Map([...kept].map(([section, { content }]) => [section, content]));
          stored.set(key, { sections: kept });
          views.push(view);
        } else {
          records.delete(key);
          parts.delete(rangeOf(key));
        }
      }
      return { state: await result(states.get(0)), views, rows: await result(rows.getAll()) };
    },

    write: ({ state, strict, views = [], put = [], removed = [] }) =>
      new Promise((resolve, reject) => {
        const transaction = database.transaction(STORES, "readwrite", { durability: strict ? "strict" : "relaxed" });
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => {
          stored.clear();
          reject(transaction.error);
        };
        const [states, records, parts, rows] = STORES.map((store) => transaction.objectStore(store));
        if (state) states.put(state, 0);
        for (const row of put) rows.put(row, row.number);
        for (const number of removed) rows.delete(number);
        for (const { key, screen, locale, served, options, cut, asOf, contents } of views) {
          const before = stored.get(key);
          if (before?.cut === cut) continue;
          if (!before) parts.delete(rangeOf(key));
          records.put({ screen, locale, served, options, cut, asOf, sections: [...contents.keys()] }, key);
          const sections = new Map();
          stored.set(key, { cut, sections });
          for (const [section, content] of contents) {
            const known = before?.sections.get(section);
            sections.set(section, known);
            if (known?.content === content) continue;
            const { base, bodies } = content;
            const appends = known && known.records < MAX_RECORDS && known.content === base;
            if (!appends) parts.delete(rangeOf(key, section));
            // Copies: the bytes of a body may be a small part of a large buffer.
            const received = (appends || base === EMPTY) && bodies?.map((body) => body.slice());
            const count = appends ? known.records : 0;
            parts.put(received || [wholePart(content)], [key, section, count]);
            sections.set(section, { content, records: count + 1 });
          }
          for (const section of before?.sections.keys() ?? [])
            if (!sections.has(section)) parts.delete(rangeOf(key, section));
        }
      }),

    close: () => database?.close(),
    share: globalThis.navigator?.locks && ((start, receive) => share(name, start, receive)),
  };
}
