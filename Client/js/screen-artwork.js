// A generated picture in place of a missing image. The same name always gives the same picture, at any size.

import { shape } from "./screen-dom.js";

const LIGHT = "#ffebcb";
const MOTIFS = 5;

/** A generator of pseudo-random numbers in 0..<1, seeded with a text (FNV-1a for the seed, mulberry32 for the numbers).
 * @param {string} text */
function numbersOf(text) {
  let seed = 0x811c9dc5;
  for (const character of text) seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let word = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 4294967296;
  };
}

/** Hue in degrees, and saturation and lightness in percent, of `#rrggbb`; `null` for anything else.
 * @param {string | undefined} color @returns {[number, number, number] | null} */
function hslOf(color) {
  if (!/^#[0-9a-f]{6}$/i.test(color ?? "")) return null;
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(String(color).slice(at, at + 2), 16) / 255);
  const [low, high] = [Math.min(r, g, b), Math.max(r, g, b)];
  const [chroma, light] = [high - low, (high + low) / 2];
  if (chroma === 0) return [0, 0, light * 100];
  const sixths = high === r ? ((g - b) / chroma + 6) % 6 : high === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
  return [sixths * 60, (chroma / (1 - Math.abs(2 * light - 1))) * 100, light * 100];
}

/** @param {number} value @param {number} low @param {number} high */
const between = (value, low, high) => Math.min(Math.max(value, low), high);

/** @param {string} name Of the image, or of the item. @param {string} [color] `#rrggbb` */
export function artwork(name, color) {
  const next = numbersOf(name);
  const [hue, saturation, light] = hslOf(color) ?? [next() * 360, 50, 30];
  const [strong, base] = [between(saturation * 1.2, 42, 80), between(light, 27, 42)];
  const tone = (/** @type {number} */ by, turn = 0) =>
    `hsl(${(hue + turn).toFixed(1)} ${strong.toFixed(1)}% ${(base + by).toFixed(1)}%)`;
  const motif = [discs, hills, peaks, rings, rays][Math.floor(next() * MOTIFS)];
  const picture = /** @type {SVGElement} */ (shape(
    "svg", { class: "artwork", viewBox: "0 0 100 100", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" },
    ...motif(tone, next)));
  picture.style.background = `linear-gradient(${tone(13, -13)},${tone(-12, 14)})`;
  return picture;
}

/** @typedef {(by: number, turn?: number) => string} Tone */
/** @typedef {() => number} Next */

/** @param {number} cx @param {number} cy @param {number} r @param {string} fill @param {number} [opacity] */
const disc = (cx, cy, r, fill, opacity = 1) => shape("circle", { cx, cy, r, fill, opacity });

/** @param {Tone} tone @param {Next} next */
const discs = (tone, next) => [0, 1, 2, 3].map((index) =>
  disc(
    20 + next() * 60, 20 + next() * 60, 16 + next() * 28, index === 3 ? LIGHT : tone(8 - 8 * index, 16 * index), 0.62));

/** @param {Tone} tone @param {Next} next */
function hills(tone, next) {
  const shapes = [disc(30 + next() * 40, 34, 15, LIGHT, 0.8)];
  for (let layer = 0; layer < 3; layer += 1) {
    const [level, phase, waves] = [52 + 15 * layer, next() * 6.28, 0.7 + next()];
    let d = "M0 100";
    for (let x = 0; x <= 100; x += 5) {
      d += `L${x} ${(level + 6 * Math.sin(phase + (x / 100) * waves * 6.28)).toFixed(1)}`;
    }
    shapes.push(shape("path", { d: `${d}L100 100z`, fill: tone(5 - 10 * layer, 7 * layer) }));
  }
  return shapes;
}

/** @param {Tone} tone @param {Next} next */
function peaks(tone, next) {
  const shapes = [disc(20 + next() * 60, 24, 9, LIGHT, 0.8)];
  for (let layer = 0; layer < 3; layer += 1) {
    const [top, middle, half] = [42 + 14 * layer, 15 + next() * 70, 42 + next() * 22];
    const d = `M${middle - half} 100L${middle} ${top}L${middle + half} 100z`;
    shapes.push(shape("path", { d, fill: tone(4 - 9 * layer, 9 * layer) }));
  }
  return shapes;
}

/** @param {Tone} tone @param {Next} next */
function rings(tone, next) {
  const [x, y] = [30 + next() * 40, 35 + next() * 30];
  const circles = [62, 48, 34, 21].map((r, index) => disc(x, y, r, tone(-5 + 5 * index, 6 * index)));
  return [...circles, disc(x, y, 10, LIGHT, 0.8)];
}

/** @param {Tone} tone @param {Next} next */
function rays(tone, next) {
  const shapes = [];
  const [x, turn] = [30 + next() * 40, next() * 20];
  for (let angle = 180; angle < 360; angle += 24) {
    const point = (/** @type {number} */ degrees) => {
      const radians = ((degrees + turn) * Math.PI) / 180;
      return `${(x + 150 * Math.cos(radians)).toFixed(1)} ${(74 + 150 * Math.sin(radians)).toFixed(1)}`;
    };
    shapes.push(shape("path", { d: `M${x} 74L${point(angle)}L${point(angle + 12)}z`, fill: tone(6, -8) }));
  }
  const ground = shape("rect", { y: 74, width: 100, height: 26, fill: tone(-14, 12) });
  return [...shapes, disc(x, 70, 14, LIGHT, 0.8), ground];
}
