// A screen as another reader would see it, at another moment or with a draft, on all devices instead of the live one.

import { Refusal } from "./api.js";
import { sentences } from "./changes.js";
import { byId } from "./dom.js";
import { askPreview, askRevision } from "./preview-call.js";
import { PreviewForm } from "./preview-form.js";
import { newsBetween } from "./preview-questions.js";
import { audiencesText, wordsOf } from "./preview-request.js";
import { PreviewSource } from "./preview-source.js";

/** @typedef {import("../js/src/client.js").MarqueeClient} MarqueeClient */
/** @typedef {import("./preview-request.js").Wanted} Wanted */
/** @typedef {import("./preview-form.js").Draft} Draft */
/**
 * @typedef {object} Page
 * @property {() => void} changed Called when the devices have to show something else.
 * @property {(mark: import("./stage.js").Mark | null) => void} mark
 * @property {(words: string[], changes: readonly any[]) => void} moved Called with what changed in the preview.
 */

/** Milliseconds between two looks at the draft and the catalogue. */
const PAUSE = 2000;

export class Preview {
  /** @type {{client: MarqueeClient, signal: AbortSignal} | null} */ #session = null;
  #isConnected = true;
  /** @type {readonly Draft[]} */ #drafts = [];
  /** @type {Wanted | null} */ #wanted = null;
  /** @type {PreviewSource | null} */ #source = null;
  /** @type {import("./preview-questions.js").Mark | null} */ #mark = null;
  /** @type {AbortController | null} */ #watching = null;
  #watched = "";
  #form = new PreviewForm(() => {
    if (this.#session) void this.#look(this.#session.signal);
  }, (wanted) => this.#show(wanted));

  /** @param {import("./api.js").Api} api @param {Page} page */
  constructor(api, page) {
    this.api = api;
    this.page = page;
    byId("preview-end").addEventListener("click", () => {
      this.#show(null);
      this.#form.focus();
    });
  }

  /** The client of the preview; `null` while the devices are live. */
  get source() { return this.#source; }

  /** The preview in words; empty while the devices are live. */
  get words() { return this.#wanted ? `preview ${wordsOf(this.#wanted)}` : ""; }

  /** Goes on with another client.
   * @param {MarqueeClient} client @param {AbortSignal} signal */
  connect(client, signal) {
    this.#session = { client, signal };
    this.#drafts = [];
    if (!this.#wanted?.draft) this.#form.forgetDraft();
    this.#form.offer([]);
    this.#form.allow(true);
    this.#begin();
    void this.#follow(signal);
  }

  /** Whether the token may see other readers and moments.
   * @param {boolean} may */
  allow(may) {
    this.#form.allow(may);
  }

  /** Whether the page has its connection. When it comes back, everything is asked for again.
   * @param {boolean} isConnected */
  set isConnected(isConnected) {
    if (isConnected === this.#isConnected) return;
    this.#isConnected = isConnected;
    if (isConnected) this.#source?.changed();
    this.#draw();
  }

  /** A commit was made.
   * @param {number} revision */
  heard(revision) {
    this.#source?.changed(revision);
  }

  /** Follows a screen of the preview for its changes.
   * @param {string} name @param {string} locale */
  async watch(name, locale) {
    const source = this.#source;
    const watched = `${name}\n${locale}`;
    if (watched === this.#watched && this.#watching && !this.#watching.signal.aborted) return;
    this.#watching?.abort();
    if (!source) return;
    const { signal } = (this.#watching = new AbortController());
    this.#watched = watched;
    /** @type {any} */
    let before = null;
    for await (const { screen, changes } of source.screen(name, { locale, signal })) {
      if (before && changes?.length)
        this.page.moved(sentences(before, /** @type {any} */ (screen), /** @type {any} */ (changes)), changes);
      before = screen;
    }
  }

  /** @param {Wanted | null} wanted `null` for the live screen. */
  #show(wanted) {
    this.#wanted = wanted;
    this.#begin();
    this.page.changed();
  }

  /** Begins what is wanted. What devices show stays until it is there. */
  #begin() {
    this.#watching?.abort();
    this.#source?.close();
    this.#source = null;
    const [wanted, session] = [this.#wanted, this.#session];
    if (wanted && session) {
      this.#mark = { revision: 0, draft: this.#textOf(wanted) };
      this.#source = new PreviewSource(
        (options, known, signal) => askPreview(session.client, wanted, options, known, signal), () => this.#draw());
    }
    this.#draw();
  }

  #draw() {
    const [wanted, source] = [this.#wanted, this.#source];
    byId("previewed").hidden = !wanted;
    this.#form.isShown = wanted !== null;
    if (!wanted || !source) return this.page.mark(null);
    const { answer, isAnswered, error } = source.standing;
    setText("previewed-words", `Preview ${wordsOf(wanted)}`);
    setText("previewed-audiences", answer ? audiencesText(answer.sections) : "");
    const trouble = error ? reasonOf(error) : this.#isConnected ? "" : "There is no connection.";
    const shown = isAnswered ? "The devices show the last answer." : "The devices show what they did before.";
    setText("previewed-trouble", trouble && `${trouble} ${shown}`);
    byId("previewed").classList.toggle("refused", trouble !== "");
    const words = trouble ? (isAnswered ? "Preview, not current" : "Not the preview") : isAnswered ? "Preview" : "Asking";
    this.page.mark({ words, isOld: trouble !== "" || !isAnswered });
  }

  // ---------------------------------------------------------------- what it depends on

  /** A wanted draft as the list of drafts has it.
   * @param {Wanted} wanted */
  #textOf({ draft }) {
    return draft ? JSON.stringify(this.#drafts.find((one) => one.draft === draft) ?? null) : "";
  }

  /** Reads which drafts there are; those that the token may not see aren't among them.
   * @param {AbortSignal} signal */
  async #readDrafts(signal) {
    /** @type {Draft[]} */
    let drafts = [];
    try {
      ({ drafts } = await this.api.json("/v1/drafts", { signal }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    if (signal.aborted || JSON.stringify(drafts) === JSON.stringify(this.#drafts)) return;
    this.#drafts = drafts;
    this.#form.offer(drafts);
  }

  /** Looks every few seconds whether the draft or the catalogue has moved, as long as that matters.
   * @param {AbortSignal} signal */
  async #follow(signal) {
    while (!signal.aborted) {
      if (!document.hidden && (this.#source || this.#form.isOpen)) await this.#look(signal);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  /** @param {AbortSignal} signal */
  async #look(signal) {
    try {
      await this.#readDrafts(signal);
      const [source, wanted, session] = [this.#source, this.#wanted, this.#session];
      if (!source || !wanted || !session) return;
      const mark = { revision: await askRevision(session.client, signal), draft: this.#textOf(wanted) };
      if (source !== this.#source) return;
      const news = newsBetween(this.#mark, mark);
      this.#mark = mark;
      if (news !== null) source.changed(news);
    } catch {
      // Once the server answers again, everything is asked for.
      this.#mark = null;
    }
  }
}

/** Sets a text only if it is another, so that it isn't read out again.
 * @param {string} id @param {string} text */
function setText(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}

/** @param {any} error */
function reasonOf({ code, message = "" }) {
  const words = message && message !== code ? message : `The server gives no answer (${code})`;
  return words.charAt(0).toUpperCase() + words.slice(1) + (/[.?!]$/.test(words) ? "" : ".");
}
