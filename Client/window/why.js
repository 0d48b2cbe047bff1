// Why an item is where it is: what the page knows of its section, its place and its frame, and the programme's lines.

import { make } from "./dom.js";
import { targetOf } from "./presets.js";
import { Scrolling } from "../js/layout.js";

/** @typedef {import("../js/screen.js").MarqueeScreen} ScreenElement */
/** @typedef {import("../js/layout.js").Layout} Layout */
/** @typedef {import("../js/layout.js").LayoutNode} LayoutNode */
/** @typedef {import("../js/layout.js").Dimension} Dimension */

/** Lines of the programme that are shown of one section. */
const LINES = 40;

/** @param {number} value */
const points = (value) => `${Math.round(value * 100) / 100}`;

/** @param {{x: number, y: number, width: number, height: number}} frame */
const frameText = ({ x, y, width, height }) => `${points(x)}, ${points(y)} · ${points(width)} × ${points(height)}`;

/** A length as a programme writes it.
 * @param {Dimension | undefined} dimension */
function lengthText({ unit = 0, value = 0 } = {}) {
  return `${["", "fw", "fh", "abs", "est"][unit] ?? ""} ${points(value)}`.trim();
}

/** @param {import("../js/layout.js").Insets | undefined} insets */
const insetsText = ({ top = 0, leading = 0, bottom = 0, trailing = 0 } = {}) => [top, leading, bottom, trailing].map(points).join(" / ");

/** A node of a layout in words.
 * @param {LayoutNode} node */
function nodeText({ type = 0, width, height, insets, count, spacing, children = [] }) {
  const kind = type === 2 ? "row" : type === 3 ? "column" : "item";
  const parts = [`${kind}, ${lengthText(width)} × ${lengthText(height)}`];
  if (count) parts.push(`count ${count}`);
  else if (children.length > 1) parts.push(`${children.length} parts, repeated`);
  if (spacing) parts.push(`spacing ${points(spacing)}`);
  if (insets) parts.push(`insets ${insetsText(insets)}`);
  return parts.join(", ");
}

/** The numbers of an item's place, from the screen to its frame.
 * @param {ScreenElement} element @param {string} section @param {string} item @param {number} index
 * @returns {[string, string][]} */
function arithmetic(element, section, item, index) {
  const place = element.layoutOf(section);
  if (!place) return [];
  const { layout, frames, top } = place;
  const own = frames.frameOfItem(index);
  const name = Object.entries(Scrolling).find(([, value]) => value === frames.scrolling)?.[0] ?? "none";
  /** @type {[string, string][]} */
  const lines = [["Screen", `${points(frames.container.width)} × ${points(frames.container.height)}`]];
  if (layout.insets) lines.push(["Section's insets", `${insetsText(layout.insets)}`]);
  for (const [depth, node] of (layout.nodes ?? []).slice(0, 6).entries())
    lines.push([depth === 0 ? "Group" : "In it", nodeText(node)]);
  if (layout.spacing) lines.push(["Spacing of groups", points(layout.spacing)]);
  if (name !== "none") lines.push(["Scrolls sideways", name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)]);
  for (const view of frames.supplementaryFrames) lines.push([view.kind === "header" ? "Header" : view.kind, frameText(view.frame)]);
  lines.push(["Section begins at", `y ${points(top)}, and is ${points(frames.contentSize.height)} high`]);
  if (own) lines.push(["Item in its section", frameText(own)]);
  const shown = element.frameOf(section, item);
  if (shown) lines.push(["Item on the screen", `${frameText(shown)}`]);
  if (frames.isRightToLeft) lines.push(["Mirrored", "yes, as it is read from right to left"]);
  return lines;
}

/**
 * The lines of a programme that define a section; empty if it has none, as for sections of the catalogue's pages.
 * @param {string} programme @param {string} screen As in `team/foundry`. @param {string} section
 * @returns {{number: number, text: string}[]}
 */
export function linesOf(programme, screen, section) {
  const lines = programme.split("\n");
  const family = screen.split("/")[0];
  const indent = (/** @type {string} */ line) => line.length - line.trimStart().length;
  const start = lines.findIndex((line) => /^screens:/.test(line));
  if (start < 0) return [];
  const isScreen = (/** @type {string} */ line) => {
    const name = /^\s+["']?([^"':]+?)["']?:\s*(#.*)?$/.exec(line)?.[1];
    return name !== undefined && name.split("/")[0] === family && (name.includes("/") === screen.includes("/"));
  };
  const first = lines.findIndex((line, at) => at > start && isScreen(line));
  if (first < 0) return [];
  for (let at = first + 1; at < lines.length; at += 1) {
    if (lines[at].trim() && indent(lines[at]) <= indent(lines[first])) break;
    const match = /^\s*-\s+(?:\{\s*)?id:\s*["']?([^"',}\s]+)/.exec(lines[at]);
    if (match?.[1] !== section) continue;
    let end = at + 1;
    while (end < lines.length && end - at < LINES && (!lines[end].trim() || indent(lines[end]) > indent(lines[at]))) end += 1;
    const own = lines.slice(at, end);
    while (own.length && !own[own.length - 1].trim()) own.pop();
    return own.map((text, line) => ({ number: at + line + 1, text: text.slice(indent(lines[at])) }));
  }
  return [];
}

/** @param {[string, string | Node][]} pairs */
const table = (pairs) => make("dl", { class: "facts" },
  ...pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));

/**
 * Explains an item.
 * @param {ScreenElement} element @param {string} section @param {string} item
 * @param {string | null} programme Its text, if it may be known and there is one.
 * @param {ReadonlySet<string>} families Of the screens that there are: `detail` of `detail/27205`.
 * @param {(target: string) => void} follow @param {(line: number) => void} edit Edits the programme, at a line.
 * @returns {HTMLElement | null}
 */
export function explain(element, section, item, programme, families, follow, edit) {
  const shown = element.content?.sections.find(({ id }) => id === section);
  const index = shown?.items.findIndex(({ id }) => id === item) ?? -1;
  if (!shown || index < 0) return null;
  const found = shown.items[index];
  const head = shown.head ?? shown;
  const screen = element.screen ?? "";
  const target = targetOf(found, families);
  /** @type {[string, string | Node][]} */
  const where = [
    ["Screen", screen], ["Section", `${section} (${element.layoutOf(section)?.kind ?? ""})`],
    ["Place", `${index + 1} of ${shown.items.length}`],
  ];
  if (head.sort) where.push(["Sort", head.sort]);
  if (head.window) where.push(["Window", `${head.window} of ${(head.windows ?? []).join(", ")}`]);
  where.push(["Item", item]);
  if (found.subject) where.push(["Record", found.subject]);
  const lines = programme === null ? [] : linesOf(programme, screen, section);
  return make("div", { class: "why" },
    make("h3", {}, found.card?.title || item),
    target ? make("button", { type: "button", onclick: () => follow(target) }, `Open ${target}`) : null,
    table(where),
    make("h4", {}, "The programme's lines"),
    ...lines.length ? [
      make("ol", { class: "code", start: `${lines[0].number}` },
        ...lines.map(({ text, number }) => make("li", { value: `${number}` }, make("code", {}, text || " ")))),
      make("button", { type: "button", class: "link", onclick: () => edit(lines[0].number) }, "Edit these lines"),
    ] : [make("p", { class: "note" }, programme === null
      ? "The programme isn't shown: none was published, or this client may not publish one."
      : "The programme doesn't name this section; it may come from a page of the catalogue.")],
    make("h4", {}, "The frame"), table(arithmetic(element, section, item, index)),
    make("p", { class: "note" }, "In points; insets are top / leading / bottom / trailing, frames x, y · width × height."));
}
