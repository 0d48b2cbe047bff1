// Cases of Proto/vectors/layout: the engine's answer to one, and how two answers differ.

import { SectionFrames, ScreenLayout, designLayout, sectionDesign, sectionKinds } from "../layout.js";

/** @typedef {import("../layout.js").Rect} Rect */

/** The most stops that are listed from either end, and the most items of a rectangle. */
const LISTED_STOPS = 16;
const LISTED_ITEMS = 64;
/** Points by which a number worked out by hand may be off. */
const WORKED_TOLERANCE = 0.0001;

/** Numbers that aren't finite, as protobuf's JSON mapping writes them. */
const NOT_FINITE = new Map([["NaN", NaN], ["Infinity", Infinity], ["-Infinity", -Infinity]]);

/** Parses JSON in which names of numbers that aren't finite stand for those numbers.
 * @param {string} text @returns {any} */
export const parseCase = (text) =>
  JSON.parse(text, (_, value) => (typeof value === "string" ? NOT_FINITE.get(value) ?? value : value));

/** @param {Rect} frame */
const list = ({ x, y, width, height }) => [x, y, width, height];
/** @param {number[]} list @returns {Rect} */
const rect = ([x, y, width, height]) => ({ x, y, width, height });
/** @param {number[]} pair */
const size = ([width, height]) => ({ width, height });
/** @param {Record<string, number[]> | undefined} sizes */
const sizes = (sizes) => new Map(Object.entries(sizes ?? {}).map(([key, pair]) => [Number(key), size(pair)]));
/** @param {import("../layout.js").PlacedView} view @param {number} [item] */
const placed = ({ kind, frame, depth }, item) => ({
  ...(item === undefined ? {} : { item }), kind, frame: list(frame), ...(depth === -Infinity ? {} : { depth }),
});

/** This engine's answer to a case.
 * @param {any} one */
export function answerTo(one) {
  if (one.section) return sectionAnswer(one.section);
  return one.screen ? screenAnswer(one.screen) : designAnswer(one.design);
}

/** @param {any} given */
function sectionAnswer({ contents, container, rightToLeft, surroundings, asked = {} }) {
  const frames = new SectionFrames(contents.layout, size(container), contents.items, {
    measured: sizes(contents.measured), measuredSupplementaries: sizes(contents.measuredSupplementaries), rightToLeft,
    surroundings,
  });
  const items = asked.items ?? Array.from({ length: frames.itemCount }, (_, index) => index);
  const stops = frames.pageStops;
  const { lower, upper } = frames.offsetRange;
  const answer = {
    itemCount: frames.itemCount,
    contentSize: [frames.contentSize.width, frames.contentSize.height],
    frames: items.flatMap((/** @type {number} */ item) => {
      const frame = frames.frameOfItem(item);
      return frame ? [[item, ...list(frame)]] : [];
    }),
    badges: items.flatMap((/** @type {number} */ item) =>
      frames.badgeFramesOfItem(item).map((badge) => placed(badge, item))),
    supplementaries: frames.supplementaryFrames.map((view) => placed(view)),
    stopCount: stops.length,
    stops: Array.from({ length: Math.min(stops.length, 2 * LISTED_STOPS) }, (_, index) => {
      const at = index < LISTED_STOPS ? index : index + Math.max(0, stops.length - 2 * LISTED_STOPS);
      return [at, stops.at(at)];
    }),
    offsetRange: [lower, upper],
    initialOffset: frames.initialOffset,
    visible: frames.visibleItems().slice(0, LISTED_ITEMS).map(({ index }) => index),
    inRects: (asked.rects ?? []).map((/** @type {number[]} */ one) => frames.itemsIn(rect(one)).slice(0, LISTED_ITEMS)),
    showing: (asked.showing ?? []).map((/** @type {number[]} */ [top, height]) =>
      frames.supplementaryFramesShowing(top, height).map(({ frame }) => frame.y)),
    ends: (asked.movements ?? []).map((/** @type {number[]} */ [offset, speed]) => frames.stopAfter(offset, speed)),
  };
  return frames.background ? { ...answer, background: placed(frames.background) } : answer;
}

/** @param {any} given */
function screenAnswer({ sections, container, rightToLeft, asked }) {
  const screen = new ScreenLayout(
    sections.map((/** @type {any} */ contents) => ({
      layout: contents.layout, itemCount: contents.items, measured: sizes(contents.measured),
      measuredSupplementaries: sizes(contents.measuredSupplementaries),
    })), size(container), { rightToLeft });
  /** @type {Map<number, number>} */
  const offsets = new Map(Object.entries(asked.offsets ?? {}).map(([key, offset]) => [Number(key), Number(offset)]));
  const rects = (asked.rects ?? []).map(rect);
  return {
    contentSize: [screen.contentSize.width, screen.contentSize.height],
    sections: sections.map((/** @type {any} */ _, /** @type {number} */ index) =>
      list(/** @type {Rect} */ (screen.frameOfSection(index)))),
    frames: (asked.items ?? []).map((/** @type {number[]} */ [section, item]) => {
      const frame = screen.frameOf({ section, item }, offsets.get(section));
      return frame ? list(frame) : null;
    }),
    sectionsInRects: rects.map((/** @type {Rect} */ one) => screen.sectionsIn(one)),
    inRects: rects.map((/** @type {Rect} */ one) =>
      screen.itemsIn(one, offsets).map(({ section, item }) => [section, item])),
    showing: rects.map((/** @type {Rect} */ one) => sections.map((/** @type {any} */ _, /** @type {number} */ index) =>
      screen.supplementaryFramesOfSection(index, one.y, one.height).map(({ frame }) => frame.y))),
  };
}

/** @param {any} given */
function designAnswer({ kind, onlyWords, header, footer, width }) {
  const design = sectionDesign(sectionKinds[kind] ?? `kind-${kind}`, onlyWords);
  return { design, layout: designLayout(design, { header, footer, width }) };
}

/** Where an answer isn't the expected one, to the last bit; `null` if it is.
 * @param {any} actual @param {any} expected @param {string} [path] @returns {string | null} */
export function difference(actual, expected, path = "answer") {
  if (Object.is(actual, expected)) return null;
  if (typeof actual !== "object" || typeof expected !== "object" || actual === null || expected === null) {
    return `${path} is ${actual}, not ${expected}`;
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const found = difference(actual[key], expected[key], `${path}.${key}`);
    if (found) return found;
  }
  return null;
}

/** Where an answer isn't what was worked out by hand; `null` if nothing contradicts. Frames are those of some
 * items; everything else is whole.
 * @param {any} actual @param {any} worked @returns {string | null} */
export function contradiction(actual, worked) {
  for (const [key, expected] of Object.entries(worked)) {
    const found = key === "frames" && Array.isArray(expected) && Array.isArray(expected[0])
      ? frameContradiction(actual.frames, expected) : near(actual[key], expected, key);
    if (found) return found;
  }
  return null;
}

/** @param {(number[] | null)[]} actual @param {(number[] | null)[]} expected */
function frameContradiction(actual, expected) {
  // Of a section: `[item, x, y, width, height]`. Of a screen, one for each item asked for, without its number.
  if (expected.every((frame) => frame?.length !== 5)) return near(actual, expected, "frames");
  for (const frame of expected) {
    const same = actual.find((other) => other?.[0] === frame?.[0]);
    const found = near(same, frame, `frame of item ${frame?.[0]}`);
    if (found) return found;
  }
  return null;
}

/** @param {any} actual @param {any} expected @param {string} path @returns {string | null} */
function near(actual, expected, path) {
  if (typeof expected === "number") {
    return Math.abs(actual - expected) < WORKED_TOLERANCE ? null : `${path} is ${actual}, not ${expected}`;
  }
  if (typeof expected !== "object" || expected === null) {
    return actual === expected ? null : `${path} is ${actual}, not ${expected}`;
  }
  if (typeof actual !== "object" || actual === null) return `${path} is ${actual}, not ${JSON.stringify(expected)}`;
  if (Array.isArray(expected) && actual.length !== expected.length) {
    return `${path} has ${actual.length} entries, not ${expected.length}`;
  }
  for (const key of Object.keys(expected)) {
    const found = near(actual[key], expected[key], `${path}.${key}`);
    if (found) return found;
  }
  return null;
}
