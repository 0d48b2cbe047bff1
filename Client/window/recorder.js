// Keeps what a device shows, and makes one HTML file of it that plays without a server.

import { stepBetween, textOf } from "./recording.js";

/** @typedef {import("../js/screen.js").MarqueeScreen} ScreenElement */
/** @typedef {import("./recording.js").Device} Device */

/** Milliseconds that a recording takes at most. */
export const MAX_MILLISECONDS = 10 * 60_000;
/** Characters of the states of a recording at most. */
export const MAX_CHARACTERS = 8 << 20;
/** The module that plays a recording. */
const PLAYER = new URL("./player.js", import.meta.url).pathname;
/** Modules that one imports, by their addresses relative to it. */
const IMPORT = /(\bfrom\s+|^import\s+)"(\.[^"]+)"/gm;

/** @typedef {{milliseconds: number, states: number, characters: number}} Extent */

export class Recorder {
  /** The states so far, each as JSON.
   * @type {string[]} */
  #steps = [];
  #characters = 0;
  /** Whether a state had no room. */
  #isOver = false;
  #began = Date.now();
  #start = performance.now();
  /** @type {import("../js/screen-types.js").Screen | null} */ #last = null;
  #lastScreen = "";
  #modules = modulesOf(PLAYER);

  /** @param {ScreenElement} element @param {Device} device @param {() => void} ended Called when there is no room. */
  constructor(element, device, ended) {
    this.element = element;
    this.device = device;
    this.ended = ended;
    element.addEventListener("marquee-update", this.#take);
    // If they can't be loaded, `end` reports it.
    this.#modules.catch(() => {});
    this.#take();
  }

  /** @returns {Extent} */
  get extent() {
    return { milliseconds: performance.now() - this.#start, states: this.#steps.length, characters: this.#characters };
  }

  /** Whether it must end. */
  get isFull() { return this.#isOver || this.extent.milliseconds >= MAX_MILLISECONDS; }

  #take = () => {
    const { content, screen } = this.element;
    if (!content || screen === null) return;
    const at = this.#steps.length ? Math.round(performance.now() - this.#start) : 0;
    const step = textOf(stepBetween(screen === this.#lastScreen ? this.#last : null, content, screen, at));
    this.#isOver ||= this.#characters + step.length > MAX_CHARACTERS;
    if (!this.#isOver) {
      this.#steps.push(step);
      this.#characters += step.length;
      [this.#last, this.#lastScreen] = [content, screen];
    }
    if (this.isFull) this.ended();
  };

  /** Ends it.
   * @returns {Promise<{name: string, file: Blob}>} */
  async end() {
    this.element.removeEventListener("marquee-update", this.#take);
    const duration = Math.round(Math.min(performance.now() - this.#start, MAX_MILLISECONDS));
    const { device } = this;
    const recording = textOf({ version: 1, device, began: this.#began, duration });
    const text = `${recording.slice(0, -1)},"steps":[${this.#steps.join(",")}]}`;
    const name = `marquee-${this.#lastScreen.replace(/[^\w]+/g, "-").slice(0, 60)}-${stamp(this.#began)}.html`;
    return { name, file: new Blob([pageOf(text, await this.#modules)], { type: "text/html" }) };
  }
}

/** @param {number} time In milliseconds since 1970. */
const stamp = (time) => new Date(time).toISOString().slice(0, 19).replace(/[T:]/g, "-");

/** A module and all that it imports, by their addresses. Each names the others by their addresses in an import map.
 * @param {string} first @returns {Promise<Map<string, string>>} */
async function modulesOf(first) {
  /** @type {Map<string, string>} */
  const modules = new Map();
  const waiting = [first];
  for (let path; (path = waiting.pop()); ) {
    if (modules.has(path)) continue;
    const response = await fetch(path);
    if (!response.ok) throw new Error(`the server answers ${response.status} for ${path}`);
    const base = new URL(path, location.href);
    modules.set(path, (await response.text()).replace(IMPORT, (_, keyword, relative) => {
      const { pathname } = new URL(relative, base);
      waiting.push(pathname);
      return `${keyword}"marquee:${pathname}"`;
    }));
  }
  return modules;
}

/** JSON that is safe inside a script element: nothing in it can end that.
 * @param {string} json */
const inScript = (json) => json.replaceAll("<", "\\u003c");

/** @param {string} text In UTF-8, as base64. */
function base64Of(text) {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The file. It may only run its own scripts, and load nothing.
 * @param {string} recording As JSON. @param {Map<string, string>} modules */
function pageOf(recording, modules) {
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; ` +
    "require-trusted-types-for 'script'; trusted-types 'none'";
  const imports = Object.fromEntries([...modules].map(([path, source]) =>
    [`marquee:${path}`, `data:text/javascript;charset=utf-8;base64,${base64Of(source)}`]));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Marquee</title>
<script type="importmap" nonce="${nonce}">${inScript(JSON.stringify({ imports }))}</script>
</head>
<body>
<noscript>This recording needs JavaScript, which is in this file.</noscript>
<script type="application/json" id="recording">${inScript(recording)}</script>
<script type="module" nonce="${nonce}">import "marquee:${PLAYER}";</script>
</body>
</html>
`;
}
