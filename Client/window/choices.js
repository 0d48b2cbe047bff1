// The choice of what is shown: a screen, widths, languages, schemes, directions, a size.

import { byId, make } from "./dom.js";
import { heights, languageOf } from "./stage.js";

/** @typedef {import("./stage.js").View} View */

/** A page narrower than this begins with one scheme, the system's. */
const NARROW = 600;
/** Languages that are shown at first. */
const LANGUAGES = 2;
/** Where the choice is kept. */
const STORED = "marquee-window";

export class Choices {
  /** @type {View} */
  view = { screen: "home", widths: [390], locales: [], themes: [], directions: ["auto"], fits: true };
  #select = /** @type {HTMLSelectElement} */ (byId("screen"));

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  /** The screen that is shown.
   * @param {string} name */
  set screen(name) {
    this.view.screen = name;
    if (![...this.#select.options].some(({ value }) => value === name)) this.#select.append(make("option", { value: name }, name));
    this.#select.value = name;
  }

  /** Offers what a server has.
   * @param {{screens: {pattern: string, example?: string, title: string}[], locales: string[]}} offer */
  offer({ screens, locales }) {
    this.#select.replaceChildren(...screens.flatMap(({ pattern, example, title }) => {
      const name = example ?? (/[<$]/.test(pattern) ? null : pattern);
      return name ? [make("option", { value: name }, title && title !== name ? `${title} (${name})` : name)] : [];
    }));
    const stored = storedView();
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const { view } = this;
    view.widths = chosen(stored.widths, [...heights.keys()], [390]);
    view.locales = chosen(stored.locales, locales, locales.slice(0, LANGUAGES));
    view.themes = chosen(stored.themes, ["light", "dark"], innerWidth < NARROW ? [system] : ["light", "dark"]);
    view.directions = chosen(stored.directions, ["auto", "rtl"], ["auto"]);
    view.fits = stored.fits !== false;
    this.#boxes("widths", [...heights.keys()].map((width) => [width, `${width}`]), view.widths, (now) => (view.widths = now));
    this.#boxes("locales", locales.map((name) => [name, languageOf(name)]), view.locales, (now) => (view.locales = now));
    this.#boxes("themes", [["light", "Light"], ["dark", "Dark"]], view.themes, (now) => (view.themes = now));
    this.#boxes("directions", [["auto", "Auto"], ["rtl", "Right to left"]], view.directions,
      (now) => (view.directions = now));
    this.#size();
  }

  #size() {
    clear("size");
    for (const [fits, words] of /** @type {const} */ ([[true, "Fit"], [false, "100 %"]])) {
      const checked = this.view.fits === fits;
      const onchange = () => this.#choose(() => (this.view.fits = fits));
      byId("size").append(make("label", { class: "chip" }, make("input", { type: "radio", name: "size", checked, onchange }),
        make("span", {}, words)));
    }
  }

  /** Check boxes of which at least one stays checked.
   * @template {string | number} T
   * @param {string} id @param {[T, string][]} options @param {T[]} checked @param {(now: T[]) => void} change */
  #boxes(id, options, checked, change) {
    clear(id);
    /** @type {[T, HTMLInputElement][]} */
    const inputs = options.map(([value, words]) => {
      const input = make("input", {
        type: "checkbox", checked: checked.includes(value),
        onchange: () => {
          const now = inputs.filter(([, box]) => box.checked).map(([one]) => one);
          if (!now.length) input.checked = true;
          else this.#choose(() => change(now));
        },
      });
      byId(id).append(make("label", { class: "chip" }, input, make("span", {}, words)));
      return [value, input];
    });
  }

  /** @param {() => void} change */
  #choose(change) {
    change();
    try {
      const { screen, ...rest } = this.view;
      localStorage.setItem(STORED, JSON.stringify(rest));
    } catch {
      // It is chosen again the next time.
    }
    this.changed();
  }
}

/** @param {string} id */
function clear(id) {
  for (const label of [...byId(id).querySelectorAll("label")]) label.remove();
}

/** @template T @param {unknown} stored @param {T[]} all @param {T[]} standard @returns {T[]} */
function chosen(stored, all, standard) {
  const some = Array.isArray(stored) ? all.filter((one) => stored.includes(one)) : [];
  return some.length ? some : standard;
}

/** @returns {Partial<View>} */
function storedView() {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? "{}") ?? {};
  } catch {
    return {};
  }
}
