// Creates elements. Texts only ever become text nodes, never markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an element with a class name, which is also the name of its `part`.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {string} [name] @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, name, ...children) {
  const element = document.createElement(tag);
  if (name) {
    element.className = name;
    element.setAttribute("part", name);
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** @param {string} tag @param {Record<string, string | number>} attributes @param {...Node} children */
export function shape(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** @type {Record<string, {d: string, filled?: boolean}>} */
const ICONS = {
  star: { d: "M12 2.6l2.9 6 6.5.9-4.7 4.6 1.1 6.5L12 17.5l-5.8 3.1 1.1-6.5L2.600 9.500l6.500-.9z", filled: true },
  up: { d: "M5 15l7-7 7 7" },
  down: { d: "M5 9l7 7 7-7" },
  minus: { d: "M5 12h14" },
  plus: { d: "M12 5v14M5 12h14" },
  check: { d: "M5 12.500l5 5L19.500 7" },
  play: { d: "M7 4.500v15l13-7.500z", filled: true },
  info: { d: "M12 11v6M12 7.200v.1M12 21a9 9 0 100-18 9 9 0 000 18z" },
  next: { d: "M9 5l7 7-7 7" },
};

/** An icon, hidden from screen readers.
 * @param {string} name */
export function icon(name) {
  const { d, filled } = ICONS[name] ?? ICONS.next;
  const path = shape("path", { d });
  return shape(
    "svg", { class: `icon ${name}${filled ? " filled" : ""}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
}

/** Moves an element to a frame in its container.
 * @param {HTMLElement} element
 * @param {import("./layout.js").Rect} frame */
export function place(element, frame) {
  moveTo(element, frame.x, frame.y);
  element.style.width = `${frame.width}px`;
  element.style.height = `${frame.height}px`;
}

/** @param {HTMLElement} element @param {number} x @param {number} y */
export function moveTo(element, x, y) {
  element.style.translate = `${x}px ${y}px`;
}

/** Whether the browser can move an element in the document without removing it. */
const MOVES_BEFORE = "moveBefore" in Element.prototype;

/** Puts these children first, in this order, which screen readers follow. In a browser that can only move an element by
 * removing it, that would stop an animation or take the focus away; there, reordering waits until neither applies.
 * @param {HTMLElement} parent @param {HTMLElement[]} children @param {boolean} isMoving */
export function orderChildren(parent, children, isMoving) {
  if (!MOVES_BEFORE && (isMoving || parent.matches(":focus-within"))) return;
  let next = parent.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else if (MOVES_BEFORE) /** @type {any} */ (parent).moveBefore(child, next);
    else parent.insertBefore(child, next);
  }
}
