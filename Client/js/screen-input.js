// Converts the sections of any client to the form that the element works with.

import { layoutOfBytes } from "./layout-bytes.js";
import { layoutProblem, sectionKinds } from "./layout.js";

/** @typedef {import("./screen-types.js").ScreenSection} ScreenSection */
/** @typedef {import("./screen-types.js").Supplement} Supplement */
/** @typedef {import("./layout.js").Layout} Layout */

/**
 * @typedef {object} SectionInput
 * @property {string} id
 * @property {string} kind The name of its kind.
 * @property {Supplement | null} header
 * @property {Supplement | null} footer
 * @property {Readonly<Record<string, Supplement>>} supplements
 * @property {Layout | null} layout `null` if there is none or it can't be used.
 * @property {readonly {id: string, title?: string}[]} sorts
 * @property {string} sort
 * @property {readonly number[]} windows
 * @property {number} window
 * @property {string} error
 * @property {number} placeholders
 * @property {number} first The place of the first item in the whole list, from 0.
 * @property {readonly import("./screen-types.js").ScreenItem[]} items
 */

/** Layouts already read, for as long as their bytes or values are alive.
 * @type {WeakMap<object, Layout | null>} */
const layouts = new WeakMap();

/** @param {Layout | Uint8Array | null | undefined} given @returns {Layout | null} */
function layoutOf(given) {
  if (!given) return null;
  const known = layouts.get(given);
  if (known !== undefined) return known;
  const layout = given instanceof Uint8Array ? layoutOfBytes(given) : given;
  const usable = layout && layoutProblem(layout) === null ? layout : null;
  layouts.set(given, usable);
  return usable;
}

/** The texts of supplementary views, by kind.
 * @param {ScreenSection["supplements"]} given @returns {Record<string, Supplement>} */
function supplementsOf(given) {
  /** @type {readonly {kind?: string, supplement?: Supplement}[] | null} */
  const named = Array.isArray(given) ? given : null;
  if (named) return Object.fromEntries(named.map(({ kind, supplement }) => [kind ?? "", supplement ?? {}]));
  return { .../** @type {Record<string, Supplement>} */ (given ?? {}) };
}

/** Converts a section, whose head's fields are either in `head` or in the section itself.
 * @param {ScreenSection} section @returns {SectionInput} */
export function sectionInput(section) {
  const head = section.head ?? section;
  const header = head.header ?? (section.title ? { title: section.title } : null);
  const error = section.error ?? head.error;
  return {
    id: section.id, header, footer: head.footer ?? null, supplements: supplementsOf(head.supplements),
    kind: typeof head.kind === "string" ? head.kind : sectionKinds[head.kind ?? 0] ?? `kind-${head.kind}`,
    layout: layoutOf(head.layout), sorts: head.sorts ?? [], sort: head.sort ?? "", windows: head.windows ?? [],
    window: head.window ?? 0, error: typeof error === "string" ? error : error?.message ?? "",
    placeholders: section.placeholders ?? 0, first: head.first ?? 0, items: section.items,
  };
}
