// One section in the document: its background, its supplementary views, and the items near the visible part.

import { planOf } from "./screen-cards.js";
import { make, moveTo, orderChildren, place } from "./screen-dom.js";
import { badgeElement, cardElement, footerElement, headerElement, sideElement, starElement } from "./screen-views.js";
import { Scrolling } from "./layout.js";

/** @typedef {import("./layout.js").Rect} Rect */
/** @typedef {import("./layout.js").SectionFrames} SectionFrames */
/** @typedef {import("./screen-types.js").ScreenItem} ScreenItem */
/** @typedef {import("./screen-input.js").SectionInput} SectionInput */

/**
 * @typedef {object} SectionState A section with its layout.
 * @property {SectionInput} section
 * @property {string} id
 * @property {import("./screen-cards.js").Company} company
 * @property {import("./layout.js").Layout} layout
 * @property {SectionFrames} frames
 * @property {Map<string, number>} places The items' indices, by id.
 * @property {number} placeholders The number of placeholders shown while there are no items.
 */

/**
 * @typedef {object} SectionHost The services that a section needs from its screen.
 * @property {import("./screen-views.js").Surroundings} around
 * @property {() => void} scrolled
 * @property {(section: string, sort: string) => void} choose
 * @property {(section: string) => void} showMore
 */

/** @typedef {{root: HTMLElement, card: HTMLElement, item: ScreenItem, key: string, frame: Rect}} ItemView */

/** Points to either side of the visible part within which items are kept in the document. */
const MARGIN = 200;
/** Page stops kept in the document before and after the nearest one. */
const STOPS = 500;
/** The duration of a section's slide, in milliseconds. */
const SLIDE_MILLISECONDS = 350;
/** Milliseconds after which a removed item's element is removed from the document, even if it hasn't faded out. */
const GHOST_MILLISECONDS = 600;
/** Maximum number of items that fade out at a time; any others vanish at once. */
const GHOSTS = 60;
/** Maximum number of points by which a header is indented to line up with the items. */
const HEADER_MARGIN = 24;

/** A section in the document. */
export class SectionView {
  /** @type {Map<string, ItemView>} */ #items = new Map();
  /** @type {HTMLElement} */ #list;
  /** @type {HTMLElement | null} */ #sideways = null;
  /** @type {HTMLElement[]} */ #views = [];
  /** @type {HTMLElement | null} */ #background = null;
  #viewsKey = "";
  #ghosts = 0;
  #lower = 0;
  #contentWidth = 0;

  /**
   * @param {SectionState} state @param {SectionHost} host
   * @param {number | undefined} offset Where it was scrolled to when it was last in the document.
   */
  constructor(state, host, offset) {
    this.host = host;
    this.state = state;
    this.root = make("div", "section");
    this.root.setAttribute("role", "group");
    this.#list = make("div", "list");
    this.#list.setAttribute("role", "list");
    if (state.frames.scrolling === Scrolling.none) this.root.append(this.#list);
    else this.#makeSideways(state.frames, offset);
    this.update(state);
  }

  /** Whether this view can show a state: a section that starts or stops scrolling sideways needs a new view.
   * @param {SectionState} state */
  suits(state) { return (this.#sideways === null) === (state.frames.scrolling === Scrolling.none); }

  /** @type {number | null} */ #top = null;

  /** Puts the section at a distance from the screen's top. It sets `top` rather than a translation, which sticky views
   * would ignore; only the slide from the old position is a translation.
   * @param {number} top @param {boolean} slides */
  moveTo(top, slides) {
    if (top === this.#top) return;
    const from = this.#top;
    this.#top = top;
    this.root.style.top = `${top}px`;
    if (!slides || from === null) return;
    const slide = { translate: [`0 ${from - top}px`, "0 0"] };
    this.root.animate(slide, { duration: SLIDE_MILLISECONDS, easing: "cubic-bezier(.2,.7,.3,1)", composite: "add" });
  }

  /** The items in the document. */
  get items() { return this.#items; }

  /** @param {SectionFrames} frames @param {number | undefined} offset */
  #makeSideways(frames, offset) {
    this.#list.className = "content";
    this.#stopLayer.setAttribute("aria-hidden", "true");
    this.#sideways = make("div", "sideways", this.#list, this.#stopLayer);
    // Chromium lets the tab key stop at whatever scrolls, even where arrow keys already lead from item to item.
    this.#sideways.tabIndex = -1;
    this.#sideways.addEventListener("scroll", () => this.host.scrolled(), { passive: true });
    this.root.append(this.#sideways);
    this.#measureContent(frames);
    const { lower } = frames.offsetRange;
    const start = offset ?? frames.initialOffset;
    // It can't be scrolled before it is in the document.
    queueMicrotask(() => { if (this.#sideways) this.#sideways.scrollLeft = start - lower; });
    this.#offset = start;
  }

  #offset = 0;

  /** How far it is scrolled sideways, in the layout engine's coordinates; 0 if it doesn't scroll sideways. */
  get offset() {
    if (!this.#sideways) return 0;
    const isRendered = this.#sideways.isConnected && this.#sideways.clientWidth > 0;
    if (isRendered) this.#offset = this.#sideways.scrollLeft + this.#lower;
    return this.#offset;
  }

  /** @param {SectionFrames} frames */
  #measureContent(frames) {
    if (!this.#sideways) return;
    const { lower, upper } = frames.offsetRange;
    const width = upper - lower + frames.container.width;
    const before = this.#contentWidth;
    this.#list.style.width = `${width}px`;
    this.#sideways.style.height = `${frames.contentSize.height}px`;
    const { scrolling } = frames;
    this.#sideways.classList.toggle("snaps", scrolling !== Scrolling.continuous);
    this.#sideways.classList.toggle("single", scrolling !== Scrolling.continuousGroupLeadingBoundary);
    this.#lower = lower;
    this.#contentWidth = width;
    // In a right-to-left section, the visible content stays in place while the width changes.
    if (frames.isRightToLeft && before > 0 && before !== width) this.#sideways.scrollLeft += width - before;
  }

  /** Shows another state of the section, except for its items, which `sync` updates.
   * @param {SectionState} state */
  update(state) {
    const { frames, section } = state;
    const isSameLayout = state.layout === this.state.layout
      || JSON.stringify(state.layout) === JSON.stringify(this.state.layout);
    // Badges come from the layout, so the items are rebuilt.
    if (!isSameLayout) for (const view of this.#items.values()) view.key = "";
    this.state = state;
    this.root.style.height = `${frames.contentSize.height}px`;
    if (frames !== this.#measuredFrames) this.#measureContent(frames);
    this.#measuredFrames = frames;
    this.#placeBackground(frames);
    this.#placeViews(state);
    const title = this.root.querySelector(".header-title");
    if (title?.textContent) this.root.setAttribute("aria-labelledby", title.id);
    else this.root.removeAttribute("aria-labelledby");
    this.#list.setAttribute("aria-busy", String(section.items.length === 0 && state.placeholders > 0));
  }

  /** @type {SectionFrames | null} */
  #measuredFrames = null;

  /** @param {SectionFrames} frames */
  #placeBackground({ background }) {
    this.root.classList.toggle("decorated", background !== null);
    if (!background) {
      this.#background?.remove();
      this.#background = null;
      return;
    }
    if (!this.#background) {
      this.#background = make("div", "background");
      this.root.prepend(this.#background);
    }
    place(this.#background, background.frame);
    this.#background.style.zIndex = background.depth === -Infinity ? "-1000001" : String(background.depth);
  }

  // ---------------------------------------------------------------- headers, footers and side views

  /** @param {SectionState} state */
  #placeViews(state) {
    const { section, frames, layout } = state;
    const { header, error } = section;
    const views = layout.supplementaries ?? [];
    const key = JSON.stringify([
      views, header, section.footer, section.supplements, section.sorts, section.sort, error,
      frames.container.width, frames.isRightToLeft, this.host.around.words.locale,
    ]);
    if (key !== this.#viewsKey) {
      this.#viewsKey = key;
      for (const element of this.#views) (element.closest(".pin") ?? element).remove();
      this.#views = frames.supplementaryFrames.map((view, index) => {
        const element = this.#viewOf(state, view.kind, header, error, view.frame);
        if (views[index].height?.unit === ESTIMATED) element.classList.add("measured");
        element.style.zIndex = String(view.depth);
        this.root.append(frames.pinOf(index) ? this.#pinned(element) : element);
        return element;
      });
    }
    const margin = this.#headerMargin(frames);
    this.#margin = margin;
    for (const [index, { frame }] of frames.supplementaryFrames.entries()) {
      const element = this.#views[index];
      element.style.setProperty("--margin", `${margin}px`);
      element.classList.toggle("low", frame.height < 36);
      const pin = frames.pinOf(index);
      if (pin) this.#placePinned(element, frame, pin, frames.contentSize.height);
      else place(element, frame);
    }
  }

  /** The distance from the first view's start to the first item's, within limits.
   * @param {SectionFrames} frames */
  #headerMargin(frames) {
    const [first, header] = [frames.frameOfItem(0), frames.supplementaryFrames[0]?.frame];
    if (!first || !header) return 0;
    const x = first.x - frames.initialOffset;
    const inside = frames.isRightToLeft ? header.x + header.width - (x + first.width) : x - header.x;
    return Math.min(Math.max(inside, 0), HEADER_MARGIN);
  }

  /** @param {SectionState} state @param {string} kind @param {import("./screen-types.js").Supplement | null} header
   * @param {string} error @param {Rect} frame */
  #viewOf(state, kind, header, error, frame) {
    const { section } = state;
    const { around } = this.host;
    if (kind === "header") {
      const heading = { supplement: header, sorts: section.sorts, sort: section.sort, error };
      return headerElement(heading, `title-${section.id}`, around, (sort) => this.host.choose(section.id, sort));
    }
    if (kind === "footer") return footerElement(section.footer, around, () => this.host.showMore(section.id));
    const supplement = section.supplements[kind];
    if (frame.height > frame.width) return sideElement(supplement, false);
    const heading = { supplement, sorts: [], sort: undefined, error: "" };
    return headerElement(heading, `view-${section.id}-${kind}`, around, () => {});
  }

  /** @param {HTMLElement} element */
  #pinned(element) {
    const pin = document.createElement("div");
    pin.className = "pin";
    pin.append(element);
    return pin;
  }

  /** Lets the browser pin a view: it is sticky within a box that covers the range in which it may move.
   * @param {HTMLElement} element @param {Rect} frame @param {import("./layout.js").Pin} pin @param {number} height */
  #placePinned(element, frame, pin, height) {
    const box = /** @type {HTMLElement} */ (element.parentElement);
    const [top, bottom] = pin.edge === "top" ? [frame.y, height - pin.behind] : [pin.before, frame.y + frame.height];
    box.style.top = `${top}px`;
    box.style.height = `${Math.max(bottom - top, frame.height)}px`;
    box.style.zIndex = element.style.zIndex;
    box.classList.toggle("bottom", pin.edge === "bottom");
    element.style.top = pin.edge === "top" ? `${pin.before}px` : "auto";
    element.style.bottom = pin.edge === "bottom" ? `${pin.behind}px` : "auto";
    element.style.marginLeft = `${frame.x}px`;
    element.style.width = `${frame.width}px`;
    element.style.height = `${frame.height}px`;
  }

  #measuredKey = "";
  #margin = 0;

  /** Measures views of estimated height. Returns their sizes by index, or none if nothing has changed since they were
   * last measured.
   * @returns {Map<number, import("./layout.js").Size>} */
  measureViews() {
    const sizes = new Map();
    const key = `${this.#viewsKey} ${this.#margin}`;
    if (key === this.#measuredKey) return sizes;
    this.#measuredKey = key;
    for (const [index, element] of this.#views.entries()) {
      if (!element.classList.contains("measured")) continue;
      const { height } = element.style;
      element.style.height = "auto";
      const needed = element.textContent ? element.offsetHeight : 0;
      element.style.height = height;
      sizes.set(index, { width: this.state.frames.supplementaryFrames[index].frame.width, height: needed });
    }
    return sizes;
  }

  // ---------------------------------------------------------------- items

  /**
   * Puts the items near the visible part into the document, and removes the others.
   * @param {{top: number, height: number}} visible From the section's top.
   * @param {SectionState | null} before The state that items move from; `null` if nothing is animated.
   * @param {Set<string>} raised Items that pass in front of the others.
   * @param {string | null} kept The item that has the focus, which stays in the document.
   * @param {number} most Maximum number of items in the document.
   * @returns {(() => void)[]} Start the animations; to be called once the document has the items' old positions.
   */
  sync(visible, before, raised, kept, most) {
    const { frames, section } = this.state;
    const isSideways = this.#sideways !== null;
    const x = isSideways ? this.offset - MARGIN : 0;
    const wanted = frames.itemsIn({
      x, y: visible.top, width: frames.container.width + (isSideways ? 2 * MARGIN : 0), height: visible.height,
    }).slice(0, most);
    const keptPlace = kept === null ? undefined : this.state.places.get(kept);
    if (keptPlace !== undefined && !wanted.includes(keptPlace)) wanted.push(keptPlace);
    /** @type {(() => void)[]} */
    const moves = [];
    const shown = new Set();
    for (const index of wanted) {
      const item = section.items[index];
      const id = item ? item.id : placeholderId(index);
      shown.add(id);
      this.#show(id, item, index, before, raised.has(id), moves);
    }
    for (const [id, view] of this.#items) if (!shown.has(id)) this.#hide(id, view, before);
    this.#placeStops(frames);
    this.#order(wanted, before !== null);
    return moves;
  }

  /** Puts the items' elements in the order of the list.
   * @param {number[]} wanted @param {boolean} isMoving */
  #order(wanted, isMoving) {
    const { items } = this.state.section;
    const roots = [...wanted].sort((a, b) => a - b)
      .flatMap((index) => this.#items.get(items[index]?.id ?? placeholderId(index))?.root ?? []);
    orderChildren(this.#list, roots, isMoving);
  }

  /** @param {string} id @param {ScreenItem | undefined} item @param {number} index @param {SectionState | null} before
   * @param {boolean} isRaised @param {(() => void)[]} moves */
  #show(id, item, index, before, isRaised, moves) {
    const { frames, company, section } = this.state;
    const frame = /** @type {Rect} */ (frames.frameOfItem(index));
    const view = this.#items.get(id);
    if (!view) {
      const made = this.#makeItem(item, index, frame);
      this.#items.set(id, made);
      this.#list.append(made.root);
      this.#moveIn(made, before && item ? before.places.get(id) : undefined, before, moves);
      return;
    }
    if (item) {
      const key = keyOf(item, section.first + index, frame, company, this.host.around);
      const isSame = view.key === key && (view.item === item || sameCard(view.item, item));
      if (!isSame) this.#rebuild(view, item, index, frame, key);
      view.item = item;
      view.root.setAttribute("aria-posinset", String(index + 1));
      view.root.setAttribute("aria-setsize", String(section.items.length));
    }
    view.root.classList.toggle("moved", isRaised && before !== null);
    if (!sameFrame(view.frame, frame) || before !== null) this.#position(view, frame);
  }

  /** @param {ItemView} view @param {Rect} frame */
  #position(view, frame) {
    view.frame = frame;
    place(view.root, { ...frame, x: frame.x - this.#lower });
  }

  /** @param {ScreenItem | undefined} item @param {number} index @param {Rect} frame @returns {ItemView} */
  #makeItem(item, index, frame) {
    const root = make("div", "item");
    root.setAttribute("role", "listitem");
    const none = /** @type {ScreenItem} */ ({ id: "" });
    /** @type {ItemView} */
    const view = { root, card: root, item: item ?? none, key: "", frame };
    if (item) {
      root.setAttribute("aria-posinset", String(index + 1));
      root.setAttribute("aria-setsize", String(this.state.section.items.length));
      const { company, section } = this.state;
      const key = keyOf(item, section.first + index, frame, company, this.host.around);
      this.#rebuild(view, item, index, frame, key);
    } else {
      root.append(make("div", "placeholder"));
      root.setAttribute("aria-hidden", "true");
    }
    this.#position(view, frame);
    return view;
  }

  /** @param {ItemView} view @param {ScreenItem} item @param {number} index @param {Rect} frame @param {string} key */
  #rebuild(view, item, index, frame, key) {
    const { company, frames, section } = this.state;
    const { around } = this.host;
    const isFocused = view.root.contains(/** @type {ShadowRoot} */ (view.root.getRootNode()).activeElement ?? null);
    const wasCurrent = view.card !== view.root && view.card.tabIndex === 0;
    view.key = key;
    view.root.dataset.id = item.id;
    if (!item.card) {
      view.root.replaceChildren();
      view.card = view.root;
      return;
    }
    const plan = planOf(item.card, frame, company);
    view.card = cardElement(item, section.first + index, plan, frame, company, around);
    if (wasCurrent) view.card.tabIndex = 0;
    const badges = frames.badgeFramesOfItem(index).map((badge) => {
      const element = badgeElement(badge.kind);
      place(element, { ...badge.frame, x: badge.frame.x - frame.x, y: badge.frame.y - frame.y });
      element.style.zIndex = String(badge.depth);
      return element;
    });
    const star = starElement(item, plan, frame, around);
    if (star && !wasCurrent) star.tabIndex = -1;
    view.root.replaceChildren(view.card, ...(star ? [star] : []), ...badges);
    if (!wasCurrent) for (const button of view.card.querySelectorAll("button")) button.tabIndex = -1;
    if (isFocused) view.card.focus({ preventScroll: true });
  }

  /** Animates an item that wasn't in the document: it slides in from its old position, or fades in.
   * @param {ItemView} view @param {number | undefined} oldPlace @param {SectionState | null} before
   * @param {(() => void)[]} moves */
  #moveIn(view, oldPlace, before, moves) {
    if (!before) return;
    const { frame } = view;
    const old = oldPlace === undefined ? null : before.frames.frameOfItem(oldPlace);
    if (!old) {
      view.root.classList.add("entering");
      moves.push(() => view.root.classList.remove("entering"));
      return;
    }
    const reach = this.state.frames.container.height;
    const y = Math.min(Math.max(old.y, frame.y - reach), frame.y + reach);
    moveTo(view.root, old.x - this.#lower, y);
    moves.push(() => this.#position(view, frame));
  }

  /** Removes an item from the document. One that is now far away slides there first; one that was removed fades out.
   * @param {string} id @param {ItemView} view
   * @param {SectionState | null} before */
  #hide(id, view, before) {
    this.#items.delete(id);
    if (!before || this.#ghosts >= GHOSTS) {
      view.root.remove();
      return;
    }
    const place = this.state.places.get(id);
    const frame = place === undefined ? null : this.state.frames.frameOfItem(place);
    if (frame) this.#position(view, frame);
    else view.root.classList.add("leaving");
    view.root.inert = true;
    view.root.setAttribute("aria-hidden", "true");
    this.#ghosts += 1;
    setTimeout(() => {
      view.root.remove();
      this.#ghosts -= 1;
    }, GHOST_MILLISECONDS);
  }

  /** Places the elements that the browser snaps to.
   * @param {SectionFrames} frames */
  #placeStops(frames) {
    const stops = frames.pageStops;
    if (!this.#sideways || stops.length === 0) return;
    const near = stops.nearest(this.offset);
    const isNear = near - STOPS / 2 >= this.#firstStop && near + STOPS / 2 < this.#firstStop + this.#stops.length;
    const first = isNear ? this.#firstStop : Math.max(0, near - STOPS);
    const wanted = Array.from(
      { length: Math.min(stops.length - first, 2 * STOPS) }, (_, index) => stops.at(first + index) - this.#lower);
    const { width } = frames.container;
    if (this.#stopWidth === width && wanted.length === this.#stops.length
      && wanted.every((stop, index) => stop === this.#stops[index])) return;
    [this.#firstStop, this.#stops, this.#stopWidth] = [first, wanted, width];
    this.#stopLayer.replaceChildren(...wanted.map((left) => {
      const stop = document.createElement("div");
      stop.className = "stop";
      stop.style.left = `${left}px`;
      stop.style.width = `${width}px`;
      return stop;
    }));
  }

  #stopLayer = document.createElement("div");
  /** @type {number[]} */ #stops = [];
  #stopWidth = 0;
  #firstStop = 0;

  /** Measures the cards in the document that are as high as their content.
   * @returns {Map<string, import("./layout.js").Size>} */
  measureItems() {
    const sizes = new Map();
    for (const [id, { card, frame }] of this.#items) {
      if (card.classList.contains("detail")) sizes.set(id, { width: frame.width, height: card.offsetHeight });
    }
    return sizes;
  }

  /** Scrolls sideways until an item is visible.
   * @param {Rect} frame */
  reveal(frame) {
    if (!this.#sideways) return;
    const { width } = this.state.frames.container;
    const { offset } = this;
    if (frame.x >= offset && frame.x + frame.width <= offset + width) return;
    const left = frame.x < offset ? frame.x - HEADER_MARGIN : frame.x + frame.width - width + HEADER_MARGIN;
    this.#sideways.scrollLeft = left - this.#lower;
  }
}

const ESTIMATED = 4;
/** @param {number} index */
const placeholderId = (index) => `placeholder ${index}`;

/** @param {Rect} a @param {Rect} b */
const sameFrame = (a, b) => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;

/** A key for everything except the card that an item's elements depend on.
 * @param {ScreenItem} item @param {number} index
 * @param {Rect} frame @param {import("./screen-cards.js").Company} company
 * @param {import("./screen-views.js").Surroundings} around */
function keyOf(item, index, frame, company, around) {
  const isRanked = company.kind === "rank" || company.kind === "chart" || item.card?.rank;
  return [
    frame.width, frame.height, around.starOf(item), isRanked ? index : "", company.kind, company.hasImages,
    company.aspect, company.hasStars, around.words.locale, around.hasFavorites,
  ].join(" ");
}

/** Whether two items have equal cards. Some clients keep the object of an unchanged card; others parse a new one from
 * JSON each time.
 * @param {ScreenItem} a @param {ScreenItem} b */
const sameCard = (a, b) => a.card === b.card || JSON.stringify(a.card) === JSON.stringify(b.card);
