/** A screen that somebody watches, across connections. */

import { Content } from "./content.js";

/** The view's own list of sections, among sections whose ids are never empty. */
export const OWN = "";

/** Sorts and windows of sections, by section id. @typedef {{sorts?: Record<string, string>, windows?: Record<string, number>}} Options */

/** The pause before a subscription is tried again, in milliseconds. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;

/**
 * The key of a view in maps and in the mirror.
 * @param {string} screen
 * @param {string} locale
 */
export const keyOf = (screen, locale) => `${screen}\n${locale}`;

export class View {
  /**
   * @param {string} screen
   * @param {string} locale as asked for; empty is the server's choice
   */
  constructor(screen, locale) {
    this.screen = screen;
    this.locale = locale;
    this.key = keyOf(screen, locale);
    /** @type {Options} */
    this.options = {};
    /** The options of the last join. @type {Options} */
    this.shownOptions = {};
    /** How many watch it. */
    this.watchers = 0;
    /** Content by section, replaced as a whole by each cut. @type {ReadonlyMap<string, Content>} */
    this.contents = new Map();
    /** Sections whose stored bytes were damaged: offered, and not shown. @type {Set<string>} */
    this.damaged = new Set();
    /** The locale that is served. */
    this.served = "";
    /** Whether it has joined on this connection. */
    this.live = false;
    /** The position at which it was last live. @type {import("./messages.js").Cut} */
    this.cut = {};
    /** When it was last known to be current, in milliseconds since 1970; 0 if never. */
    this.asOf = 0;
    /** Why it isn't current. @type {import("./errors.js").MarqueeError | undefined} */
    this.error = undefined;
    /** Why sections aren't. @type {Map<string, import("./errors.js").MarqueeError>} */
    this.sectionErrors = new Map();
    /** What isn't offered, because an offer of it has failed. @type {Set<string>} */
    this.withheld = new Set();
    this.offersNothing = false;
    /** Refusals since it last joined, and when to subscribe again; 0 is at once. */
    this.refusals = 0;
    this.retryAt = 0;
  }

  /** Parameters as messages. */
  get parameters() {
    const { sorts = {}, windows = {} } = this.options;
    return [...new Set([...Object.keys(sorts), ...Object.keys(windows)])].map((section) => ({
      section,
      sort: sorts[section] || undefined,
      window: windows[section] || undefined,
    }));
  }

  /** What a subscription offers; undefined if that is nothing. */
  get resume() {
    const own = this.contents.get(OWN);
    if (!own || this.offersNothing || this.withheld.has(OWN)) return;
    const sections = [];
    for (const [section, { sum }] of this.contents)
      if (section !== OWN && !this.withheld.has(section)) sections.push({ section, sum });
    return { cut: this.cut, viewSum: own.sum, sections };
  }

  /** Whether there is anything to show. */
  get isHeld() {
    return this.contents.has(OWN) && !this.damaged.has(OWN);
  }

  /**
   * Sets when to try again.
   * @param {number} now
   * @param {number} atLeast milliseconds
   */
  postpone(now, atLeast) {
    this.retryAt = now + Math.max(atLeast, Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.refusals++));
  }

  /**
   * Offers less the next time, as the last offer has failed.
   * @param {string} section
   * @returns {boolean} false if this view can't offer less
   */
  offerLess(section) {
    if (this.offersNothing) return false;
    if (section === OWN || this.withheld.has(section)) this.offersNothing = true;
    else this.withheld.add(section);
    return true;
  }

  /** A cut of it was good. @param {number} now @param {import("./messages.js").Cut} cut */
  joined(now, cut) {
    this.live = true;
    this.cut = cut;
    this.asOf = now;
    this.error = undefined;
    this.withheld.clear();
    this.damaged.clear();
    this.offersNothing = false;
    this.refusals = 0;
  }
}
