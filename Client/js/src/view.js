/** A screen that is watched or held by the mirror; it outlives connections. */

/** The key of the view's own list of sections. Ids of sections are never empty. */
export const OWN = "";

/** A window anywhere in a list whose head has `anywhere`, around an anchor: an item's id, a cursor from a head (with an
 * item, its position once the item is gone), a value of the sort's first field, or the end. By default, the start.
 * @typedef {{anchor?: string, cursor?: Uint8Array, value?: string, end?: boolean, before?: number, after: number}} Place
 * The sorts and windows of sections, by section id. A window is a number of items, or a place.
 * @typedef {{sorts?: Record<string, string>, windows?: Record<string, number | Place>}} SectionOptions */

/** The screen with a user's collections, which is always subscribed to. */
export const COLLECTIONS = "user-collections";

/**
 * The key of a view in maps and in the mirror.
 * @param {string} screen
 * @param {string} locale
 */
export const keyOf = (screen, locale) => screen + "\n" + locale;

export class View {
  /**
   * The requested options; `shown` are those of the last join.
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
  /** The locale that the server chose. */
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
   * Why sections aren't current.
   * @type {ReadonlyMap<string, import("./errors.js").MarqueeError>}
   */
  errors = new Map();
  /**
   * Sections that aren't offered, because offering them has failed since the last join. `OWN` stands for all of them.
   * @type {Set<string>}
   */
  withheld = new Set();
  /** The number of refusals since the last join, and when to subscribe again; 0 for at once. */
  tries = 0;
  retryAt = 0;

  /**
   * @param {string} screen
   * @param {string} locale as requested; empty to let the server choose
   */
  constructor(screen, locale) {
    this.screen = screen;
    this.locale = locale;
    this.key = keyOf(screen, locale);
  }

  /** The fields of a Subscribe message for the current options. */
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

  /** The content to offer in a new subscription (chapter 13); undefined for none. */
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
