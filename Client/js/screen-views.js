// The elements of cards, headers, footers and side views.

import { artwork } from "./screen-artwork.js";
import {
  CardLimits, aspectOf, expectedForm, hasButtons, linesOf, movementOf, openingOf, placeOf, sentenceOf,
} from "./screen-cards.js";
import { icon, make } from "./screen-dom.js";
import { clean } from "./screen-words.js";

/** @typedef {import("./screen-types.js").ScreenItem} ScreenItem */
/** @typedef {import("./screen-types.js").Card} Card */
/** @typedef {import("./screen-types.js").Action} Action */
/** @typedef {import("./screen-types.js").Supplement} Supplement */
/** @typedef {import("./screen-cards.js").CardPlan} CardPlan */

/**
 * @typedef {object} Surroundings The context in which cards and headers are built.
 * @property {import("./screen-words.js").Words} words
 * @property {(name: string) => string | null} imageURL
 * @property {boolean} hasFavorites Whether subjects can be favorites.
 * @property {(item: ScreenItem) => "off" | "on" | "pending"} starOf Whether an item is a favorite.
 * @property {(action: Action, item: ScreenItem | null) => void} act Performs an action that a person has chosen.
 */

/** The maximum width of a picture beside a detail card's title, and the maximum height of any picture on one, in
 * points. */
const DETAIL_PICTURE = 140;
const DETAIL_BACKDROP = 360;
/** At this distance from the screen's side, in points, a detail card needs no margin of its own. */
const INSET = 8;
const LONG_TITLE = 48;
const LONG_TEXT = 110;
const TILE_LETTERS = 7;

/** @param {string} text @param {string} name @param {number} [lines] */
const textOf = (text, name, lines = 1) => (text === "" ? null : make("div", name + (CLAMPS.get(lines) ?? ""), text));

/** @type {Map<number, string>} */
const CLAMPS = new Map([[2, " two"], [3, " three"], [5, " five"]]);

/**
 * Builds the card of an item.
 * @param {ScreenItem} item @param {number} index In its section.
 * @param {CardPlan} plan @param {import("./layout.js").Rect} frame @param {import("./screen-cards.js").Company} company
 * @param {Surroundings} around
 */
export function cardElement(item, index, plan, frame, company, around) {
  const card = item.card ?? {};
  const element = make("div", "card");
  element.classList.add(plan.form);
  if (plan.isLettered) element.classList.add("lettered");
  if (canStar(item, around) && (plan.form === "row" || plan.form === "numbered")) element.classList.add("starred");
  const parts = { item, card, index, plan, frame, company, around };
  for (const part of BUILDERS[plan.form](parts, element)) if (part) element.append(part);
  element.setAttribute("aria-label", sentenceOf(item, index, company, around.words));
  const opening = openingOf(item);
  element.setAttribute("role", opening && !hasButtons(plan.form) ? "link" : "group");
  element.tabIndex = -1;
  if (opening) {
    element.addEventListener("click", (event) => {
      if (!(/** @type {Element} */ (event.target).closest("button"))) around.act(opening, item);
    });
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target === element) around.act(opening, item);
    });
  }
  return element;
}

/**
 * @typedef {{item: ScreenItem, card: Card, index: number, plan: CardPlan, frame: import("./layout.js").Rect,
 *   company: import("./screen-cards.js").Company, around: Surroundings}} Parts
 */

/** @param {ScreenItem} item @param {Surroundings} around */
const canStar = (item, around) => around.hasFavorites && Boolean(item.subject && item.card);

/** Whether a `place` card's frame is wide enough to show its text beside the image.
 * @param {import("./layout.js").Size} frame */
const isPlaceBeside = (frame) => frame.width > frame.height * 1.6;
/** The side length of the image in such a card.
 * @param {import("./layout.js").Size} frame */
const besideSide = (frame) => Math.max(0, Math.min(frame.height - 20, frame.width * 0.4));
/** The diameter of a portrait.
 * @param {import("./layout.js").Size} frame */
const portraitSide = (frame) => Math.min(frame.height, frame.width * 0.34);

/** Builds the star button of an item; `null` if the item can't be a favorite.
 * @param {ScreenItem} item @param {CardPlan} plan @param {import("./layout.js").Size} frame
 * @param {Surroundings} around */
export function starElement(item, plan, frame, around) {
  if (!canStar(item, around)) return null;
  const star = around.starOf(item);
  const button = make("button", "favorite", icon("star"));
  button.type = "button";
  button.classList.add(star);
  if (plan.form !== "row" && plan.form !== "numbered") button.classList.add("over");
  if (plan.form === "detail" || plan.form === "hero") button.classList.add("large");
  if (plan.form === "detail") button.classList.add("always");
  placeStar(button, plan, frame);
  const title = clean(item.card?.title);
  button.setAttribute("aria-pressed", String(star !== "off"));
  button.setAttribute("aria-label", around.words.say(star === "off" ? "addFavorite" : "removeFavorite", title));
  button.addEventListener("click", () => around.act({ id: "favorite" }, item));
  return button;
}

/** @type {Record<import("./screen-cards.js").Form, (parts: Parts, element: HTMLElement) => (Node | null)[]>} */
const BUILDERS = {
  row: (parts) => [
    imageElement(parts), rowWords(parts), priceElement(parts), barElement(parts.card),
  ],
  poster: (parts) => {
    const { plan, card, frame } = parts;
    const onImage = frame.width >= 110 ? badges(card, "on-image") : null;
    const figure = expectedForm(parts.company.kind, card) === "ranked" ? figureElement(parts) : null;
    return [imageElement(parts), onImage, figure, plan.isLettered && figure ? null : posterWords(parts)];
  },
  behind: (parts) => [
    figureElement(parts), imageElement(parts), posterWords(parts, parts.plan.imageWidth),
  ],
  numbered: (parts, element) => {
    const number = make("div", "number", parts.around.words.whole(placeOf(parts.card, parts.index)));
    number.style.setProperty("--number", `${Math.min(parts.frame.height * 0.45, 40)}px`);
    if (parts.plan.imageWidth > 0) element.classList.add("pictured");
    return [number, imageElement(parts), numberedWords(parts), factColumns(parts)];
  },
  tile: (parts, element) => {
    element.style.setProperty("--letter", `${Math.min(Math.max((parts.frame.width - 12) / TILE_LETTERS, 9), 17)}px`);
    const facts = linesOf(parts.card).join(" · ");
    const hasRoom = parts.frame.height >= 64;
    return [
      imageElement(parts, parts.frame.width, parts.frame.height),
      make("div", "words", textOf(clean(parts.card.title), "title", 2), hasRoom ? textOf(facts, "line") : null),
    ];
  },
  person: (parts) => {
    const side = portraitSide(parts.frame);
    const hasRoom = parts.frame.height >= 60;
    return [
      imageElement(parts, side, side),
      make("div", "words", textOf(clean(parts.card.title), "title", 2),
        textOf(linesOf(parts.card)[0] ?? "", "line", hasRoom ? 2 : 1)),
    ];
  },
  hero: heroParts,
  detail: detailParts,
  banner: (parts) => [
    imageElement(parts),
    make("div", "words", badges(parts.card, "marks"), textOf(clean(parts.card.overline), "overline"),
      textOf(clean(parts.card.title), "title", 2), textOf(linesOf(parts.card).join(" · "), "line", 2),
      buttonsElement((parts.card.actions ?? []).slice(0, 1), parts)),
  ],
  course: (parts) => [
    imageElement(parts),
    make("div", "words", textOf(clean(parts.card.title), "title", 2), textOf(linesOf(parts.card)[0] ?? "", "line"),
      make("div", "marks", ratingElement(parts), badges(parts.card, "")), priceElement(parts)),
  ],
  place: (parts, element) => {
    const { width, height } = parts.frame;
    const isBeside = isPlaceBeside(parts.frame);
    const side = besideSide(parts.frame);
    if (isBeside) element.classList.add("beside");
    return [
      isBeside ? imageElement(parts, side, side) : imageElement(parts),
      make("div", "words", textOf(clean(parts.card.title), "title", width > height ? 2 : 1),
        height >= 80 || isBeside ? textOf(linesOf(parts.card)[0] ?? "", "line") : null),
    ];
  },
};

/** Moves the star onto the image, where the image doesn't extend to the end of the card.
 * @param {HTMLElement} button @param {CardPlan} plan @param {import("./layout.js").Size} frame */
function placeStar(button, plan, frame) {
  let [corner, top] = [0, 0];
  if (plan.form === "place" && isPlaceBeside(frame)) {
    [corner, top] = [besideSide(frame) - 4, (frame.height - besideSide(frame)) / 2 + 4];
  } else if (plan.form === "person") {
    // A portrait is too small for a star that is always visible.
    button.classList.add("shy");
    [corner, top] = [portraitSide(frame) + 8, (frame.height + portraitSide(frame)) / 2 - STAR];
  } else {
    return;
  }
  button.style.insetInlineEnd = "auto";
  button.style.insetInlineStart = `${corner - STAR}px`;
  button.style.top = `${top}px`;
}

/** The size of a star on an image, in points. */
const STAR = 28;

// ---------------------------------------------------------------- parts

/** @param {Parts} parts @param {number} [width] @param {number} [height] */
function imageElement({ item, card, plan, around }, width = plan.imageWidth, height = plan.imageHeight) {
  if (width <= 0 || height <= 0) return null;
  const name = card.image?.name ?? "";
  const element = make("div", "image", artwork(name || clean(item.subject) || item.id, card.image?.color));
  element.style.width = `${width}px`;
  element.style.height = `${height}px`;
  const url = name ? around.imageURL(name) : null;
  if (url) {
    const image = document.createElement("img");
    image.alt = "";
    image.decoding = "async";
    image.addEventListener("error", () => image.remove());
    image.src = url;
    element.append(image);
  }
  return element;
}

/** @param {Card} card @param {string} name */
function badges(card, name) {
  const shown = (card.badges ?? []).slice(0, CardLimits.badges).filter((badge) => clean(badge.text) !== "");
  if (shown.length === 0) return null;
  const made = shown.map(({ text, role }) => {
    const badge = make("span", "badge", clean(text));
    badge.classList.add(ROLES.has(role ?? "") ? String(role) : "neutral");
    return badge;
  });
  const box = make("div", name || "badges", ...made);
  if (!name) box.className = "on-line";
  return box;
}

const ROLES = new Set(["accent", "good", "warning", "bad", "neutral", "highlight"]);

/** @param {Parts} parts @param {string} [fact] @param {boolean} [isWhole] Whether to show scale and count too. */
function ratingElement({ card, around }, fact = "", isWhole = false) {
  const value = Number(card.rating?.value);
  if (!(value > 0)) return fact === "" ? null : make("span", "line", fact);
  const { words } = around;
  const scale = card.rating?.scale || 10;
  let text = words.decimal(value);
  if (isWhole && scale !== 10) text += `/${words.whole(scale)}`;
  if (isWhole && Number(card.rating?.count) > 0) text += ` (${words.whole(Number(card.rating?.count))})`;
  if (fact === "") return make("span", "rating", icon("star"), text);
  const rating = make("span", "rating", icon("star"), make("span", "line", `${text} · ${fact}`));
  rating.classList.add("with-fact");
  return rating;
}

/** @param {Parts} parts */
function movementElement({ card, index, around }) {
  const movement = movementOf(card, placeOf(card, index));
  if (movement === null) return null;
  if (movement === "new") {
    const isNew = make("span", "movement", around.words.phrases.isNew);
    isNew.classList.add("new");
    return isNew;
  }
  const sign = movement > 0 ? "up" : movement < 0 ? "down" : "minus";
  const mark = make("span", "movement", icon(sign), movement === 0 ? "" : around.words.whole(Math.abs(movement)));
  if (movement !== 0) mark.classList.add(movement > 0 ? "rose" : "fell");
  return mark;
}

/** @param {Parts} parts */
function priceElement({ card, plan, around }) {
  if (!card.price || !plan.hasPrice) return null;
  return textOf(around.words.price(card.price), "price");
}

/** @param {Card} card */
function barElement(card) {
  const [value, total] = [Number(card.progress?.value), Number(card.progress?.total)];
  if (!(total > 0) || !Number.isFinite(value)) return null;
  const done = document.createElement("div");
  done.style.width = `${Math.min(Math.max(value / total, 0), 1) * 100}%`;
  return make("div", "bar", done);
}

/** @param {Parts} parts */
function figureElement({ card, index, plan, frame, around }) {
  const text = around.words.whole(placeOf(card, index));
  const figure = make("div", "figure", text);
  const room = frame.width - plan.imageWidth;
  const size = plan.form === "behind"
    ? Math.min(frame.height * 0.72, (room + plan.imageWidth * 0.16) / (0.62 * text.length))
    : Math.min(54, frame.width * 0.4);
  figure.style.fontSize = `${size}px`;
  if (plan.form !== "behind") figure.style.top = `${Math.max(0, plan.imageHeight - size * 1.1)}px`;
  return figure;
}

/** @param {Parts} parts */
function marksElement(parts) {
  const { card, plan, around } = parts;
  if (!plan.hasMarks) return null;
  const progress = card.progress ? make("span", "progress", around.words.progress(card.progress)) : null;
  const made = [ratingElement(parts), badges(card, ""), progress].filter((node) => node !== null);
  return made.length > 0 ? make("div", "marks", ...made) : null;
}

/** @param {Parts} parts */
function rowWords(parts) {
  const { card, plan } = parts;
  return make(
    "div", "words", plan.hasOverline ? textOf(clean(card.overline), "overline") : null,
    textOf(clean(card.title), "title", plan.titleLines),
    ...linesOf(card).slice(0, plan.lines).map((line) => textOf(line, "line")), marksElement(parts));
}

/** The texts of a poster; `null` if it has none. If they are on the image, there is room for only one.
 * @param {Parts} parts @param {number} [width] */
function posterWords(parts, width) {
  const { card, plan, around } = parts;
  const fact = linesOf(card)[0] ?? "";
  const title = clean(card.title) || (plan.isLettered ? fact : "");
  const isRanked = expectedForm(parts.company.kind, card) === "ranked";
  const facts = [isRanked ? movementElement(parts) : null, ratingElement(parts, fact)].filter((node) => node !== null);
  const progress = plan.hasMarks && card.progress ? around.words.progress(card.progress) : "";
  const words = make(
    "div", "words", plan.hasOverline ? textOf(clean(card.overline), "overline") : null,
    textOf(title, "title", plan.titleLines),
    plan.lines > 0 && !plan.isLettered && facts.length > 0 ? make("div", "marks", ...facts) : null,
    plan.isLettered ? null : priceElement(parts), plan.isLettered ? null : textOf(progress, "line"));
  if (width !== undefined) words.style.width = `${width}px`;
  return words.childElementCount > 0 ? words : null;
}

/** @param {Parts} parts */
function numberedWords(parts) {
  const { card, plan } = parts;
  const facts = [clean(card.overline), ...linesOf(card)].filter((text) => text !== "").join(" · ");
  const marks = [badges(card, ""), ratingElement(parts, facts)].filter((node) => node !== null);
  const movement = movementElement(parts);
  const isJoined = plan.lines < 2 && marks.length > 0;
  const first = isJoined && movement ? [movement, ...marks] : marks;
  return make(
    "div", "words", textOf(clean(card.title), "title", plan.titleLines),
    first.length > 0 ? make("div", "marks", ...first) : null,
    !isJoined && movement && plan.hasMovementLine ? make("div", "marks", movement) : null);
}

/** @param {Parts} parts */
function factColumns({ card, plan }) {
  if (plan.facts === 0) return null;
  return make("div", "facts", ...(card.facts ?? []).slice(0, plan.facts).map(({ label, value }) =>
    make("div", "fact", make("span", "fact-label", clean(label)), make("span", "fact-value", clean(value)))));
}

/** The actions that have a title, up to the limit.
 * @param {readonly Action[] | undefined} actions */
const titled = (actions) => (actions ?? []).slice(0, CardLimits.actions).filter((action) => clean(action.title) !== "");

/** @param {readonly Action[]} actions @param {Parts} parts @param {number} [main] The index of the main action. */
function buttonsElement(actions, parts, main = 0) {
  const shown = titled(actions);
  if (shown.length === 0) return null;
  return make("div", "buttons", ...shown.map((action, index) => buttonElement(action, parts, index === main)));
}

/** @param {Action} action @param {Parts} parts @param {boolean} isMain @param {string | null} [symbol] */
function buttonElement(action, { item, around }, isMain, symbol = null) {
  const button = make("button", "action", symbol ? icon(symbol) : null, clean(action.title));
  button.type = "button";
  if (isMain) button.classList.add("main");
  button.addEventListener("click", () => around.act(action, item));
  return button;
}

/** @param {Parts} parts */
function heroParts(parts) {
  const { card, frame, item } = parts;
  const actions = [...titled(card.actions), ...titled(parts.company.actions)];
  const menu = actions.filter((action) => action.id === "menu");
  const others = actions.filter((action) => action.id !== "menu");
  const playing = others.findIndex((action) => action.id === "play");
  const main = playing >= 0 ? playing : others.length === 1 ? 0 : -1;
  const isOn = parts.around.starOf(item) !== "off";
  /** @type {Record<string, string>} */
  const symbols = { play: "play", info: "info", favorite: isOn ? "check" : "plus" };
  const title = textOf(clean(card.title), "title", 2);
  if (clean(card.title).length > LONG_TITLE) title?.classList.replace("two", "five");
  if (clean(card.title).length > LONG_TITLE) title?.classList.add("long");
  return [
    imageElement(parts, frame.width, frame.height),
    menu.length > 0 ? make("div", "menu", ...menu.map((action) => buttonElement(action, parts, false))) : null,
    make(
      "div", "words", badges(card, "marks"), textOf(clean(card.overline), "overline"), title,
      ...linesOf(card).map((line) => textOf(line, "line", 2)), barElement(card),
      others.length > 0
        ? make("div", "buttons", ...others.map((action, index) =>
          buttonElement(action, parts, index === main, symbols[action.id ?? ""] ?? (index === main ? null : "next"))))
        : null),
  ];
}

/** @param {Parts} parts @param {HTMLElement} element */
function detailParts(parts, element) {
  const { card, frame, plan, around } = parts;
  if (parts.frame.x >= INSET) element.classList.add("inset");
  const hasPicture = plan.imageWidth > 0;
  const aspect = aspectOf(card.image, parts.company.aspect);
  const isWide = hasPicture && aspect > 1.2;
  const beside = Math.min(DETAIL_PICTURE, frame.width * 0.34);
  const rank = card.rank?.place ? make("span", "rank", `#${around.words.whole(card.rank.place)}`) : null;
  const marks = [rank, rank ? movementElement(parts) : null, ratingElement(parts, "", true), badges(card, "")]
    .filter((node) => node !== null);
  const progress = card.progress ? around.words.progress(card.progress) : "";
  const picture = hasPicture && !isWide
    ? imageElement(parts, beside, Math.min(beside / aspect, DETAIL_BACKDROP)) : null;
  const top = make(
    "div", "top", picture,
    make(
      "div", "words", textOf(clean(card.overline), "overline"), textOf(clean(card.title), "title", 5),
      textOf(clean(card.subtitle), "line", 2), marks.length > 0 ? make("div", "marks", ...marks) : null,
      textOf(clean(card.caption), "line"), card.price ? textOf(around.words.price(card.price), "price") : null));
  const facts = (card.facts ?? []).slice(0, CardLimits.facts).filter(({ value }) => clean(value) !== "");
  const table = facts.flatMap(({ label, value }) =>
    [make("dt", "fact-name", clean(label)), make("dd", "fact-text", clean(value))]);
  return [
    isWide ? imageElement(parts, frame.width, Math.min(frame.width / aspect, DETAIL_BACKDROP)) : null, top,
    make(
      "div", "rest", textOf(progress, "line"), barElement(card), buttonsElement(card.actions ?? [], parts),
      ...proseElements(clean(card.text), element, around), table.length > 0 ? make("dl", "table", ...table) : null),
  ];
}

/** Running text, limited to two lines until it is expanded.
 * @param {string} text @param {HTMLElement} card @param {Surroundings} around */
function proseElements(text, card, around) {
  if (text === "") return [];
  const prose = make("p", "prose", text);
  if (text.length <= LONG_TEXT) {
    prose.className = "prose five";
    return [prose];
  }
  prose.className = "prose short";
  const more = make("button", "more", around.words.phrases.more);
  more.type = "button";
  more.setAttribute("aria-expanded", "false");
  more.addEventListener("click", () => {
    const isShort = prose.classList.toggle("short");
    prose.style.webkitLineClamp = isShort ? "" : "none";
    more.textContent = isShort ? around.words.phrases.more : around.words.phrases.less;
    more.setAttribute("aria-expanded", String(!isShort));
    card.dispatchEvent(new CustomEvent("resized", { bubbles: true }));
  });
  return [prose, more];
}

// ---------------------------------------------------------------- views of a section

/**
 * @typedef {object} Heading The content of a header.
 * @property {Supplement | null | undefined} supplement
 * @property {readonly {id: string, title?: string}[]} sorts
 * @property {string | undefined} sort
 * @property {string} error
 */

/** @param {Heading} heading @param {string} id For the title, which labels the section. @param {Surroundings} around
 * @param {(sort: string) => void} choose */
export function headerElement({ supplement, sorts, sort, error }, id, around, choose) {
  const title = make("h2", "header-title", clean(supplement?.title));
  title.id = id;
  const header = make("div", "header", title);
  if (error !== "") header.append(make("p", "header-error", clean(error)));
  for (const action of titled(supplement?.actions).filter(({ id: name }) => name !== "sort" && name !== "menu")) {
    const button = make("button", "header-action", clean(action.title));
    button.type = "button";
    button.addEventListener("click", () => around.act(action, null));
    header.append(button);
  }
  if (sorts.length > 1) {
    const orders = make("div", "orders", ...sorts.slice(0, CardLimits.actions).map((option) => {
      const order = make("button", "order", clean(option.title) || option.id);
      order.type = "button";
      order.setAttribute("aria-pressed", String(option.id === sort));
      order.addEventListener("click", () => choose(option.id));
      return order;
    }));
    orders.setAttribute("role", "group");
    orders.setAttribute("aria-label", around.words.phrases.order);
    header.append(orders);
  }
  return header;
}

/** @param {Supplement | null | undefined} supplement @param {Surroundings} around @param {() => void} showMore */
export function footerElement(supplement, around, showMore) {
  const title = clean(supplement?.title);
  const footer = make("div", "footer");
  if (title === "") return footer;
  const action = supplement?.actions?.[0];
  if (!action) {
    footer.append(make("p", "footer-words", title));
    return footer;
  }
  const sign = action.id === "more" ? "down" : action.id === "close" ? "up" : null;
  const button = make("button", "footer-words", title, sign ? icon(sign) : null);
  button.type = "button";
  button.addEventListener("click", () => (action.id === "more" ? showMore() : around.act(action, null)));
  footer.append(button);
  return footer;
}

/** Builds a view at the side of a section.
 * @param {Supplement | null | undefined} supplement @param {boolean} isWide */
export function sideElement(supplement, isWide) {
  const side = make("div", "side", make("p", "side-words", clean(supplement?.title)));
  if (isWide) side.classList.add("wide");
  return side;
}

const SYMBOLS = new Set(["minus", "plus", "star", "check"]);

/** Builds a badge of a layout. It is decorative, and hidden from screen readers.
 * @param {string} kind */
export function badgeElement(kind) {
  const badge = make("div", "view-badge", SYMBOLS.has(kind) ? icon(kind) : clean(kind));
  if (SYMBOLS.has(kind)) badge.classList.add("symbol", kind);
  badge.setAttribute("aria-hidden", "true");
  return badge;
}
