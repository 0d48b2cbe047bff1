// The changes of a screen in words.

import { counted } from "./dom.js";

/** A screen, as far as its changes are told.
 * @typedef {{sections: readonly {id: string, title?: string, items: readonly {id: string, card?: any}[]}[]}} NamedScreen */
/** @typedef {import("../js/src/changes.js").Change} Change */

/** Sentences for one change of a screen; the rest is counted. */
const SENTENCES = 12;
/** Fields of a card that are named, and characters of a value. */
const FIELDS = 3;
const VALUE_LENGTH = 48;

/** A value of a card, as a person sees it.
 * @param {any} value @returns {string} */
function textOf(value) {
  if (typeof value !== "object" || value === null) return `${value}`;
  if (Array.isArray(value)) return value.map(textOf).join(", ") || "nothing";
  if (value.text || value.title || value.name) return `${value.text ?? value.title ?? value.name}`;
  return Object.entries(value).map(([name, part]) => (name === "value" ? textOf(part) : `${name} ${textOf(part)}`)).join(" ");
}

/** @param {unknown} value */
function short(value) {
  const text = textOf(value);
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}…` : text;
}

/** The fields in which two cards differ, in words.
 * @param {any} before @param {any} after */
function differences(before, after) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]));
  const words = changed.slice(0, FIELDS).map((name) => {
    const [from, to] = [before?.[name], after?.[name]];
    if (from === undefined) return `${name} is now ${short(to)}`;
    return to === undefined ? `${name} is gone` : `${name} ${short(from)} → ${short(to)}`;
  });
  return changed.length > FIELDS ? [...words, counted(changed.length - FIELDS, "more field")] : words;
}

/** @param {NamedScreen | undefined} screen @param {string} section */
const sectionOf = (screen, section) => screen?.sections.find(({ id }) => id === section);

/** @param {NamedScreen | undefined} screen @param {string} section @param {string | undefined} id */
const itemOf = (screen, section, id) => sectionOf(screen, section)?.items.find((item) => item.id === id);

/** @param {NamedScreen} screen @param {string} section */
const titleOf = (screen, section) => sectionOf(screen, section)?.title || section;

/** @param {NamedScreen} before @param {NamedScreen} after @param {Change} change */
function sentence(before, after, { op, section, id, from = 0, to = 0 }) {
  const place = titleOf(op === "section-delete" ? before : after, section);
  switch (op) {
    case "section-insert": return `The section ${place} is new`;
    case "section-delete": return `The section ${place} is gone`;
    case "section-move": return `The section ${place} moved from place ${from + 1} to ${to + 1}`;
    case "section-update": {
      const known = titleOf(before, section);
      return known === place ? `The head of ${place} changed` : `The section ${known} is called ${place}`;
    }
  }
  const [old, now] = [itemOf(before, section, id), itemOf(after, section, id)];
  const name = (now ?? old)?.card?.title || id;
  switch (op) {
    case "insert": return `${name} appeared in ${place}, at ${to + 1}`;
    case "delete": return `${name} left ${place}`;
    case "move": return `${name} moved in ${place}, from ${from + 1} to ${to + 1}`;
    default: {
      const fields = differences(old?.card, now?.card);
      return `${name} in ${place}${fields.length ? `: ${fields.join(", ")}` : " changed"}`;
    }
  }
}

/**
 * What changed, a sentence for each row.
 * @param {NamedScreen} before @param {NamedScreen} after @param {readonly Change[]} changes
 */
export function sentences(before, after, changes) {
  const words = changes.slice(0, SENTENCES).map((change) => sentence(before, after, change));
  return changes.length > SENTENCES ? [...words, `and ${counted(changes.length - SENTENCES, "more change")}`] : words;
}
