// A record that is edited: checked first, then published, and published again as it was.

import { Refusal } from "./api.js";
import { bytesText, make } from "./dom.js";
import { placeOf } from "./json-places.js";

/** Versions of a record that can be brought back. */
const VERSIONS = 20;

export class RecordEditor {
  #type = "";
  #id = "";
  /** As the server has it, as far as the page knows. */
  #stored = "";
  /** Versions before those that the page has published, the newest last.
   * @type {Map<string, string[]>} */
  #versions = new Map();
  /** Revisions that the page itself has made. */
  #own = new Set();
  #isBusy = false;

  /** @param {HTMLElement} root @param {import("./api.js").Api} api
   * @param {() => number} received Bytes that the page has received. */
  constructor(root, api, received) {
    this.api = api;
    this.received = received;
    this.root = root;
    this.title = make("h3", { id: "record-title" }, "Record");
    this.note = make("p", { class: "note", role: "status" });
    this.text = make("textarea", {
      "aria-labelledby": "record-title", "aria-describedby": "record-mistakes", spellcheck: "false", rows: "12",
      autocomplete: "off", oninput: () => this.#edited(),
    });
    this.mistakes = make("ol", { class: "mistakes", id: "record-mistakes" });
    const button = (/** @type {string} */ words, /** @type {string} */ name, /** @type {() => void} */ run) =>
      make("button", { type: "button", class: name, onclick: run }, words);
    this.check = button("Check", "", () => this.#run(() => this.#check()));
    this.publish = button("Publish", "primary", () => this.#run(() => this.#publish(this.text.value)));
    this.undo = button("Undo", "", () => this.#run(() => this.#undo()));
    this.reload = button("Reload", "", () => this.show(this.#type, this.#id));
    root.append(this.title, this.text, this.mistakes,
      make("div", { class: "buttons" }, this.check, this.publish, this.undo, this.reload), this.note);
    root.hidden = true;
  }

  get #key() { return `${this.#type}/${this.#id}`; }
  get #path() { return `/v1/records/${encodeURIComponent(this.#type)}/${encodeURIComponent(this.#id)}`; }

  /** Shows a record.
   * @param {string} type @param {string} id */
  async show(type, id) {
    [this.#type, this.#id] = [type, id];
    this.root.hidden = false;
    this.title.textContent = `${type}/${id}`;
    this.mistakes.replaceChildren();
    this.#say("Reading…");
    await this.#run(async () => {
      const text = pretty(await this.api.text(this.#path));
      if (type !== this.#type || id !== this.#id) return;
      this.#stored = this.text.value = text;
      this.#say("");
    });
  }

  hide() {
    this.#type = this.#id = "";
    this.root.hidden = true;
  }

  /** A commit was made.
   * @param {import("./api.js").Commit} commit */
  heard({ revision, changes, count }) {
    if (this.root.hidden || this.#isBusy || this.#own.has(revision)) return;
    const isOurs = changes.some(({ type, id }) => type === this.#type && id === this.#id);
    if (!isOurs && count <= changes.length) return;
    if (isOurs && this.text.value === this.#stored) void this.#refresh();
    else if (isOurs) this.#say(`Somebody else changed it at revision ${revision}. Publishing replaces that; Reload shows it.`);
  }

  /** Nothing was edited: shows what is stored now. */
  async #refresh() {
    const [key, before] = [this.#key, this.#stored];
    try {
      const text = pretty(await this.api.text(this.#path));
      if (key === this.#key && this.text.value === before && document.activeElement !== this.text)
        this.#stored = this.text.value = text;
    } catch {
      // It is shown when it is asked for.
    }
    this.#edited();
  }

  #edited() {
    const isEdited = this.text.value !== this.#stored;
    this.check.disabled = this.publish.disabled = this.#isBusy || !isEdited;
    this.undo.disabled = this.#isBusy || !this.#versions.get(this.#key)?.length;
    this.reload.disabled = this.#isBusy;
  }

  /** @param {string} words */
  #say(words) {
    this.note.textContent = words;
  }

  /** @param {() => Promise<void>} work */
  async #run(work) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#edited();
    try {
      await work();
    } catch (error) {
      this.#show(error);
    }
    this.#isBusy = false;
    this.#edited();
  }

  /** @param {unknown} error */
  #show(error) {
    const found = error instanceof Refusal ? error.mistakes : [];
    this.#say(error instanceof Refusal && !found.length ? error.message : found.length ? "Nothing was changed." : `${error}`);
    this.mistakes.replaceChildren(...found.map(({ path = "", detail }) => {
      const place = placeOf(this.text.value, path);
      const words = place ? `Line ${place.line}: ${detail}` : path ? `${path}: ${detail}` : detail;
      return make("li", {}, place
        ? make("button", { type: "button", class: "link", onclick: () => this.#select(place.offset) }, words) : words);
    }));
    const first = found.map(({ path = "" }) => placeOf(this.text.value, path)).find(Boolean);
    if (first) this.#select(first.offset);
  }

  /** Selects a line.
   * @param {number} offset */
  #select(offset) {
    const { value } = this.text;
    const end = value.indexOf("\n", offset);
    this.text.focus();
    this.text.setSelectionRange(offset, end < 0 ? value.length : end);
    const line = value.slice(0, offset).split("\n").length;
    this.text.scrollTop = (line - 4) * parseFloat(getComputedStyle(this.text).lineHeight);
  }

  /** The text as a value.
   * @param {string} text @throws {Refusal} for text that isn't JSON */
  #read(text) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new Refusal(422, { mistakes: [{ reason: "NOT_JSON", detail: `this isn't JSON: ${error}` }] });
    }
  }

  async #check() {
    const record = this.#read(this.text.value);
    const body = JSON.stringify({ put: { type: this.#type, id: this.#id, record } });
    await this.api.text("/v1/publish?dry-run", { method: "POST", body });
    this.mistakes.replaceChildren();
    const size = new TextEncoder().encode(JSON.stringify(record)).length;
    this.#say(`No mistakes. The record is ${bytesText(size)} of JSON; clients get only what differs.`);
  }

  /** @param {string} text */
  async #publish(text) {
    this.#read(text);
    const [before, bytes] = [this.#stored, this.received()];
    const { revision, changed } = await this.#put(text);
    if (changed) {
      const versions = this.#versions.get(this.#key) ?? [];
      this.#versions.set(this.#key, [...versions, before].slice(-VERSIONS));
    }
    this.#stored = text;
    this.#told(changed ? `Published as revision ${revision}` : "Nothing differs from what is stored", bytes);
  }

  async #undo() {
    const versions = this.#versions.get(this.#key) ?? [];
    const text = versions[versions.length - 1];
    if (text === undefined) return;
    const bytes = this.received();
    const { revision } = await this.#put(text);
    this.#versions.set(this.#key, versions.slice(0, -1));
    this.#stored = this.text.value = text;
    this.#told(`What was there before is published again, as revision ${revision}`, bytes);
  }

  /** @param {string} text @returns {Promise<{revision: number, changed: boolean}>} */
  async #put(text) {
    const answer = await this.api.json(this.#path, { method: "PUT", body: text });
    this.#own.add(answer.revision);
    this.mistakes.replaceChildren();
    return answer;
  }

  /** @param {string} words @param {number} before Bytes received until then. */
  #told(words, before) {
    this.#say(`${words}.`);
    // The screens' updates come by another connection, a moment later.
    setTimeout(() => this.#say(`${words}; this page received ${bytesText(this.received() - before)} since.`), 500);
  }
}

/** @param {string} text */
function pretty(text) {
  return JSON.stringify(JSON.parse(text), null, 2);
}
