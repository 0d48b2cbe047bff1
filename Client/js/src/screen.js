/** A screen as an app sees it: immutable, verified, and with pending changes applied. */

import { hex } from "./bytes.js";
import { Content, EMPTY, Item, screenSum } from "./content.js";
import { OWN } from "./view.js";

/** @typedef {import("./outbox.js").Row} Row */
/** @typedef {import("./messages.js").SectionHead} SectionHead */

export class Section {
  #content;

  /**
   * @param {string} id
   * @param {Content} content
   * @param {readonly Item[]} items with pending changes
   * @param {import("./errors.js").MarqueeError} [error]
   */
  constructor(id, content, items, error) {
    this.#content = content;
    this.id = id;
    this.items = items;
    /** Why the server can't update it, if it can't. */
    this.error = error;
  }

  /**
   * The decoded head: titles, sorts and windows. Its layout is left encoded.
   * @returns {SectionHead}
   */
  get head() {
    return this.#content.decoded("SectionHead");
  }

  get title() {
    return this.head.header?.title ?? "";
  }

  /** The sum of the confirmed content, as 16 hexadecimal digits. */
  get sum() {
    return hex(this.#content.sum);
  }

  /**
   * Whether another state has the same head and error.
   * @param {Section} other
   */
  hasHeadOf(other) {
    return this.#content.head.join() === other.#content.head.join() && this.error === other.error;
  }
}

export class Screen {
  #contents;
  #own;

  /**
   * @param {import("./engine.js").ScreenState} state
   * @param {readonly Row[]} rows pending changes of collections
   */
  constructor({ screen, served, contents, live, asOf, cut, errors, error }, rows) {
    this.#contents = contents;
    this.#own = contents.get(OWN) ?? EMPTY;
    this.name = screen;
    this.locale = served;
    /** Whether this is the server's current state. */
    this.live = live;
    /** When it was last known to be current. */
    this.asOf = new Date(asOf);
    /** The catalogue's revision. */
    this.revision = cut.catalogueRevision ?? 0;
    /** Why it isn't live. */
    this.error = error;
    this.sections = this.#own.items.flatMap(({ id }) => {
      const content = contents.get(id);
      return content ? new Section(id, content, this.#overlaid(content, rows), errors.get(id)) : [];
    });
  }

  get title() {
    return this.#own.decoded("ViewHead").title ?? "";
  }

  /**
   * The ids of sections left out because no user is signed in.
   * @returns {string[]}
   */
  get needsUser() {
    return this.#own.decoded("ViewHead").needsUser ?? [];
  }

  /** The screen sum of the confirmed content: equal sums mean equal screens. */
  get sum() {
    return hex(screenSum(this.#own, (section) => this.#contents.get(section)?.sum));
  }

  /** @param {string} id */
  section(id) {
    return this.sections.find((section) => section.id === id);
  }

  /**
   * The items of a section, with pending changes applied if it shows a collection.
   * @param {Content} content
   * @param {readonly Row[]} rows
   */
  #overlaid(content, rows) {
    let { items } = content;
    for (const { subject, collection, messages } of rows) {
      if (!subject || !collection || collection !== content.decoded("SectionHead").collection) continue;
      const isSubject = (/** @type {Item} */ item) => item.subject === subject;
      const others = items.filter((item) => !isSubject(item));
      const found = items.find(isSubject) ?? [...this.#contents.values()].flatMap((one) => one.items).find(isSubject);
      // Members that were just set come first, which isn't in a window further down.
      items = messages[0].member && found && !content.decoded("SectionHead").first ? [found, ...others] : others;
    }
    return items;
  }
}
