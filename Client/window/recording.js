// What a device showed, as text that can be kept: its first state, and the differences of each later one. And back.

/** @typedef {import("../js/screen-types.js").Screen} Screen */
/** @typedef {import("../js/screen-types.js").ScreenItem} ScreenItem */
/** @typedef {import("../js/screen-types.js").SectionHead} SectionHead */

/**
 * @typedef {object} Device The device that was recorded.
 * @property {number} width In points.
 * @property {number} height
 * @property {string} locale As asked for.
 * @property {string} theme
 * @property {string} direction `auto`, `rtl`.
 * @property {string} words The device in words.
 */

/** A section of a state. What is absent is as in the state before; all of the first one is there.
 * @typedef {{id: string, head?: SectionHead, title?: string, error?: string | null, order?: string[],
 *   items?: ScreenItem[]}} StepSection `items` are new or different. */

/** A state, `at` milliseconds after the beginning.
 * @typedef {{at: number, screen: string, locale?: string, title?: string, sections: StepSection[]}} Step */

/** @typedef {{version: 1, device: Device, began: number, duration: number, steps: Step[]}} Recording `began` in
 *   milliseconds since 1970. */

/** A state that is played.
 * @typedef {{at: number, screen: string, state: Screen}} Moment */

/** @param {unknown} a @param {unknown} b */
const areEqual = (a, b) => a === b || textOf(a) === textOf(b);

/** JSON, in which bytes are base64.
 * @param {unknown} value */
export const textOf = (value) => JSON.stringify(value, (_, part) => {
  if (part instanceof Uint8Array) return { $bytes: btoa(String.fromCharCode(...part)) };
  return typeof part === "bigint" ? `${part}` : part;
});

/** @param {string} text */
export const valueOf = (text) => JSON.parse(text, (_, part) =>
  typeof part?.$bytes === "string" ? Uint8Array.from(atob(part.$bytes), (character) => character.charCodeAt(0)) : part);

/** An item, as far as it is shown.
 * @param {ScreenItem} item @returns {ScreenItem} */
function plain({ id, subject, favorite, card }) {
  // The record behind a card isn't shown.
  const { record, ...shown } = /** @type {any} */ (card ?? {});
  return { id, subject, favorite, card: card ? shown : undefined };
}

/** @param {SectionHead["error"]} error */
const errorText = (error) => (typeof error === "object" ? error?.message ?? null : error ?? null);

/** The difference between a state and the one before.
 * @param {Screen | null} before Of the same screen; `null` for none. @param {Screen} now @param {string} screen
 * @param {number} at @returns {Step} */
export function stepBetween(before, now, screen, at) {
  const known = new Map(before?.sections.map((section) => [section.id, section]));
  const sections = now.sections.map((section) => {
    const old = known.get(section.id);
    /** @type {StepSection} */
    const step = { id: section.id };
    if (!old || !areEqual(old.head, section.head)) step.head = section.head;
    if (!old || old.title !== section.title) step.title = section.title ?? "";
    if (!old || errorText(old.error) !== errorText(section.error)) step.error = errorText(section.error);
    if (old?.items === section.items) return step;
    const items = new Map(old?.items.map((item) => [item.id, item]));
    const different = section.items.filter((item) => {
      const known = items.get(item.id);
      return known !== item && !(known && areEqual(plain(known), plain(item)));
    });
    if (different.length) step.items = different.map(plain);
    const order = section.items.map(({ id }) => id);
    if (order.join("\n") !== old?.items.map(({ id }) => id).join("\n")) step.order = order;
    return step;
  });
  return { at, screen, locale: now.locale, title: now.title, sections };
}

/** The states of a recording.
 * @param {Recording} recording @returns {Moment[]} */
export function momentsOf({ steps }) {
  /** @type {Moment[]} */
  const moments = [];
  for (const { at, screen, locale, title, sections } of steps) {
    const last = moments[moments.length - 1];
    const known = new Map(last?.screen === screen ? last.state.sections.map((section) => [section.id, section]) : []);
    const shown = sections.map(({ id, order, items, ...rest }) => {
      const old = known.get(id);
      if (!order && !items) return { items: [], ...old, ...rest, id };
      const all = new Map([...old?.items ?? [], ...items ?? []].map((item) => [item.id, item]));
      const ids = order ?? old?.items.map((item) => item.id) ?? [];
      return { ...old, ...rest, id, items: ids.flatMap((one) => all.get(one) ?? []) };
    });
    moments.push({ at, screen, state: { locale, title, sections: shown } });
  }
  return moments;
}
