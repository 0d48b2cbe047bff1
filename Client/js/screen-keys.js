// Keyboard navigation: finds the item that a key moves the focus to, by the frames of a screen.

/** @typedef {import("./layout.js").ScreenLayout} ScreenLayout */
/** @typedef {import("./layout.js").ItemPosition} ItemPosition */
/** @typedef {import("./layout.js").Rect} Rect */

/** How much more a point of distance across the direction counts than one along it. */
const ASIDE = 2;

/**
 * The item that a key moves the focus to; `null` if there is none, or the key isn't an arrow, Home or End.
 * @param {ScreenLayout} layout @param {ItemPosition} from @param {string} key Of a keyboard event.
 * @param {(section: number) => number | undefined} offset How far a section is scrolled sideways.
 * @returns {ItemPosition | null}
 */
export function neighbour(layout, from, key, offset) {
  const frames = layout.sections[from.section];
  const last = frames.itemCount - 1;
  switch (key) {
    case "Home": return from.item === 0 ? null : { section: from.section, item: 0 };
    case "End": return from.item === last ? null : { section: from.section, item: last };
    case "ArrowLeft": return within(layout, from, -1, 0);
    case "ArrowRight": return within(layout, from, 1, 0);
    case "ArrowUp": return within(layout, from, 0, -1) ?? beyond(layout, from, -1, offset);
    case "ArrowDown": return within(layout, from, 0, 1) ?? beyond(layout, from, 1, offset);
    default: return null;
  }
}

/** The nearest item of the same section in a direction.
 * @param {ScreenLayout} layout @param {ItemPosition} from @param {number} dx @param {number} dy
 * @returns {ItemPosition | null} */
function within(layout, from, dx, dy) {
  const frames = layout.sections[from.section];
  const own = frames.frameOfItem(from.item);
  if (!own) return null;
  const { width, height } = frames.container;
  // The nearest item in that direction, if there is one, is within a screen's width or height.
  const window = {
    x: dx > 0 ? centre(own).x : own.x - width, y: dy === 0 ? own.y : dy > 0 ? centre(own).y : own.y - height,
    width: dx === 0 ? 2 * width + own.width : width + own.width, height: dy === 0 ? own.height : height + own.height,
  };
  const item = nearest(frames.itemsIn(window), from.item, own, frames, dx, dy);
  return item === null ? null : { section: from.section, item };
}

/** The nearest item in the next section above or below that has any.
 * @param {ScreenLayout} layout @param {ItemPosition} from @param {number} dy
 * @param {(section: number) => number | undefined} offset @returns {ItemPosition | null} */
function beyond(layout, from, dy, offset) {
  const own = layout.frameOf(from, offset(from.section));
  if (!own) return null;
  for (let section = from.section + dy; section >= 0 && section < layout.sections.length; section += dy) {
    const frames = layout.sections[section];
    if (frames.itemCount === 0) continue;
    const x = offset(section) ?? frames.initialOffset;
    const { width, height } = frames.contentSize;
    const window = { x, y: 0, width: Math.min(width, frames.container.width), height };
    const shown = frames.itemsIn(window);
    const tops = shown.map((item) => topOf(frames, item));
    const edge = dy > 0 ? Math.min(...tops) : Math.max(...tops);
    const row = shown.filter((item) => topOf(frames, item) === edge);
    const goal = centre(own).x + x;
    const item = row.sort((a, b) => aside(frames, a, goal) - aside(frames, b, goal))[0];
    return { section, item: item ?? (dy > 0 ? 0 : frames.itemCount - 1) };
  }
  return null;
}

/** @param {Rect} r */
const centre = (r) => ({ x: r.x + r.width / 2, y: r.y + r.height / 2 });
/** @param {import("./layout.js").SectionFrames} frames @param {number} item */
const topOf = (frames, item) => frames.frameOfItem(item)?.y ?? 0;
/** @param {import("./layout.js").SectionFrames} frames @param {number} item @param {number} x */
const aside = (frames, item, x) => {
  const frame = frames.frameOfItem(item);
  return frame ? Math.abs(centre(frame).x - x) : Infinity;
};

/** @param {number[]} items @param {number} except @param {Rect} own @param {import("./layout.js").SectionFrames} frames
 * @param {number} dx @param {number} dy */
function nearest(items, except, own, frames, dx, dy) {
  const from = centre(own);
  let [best, least] = [/** @type {number | null} */ (null), Infinity];
  for (const item of items) {
    const frame = frames.frameOfItem(item);
    if (item === except || !frame) continue;
    const to = centre(frame);
    const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
    if (along <= 1) continue;
    const away = along + ASIDE * Math.abs((to.x - from.x) * dy + (to.y - from.y) * dx);
    if (away < least) [best, least] = [item, away];
  }
  return best;
}
