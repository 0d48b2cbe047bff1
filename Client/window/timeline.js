// The commits, with who published each, which records it changed and which rows moved.

import { Refusal } from "./api.js";
import { clock, counted, make } from "./dom.js";

/** @typedef {import("./api.js").Commit} Commit */
/** @typedef {import("./api.js").Publisher} Publisher */

/** Entries in the document; older ones go. */
const ENTRIES = 120;
/** Changes of a commit that are listed before the rest is counted. */
const NAMES = 6;

/** @typedef {{revision: number, commit?: Commit, rows: string[], time: number, root: HTMLElement}} Entry */

export class Timeline {
  /** The entries by revision.
   * @type {Map<number, Entry>} */
  #entries = new Map();
  /** Entries to be drawn in the next frame.
   * @type {Set<Entry>} */
  #stale = new Set();
  #isPaused = false;
  #list;
  #note;

  /**
   * @param {HTMLElement} list @param {HTMLElement} note
   * @param {(changed: import("./api.js").NamedChange) => void} open Shows a record, the programme or the types.
   */
  constructor(list, note, open) {
    this.#list = list;
    this.#note = note;
    this.open = open;
  }

  get isPaused() { return this.#isPaused; }
  set isPaused(isPaused) {
    this.#isPaused = isPaused;
    this.#schedule();
  }

  /** Follows the commits until it is aborted.
   * @param {import("./api.js").Api} api @param {AbortSignal} signal @param {(commit: Commit) => void} heard */
  async follow(api, signal, heard) {
    try {
      await api.commits((commit) => {
        this.#change(commit.revision, (entry) => {
          entry.commit = commit;
          entry.time = commit.time;
        });
        heard(commit);
      }, (isLive) => {
        this.#note.textContent = isLive ? "" : "The list of commits was interrupted; trying again.";
      }, signal);
    } catch (error) {
      this.#note.textContent = error instanceof Refusal
        ? `Who published what isn't shown: ${error.message}. Changes of the screen still are.` : `${error}`;
    }
  }

  /** Notes the changes that a screen shows since a revision.
   * @param {number} revision @param {string[]} rows */
  moved(revision, rows) {
    this.#change(revision, (entry) => entry.rows.push(...rows));
  }

  /** @param {number} revision @param {(entry: Entry) => void} change */
  #change(revision, change) {
    const entry = this.#entries.get(revision) ?? this.#add(revision);
    change(entry);
    this.#stale.add(entry);
    this.#schedule();
  }

  /** @param {number} revision @returns {Entry} */
  #add(revision) {
    const entry = { revision, rows: [], time: Date.now(), root: make("li", { class: "commit" }) };
    this.#entries.set(revision, entry);
    if (this.#entries.size > 2 * ENTRIES) {
      const oldest = [...this.#entries.values()].sort((a, b) => a.revision - b.revision).slice(0, ENTRIES);
      for (const { revision: gone, root } of oldest) {
        root.remove();
        this.#entries.delete(gone);
      }
    }
    return entry;
  }

  #frame = 0;
  #schedule() {
    if (this.#isPaused || this.#frame || !this.#stale.size) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      for (const entry of this.#stale) this.#draw(entry);
      this.#stale.clear();
      const newest = [...this.#entries.values()].sort((a, b) => b.revision - a.revision);
      for (const [index, { root }] of newest.entries()) {
        if (index >= ENTRIES) root.remove();
        else if (this.#list.children[index] !== root) this.#list.insertBefore(root, this.#list.children[index] ?? null);
      }
    });
  }

  /** @param {Entry} entry */
  #draw({ root, commit, revision, rows, time }) {
    const publisher = commit?.publisher;
    const from = [publisher?.agent, publisher?.address].filter(Boolean).join(" · ");
    const parts = [
      make("div", { class: "commit-head" },
        make("b", {}, `${revision}`), make("span", { class: "who" }, commit ? whoText(publisher) : "seen on the screen"),
        make("time", { datetime: new Date(time).toISOString() }, clock(time))),
      from ? make("div", { class: "from" }, from) : null,
      commit ? this.#records(commit) : null,
      rows.length ? make("ul", { class: "rows" }, ...rows.map((row) => make("li", {}, row))) : null,
    ];
    root.replaceChildren(...parts.flatMap((part) => part ?? []));
  }

  /** @param {Commit} commit */
  #records({ changes, count }) {
    const named = changes.slice(0, NAMES).map((changed) => {
      const { change, type, id = "" } = changed;
      const isSource = change === "programme" || change === "types";
      if (!type && !isSource) return make("li", {}, make("span", { class: "verb" }, change), ` ${id}`);
      const open = make("button", { type: "button", class: "link", onclick: () => this.open(changed) },
        isSource ? change : `${type}/${id}`);
      return make("li", {}, make("span", { class: "verb" }, isSource ? "put" : change), " ", open);
    });
    const rest = count - named.length;
    return make("ul", { class: "records" }, ...named,
      rest > 0 ? make("li", { class: "rest" }, `and ${counted(rest, "more change")}`) : null);
  }
}

/** @param {Publisher | undefined} publisher */
function whoText(publisher) {
  if (!publisher) return "the server itself, or another program";
  return publisher.by ? [publisher.by, publisher.user].filter(Boolean).join(", ") : publisher.user ?? "anonymous";
}
