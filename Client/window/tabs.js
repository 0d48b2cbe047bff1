// Tabs, of which one panel is shown.

import { byId } from "./dom.js";

export class Tabs {
  /** @param {string[]} names @param {(name: string) => void} shown */
  constructor(names, shown) {
    this.names = names;
    this.shown = shown;
    for (const [index, name] of names.entries()) {
      const tab = byId(`tab-${name}`);
      tab.addEventListener("click", () => this.select(name));
      tab.addEventListener("keydown", ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        const next = key === "Home" ? 0 : key === "End" ? names.length - 1 : step ? index + step : null;
        if (next === null) return;
        this.select(names[(next + names.length) % names.length]);
        this.focus(names[(next + names.length) % names.length]);
      });
    }
  }

  /** @param {string} name */
  focus(name) {
    byId(`tab-${name}`).focus();
  }

  /** @param {string} chosen */
  select(chosen) {
    for (const name of this.names) {
      const [tab, isChosen] = [byId(`tab-${name}`), name === chosen];
      tab.setAttribute("aria-selected", `${isChosen}`);
      tab.tabIndex = isChosen ? 0 : -1;
      byId(`panel-${name}`).hidden = !isChosen;
    }
    this.shown(chosen);
  }
}
