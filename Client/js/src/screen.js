/** A screen as an app sees it: immutable, verified, with changes that wait for the server laid over it. */

import { hex } from "./bytes.js";
import { Content, EMPTY, Item, screenSum } from "./content.js";
import { OWN } from "./view.js";

/** @typedef {import("./outbox.js").Row} Row */
/** @typedef {import("./messages.js").SectionHead} SectionHead */

const FAVORITES = "favorites";

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
    /** Why the server couldn't update it. */
    this.error = error;
  }

  /** The decoded head: titles, layout, sorts and windows. @returns {SectionHead} */
  get head() {
    return this.#content.decoded("SectionHead");
  }

  /** The head's bytes. */
  get headBytes() {
    return this.#content.head;
  }

  get kind() {
    return this.head.kind ?? 0;
  }

  get title() {
    return this.head.header?.title ?? "";
  }

  /** Of the confirmed content, as 16 hexadecimal digits. */
  get sum() {
    return hex(this.#content.sum);
  }

  /** @param {Content} content */
  isOf(content) {
    return this.#content === content;
  }

  /** @param {Section} other */
  hasHeadOf(other) {
    return same(this.headBytes, other.headBytes) && this.error === other.error;
  }
}

export class Screen {
  #state;

  /**
   * @param {import("./engine.js").ScreenState} state
   * @param {readonly Row[]} rows changes of collections that wait
   * @param {Screen} [previous] whose sections are kept where they are the same
   */
  constructor(state, rows, previous) {
    this.#state = state;
    this.name = state.screen;
    this.locale = state.locale;
    /** Whether this is what the server has now. */
    this.live = state.live;
    /** When it was last known to be current. */
    this.asOf = state.asOf ? new Date(state.asOf) : undefined;
    /** The catalogue's revision. */
    this.revision = state.revision;
    /** Why it isn't live. */
    this.error = state.error;
    const own = this.#own;
    this.sections = own.items.flatMap(({ id }) => this.#section(id, rows, previous) ?? []);
  }

  get #own() {
    return this.#state.contents.get(OWN) ?? EMPTY;
  }

  get title() {
    return this.#own.decoded("ViewHead").title ?? "";
  }

  /** Ids of sections that are left out because nobody is signed in. @returns {string[]} */
  get needsUser() {
    return this.#own.decoded("ViewHead").needsUser ?? [];
  }

  /** The screen sum of the confirmed content: equal sums mean equal screens. */
  get sum() {
    return hex(screenSum(this.#own, (section) => this.#state.contents.get(section)?.sum));
  }

  /** @param {string} id */
  section(id) {
    return this.sections.find((section) => section.id === id);
  }

  /** @param {string} id @param {readonly Row[]} rows @param {Screen | undefined} previous */
  #section(id, rows, previous) {
    const content = this.#state.contents.get(id);
    if (!content) return;
    const error = this.#state.sectionErrors.get(id);
    const { collection } = content.decoded("SectionHead");
    const items = collection && rows.length ? this.#overlaid(content.items, rows, collection) : content.items;
    const old = previous?.section(id);
    if (old?.isOf(content) && old.items === items && old.error === error) return old;
    return new Section(id, content, items, error);
  }

  /** Items of a collection as they will be. @param {readonly Item[]} items @param {readonly Row[]} rows @param {string} collection */
  #overlaid(items, rows, collection) {
    for (const { subject, member, collection: name = FAVORITES } of rows) {
      if (subject === undefined || name !== collection) continue;
      const item = items.find((one) => one.subject === subject) ?? (member ? this.#itemOf(subject) : undefined);
      if (!item) continue;
      const others = items.filter((one) => one.subject !== subject);
      items = member ? [item, ...others] : others;
    }
    return items;
  }

  /** An item about a subject, from any section. @param {string} subject */
  #itemOf(subject) {
    for (const { items } of this.#state.contents.values()) {
      const item = items.find((one) => one.subject === subject);
      if (item) return item;
    }
  }
}

/** @param {Uint8Array} a @param {Uint8Array} b */
export const same = (a, b) => a === b || (a.length === b.length && a.every((byte, i) => byte === b[i]));
