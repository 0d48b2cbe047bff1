// Plays a recording, in the file that holds it: the device, with play, a slider over time, and a speed.

import "../js/screen.js";
import { byId, counted, make } from "./dom.js";
import { momentsOf, valueOf } from "./recording.js";

/** @typedef {import("../js/screen.js").MarqueeScreen} ScreenElement */
/** @typedef {import("./recording.js").Moment} Moment */
/** @typedef {import("./recording.js").Recording} Recording */

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
/** Marks of changes beside the slider; of more changes, only some are marked. */
const MARKS = 300;
/** Milliseconds of the slider's steps. */
const STEP = 100;
/** The smallest scale of the device, and the points around it. */
const SMALLEST = 0.4;
const AROUND = 24;

const STYLE = `
:root { color-scheme: light dark; --ground: #f5f6f9; --surface: #fff; --line: #dfe2ea; --text: #15171c; --soft: #5a6170;
  --accent: #5624d0; --on-accent: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0c0d11; --surface: #14161b; --line: #2a2e38; --text: #f1f2f5; --soft: #a1a7b4; --accent: #b59cff;
    --on-accent: #160a38; }
}
* { box-sizing: border-box; }
body { margin: 0; height: 100vh; height: 100dvh; display: flex; flex-direction: column; background: var(--ground);
  color: var(--text); font: 14px/20px Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1, p { margin: 0; font: inherit; overflow-wrap: anywhere; }
header { padding: 12px 20px; text-align: center; }
h1 { font-weight: 650; font-size: 15px; }
p { color: var(--soft); font-size: 13px; font-variant-numeric: tabular-nums; }
main { flex: 1; min-height: 200px; display: grid; justify-content: safe center; align-content: start; overflow: auto; padding: 4px 12px 16px; }
.glass { overflow: hidden; border-radius: 20px; box-shadow: 0 0 0 1px var(--line), 0 10px 30px #0003; }
.glass.light { background: #fff; } .glass.dark { background: #0e0f13; }
.glass marquee-screen { transform-origin: 0 0; }
footer p { text-align: center; margin-top: 6px; }
footer { padding: 10px 20px 14px; background: var(--surface); border-top: 1px solid var(--line); }
.time { position: relative; max-width: 760px; margin: auto; }
input { width: 100%; margin: 0; height: 24px; accent-color: var(--accent); }
.marks { position: relative; height: 6px; margin: 0 8px 8px; }
.marks span { position: absolute; width: 2px; height: 6px; margin-left: -1px; border-radius: 1px; background: var(--accent); opacity: .6; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; justify-content: center; max-width: 760px; margin: auto; }
button, select { font: inherit; font-weight: 550; color: inherit; min-height: 36px; padding: 6px 14px; border: 1px solid var(--line);
  border-radius: 8px; background: var(--surface); cursor: pointer; }
#play { min-width: 84px; background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
label { display: flex; gap: 6px; align-items: center; color: var(--soft); font-size: 13px; }
output { min-width: 96px; text-align: center; font-variant-numeric: tabular-nums; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

/** @type {Recording} */
const recording = valueOf(byId("recording").textContent ?? "");
const moments = momentsOf(recording);
const { device } = recording;
/** In whole steps, as the slider has nothing between them. */
const duration = Math.ceil(recording.duration / STEP) * STEP;

/** Yields what is shown at the player's time.
 * @type {import("../js/screen-types.js").ScreenSource} */
const source = {
  async *screen(name, { signal }) {
    /** @type {Moment | null} */
    let yielded = null;
    signal.addEventListener("abort", wake);
    while (!signal.aborted) {
      if (shown !== yielded && shown.screen === name) {
        yielded = shown;
        yield { screen: shown.state };
      } else await new Promise((resolve) => wakers.add(resolve));
    }
  },
};
/** @type {Set<(value?: unknown) => void>} */
const wakers = new Set();
function wake() {
  for (const waker of wakers) waker();
  wakers.clear();
}

let shown = moments[0];
/** The position in milliseconds, and the speed at which it moves. */
let time = 0;
let speed = 1;
/** When `time` was set last; `null` while it is paused.
 * @type {number | null} */
let playing = null;

const element = /** @type {ScreenElement} */ (document.createElement("marquee-screen"));
const glass = make("div", { class: `glass ${device.theme === "dark" ? "dark" : "light"}` }, element);
const stage = make("main", { "aria-label": "Screen" }, glass);
/** @type {HTMLInputElement} */
const slider = make("input", {
  type: "range", id: "time", min: 0, max: duration, step: STEP, "aria-label": "Time",
  oninput: () => seek(Number(slider.value)),
});
const marks = make("div", { class: "marks", "aria-hidden": "true" });
const output = make("output", { for: "time" });
const change = make("p", { id: "change" });
const play = make("button", { type: "button", id: "play", onclick: toggle }, "Play");
const rate = make("select", { id: "speed", onchange: () => { speed = Number(rate.value); } },
  ...SPEEDS.map((value) => make("option", { value, selected: value === 1 }, `${value} ×`)));

/** @param {number} milliseconds */
function clockText(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
}

/** The last state at a time.
 * @param {number} at */
function indexAt(at) {
  let index = 0;
  while (index + 1 < moments.length && moments[index + 1].at <= at) index += 1;
  return index;
}

/** @param {number} to In milliseconds. */
function seek(to) {
  time = Math.max(0, Math.min(duration, to));
  const index = indexAt(time);
  if (moments[index] !== shown) {
    shown = moments[index];
    element.screen = shown.screen;
    wake();
  }
  slider.value = `${time}`;
  slider.setAttribute("aria-valuetext", `${clockText(time)} of ${clockText(duration)}`);
  output.textContent = `${clockText(time)} / ${clockText(duration)}`;
  change.textContent = index ? `Change ${index} of ${moments.length - 1}` : `The beginning; ${counted(moments.length - 1, "change")}`;
}

function toggle() {
  playing = playing === null ? performance.now() : null;
  play.textContent = playing === null ? "Play" : "Pause";
  if (playing === null) return;
  if (time >= duration) seek(0);
  requestAnimationFrame(advance);
}

/** @param {number} now */
function advance(now) {
  if (playing === null) return;
  seek(time + Math.max(0, now - playing) * speed);
  playing = now;
  if (time >= duration) toggle();
  else requestAnimationFrame(advance);
}

/** @param {number} step */
function leap(step) {
  const index = indexAt(time);
  seek(moments[Math.max(0, Math.min(moments.length - 1, index + step))].at);
}

function fit() {
  const scale = Math.max(SMALLEST, Math.min(1, (stage.clientWidth - AROUND) / device.width,
    (stage.clientHeight - AROUND) / device.height));
  element.style.setProperty("transform", `scale(${scale})`);
  glass.style.setProperty("width", `${device.width * scale}px`);
  glass.style.setProperty("height", `${device.height * scale}px`);
}

function begin() {
  const style = new CSSStyleSheet();
  style.replaceSync(STYLE);
  document.adoptedStyleSheets = [style];
  const title = `${shown.screen}, ${new Date(recording.began).toLocaleString()}`;
  document.title = `${title} · Marquee`;
  element.locale = device.locale;
  element.theme = device.theme;
  if (device.direction === "rtl") element.setAttribute("dir", "rtl");
  element.style.setProperty("display", "block");
  element.style.setProperty("inline-size", `${device.width}px`);
  element.style.setProperty("--marquee-height", `${device.height}px`);
  for (let index = 1, each = Math.ceil(moments.length / MARKS); index < moments.length; index += each) {
    const mark = make("span");
    mark.style.setProperty("left", `${(moments[index].at / Math.max(1, duration)) * 100}%`);
    marks.append(mark);
  }
  document.body.append(
    make("header", {}, make("h1", {}, title), make("p", {}, device.words)),
    stage,
    make("footer", {},
      make("div", { class: "time" }, slider, marks),
      make("div", { class: "buttons", role: "group", "aria-label": "Recording" },
        make("button", { type: "button", id: "previous", onclick: () => leap(-1) }, "Previous change"), play,
        make("button", { type: "button", id: "next", onclick: () => leap(1) }, "Next change"),
        output, make("label", {}, "Speed ", rate)),
      change));
  seek(0);
  element.client = source;
  element.screen = shown.screen;
  fit();
  addEventListener("resize", fit);
}

begin();
