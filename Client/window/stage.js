// The screens side by side, as the devices that were chosen show them.

import "../js/screen.js";
import { make } from "./dom.js";

/** @typedef {import("../js/screen.js").MarqueeScreen} ScreenElement */

/**
 * @typedef {object} View The screen that is shown, and the choice of devices.
 * @property {string} screen
 * @property {number[]} widths
 * @property {string[]} locales
 * @property {string[]} themes
 * @property {string[]} directions `auto`, `rtl`.
 * @property {boolean} fits Whether devices are made smaller until one is visible as a whole.
 */

/** The heights of devices by their widths, in points. */
export const heights = new Map([[320, 568], [390, 844], [430, 932], [768, 1024]]);
/** Devices that are shown at once. */
export const MAX_DEVICES = 12;
/** The smallest scale of a device. */
const SMALLEST = 0.45;
/** Milliseconds for which a change glows, and for which the element may take to show it. */
const GLOW = 1600;

/** @typedef {{key: string, width: number, locale: string, theme: string, direction: string}} Device */
/** A device on the page. `mark` says that it doesn't show what readers have now.
 * @typedef {{root: HTMLElement, element: ScreenElement, mark: HTMLElement, recording: HTMLButtonElement,
 *   device: Device}} Shown */
/** Words at each device, for a preview, and whether it shows something else.
 * @typedef {{words: string, isOld: boolean}} Mark */

/** A language's own name for people.
 * @param {string} locale */
export function languageOf(locale) {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}

/** The devices of a view.
 * @param {View} view @returns {Device[]} */
export function devicesOf({ widths, locales, themes, directions }) {
  return widths.flatMap((width) => locales.flatMap((locale) => directions.flatMap((direction) =>
    themes.map((theme) => ({ key: [width, locale, direction, theme].join(" "), width, locale, theme, direction })))));
}

/** A device in words, but for its size.
 * @param {Device} device */
export const wordsOf = ({ locale, theme, direction }) =>
  [languageOf(locale), theme, ...(direction === "rtl" ? ["right to left"] : [])].join(" · ");

/** Labels the record button of a device.
 * @param {Shown} shown @param {boolean} isRecorded */
export function drawRecording({ recording, device }, isRecorded) {
  recording.textContent = isRecorded ? "Stop" : "Record";
  const height = heights.get(device.width) ?? 844;
  const what = `${device.width} × ${height}, ${wordsOf(device)}`;
  recording.setAttribute("aria-label", `${isRecorded ? "Stop recording" : "Record"} ${what}`);
  recording.classList.toggle("on", isRecorded);
}

export class Stage {
  /** @type {Map<string, Shown>} */ #devices = new Map();
  #root;
  #fits = true;
  /** @type {Mark | null} */ #mark = null;

  /** @param {HTMLElement} root @param {(element: ScreenElement, section: string, item: string) => void} inspect
   * @param {(shown: Shown) => void} record Begins to record a device, or ends. */
  constructor(root, inspect, record) {
    this.#root = root;
    this.inspect = inspect;
    this.record = record;
    new ResizeObserver(() => this.#scale()).observe(root);
    addEventListener("resize", () => this.#scale());
  }

  /** A person's choices on the screen, where they differ from what it begins with.
   * @returns {{sorts: Record<string, string>, windows: Record<string, number>}} */
  get chosen() {
    const sections = this.elements.find(({ content }) => content)?.content?.sections ?? [];
    const heads = sections.map((section) => ({ id: section.id, ...(section.head ?? section) }));
    const sorts = heads.flatMap(({ id, sort, sorts: [first] = [] }) => (first && sort && sort !== first.id ? [[id, sort]] : []));
    const windows = heads.flatMap(({ id, window, windows: [first] = [] }) => (first && window && window !== first ? [[id, window]] : []));
    return { sorts: Object.fromEntries(sorts), windows: Object.fromEntries(windows) };
  }

  /** What all devices show instead of the live screen; `null` if they are live.
   * @param {Mark | null} mark */
  set mark(mark) {
    this.#mark = mark;
    this.#root.classList.toggle("previews", mark !== null);
    this.#root.classList.toggle("old", mark?.isOld === true);
    for (const shown of this.#devices.values()) shown.mark.textContent = mark?.words ?? "";
  }

  /** The elements that are shown. */
  get elements() { return [...this.#devices.values()].map(({ element }) => element); }

  /** Shows a view of a client.
   * @param {any} client @param {View} view */
  show(client, view) {
    const devices = devicesOf(view).slice(0, MAX_DEVICES);
    const keys = new Set(devices.map(({ key }) => key));
    for (const [key, { root }] of this.#devices) {
      if (keys.has(key)) continue;
      root.remove();
      this.#devices.delete(key);
    }
    this.#fits = view.fits;
    for (const [index, device] of devices.entries()) {
      const shown = this.#devices.get(device.key) ?? this.#add(device);
      shown.element.client = client;
      shown.element.screen = view.screen;
      // A device that stays keeps its place in the document, and the focus.
      if (this.#root.children[index] !== shown.root) this.#root.insertBefore(shown.root, this.#root.children[index] ?? null);
    }
    this.#scale();
  }

  /** @param {Device} device */
  #add(device) {
    const { key, width, locale, theme, direction } = device;
    const height = heights.get(width) ?? 844;
    const element = /** @type {ScreenElement} */ (document.createElement("marquee-screen"));
    element.locale = locale;
    element.theme = theme;
    if (direction === "rtl") element.setAttribute("dir", "rtl");
    element.style.setProperty("inline-size", `${width}px`);
    element.style.setProperty("--marquee-height", `${height}px`);
    const words = wordsOf(device);
    const glass = make("div", { class: `glass ${theme}` }, element);
    const recording = make("button", { type: "button", class: "link recording" });
    const mark = make("span", { class: "mark" }, this.#mark?.words ?? "");
    const root = make("figure", { class: "device" },
      make("figcaption", {}, make("b", {}, `${width} × ${height}`), make("span", {}, words), mark, recording), glass);
    glass.addEventListener("click", (event) => this.#pick(event, element), true);
    glass.addEventListener("keydown", (event) => { if (event.key === "Enter") this.#pick(event, element); }, true);
    /** @type {Shown} */
    const shown = { root, element, mark, recording, device };
    recording.addEventListener("click", () => this.record(shown));
    drawRecording(shown, false);
    this.#devices.set(key, shown);
    return shown;
  }

  /** An item is picked instead of opened; buttons on it keep their meaning.
   * @param {Event} event @param {ScreenElement} element */
  #pick(event, element) {
    const path = event.composedPath();
    const card = path.find((one) => one instanceof HTMLElement && one.classList.contains("item"));
    if (path.some((one) => one instanceof HTMLButtonElement)) return;
    for (const { id, items } of element.content?.sections ?? [])
      for (const item of items) {
        if (!card || element.elementOf(id, item.id) !== card) continue;
        event.preventDefault();
        event.stopPropagation();
        return this.inspect(element, id, item.id);
      }
  }

  /** Lights up items on all devices.
   * @param {readonly {section: string, id?: string, op: string}[]} changes */
  glow(changes) {
    const places = changes.filter(({ id, op }) => id !== undefined && op !== "delete");
    // The elements take the same state from a loop of their own.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      for (const element of this.elements)
        for (const { section, id = "", op } of places.slice(0, 60)) {
          const color = op === "update" ? "#f2a900" : "#7c5cff";
          element.elementOf(section, id)?.animate(
            [{ boxShadow: `0 0 0 3px ${color}, 0 0 18px 4px ${color}`, borderRadius: "8px" },
              { boxShadow: `0 0 0 3px ${color}00, 0 0 18px 4px ${color}00`, borderRadius: "8px" }],
            { duration: GLOW, easing: still ? "steps(1, jump-end)" : "ease-in" });
        }
    }));
  }

  /** Scales devices so that one fits into the room. */
  #scale() {
    const style = getComputedStyle(this.#root);
    const width = this.#root.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const height = Math.max(420, innerHeight - this.#root.getBoundingClientRect().top - scrollY - 76);
    for (const { root, device } of this.#devices.values()) {
      const tall = heights.get(device.width) ?? 844;
      const scale = this.#fits ? Math.max(SMALLEST, Math.min(1, width / device.width, height / tall)) : 1;
      root.style.setProperty("--scale", `${scale}`);
      root.style.setProperty("--width", `${device.width}px`);
      root.style.setProperty("--height", `${tall}px`);
    }
  }
}
