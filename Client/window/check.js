// A change before it is published: what the screen that is shown would become, and what that costs.

import { Refusal } from "./api.js";
import { sentences } from "./changes.js";
import { bytesText } from "./dom.js";
import { languageOf } from "./stage.js";

/** The screen that is shown, with what a person has chosen on it.
 * @typedef {{screen: string, locale: string, sorts: Record<string, string>, windows: Record<string, number>}} Shown */

/** A section and an item as the server writes them in JSON (Docs/cli-output.md).
 * @typedef {{id: string, title?: string, items?: JSONItem[]}} JSONSection */
/** @typedef {{id: string, content?: any}} JSONItem */
/** @typedef {import("../js/src/changes.js").Change} Change */
/** @typedef {Change & {item?: JSONItem, content?: JSONSection, head?: JSONSection}} Operation */
/** @typedef {import("./changes.js").NamedScreen} NamedScreen */

/**
 * Looks for mistakes, and for the update that each client with a screen would be sent.
 * @param {import("./api.js").Api} api
 * @param {string} change As JSON.
 * @param {Shown} shown
 * @returns {Promise<{words: string, rows: string[]}>}
 * @throws {Refusal} for mistakes
 */
export async function checkOf(api, change, shown) {
  const { screen, locale } = shown;
  const parameters = parametersOf(shown);
  try {
    const before = named(await api.json(`/v1/screens/${encodeURIComponent(screen)}?${parameters}`));
    const path = `/v1/publish?dry-run&preview=${encodeURIComponent(screen)}&${parameters}`;
    const { preview: { bytes, operations } } = await api.json(path, { method: "POST", body: change });
    const who = `each client that shows ${screen} in ${languageOf(locale)}`;
    if (!bytes) return { words: `No mistakes. Nothing changes for ${who}.`, rows: [] };
    return {
      words: `No mistakes. Publishing it sends ${bytesText(bytes)} to ${who}${operations.length ? ":" : "."}`,
      rows: sentences(before, overlaid(before, operations), operations),
    };
  } catch (error) {
    // A change without mistakes may end the screen that is shown.
    if (!(error instanceof Refusal) || error.mistakes.length || [401, 403].includes(error.status)) throw error;
    if (error.status === 501)
      return { words: "This server can't check; mistakes are found when it is published.", rows: [] };
    // A section with choices of a person may be gone.
    if (error.reason === "UNKNOWN_SECTION" && Object.keys({ ...shown.sorts, ...shown.windows }).length)
      return checkOf(api, change, { screen, locale, sorts: {}, windows: {} });
    await api.text("/v1/publish?dry-run", { method: "POST", body: change });
    return { words: `No mistakes. But ${screen} couldn't be shown: ${error.message}.`, rows: [] };
  }
}

/** @param {Shown} shown */
function parametersOf({ locale, sorts, windows }) {
  const parameters = new URLSearchParams({ locale });
  for (const [section, sort] of Object.entries(sorts)) parameters.set(`sort.${section}`, sort);
  for (const [section, window] of Object.entries(windows)) parameters.set(`window.${section}`, `${window}`);
  return `${parameters}`;
}

/** @param {{sections: JSONSection[]}} screen @returns {NamedScreen} */
const named = ({ sections }) => ({ sections: sections.map(namedSection) });

/** @param {JSONSection} section */
const namedSection = ({ id, title, items = [] }) => ({ id, title, items: items.map(namedItem) });

/** @param {JSONItem} item */
function namedItem({ id, content }) {
  // The record behind a card is bytes.
  const { record, ...card } = content ?? {};
  return { id, card };
}

/**
 * The screen with the things that operations name, as they will be. Places are the old ones; operations have their own.
 * @param {NamedScreen} before @param {Operation[]} operations @returns {NamedScreen}
 */
function overlaid({ sections }, operations) {
  const byItem = (/** @type {NamedScreen["sections"][number]} */ section) =>
    ({ ...section, items: new Map(section.items.map((one) => [one.id, one])) });
  const after = new Map(sections.map((section) => [section.id, byItem(section)]));
  for (const { op, section, item, content, head } of operations) {
    const known = after.get(section);
    if (op === "section-insert" && content) after.set(section, byItem(namedSection(content)));
    else if (op === "section-update" && known && head) known.title = head.title;
    else if (item && known) known.items.set(item.id, namedItem(item));
  }
  return { sections: [...after.values()].map(({ items, ...rest }) => ({ ...rest, items: [...items.values()] })) };
}
