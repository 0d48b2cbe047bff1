// `<marquee-screen>` shows any screen of cards and keeps it live. The layout engine computes its frames.
//
//   <marquee-screen src="wss://screens.example.org" screen="home"></marquee-screen>
//
// Attributes: `src` (the server, unless the page sets the property `client`), `screen`, `locale` (the requested
// language), `theme` (`light` or `dark`; by default the system's), `dir` (by default the language's direction),
// `favorites` (the collection behind the star; by default `favorites`). `token` is only a property.
// Events, all of which bubble: `marquee-open` and `marquee-action` when a person opens an item or takes an action,
// `marquee-favorite` before a favorite is set or removed (cancel it to do so yourself), `marquee-update` after each
// update, `marquee-error` on an error, such as one that ends the updates.
// CSS parts have the class names in screen-styles.js; colours are custom properties, `--marquee-` and a palette name.

import { companyOf, haveOnlyWords, starOf } from "./screen-cards.js";
import { changesBetween, reportedMoves } from "./screen-changes.js";
import { leaseOf } from "./screen-clients.js";
import { make, orderChildren } from "./screen-dom.js";
import { sectionInput } from "./screen-input.js";
import { neighbour } from "./screen-keys.js";
import { SectionView } from "./screen-section.js";
import { styleSheet } from "./screen-styles.js";
import { Words, isRightToLeft } from "./screen-words.js";
import { LayoutLimits, ScreenLayout, designLayout, sectionDesign } from "./layout.js";

/** @typedef {import("./layout.js").Size} Size */
/** @typedef {import("./layout.js").Sizes} Sizes */
/** @typedef {import("./screen-types.js").Screen} Screen */
/** @typedef {import("./screen-types.js").ScreenSource} ScreenSource */
/** @typedef {import("./screen-types.js").ScreenItem} ScreenItem */
/** @typedef {import("./screen-input.js").SectionInput} SectionInput */
/** @typedef {import("./screen-types.js").Action} Action */
/** @typedef {import("./screen-section.js").SectionState} SectionState */

/** Points above and below the visible part within which items are kept in the document. */
const MARGIN = 300;
/** Maximum number of times that sizes are measured per drawing: each may bring other items into view. */
const PASSES = 4;
/** Minimum number of milliseconds between announcements to a screen reader. */
const ANNOUNCEMENT_MILLISECONDS = 5000;
/** Milliseconds after the last change during which elements are animated. */
const SLIDE_MILLISECONDS = 700;
/** Maximum number of sections shown of a screen. */
const SECTIONS = 512;
/** Maximum number of items in the document. A layout may put any number of them in one place. */
const ITEMS = 1000;
/** A screen scrolled by at most this many points counts as at its top, where new content may push down the rest. */
const TOP_TOLERANCE = 4;

/** @typedef {{key: string, sizes: Map<string | number, Size>}} Measured Sizes that are valid for one width,
 * the `key`. */

/** Shows a screen of a client. */
export class MarqueeScreen extends HTMLElement {
  static observedAttributes = ["src", "screen", "locale", "dir", "favorites"];

  /** @type {ScreenSource | null} */ #given = null;
  /** @type {ScreenSource | null} */ #client = null;
  /** @type {import("./screen-clients.js").Token} */ #token;
  /** @type {import("./screen-clients.js").Lease | null} */ #lease = null;
  /** @type {AbortController | null} */ #updates = null;
  /** @type {Screen | null} */ #screen = null;
  /** @type {SectionState[]} */ #sections = [];
  /** @type {ScreenLayout} */ #layout = new ScreenLayout([], { width: 0, height: 0 });
  /** @type {Map<string, SectionView>} */ #views = new Map();
  /** @type {Map<string, number>} */ #offsets = new Map();
  /** @type {Map<string, Measured>} */ #measuredItems = new Map();
  /** @type {Map<string, Measured>} */ #measuredViews = new Map();
  /** @type {Record<string, string>} */ #sorts = {};
  /** @type {Record<string, number>} */ #windows = {};
  /** @type {Map<string, import("./screen-types.js").Member>} */ #members = new Map();
  /** @type {{section: string, item: string} | null} */ #current = null;
  /** @type {((name: string) => string | null) | null} */ #imageURL = null;
  /** @type {Partial<import("./screen-words.js").Phrases>} */ #phrases = {};
  #words = new Words("en");
  #wordsLocale = "en";
  #wordsPhrases = this.#phrases;
  #frame = 0;
  #slideEnd = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #settling;
  #announcedAt = -ANNOUNCEMENT_MILLISECONDS;
  /** The name of the screen shown. */
  #shown = "";
  #root = make("div", "root");
  #scroller = make("div", "scroller");
  #canvas = make("div", "canvas");
  #notice = make("div", "notice");
  #status = make("div", "quiet");
  #resizes = new ResizeObserver(() => this.#relayout());
  #host = this.#makeHost();

  constructor() {
    super();
    const shadow = this.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [styleSheet()];
    this.#status.setAttribute("role", "status");
    this.#status.setAttribute("aria-live", "polite");
    this.#scroller.append(this.#canvas);
    this.#root.append(this.#scroller, this.#status);
    shadow.append(this.#root);
    this.#scroller.addEventListener("scroll", () => this.#scheduleSync(), { passive: true });
    this.#scroller.addEventListener("keydown", (event) => this.#keyDown(event));
    this.#scroller.addEventListener("focusin", (event) => this.#focused(event));
    // The order may have waited for it.
    this.#scroller.addEventListener("focusout", () => this.#scheduleSync());
    this.#scroller.addEventListener("resized", () => this.#relayout());
  }

  /** @returns {import("./screen-section.js").SectionHost} */
  #makeHost() {
    const words = () => this.#words;
    const hasFavorites = () => this.#hasFavorites;
    return {
      around: {
        get words() { return words(); }, get hasFavorites() { return hasFavorites(); },
        starOf: (item) => this.#starOf(item), imageURL: (name) => this.#addressOf(name),
        act: (action, item) => this.#act(action, item),
      },
      scrolled: () => this.#scheduleSync(), choose: (section, sort) => this.#choose(section, sort),
      showMore: (section) => this.#showMore(section),
    };
  }

  // ---------------------------------------------------------------- properties

  /** The client that the screen comes from: the one that the page has set, or else that of `src` once it is loaded.
   * @param {ScreenSource | null} client */
  set client(client) {
    if (client === this.#given) return;
    this.#given = client;
    this.#connect();
  }
  get client() { return this.#client; }

  /** The server, such as `wss://screens.example.org`, unless the page sets a client. Elements with the same `src` and
   * the same token share a client.
   * @param {string | null} src */
  set src(src) { setOrRemove(this, "src", src); }
  get src() { return this.getAttribute("src"); }

  /** The token that identifies the user to the server of `src`: a string, or a function as in the client's options.
   * Without one there are no favorites. It isn't an attribute, because that would put it into the page's markup.
   * @param {import("./screen-clients.js").Token} token */
  set token(token) {
    if (token === this.#token) return;
    this.#token = token;
    // One user must not see another's screen.
    if (!this.#given && this.#screen) this.#forget();
    this.#connect();
  }
  get token() { return this.#token; }

  /** The screen's name, such as `home`.
   * @param {string | null} name */
  set screen(name) { setOrRemove(this, "screen", name); }
  get screen() { return this.getAttribute("screen"); }

  /** The requested language.
   * @param {string | null} locale */
  set locale(locale) { setOrRemove(this, "locale", locale); }
  get locale() { return this.getAttribute("locale"); }

  /** The colour scheme, `light` or `dark`; `null` for the system's.
   * @param {string | null} theme */
  set theme(theme) { setOrRemove(this, "theme", theme); }
  get theme() { return this.getAttribute("theme"); }

  /** Maps an image's name to its URL, or to `null` if there is no such image. By default, the name is resolved against
   * the client's `imageBaseUrl`.
   * @param {((name: string) => string | null) | null} address */
  set imageURL(address) {
    this.#imageURL = address;
    this.#redraw();
  }
  get imageURL() { return this.#imageURL; }

  /** The page's own phrases, which replace the element's.
   * @param {Partial<import("./screen-words.js").Phrases>} phrases */
  set phrases(phrases) {
    this.#phrases = phrases ?? {};
    this.#redraw();
  }
  get phrases() { return this.#phrases; }

  /** The screen shown; `null` before it has arrived. */
  get content() { return this.#screen; }

  /** An item's frame, relative to the top left of the element's content; `null` if there is no such item.
   * @param {string} section @param {string} item */
  frameOf(section, item) {
    const index = this.#sections.findIndex(({ id }) => id === section);
    const place = this.#sections[index]?.places.get(item);
    if (place === undefined) return null;
    return this.#layout.frameOf({ section: index, item: place }, this.#offsetOf(section));
  }

  /** An item's element; `null` while it is far from the visible part, or if there is no such item.
   * @param {string} section @param {string} item @returns {HTMLElement | null} */
  elementOf(section, item) { return this.#views.get(section)?.items.get(item)?.root ?? null; }

  /** The items whose elements are in the document: those near the visible part.
   * @returns {{section: string, item: string, root: HTMLElement}[]} */
  itemsInDocument() {
    return [...this.#views].flatMap(([section, { items }]) =>
      [...items].map(([item, { root }]) => ({ section, item, root })));
  }

  /** A section's layout and frames, its kind and its top edge; `null` if there is no such section.
   * @param {string} section
   * @returns {{layout: import("./layout.js").Layout, frames: import("./layout.js").SectionFrames, top: number,
   *   kind: string} | null} */
  layoutOf(section) {
    const index = this.#sections.findIndex(({ id }) => id === section);
    const state = this.#sections[index];
    if (!state) return null;
    const { layout, frames, section: { kind } } = state;
    return { layout, frames, kind, top: this.#layout.frameOfSection(index)?.y ?? 0 };
  }

  connectedCallback() {
    for (const name of PROPERTIES) upgradeProperty(this, name);
    this.#resizes.observe(this);
    this.#connect();
  }

  disconnectedCallback() {
    this.#resizes.disconnect();
    clearTimeout(this.#settling);
    this.#stop();
    this.#endLease();
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === "dir" || name === "favorites") this.#redraw();
    else if (name === "src") this.#connect();
    else this.#restart();
  }

  // ---------------------------------------------------------------- updates

  #endLease() {
    this.#lease?.end();
    this.#lease = null;
  }

  /** Uses the client that the page has set, or else leases the one of `src`. */
  #connect() {
    this.#endLease();
    this.#client = this.#given;
    this.#members = new Map();
    const { src } = this;
    if (src && !this.#given && this.isConnected) {
      const lease = leaseOf(src, this.#token);
      this.#lease = lease;
      lease.client.then((client) => {
        if (this.#lease !== lease) return;
        this.#client = client;
        this.#restart();
      }, (error) => {
        if (this.#lease === lease) this.#fail(error);
      });
    }
    this.#restart();
  }

  get #hasFavorites() {
    return typeof this.#client?.collection === "function" && (this.#given !== null || this.#token !== undefined);
  }

  #stop() {
    this.#updates?.abort();
    this.#updates = null;
  }

  /** Requests the screen again. If it is the one shown, its content stays until the new one arrives. */
  #restart() {
    this.#stop();
    if (!this.isConnected) return;
    const name = this.screen;
    if (this.#screen && this.#shown !== name) this.#forget();
    if (!(this.#client || this.#lease) || !name) return;
    if (!this.#screen) this.#showNotice("loading");
    if (!this.#client) return;
    this.#updates = new AbortController();
    this.#follow(this.#client, name, this.#updates.signal);
    if (this.#hasFavorites) this.#followFavorites(this.#client, this.#updates.signal);
  }

  /** Clears the screen and everything that belongs to it. */
  #forget() {
    this.#screen = null;
    this.#sections = [];
    this.#sorts = {};
    this.#windows = {};
    this.#current = null;
    for (const map of [this.#offsets, this.#measuredItems, this.#measuredViews]) map.clear();
    this.#scroller.scrollTop = 0;
    this.#redraw();
  }

  /** Follows the collection, for items without `favorite`.
   * @param {ScreenSource} client @param {AbortSignal} signal */
  async #followFavorites(client, signal) {
    try {
      for await (const { members } of client.collection?.(this.#collection).states?.({ signal }) ?? []) {
        if (signal.aborted) return;
        this.#members = new Map(members.map((member) => [member.subject, member]));
        this.#draw(null, null);
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** @param {ScreenSource} client @param {string} name @param {AbortSignal} signal */
  async #follow(client, name, signal) {
    const requested = this.locale ? { locale: this.locale } : {};
    const options = { signal, sorts: this.#sorts, windows: this.#windows, ...requested };
    try {
      for await (const { screen, changes } of client.screen(name, options)) {
        if (signal.aborted) return;
        this.#shown = name;
        this.#show(screen, changes ?? null);
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    this.dispatchEvent(new CustomEvent("marquee-error", { bubbles: true, composed: true, detail: { error } }));
    if (!this.#screen) this.#showNotice("failed");
  }

  /** Shows a notice in place of the sections, or none.
   * @param {"loading" | "failed" | "nothingHere" | null} phrase */
  #showNotice(phrase) {
    this.#notice.remove();
    if (!phrase) return;
    this.#notice.textContent = this.#words.phrases[phrase];
    this.#notice.classList.toggle("error", phrase === "failed");
    this.#notice.setAttribute("role", phrase === "failed" ? "alert" : "note");
    this.#root.append(this.#notice);
  }

  /** @param {Screen} screen @param {readonly import("./screen-types.js").ScreenOperation[] | null} operations */
  #show(screen, operations) {
    const before = this.#screen ? this.#sections : [];
    const isFirst = this.#screen === null;
    this.#screen = screen;
    this.#setLanguage();
    const anchor = this.#anchor();
    this.#arrange();
    this.#showNotice(this.#sections.length === 0 ? "nothingHere" : null);
    // Scrolling has kept an item in place for the reader, so it must not slide.
    if (anchor && this.#restoreAnchor(anchor)) this.#drawStill();
    else this.#draw(isFirst ? null : new Map(before.map((state) => [state.id, state])), operations);
    if (!isFirst) this.#announce(before);
    this.dispatchEvent(new CustomEvent("marquee-update", { bubbles: true, composed: true, detail: { screen } }));
  }

  #setLanguage() {
    const locale = this.#screen?.locale ?? this.locale ?? "en";
    if (locale !== this.#wordsLocale || this.#phrases !== this.#wordsPhrases) {
      this.#words = new Words(locale, this.#phrases);
      [this.#wordsLocale, this.#wordsPhrases] = [locale, this.#phrases];
    }
    this.#root.lang = this.#words.locale;
    this.#root.dir = this.#isRightToLeft ? "rtl" : "ltr";
    this.#root.style.setProperty("--direction", this.#root.dir);
    this.#scroller.setAttribute("role", "region");
    this.#scroller.setAttribute("aria-label", this.#screen?.title || this.screen || "");
  }

  get #isRightToLeft() {
    const given = this.getAttribute("dir");
    return given ? given === "rtl" : isRightToLeft(this.#screen?.locale ?? "");
  }

  /** Lays everything out again, without animation. */
  #relayout() {
    if (!this.#screen) return;
    const anchor = this.#anchor();
    this.#arrange();
    if (anchor) this.#restoreAnchor(anchor);
    this.#drawStill();
  }

  /** Draws without animation. */
  #drawStill() {
    this.#slideEnd = 0;
    this.#draw(null, null);
  }

  /** Builds all elements again. */
  #redraw() {
    this.#setLanguage();
    for (const view of this.#views.values()) view.root.remove();
    this.#views.clear();
    this.#relayout();
  }

  // ---------------------------------------------------------------- layout

  /** Lays out the sections for the element's size, minus any scrollbar that takes up space. */
  #arrange() {
    const width = this.#scroller.clientWidth;
    this.#arrangeIn(width);
    // The new height may have made a scrollbar appear or disappear.
    if (this.#scroller.clientWidth !== width) this.#arrangeIn(this.#scroller.clientWidth);
  }

  /** @param {number} width */
  #arrangeIn(width) {
    const size = { width, height: this.clientHeight };
    const old = new Map(this.#sections.map((state) => [state.id, state]));
    const given = (this.#screen?.sections ?? []).slice(0, SECTIONS).map(sectionInput);
    const sections = given.map((section) => ({ section, ...this.#inputOf(section, size, old.get(section.id)) }));
    this.#layout = new ScreenLayout(
      sections.map(({ layout, itemCount, measured, measuredSupplementaries }) =>
        ({ layout, itemCount, measured, measuredSupplementaries })), size, { rightToLeft: this.#isRightToLeft });
    this.#sections = sections.map(({ section, layout, company, places, placeholders }, index) => ({
      section, id: section.id, company, layout, frames: this.#layout.sections[index], places, placeholders,
    }));
    this.#canvas.style.height = `${this.#layout.contentSize.height}px`;
  }

  /** @param {SectionInput} section @param {Size} size @param {SectionState | undefined} old */
  #inputOf(section, size, old) {
    const { items } = section;
    const isSame = old?.section.items === items && old.section.header === section.header;
    const placeholders = items.length === 0 ? Math.min(section.placeholders, LayoutLimits.count) : 0;
    const key = `${size.width}`;
    return {
      layout: layoutOf(section, size.width), itemCount: items.length || placeholders, placeholders,
      company: isSame && old ? old.company : companyOf(section.kind, items, section.header?.actions),
      places: isSame && old ? old.places : new Map(items.map((item, index) => [item.id, index])),
      measured: this.#measuredOf(section, key),
      measuredSupplementaries: /** @type {Sizes} */ (sizesFor(this.#measuredViews.get(section.id), key)),
    };
  }

  /** The measured sizes of items by index; they are stored by id.
   * @param {SectionInput} section @param {string} key
   * @returns {Sizes} */
  #measuredOf(section, key) {
    const known = sizesFor(this.#measuredItems.get(section.id), key);
    /** @type {Sizes} */
    const sizes = new Map();
    if (known.size === 0) return sizes;
    for (const [index, item] of section.items.entries()) {
      const size = known.get(item.id);
      if (size) sizes.set(index, size);
    }
    return sizes;
  }

  /** The item at the top of the visible part, and its distance from there; `null` if the screen is at its top.
   * @returns {{section: string, item: string | null, distance: number} | null} */
  #anchor() {
    const top = this.#scroller.scrollTop;
    if (top <= TOP_TOLERANCE || this.#sections.length === 0) return null;
    const window = { x: 0, y: top, width: this.#layout.contentSize.width, height: this.clientHeight };
    const [first] = this.#layout.sectionsIn(window);
    const state = this.#sections[first];
    const frame = this.#layout.frameOfSection(first);
    if (!state || !frame) return null;
    const line = { x: -LayoutLimits.points, y: top - frame.y, width: 2 * LayoutLimits.points, height: 1 };
    const [item] = state.frames.itemsIn(line);
    const own = item === undefined ? null : state.frames.frameOfItem(item);
    const id = state.section.items[item ?? -1]?.id ?? null;
    return { section: state.id, item: id, distance: frame.y + (own && id !== null ? own.y : 0) - top };
  }

  /** Scrolls so that the anchor stays where it was. Returns whether scrolling was needed.
   * @param {{section: string, item: string | null, distance: number}} anchor */
  #restoreAnchor({ section, item, distance }) {
    const index = this.#sections.findIndex(({ id }) => id === section);
    const frame = this.#layout.frameOfSection(index);
    if (!frame) return false;
    const place = item === null ? undefined : this.#sections[index].places.get(item);
    if (item !== null && place === undefined) return false;
    const own = place === undefined ? null : this.#sections[index].frames.frameOfItem(place);
    const wanted = frame.y + (own?.y ?? 0) - distance;
    if (Math.abs(wanted - this.#scroller.scrollTop) < 1) return false;
    this.#scroller.scrollTop = wanted;
    return true;
  }

  // ---------------------------------------------------------------- drawing

  #scheduleSync() {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#sync(null, null);
    });
  }

  /** Draws the visible part, measures items of estimated size, and lays out again until sizes settle.
   * @param {Map<string, SectionState> | null} before The states that items move from; `null` without animation.
   * @param {readonly import("./screen-types.js").ScreenOperation[] | null} operations */
  #draw(before, operations) {
    if (this.clientWidth === 0) return;
    const isMoving = before !== null && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#root.classList.toggle("animated", isMoving || performance.now() < this.#slideEnd);
    if (isMoving) this.#slideFor(SLIDE_MILLISECONDS);
    if (before === null && performance.now() >= this.#slideEnd) this.#root.classList.remove("animated");
    this.#sync(isMoving ? before : null, operations);
    for (let pass = 0; pass < PASSES && this.#measure(); pass += 1) {
      this.#arrange();
      this.#sync(null, null);
    }
  }

  /** @param {number} milliseconds */
  #slideFor(milliseconds) {
    this.#slideEnd = performance.now() + milliseconds;
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#drawStill(), milliseconds);
  }

  /** @param {Map<string, SectionState> | null} before
   * @param {readonly import("./screen-types.js").ScreenOperation[] | null} operations */
  #sync(before, operations) {
    const [top, height] = [this.#scroller.scrollTop - MARGIN, this.clientHeight + 2 * MARGIN];
    const [first, end] = this.#layout.sectionsIn({ x: 0, y: top, width: 1, height });
    const shown = new Set();
    /** @type {(() => void)[]} */
    const moves = [];
    let room = ITEMS;
    for (const [index, state] of this.#sections.entries()) {
      const hasFocus = this.#current?.section === state.id && this.#hasFocus();
      if ((index < first || index >= end) && !hasFocus) continue;
      shown.add(state.id);
      const view = this.#viewOf(state);
      const y = this.#layout.frameOfSection(index)?.y ?? 0;
      view.moveTo(y, before !== null);
      const old = before?.get(state.id) ?? null;
      const raised = old ? this.#raised(old, state, operations) : new Set();
      const kept = hasFocus ? this.#current?.item ?? null : null;
      moves.push(...view.sync({ top: top - y, height }, old, raised, kept, room));
      room = Math.max(0, room - view.items.size);
    }
    for (const [id, view] of this.#views) {
      if (shown.has(id)) continue;
      this.#offsets.set(id, view.offset);
      view.root.remove();
      this.#views.delete(id);
    }
    const roots = this.#sections.flatMap(({ id }) => this.#views.get(id)?.root ?? []);
    orderChildren(this.#canvas, roots, before !== null);
    if (moves.length > 0) {
      // Reading a size makes the browser apply the old positions, from which the animations start.
      void this.#canvas.offsetHeight;
      for (const move of moves) move();
    }
    this.#keepTabStop();
    this.dispatchEvent(new CustomEvent("marquee-drawn"));
  }

  /** @param {SectionState} old @param {SectionState} state
   * @param {readonly import("./screen-types.js").ScreenOperation[] | null} operations */
  #raised(old, state, operations) {
    if (old.section.items === state.section.items) return new Set();
    return reportedMoves(operations, state.id)
      ?? changesBetween([...old.places.keys()], [...state.places.keys()]).moved;
  }

  /** @param {SectionState} state */
  #viewOf(state) {
    const known = this.#views.get(state.id);
    if (known?.suits(state)) {
      if (known.state !== state) known.update(state);
      return known;
    }
    known?.root.remove();
    const view = new SectionView(state, this.#host, this.#offsets.get(state.id));
    this.#views.set(state.id, view);
    this.#canvas.append(view.root);
    return view;
  }

  /** @param {string} name */
  #addressOf(name) {
    if (this.#imageURL) return this.#imageURL(name);
    const base = this.#client?.imageBaseUrl;
    const isWhole = /^[a-z][a-z\d+.-]*:/i.test(name);
    return base ? new URL((isWhole ? "" : base) + encodeURI(name), document.baseURI).href : null;
  }

  /** Measures what is in the document. Returns whether any size is new, so that the layout has to change. */
  #measure() {
    const key = `${this.#scroller.clientWidth}`;
    let isNew = false;
    for (const [id, view] of this.#views) {
      for (const [map, sizes] of /** @type {[Map<string, Measured>, Map<string | number, Size>][]} */ ([
        [this.#measuredItems, view.measureItems()], [this.#measuredViews, view.measureViews()],
      ])) {
        const known = map.get(id);
        const kept = known?.key === key ? known.sizes : new Map();
        for (const [name, size] of sizes) {
          if (kept.get(name)?.height === size.height) continue;
          kept.set(name, size);
          isNew = true;
        }
        map.set(id, { key, sizes: kept });
      }
    }
    return isNew;
  }

  /** @param {string} section */
  #offsetOf(section) { return this.#views.get(section)?.offset ?? this.#offsets.get(section); }

  // ---------------------------------------------------------------- user actions

  /** @param {Action} action @param {ScreenItem | null} item */
  #act(action, item) {
    if (action.id === "favorite" && item?.subject) return this.#toggleFavorite(item);
    const isOpening = action.id === "open" || Boolean(action.target);
    this.dispatchEvent(new CustomEvent(isOpening ? "marquee-open" : "marquee-action", {
      bubbles: true, composed: true, detail: { action, target: action.target ?? "", item },
    }));
  }

  /** @param {ScreenItem} item */
  #toggleFavorite(item) {
    const subject = item.subject ?? "";
    const member = this.#starOf(item) === "off";
    const collection = this.#collection;
    const event = new CustomEvent("marquee-favorite", {
      bubbles: true, composed: true, cancelable: true, detail: { subject, member, collection, item },
    });
    if (!this.dispatchEvent(event)) return;
    const members = this.#client?.collection?.(collection);
    // The change, or its rollback, shows in the next update of the screen.
    Promise.resolve(member ? members?.set(subject) : members?.remove(subject)).catch((error) => this.#fail(error));
  }

  /** The name of the collection behind the star. */
  get #collection() { return this.getAttribute("favorites") ?? "favorites"; }

  /** @param {ScreenItem} item */
  #starOf(item) {
    if (item.favorite !== undefined) return starOf(item.favorite);
    const member = this.#members.get(item.subject ?? "");
    return member ? member.pending ? "pending" : "on" : "off";
  }

  /** @param {string} section @param {string} sort */
  #choose(section, sort) {
    this.#sorts = { ...this.#sorts, [section]: sort };
    this.#changeOptions();
  }

  /** Shows the screen with the chosen sorts and windows. */
  #changeOptions() {
    if (!this.#client?.setOptions || !this.screen) return this.#restart();
    const requested = this.locale ? { locale: this.locale } : {};
    this.#client.setOptions(this.screen, { ...requested, sorts: this.#sorts, windows: this.#windows });
  }

  /** Requests the next larger window of a section.
   * @param {string} section */
  #showMore(section) {
    const given = this.#sections.find(({ id }) => id === section)?.section;
    const next = given?.windows.find((window) => window > given.window);
    if (next === undefined) return;
    this.#windows = { ...this.#windows, [section]: next };
    this.#changeOptions();
  }

  /** Announces changes to a screen reader, at most once every few seconds.
   * @param {SectionState[]} before */
  #announce(before) {
    if (performance.now() - this.#announcedAt < ANNOUNCEMENT_MILLISECONDS) return;
    const sentences = [];
    for (const state of this.#sections) {
      const old = before.find(({ id }) => id === state.id);
      if (!old || old.section.items === state.section.items) continue;
      const { added, removed, moved } = changesBetween([...old.places.keys()], [...state.places.keys()]);
      const words = /** @type {const} */ ([["added", added], ["removed", removed], ["moved", moved]])
        .filter(([, ids]) => ids.size > 0).map(([phrase, ids]) => this.#words.say(phrase, ids.size));
      const title = state.section.header?.title ?? "";
      if (words.length > 0) sentences.push(`${title}: ${words.join(", ")}`);
    }
    if (sentences.length === 0) return;
    this.#announcedAt = performance.now();
    this.#status.textContent = sentences.join(". ");
  }

  // ---------------------------------------------------------------- keyboard

  #hasFocus() {
    const focused = this.shadowRoot?.activeElement;
    return Boolean(focused && this.#canvas.contains(focused));
  }

  /** Makes exactly one item a tab stop; from there, arrow keys move the focus. */
  #keepTabStop() {
    const current = this.#current && this.#views.get(this.#current.section)?.items.get(this.#current.item);
    if (current && current.card.tabIndex === 0) return;
    if (current) {
      setTabStop(current.root, current.card, true);
      return;
    }
    if (this.#current && this.#hasFocus()) return;
    for (const state of this.#sections) {
      const first = this.#views.get(state.id)?.items.entries().next().value;
      if (!first || !state.places.has(first[0])) continue;
      this.#current = { section: state.id, item: first[0] };
      setTabStop(first[1].root, first[1].card, true);
      return;
    }
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const root = /** @type {Element} */ (event.target).closest(".item");
    if (!root) return;
    for (const [section, view] of this.#views) {
      for (const [item, { root: own, card }] of view.items) {
        if (own === root) this.#current = { section, item };
        setTabStop(own, card, own === root);
      }
    }
  }

  /** @param {KeyboardEvent} event */
  #keyDown(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || !target.closest(".item") || !this.#current) return;
    const section = this.#sections.findIndex(({ id }) => id === this.#current?.section);
    const item = this.#sections[section]?.places.get(this.#current.item);
    if (item === undefined) return;
    const offset = (/** @type {number} */ index) => this.#offsetOf(this.#sections[index].id);
    const next = neighbour(this.#layout, { section, item }, event.key, offset);
    if (!next) return;
    event.preventDefault();
    this.#focusItem(next);
  }

  /** @param {import("./layout.js").ItemPosition} position */
  #focusItem({ section, item }) {
    const state = this.#sections[section];
    const id = state.section.items[item]?.id;
    const own = state.frames.frameOfItem(item);
    if (id === undefined || !own) return;
    this.#current = { section: state.id, item: id };
    this.#viewOf(state).reveal(own);
    const y = (this.#layout.frameOfSection(section)?.y ?? 0) + own.y;
    const [top, height] = [this.#scroller.scrollTop, this.clientHeight];
    const above = Math.max(REVEAL, pinnedHeight(state.frames) + TOP_TOLERANCE);
    if (y < top + above) this.#scroller.scrollTop = y - above;
    else if (y + own.height > top + height - REVEAL) this.#scroller.scrollTop = y + own.height - height + REVEAL;
    this.#sync(null, null);
    const view = this.#views.get(state.id);
    view?.items.get(id)?.card.focus({ preventScroll: true });
  }
}

/** Minimum distance between the focused item and the edge of the screen, in points. */
const REVEAL = 48;

/** The points at the top that pinned headers take up.
 * @param {import("./layout.js").SectionFrames} frames */
const pinnedHeight = (frames) => frames.supplementaryFrames.reduce(
  (sum, { frame }, index) => sum + (frames.pinOf(index)?.edge === "top" ? frame.height : 0), 0);

/** Sets whether an item and its buttons are tab stops.
 * @param {HTMLElement} root
 * @param {HTMLElement} card @param {boolean} isStop */
function setTabStop(root, card, isStop) {
  const index = isStop ? 0 : -1;
  if (card.tabIndex === index || card === root) return;
  card.tabIndex = index;
  for (const button of root.querySelectorAll("button")) button.tabIndex = index;
}

/** Properties that a page may have set before this module was loaded. */
const PROPERTIES = ["client", "token", "src", "screen", "locale", "theme", "imageURL", "phrases"];

/** Sets a property again that was set before the element was upgraded, so that its setter runs.
 * @param {any} element @param {string} name */
function upgradeProperty(element, name) {
  if (!Object.hasOwn(element, name)) return;
  const value = element[name];
  delete element[name];
  element[name] = value;
}

/** @param {HTMLElement} element @param {string} name @param {string | null} value */
function setOrRemove(element, name, value) {
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** @param {Measured | undefined} measured @param {string} key @returns {Map<string | number, Size>} */
const sizesFor = (measured, key) => (measured?.key === key ? measured.sizes : new Map());

/** @param {SectionInput} section @param {number} width */
function layoutOf({ layout, kind, items, header, footer, error }, width) {
  if (layout) return layout;
  const design = sectionDesign(kind, haveOnlyWords(items));
  return designLayout(design, { header: header !== null || error !== "", footer: footer !== null, width });
}

if (!customElements.get("marquee-screen")) customElements.define("marquee-screen", MarqueeScreen);
