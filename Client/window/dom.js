// Elements of the page. Texts only ever become text nodes.

/**
 * An element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} [attributes] Functions
 *   are listeners, by `on` and the event's name; `true` is an attribute without a value, `null` and `false` are none.
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : `${value}`);
  }
  element.append(...children.flatMap((child) => (child || child === "" ? [child] : [])));
  return element;
}

/** An element of the page that has to be there.
 * @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no ${id}`);
  return element;
}

/** Bytes in words.
 * @param {number} bytes */
export function bytesText(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1 << 20 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`;
}

/** A time of day.
 * @param {number} time In milliseconds since 1970. */
export const clock = (time) => new Date(time).toLocaleTimeString([], { hour12: false });

/** A number and its noun: `1 row`, `2 rows`.
 * @param {number} count @param {string} noun @param {string} [nouns] */
export const counted = (count, noun, nouns = `${noun}s`) => `${count} ${count === 1 ? noun : nouns}`;
