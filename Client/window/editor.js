// An editor of one thing: checks it first, with the patch that it would cause; publishes it; and publishes it again as
// it was.

import { Refusal } from "./api.js";
import { bytesText, make } from "./dom.js";
import { offsetOfLine } from "./kinds.js";
import { checkOf } from "./check.js";

/** @typedef {import("./kinds.js").Kind} Kind */
/** @typedef {import("./kinds.js").Stored} Stored */

/** Versions of one thing that can be brought back. */
const VERSIONS = 20;
/** Lines above a mistake that stay visible. */
const ABOVE = 4;
/** Milliseconds after a publication within which the screens' updates arrive, over another connection. */
const UPDATE = 500;

/** The thing shown: its kind, and as the server stores it, as far as the page knows; `null` before it is read, and if
 * that fails.
 * @typedef {{kind: Kind, stored: Stored | null, reading: Promise<void> | null}} Open */

export class Editor {
  /** @type {Open | null} */ #open = null;
  /** The versions before the page's own publications, the newest last, by the kind's key.
   * @type {Map<string, Stored[]>} */
  #versions = new Map();
  /** Revisions that the page itself has made. */
  #own = new Set();
  #isBusy = false;

  /**
   * @param {HTMLElement} root @param {import("./api.js").Api} api
   * @param {{received: () => number, shown: () => import("./check.js").Shown}} page Bytes that the page has received;
   *   the screen that it shows.
   */
  constructor(root, api, page) {
    this.root = root;
    this.api = api;
    this.page = page;
    const id = (/** @type {string} */ part) => `${root.id}-${part}`;
    const button = (/** @type {string} */ words, /** @type {string} */ name, /** @type {() => void} */ run) =>
      make("button", { type: "button", class: name, onclick: run }, words);
    this.title = make("h3", { id: id("title") });
    this.note = make("p", { class: "note", role: "status" });
    this.text = make("textarea", {
      "aria-labelledby": id("title"), "aria-describedby": id("mistakes"), spellcheck: "false", rows: "12",
      autocomplete: "off", wrap: "off", oninput: () => this.#edited(), onscroll: () => this.#scrolled(),
    });
    this.lines = make("div", { class: "lines", "aria-hidden": "true" });
    this.mistakes = make("ol", { class: "mistakes", id: id("mistakes") });
    this.rows = make("ul", { class: "rows", "aria-label": "Changes of the screen" });
    this.check = button("Check", "", () => this.#run((open) => this.#check(open)));
    this.publish = button("Publish", "primary", () => this.#run((open) => this.#publish(open)));
    this.undo = button("Undo", "", () => this.#run((open) => this.#undo(open)));
    this.reload = button("Reload", "", () => this.#open && void this.show(this.#open.kind));
    root.append(this.title, make("div", { class: "text" }, this.lines, this.text), this.mistakes,
      make("div", { class: "buttons" }, this.check, this.publish, this.undo, this.reload), this.note, this.rows);
    this.hide();
  }

  /** Shows something as the server stores it.
   * @param {Kind} kind */
  show(kind) {
    /** @type {Open} */
    const open = { kind, stored: null, reading: null };
    this.#open = open;
    this.root.hidden = false;
    this.title.textContent = kind.title;
    this.text.value = "";
    this.#clear();
    this.#say("Reading…");
    this.#edited();
    open.reading = this.#read(open);
    return open.reading;
  }

  /** @param {Open} open */
  async #read(open) {
    try {
      const stored = await open.kind.read(this.api);
      if (open !== this.#open) return;
      this.#store(open, stored);
      this.#say("");
    } catch (error) {
      if (open === this.#open) this.#show(open, error);
    }
    open.reading = null;
  }

  /** Shows something, unless it is shown already, and selects a line.
   * @param {Kind} kind @param {number} [line] Counted from 1. */
  async reveal(kind, line) {
    const open = this.#open?.kind.key === kind.key ? this.#open : null;
    if (!open?.stored) await (open?.reading ?? this.show(kind));
    const offset = line === undefined ? null : offsetOfLine(this.text.value, line);
    if (offset !== null) this.#select(offset);
  }

  hide() {
    this.#open = null;
    this.root.hidden = true;
  }

  /** Takes note of a commit.
   * @param {import("./api.js").Commit} commit */
  heard({ revision, changes }) {
    const open = this.#open;
    if (!open || this.#isBusy || this.#own.has(revision) || !changes.some(open.kind.isChangedBy)) return;
    if (!this.#isEdited && document.activeElement !== this.text) void this.#refresh(open);
    else this.#say(`Somebody else changed it at revision ${revision}. Publishing replaces that; Reload shows it.`);
  }

  /** Nothing was edited: shows what is stored now.
   * @param {Open} open */
  async #refresh(open) {
    try {
      const stored = await open.kind.read(this.api);
      if (open === this.#open && !this.#isEdited) this.#store(open, stored);
    } catch {
      // It is shown when it is asked for.
    }
  }

  get #isEdited() { return this.text.value !== (this.#open?.stored?.text ?? ""); }

  /** @param {Open} open @param {Stored} stored */
  #store(open, stored) {
    open.stored = stored;
    this.text.value = stored.text;
    this.#edited();
  }

  #edited() {
    const isReady = !this.#isBusy && this.#open?.stored !== null;
    this.text.readOnly = !this.#open?.stored;
    this.check.disabled = this.publish.disabled = !isReady || !this.#isEdited;
    this.undo.disabled = !isReady || !this.#versionsOf(this.#open).length;
    this.reload.disabled = this.#isBusy;
    this.rows.replaceChildren();
    const count = this.text.value.split("\n").length;
    if (this.lines.childElementCount !== count)
      this.lines.replaceChildren(...Array.from({ length: count }, (_, index) => make("span", {}, `${index + 1}`)));
    this.#scrolled();
  }

  #scrolled() {
    this.lines.scrollTop = this.text.scrollTop;
  }

  /** @param {Open | null} open */
  #versionsOf(open) { return (open && this.#versions.get(open.kind.key)) ?? []; }

  /** @param {string} words */
  #say(words) {
    this.note.textContent = words;
  }

  #clear() {
    this.mistakes.replaceChildren();
    this.rows.replaceChildren();
  }

  /** Does one thing at a time with what is shown.
   * @param {(open: Open) => Promise<void>} work */
  async #run(work) {
    const open = this.#open;
    if (!open || this.#isBusy) return;
    const focused = document.activeElement;
    this.#isBusy = true;
    this.#edited();
    this.#clear();
    try {
      await work(open);
    } catch (error) {
      if (open === this.#open) this.#show(open, error);
    }
    this.#isBusy = false;
    const rows = [...this.rows.children];
    this.#edited();
    this.rows.replaceChildren(...rows);
    // A button that has done its work may have nothing more to do, and a disabled one has no focus.
    if (focused instanceof HTMLButtonElement && this.root.contains(focused) && !this.text.contains(document.activeElement))
      (focused.disabled ? this.text : focused).focus();
  }

  /** @param {Open} open @param {unknown} error */
  #show({ kind }, error) {
    const found = error instanceof Refusal ? error.mistakes.flatMap((one) => kind.place(this.text.value, one)) : [];
    this.#say(found.length ? "Nothing was changed." : error instanceof Refusal ? error.message : `${error}`);
    this.mistakes.replaceChildren(...found.map(({ words, offset }) => make("li", {}, offset === null ? words
      : make("button", { type: "button", class: "link", onclick: () => this.#select(offset) }, words))));
    const first = found.find(({ offset }) => offset !== null)?.offset;
    if (first !== undefined && first !== null) this.#select(first);
  }

  /** Selects a line.
   * @param {number} offset */
  #select(offset) {
    const { value } = this.text;
    const end = value.indexOf("\n", offset);
    this.text.focus();
    this.text.setSelectionRange(offset, end < 0 ? value.length : end);
    const line = value.slice(0, offset).split("\n").length;
    this.text.scrollTop = (line - ABOVE) * parseFloat(getComputedStyle(this.text).lineHeight);
    this.text.scrollLeft = 0;
  }

  /** The text being edited, in place of the stored one.
   * @param {Open} open @returns {Stored} */
  #now({ stored }) { return { ...stored, text: this.text.value }; }

  /** @param {Open} open */
  async #check(open) {
    const { words, rows } = await checkOf(this.api, open.kind.change(this.#now(open)), this.page.shown());
    if (open !== this.#open) return;
    this.#say(words);
    this.rows.replaceChildren(...rows.map((row) => make("li", {}, row)));
  }

  /** @param {Open} open */
  async #publish(open) {
    const [before, now, bytes] = [open.stored, this.#now(open), this.page.received()];
    const { revision, changed } = await this.#put(open, now);
    if (changed && before?.text) this.#versions.set(open.kind.key, [...this.#versionsOf(open), before].slice(-VERSIONS));
    open.stored = now;
    this.#told(open, changed ? `Published as revision ${revision}` : "Nothing differs from what is stored", bytes);
  }

  /** @param {Open} open */
  async #undo(open) {
    const versions = this.#versionsOf(open);
    const before = versions[versions.length - 1];
    if (!before) return;
    const bytes = this.page.received();
    const { revision } = await this.#put(open, before);
    this.#versions.set(open.kind.key, versions.slice(0, -1));
    if (open === this.#open) this.#store(open, before);
    this.#told(open, `The version before is published again, as revision ${revision}`, bytes);
  }

  /** @param {Open} open @param {Stored} stored @returns {Promise<{revision: number, changed: boolean}>} */
  async #put({ kind }, stored) {
    const answer = await this.api.json("/v1/publish", { method: "POST", body: kind.change(stored) });
    this.#own.add(answer.revision);
    return answer;
  }

  /** @param {Open} open @param {string} words @param {number} before Bytes received until then. */
  #told(open, words, before) {
    if (open !== this.#open) return;
    this.#say(`${words}.`);
    setTimeout(() => {
      if (open === this.#open && this.note.textContent === `${words}.`)
        this.#say(`${words}; this page received ${bytesText(this.page.received() - before)} since.`);
    }, UPDATE);
  }
}
