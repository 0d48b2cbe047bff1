// The form of a preview: a reader, a moment, and a draft if the token may see any.

import { byId, counted, make } from "./dom.js";
import { fieldText, momentOf, readerOf } from "./preview-request.js";

/** @typedef {import("./preview-request.js").Wanted} Wanted */
/** @typedef {{draft: string, changes: number, at?: string}} Draft A draft, as the list of drafts has it. */

const DAY = 86_400_000, MINUTE = 60_000;

export class PreviewForm {
  #root = byId("preview");
  #button = byId("preview-open");
  #note = byId("preview-note");
  #reader = /** @type {HTMLInputElement} */ (byId("preview-reader"));
  #when = /** @type {HTMLFieldSetElement} */ (byId("preview-when"));
  #now = /** @type {HTMLInputElement} */ (byId("preview-now"));
  #moment = /** @type {HTMLInputElement} */ (byId("preview-moment"));
  #draft = /** @type {HTMLSelectElement} */ (byId("preview-draft"));
  #show = /** @type {HTMLButtonElement} */ (byId("preview-show"));
  #mayImagine = true;

  /** @param {() => void} opened @param {(wanted: Wanted) => void} wanted Called with what a person wants to see. */
  constructor(opened, wanted) {
    byId("preview-zone").textContent = `Moment (${new Intl.DateTimeFormat().resolvedOptions().timeZone})`;
    this.#button.addEventListener("click", () => {
      this.#open(!this.isOpen);
      if (this.isOpen) opened();
    });
    for (const id of ["preview-now", "preview-then"]) byId(id).addEventListener("change", () => this.#drawMoment());
    this.#root.addEventListener("submit", (event) => {
      event.preventDefault();
      const read = this.#read();
      this.#note.textContent = typeof read === "string" ? read : this.#scopes;
      if (typeof read !== "string") wanted(read);
    });
    this.#root.addEventListener("keydown", ({ key }) => {
      if (key !== "Escape") return;
      this.#open(false);
      this.focus();
    });
  }

  get isOpen() { return !this.#root.hidden; }

  /** Focuses the button that opens it. */
  focus() {
    this.#button.focus();
  }

  /** Shows at the button whether there is a preview.
   * @param {boolean} isShown */
  set isShown(isShown) {
    this.#button.classList.toggle("on", isShown);
  }

  /** Whether the token may see other readers and moments.
   * @param {boolean} may */
  allow(may) {
    this.#mayImagine = may;
    this.#draw();
  }

  /** Offers drafts. A chosen one stays, even if it is gone.
   * @param {readonly Draft[]} drafts */
  offer(drafts) {
    const names = drafts.map(({ draft, changes, at }) =>
      [draft, `${draft} · ${counted(changes, "change")}${at ? `, at ${new Date(at).toLocaleString()}` : ""}`]);
    const chosen = this.#draft.value;
    if (chosen && !names.some(([name]) => name === chosen)) names.push([chosen, `${chosen} · gone`]);
    this.#draft.replaceChildren(...[["", "None"], ...names].map(([value, words]) => make("option", { value }, words)));
    this.#draft.value = chosen;
    byId("preview-drafts").hidden = !names.length;
    this.#draw();
  }

  /** Chooses no draft. */
  forgetDraft() {
    this.#draft.value = "";
  }

  /** The scopes that are missing, in words. */
  get #scopes() {
    return this.#mayImagine ? ""
      : "Other readers and moments need a token with the scope 'publish :programme'; a draft needs 'draft NAME'.";
  }

  /** @param {boolean} isOpen */
  #open(isOpen) {
    this.#root.hidden = !isOpen;
    this.#button.setAttribute("aria-expanded", `${isOpen}`);
    if (isOpen) this.#reader.focus();
  }

  #draw() {
    this.#reader.disabled = this.#when.disabled = !this.#mayImagine;
    this.#show.disabled = !this.#mayImagine && byId("preview-drafts").hidden;
    this.#note.textContent = this.#scopes;
  }

  #drawMoment() {
    this.#moment.hidden = this.#now.checked;
    if (this.#moment.hidden || this.#moment.value) return;
    this.#moment.value = fieldText(Math.floor((Date.now() + DAY) / MINUTE) * MINUTE);
  }

  /** @returns {Wanted | string} A string says why nothing can be shown. */
  #read() {
    const [reader, draft] = [this.#mayImagine ? readerOf(this.#reader.value) : [], this.#draft.value || null];
    const isNow = this.#now.checked || !this.#mayImagine;
    const at = isNow ? null : momentOf(this.#moment.value);
    if (!isNow && at === null) return "The moment needs a date and a time.";
    return reader.length || !isNow || draft ? { reader, at, draft } : "Name a reader, another moment or a draft.";
  }
}
