// A client whose screens are previews: it asks again whenever something may have changed.

import { changesBetween } from "../js/src/changes.js";
import { RETRY } from "../js/src/errors.js";
import { isOlder } from "./preview-call.js";
import { Questions } from "./preview-questions.js";
import { cardScreen } from "./presets.js";

/** @typedef {import("./preview-call.js").Options} Options */
/** @typedef {import("./preview-call.js").Previewed} Previewed */
/** @typedef {import("../js/screen-types.js").ScreenOptions} ScreenOptions */

/** A question, its last answer, and why there is no newer one. `wakers` are the loops that wait for an answer.
 * @typedef {{options: Options, answer: Previewed | null, error: any, loops: number, wakers: Set<() => void>}} Feed */
/** The state of all questions together: the first answer, and whether there is one to each.
 * @typedef {{answer: Previewed | null, isAnswered: boolean, error: any}} Standing */

/** Waits until a feed has something new, or its loop ends.
 * @param {Feed} feed @returns {Promise<void>} */
async function woken({ wakers }) {
  /** @type {() => void} */
  let waker = () => {};
  await new Promise((resolve) => wakers.add((waker = () => resolve(null))));
  wakers.delete(waker);
}

export class PreviewSource {
  /** @type {Map<string, Feed>} */ #feeds = new Map();
  #questions;
  #closing = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /**
   * @param {(options: Options, known: Previewed | null, signal: AbortSignal) => Promise<Previewed>} ask
   * @param {() => void} told Called after each answer and each refusal.
   * @param {Questions} questions
   */
  constructor(ask, told, questions = new Questions()) {
    this.ask = ask;
    this.told = told;
    this.#questions = questions;
  }

  /** @returns {Standing} */
  get standing() {
    const feeds = [...this.#feeds.values()];
    return {
      answer: feeds.find(({ answer }) => answer)?.answer ?? null, isAnswered: feeds.length > 0 && feeds.every(({ answer }) => answer),
      error: feeds.find(({ error }) => error)?.error ?? null,
    };
  }

  /** Yields the answers to a question. It never throws: the last answer stays.
   * @param {string} name @param {ScreenOptions} options
   * @returns {AsyncGenerator<import("../js/screen-types.js").ScreenUpdate, void, void>} */
  async *screen(name, { locale = "", sorts = {}, windows = {}, signal }) {
    const options = { screen: name, locale, sorts: { ...sorts }, windows: { ...windows } };
    const key = JSON.stringify(options);
    const feed = this.#join(key, options);
    /** @type {Previewed | null} */
    let shown = null;
    const wake = () => [...feed.wakers].forEach((one) => one());
    signal.addEventListener("abort", wake);
    try {
      while (!signal.aborted && !this.#closing.signal.aborted) {
        const { answer } = feed;
        if (!answer || answer === shown) {
          await woken(feed);
          continue;
        }
        const changes = shown && changesBetween(shown.screen, answer.screen);
        shown = answer;
        if (!changes || changes.length) yield { screen: cardScreen(answer.screen), changes };
      }
    } finally {
      signal.removeEventListener("abort", wake);
      this.#leave(key, feed);
    }
  }

  /** Asks again, unless the answers include a revision of the catalogue.
   * @param {number} [revision] */
  changed(revision = Infinity) {
    for (const [key, { answer, error }] of this.#feeds)
      if (!answer || error || answer.revision < revision) this.#questions.want(key);
    this.#advance();
  }

  close() {
    this.#closing.abort();
    clearTimeout(this.#timer);
    for (const { wakers } of this.#feeds.values()) for (const waker of wakers) waker();
  }

  /** @param {string} key @param {Options} options @returns {Feed} */
  #join(key, options) {
    const feed = this.#feeds.get(key) ?? { options, answer: null, error: null, loops: 0, wakers: new Set() };
    feed.loops += 1;
    if (feed.loops > 1) return feed;
    this.#feeds.set(key, feed);
    this.#questions.want(key);
    this.#advance();
    return feed;
  }

  /** @param {string} key @param {Feed} feed */
  #leave(key, feed) {
    feed.loops -= 1;
    if (feed.loops) return;
    this.#feeds.delete(key);
    this.#questions.forget(key);
    if (!this.#closing.signal.aborted) this.told();
  }

  #advance() {
    clearTimeout(this.#timer);
    const next = this.#questions.next(performance.now());
    if (!next || this.#closing.signal.aborted) return;
    if (next.pause) this.#timer = setTimeout(() => this.#advance(), next.pause);
    else void this.#put(next.key);
  }

  /** @param {string} key */
  async #put(key) {
    const feed = this.#feeds.get(key);
    if (!feed) return;
    const { signal } = this.#closing;
    this.#questions.begin(key, performance.now());
    try {
      const answer = await this.ask(feed.options, feed.answer, signal);
      if (!isOlder(answer, feed.answer)) feed.answer = answer;
      feed.error = null;
    } catch (error) {
      feed.error = error;
      if (/** @type {any} */ (error)?.remedy === RETRY && this.#feeds.has(key)) this.#questions.want(key);
    }
    this.#questions.end();
    if (signal.aborted) return;
    for (const waker of feed.wakers) waker();
    this.told();
    this.#advance();
  }
}
