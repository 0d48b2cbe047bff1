/** A screen that is watched, or that the mirror holds, across connections. */

/** The view's own list of sections, among sections whose ids are never empty. */
export const OWN = "";

/** Rows anywhere in a list whose head says `anywhere`, around an anchor: an item's id, a head's cursor (for an item: the
 * place once it has gone), a value of the order's first field, or the end; without any, from the start.
 * @typedef {{anchor?: string, cursor?: Uint8Array, value?: string, end?: boolean, before?: number, after: number}} Place
 * Sorts and windows of sections, by section id. A window is a number of items, or a place.
 * @typedef {{sorts?: Record<string, string>, windows?: Record<string, number | Place>}} SectionOptions */

/** The screen of a user's collections, which is kept subscribed. */
export const COLLECTIONS = "user-collections";

/**
 * The key of a view in maps and in the mirror.
 * @param {string} screen
 * @param {string} locale
 */
export const keyOf = (screen, locale) => screen + "\n" + locale;

export class View {
  /**
   * The options, and those of the last join.
   * @type {SectionOptions}
   */
  options = {};
  /** @type {SectionOptions} */
  shown = {};
  /**
   * Content by section, replaced as a whole by each cut.
   * @type {ReadonlyMap<string, import("./content.js").Content>}
   */
  contents = new Map();
  /** The locale that is served. */
  served = "";
  /** Whether it has joined on this connection. */
  live = false;
  /**
   * The position at which it was last live.
   * @type {import("./messages.js").Cut}
   */
  cut = {};
  /** When it was last known to be current, in milliseconds since 1970; 0 if never. */
  asOf = 0;
  /**
   * Why it isn't current.
   * @type {import("./errors.js").MarqueeError | undefined}
   */
  error;
  /**
   * Why sections aren't.
   * @type {ReadonlyMap<string, import("./errors.js").MarqueeError>}
   */
  errors = new Map();
  /**
   * Sections that aren't offered, because that has failed since it last joined; its own list stands for all of them.
   * @type {Set<string>}
   */
  withheld = new Set();
  /** Refusals since it last joined, and when to subscribe again; 0 is at once. */
  tries = 0;
  retryAt = 0;

  /**
   * @param {string} screen
   * @param {string} locale as asked for; empty is the server's choice
   */
  constructor(screen, locale) {
    this.screen = screen;
    this.locale = locale;
    this.key = keyOf(screen, locale);
  }

  /** The options of a subscription, as it requests them. */
  get request() {
    const { screen, locale, options: { sorts = {}, windows = {} } } = this;
    return {
      screen, locale,
      sections: Object.keys({ ...sorts, ...windows }).map((section) => ({
        section, sort: sorts[section],
        .../** @type {any} */ (windows[section] > 0 ? { window: windows[section] } : windows[section]),
      })),
    };
  }

  /** The offer of a new subscription (chapter 13); undefined for none. */
  get offer() {
    const { cut, withheld, contents } = this;
    const own = contents.get(OWN);
    if (!own || withheld.has(OWN)) return;
    const sections = [...contents].filter(([section]) => section && !withheld.has(section));
    return { cut, viewSum: own.sum, sections: sections.map(([section, { sum }]) => ({ section, sum })) };
  }

  /** Whether there is anything to show. */
  get isHeld() {
    return this.contents.has(OWN);
  }
}
