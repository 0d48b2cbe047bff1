// What can be edited: a record, the programme, the types. Each is text, and a change that puts it there.

import { Refusal } from "./api.js";
import { placeOf } from "./json-places.js";

/** @typedef {import("./api.js").NamedChange} NamedChange */
/** @typedef {import("./api.js").Mistake} Mistake */
/** @typedef {import("./api.js").Api} Api */

/** Something as the server stores it.
 * @typedef {{text: string, descriptors?: string}} Stored `descriptors` belong to types, and aren't edited. */

/** A mistake in words, and where it is in the text, if that is known.
 * @typedef {{words: string, offset: number | null}} PlacedMistake */

/**
 * @typedef {object} Kind
 * @property {string} key A unique key, by which versions are kept.
 * @property {string} title
 * @property {(named: NamedChange) => boolean} isChangedBy
 * @property {(api: Api) => Promise<Stored>} read
 * @property {(stored: Stored) => string} change The change that puts it there, as JSON. Throws a `Refusal` for text that
 *   can't be one.
 * @property {(text: string, mistake: Mistake) => PlacedMistake[]} place
 */

/** @param {string} type @param {string} id @returns {Kind} */
export function recordKind(type, id) {
  return {
    key: `record ${type}/${id}`,
    title: `${type}/${id}`,
    isChangedBy: (named) => named.type === type && named.id === id,
    read: async (api) => {
      const text = await api.text(`/v1/records/${encodeURIComponent(type)}/${encodeURIComponent(id)}`);
      return { text: JSON.stringify(JSON.parse(text), null, 2) };
    },
    change: ({ text }) => {
      try {
        JSON.parse(text);
      } catch (error) {
        throw new Refusal(422, { mistakes: [{ reason: "NOT_JSON", detail: `this isn't JSON: ${error}` }] });
      }
      // The text itself, whose numbers may have more digits than a page's.
      return `{"put":{"type":${JSON.stringify(type)},"id":${JSON.stringify(id)},"record":${text}}}`;
    },
    place: (text, { path = "", reason, detail }) => {
      if (reason === "NOT_JSON") return [placeOfError(text, detail)];
      const place = placeOf(text, path);
      const words = place ? `Line ${place.line}: ${detail}` : path ? `${path}: ${detail}` : detail;
      return [{ words, offset: place?.offset ?? null }];
    },
  };
}

/**
 * Browsers say where text stops being JSON: at a line and a column, or at a position.
 * @param {string} text @param {string} words @returns {PlacedMistake}
 */
function placeOfError(text, words) {
  const line = Number(/line (\d+)/.exec(words)?.[1]);
  const position = Number(/position (\d+)/.exec(words)?.[1]);
  const found = line || (position >= 0 ? text.slice(0, position).split("\n").length : 0);
  if (!found) return { words, offset: null };
  const offset = text.split("\n").slice(0, found - 1).reduce((sum, before) => sum + before.length + 1, 0);
  return { words: `Line ${found}: ${words}`, offset };
}

/** @type {Kind} */
export const programmeKind = {
  key: "programme",
  title: "The programme",
  isChangedBy: ({ change }) => change === "programme",
  read: async (api) => {
    try {
      return { text: (await api.json("/v1/programme")).programme };
    } catch (error) {
      if (error instanceof Refusal && error.reason === "NO_PROGRAMME") return { text: "" };
      throw error;
    }
  },
  change: ({ text }) => JSON.stringify({ programme: text }),
  place: placesByLine,
};

/** @type {Kind} */
export const typesKind = {
  key: "types",
  title: "The types",
  isChangedBy: ({ change }) => change === "types",
  read: async (api) => {
    const { types: { declarations, descriptors } } = await api.json("/v1/types");
    return { text: declarations, descriptors };
  },
  change: ({ text, descriptors }) => JSON.stringify({ types: { declarations: text, descriptors } }),
  place: placesByLine,
};

/** Mistakes of a text, each on a line of `detail`, such as `programme:12: a section needs 'id'`.
 * @param {string} text @param {Mistake} mistake @returns {PlacedMistake[]} */
function placesByLine(text, { detail }) {
  return detail.split("\n").map((one) => {
    const [, line, column, words] = /^[\w.-]+:(\d+)(?::(\d+))?: (.*)$/.exec(one) ?? [];
    const offset = line ? offsetOfLine(text, Number(line)) : null;
    if (offset === null) return { words: one, offset };
    return { words: `Line ${line}${column ? `, column ${column}` : ""}: ${words}`, offset };
  });
}

/** Where a line begins; `null` if there is none.
 * @param {string} text @param {number} line Counted from 1. */
export function offsetOfLine(text, line) {
  const lines = text.split("\n");
  return line < 1 || line > lines.length ? null : lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
}
