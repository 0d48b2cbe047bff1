// The request for a preview, as people write it and as they read it: a reader, a moment, a draft.

import { counted } from "./dom.js";

/**
 * @typedef {object} Wanted
 * @property {string[]} reader Claims and audiences, such as `plan=free`; none for the page's own reader.
 * @property {number | null} at In milliseconds since 1970; `null` for now.
 * @property {string | null} draft
 */

/** Sections of an audience that are named; the rest is counted. */
const SECTIONS = 4;

/** The claims and audiences of a text such as `plan=free, audience=korea`. The server says what is wrong with one.
 * @param {string} text */
export const readerOf = (text) => (text.trim() ? text.split(",").map((one) => one.trim()) : []);

/** The moment of a field for date and time, which are in the browser's zone; `null` if there is none.
 * @param {string} text Such as `2026-12-24T20:00`. */
export function momentOf(text) {
  const time = new Date(text).getTime();
  return Number.isFinite(time) ? time : null;
}

/** A moment as the text of such a field, to the minute.
 * @param {number} moment */
export function fieldText(moment) {
  const date = new Date(moment);
  const two = (/** @type {number} */ number) => `${number}`.padStart(2, "0");
  const day = [`${date.getFullYear()}`.padStart(4, "0"), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** @param {number} moment */
const momentText = (moment) => new Date(moment).toLocaleString([], {
  weekday: "short", year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit",
  timeZoneName: "short",
});

/** A request in words.
 * @param {Wanted} wanted */
export function wordsOf({ reader, at, draft }) {
  const parts = [
    ...(reader.length ? [`as ${reader.join(", ")}`] : []), at === null ? "now" : `on ${momentText(at)}`,
    ...(draft ? [`with the draft ${draft}`] : []),
  ];
  return parts.join(" · ");
}

/** Whose values sections show, in words; empty if no section has values by audience.
 * @param {readonly {title: string, audiences: readonly string[]}[]} sections An empty audience is everybody else. */
export function audiencesText(sections) {
  /** @type {Map<string, string[]>} */
  const titles = new Map();
  for (const { title, audiences } of sections)
    for (const one of new Set(audiences)) titles.set(one, [...(titles.get(one) ?? []), title]);
  const parts = [...titles].map(([audience, all]) => {
    const rest = all.length - SECTIONS;
    const named = all.slice(0, SECTIONS).join(", ") + (rest > 0 ? ` and ${counted(rest, "more section")}` : "");
    return `${named} for ${audience || "everybody else"}`;
  });
  return parts.length ? `By audience: ${parts.join("; ")}.` : "";
}
