// How a card looks: its form, given its section and frame, and the parts that there is room for. Plain functions, no
// DOM.

import { clean } from "./screen-words.js";

/** @typedef {import("./screen-types.js").Card} Card */
/** @typedef {import("./screen-types.js").Action} Action */
/** @typedef {import("./layout.js").Size} Size */

/** @typedef {"hero" | "row" | "poster" | "numbered" | "behind" | "tile" | "person" | "detail" | "banner" | "course" |
 *   "place"} Form */

/**
 * @typedef {object} CardPlan
 * @property {Form} form
 * @property {number} imageWidth In points; 0 without an image.
 * @property {number} imageHeight
 * @property {number} titleLines
 * @property {number} lines Lines of subtitle and caption.
 * @property {boolean} hasOverline
 * @property {boolean} hasMarks Whether there is room for rating, badges and progress.
 * @property {boolean} isLettered Whether the text is on top of the image.
 * @property {boolean} hasPrice
 * @property {number} facts Columns of facts at the end.
 * @property {boolean} hasMovementLine Whether the change of rank has a line of its own.
 */

/** Traits that the cards of a section share.
 * @typedef {{kind: string, hasImages: boolean, aspect: number, hasStars: boolean, actions: readonly Action[]}} Company
 *   `actions` are those of the section's header, which a hero has as well. */

/** Maximum numbers of entries shown of an item's lists. */
export const CardLimits = Object.freeze({ badges: 8, facts: 40, actions: 12, factColumns: 3 });

/** Items examined to find the traits of a section. */
const SAMPLED_ITEMS = 64;
const PHOTO_ASPECT = 4 / 3;
const PORTRAIT_ASPECT = 3 / 4;
const WIDE_ASPECT = 16 / 9;
const NARROWEST_ASPECT = 0.05;
// Line heights, in points.
const TITLE = 20;
const LINE = 16;
const MARKS = 20;
const CAPTION_TITLE = 17;
const CAPTION_LINE = 15;
const FACT_COLUMN = 46;
const LEAST_WORDS = 110;
const LETTER = 8;

/** The form of a card by the kind of its section, before its frame is known.
 * @param {string} kind @param {Card} card @returns {Form | "ranked"} */
export function expectedForm(kind, card) {
  /** @type {Form} */
  let form = "poster";
  if (kind === "main" || kind === "hero") form = "hero";
  else if (kind === "list" || kind === "text" || kind === "categories") form = "row";
  else if (kind === "genres") form = "tile";
  else if (kind === "credits") form = "person";
  else if (kind === "detail") form = "detail";
  else if (kind === "banner") form = "banner";
  else if (kind === "courses") form = "course";
  else if (kind === "places") form = "place";
  const isRanked = kind === "rank" || kind === "chart" || (card.rank && (form === "row" || form === "poster"));
  return isRanked ? "ranked" : form;
}

/** Finds the traits that the cards of a section share.
 * @param {string} kind @param {readonly import("./screen-types.js").ScreenItem[]} items
 * @param {readonly Action[]} [actions] @returns {Company} */
export function companyOf(kind, items, actions = []) {
  const sample = items.slice(0, SAMPLED_ITEMS);
  const shown = sample.find((item) => item.card?.image)?.card?.image;
  return {
    kind, hasImages: shown !== undefined, aspect: aspectOf(shown, kind === "credits" ? PORTRAIT_ASPECT : PHOTO_ASPECT),
    hasStars: sample.some((item) => item.subject), actions,
  };
}

/** Whether these are cards without images. Only the first ones are examined.
 * @param {readonly import("./screen-types.js").ScreenItem[]} items */
export const haveOnlyWords = (items) =>
  items.length > 0 && items.slice(0, SAMPLED_ITEMS).every((item) => item.card && !item.card.image);

/** @param {import("./screen-types.js").Image | undefined} image @param {number} usual */
export function aspectOf(image, usual) {
  const aspect = Number(image?.aspect);
  return aspect > NARROWEST_ASPECT && aspect < 1 / NARROWEST_ASPECT ? aspect : usual;
}

/** Decides which parts of a card a frame has room for.
 * @param {Card} card @param {Size} frame @param {Company} company @returns {CardPlan} */
export function planOf(card, frame, company) {
  const expected = expectedForm(company.kind, card);
  const omitsImage = !card.image && !company.hasImages;
  const usual = company.kind === "genres" ? WIDE_ASPECT : company.aspect;
  const aspect = aspectOf(card.image, usual);
  if (expected === "ranked") return rankedPlan(card, frame, aspect, omitsImage, company);
  if (expected === "poster") return posterPlan(card, frame, aspect, omitsImage, company);
  if (expected === "row") return rowPlan(card, frame, aspect, omitsImage, company);
  return { ...emptyPlan(expected), imageWidth: omitsImage ? 0 : frame.width, imageHeight: frame.width / aspect };
}

/** @param {Form} form @returns {CardPlan} */
const emptyPlan = (form) => ({
  form, imageWidth: 0, imageHeight: 0, titleLines: 2, lines: 2, hasOverline: true, hasMarks: true, isLettered: false,
  hasPrice: true, facts: 0, hasMovementLine: false,
});

/** Lines of the card below its title.
 * @param {Card} card */
export const linesOf = (card) => [clean(card.subtitle), clean(card.caption)].filter((line) => line !== "");

/** @param {Card} card */
const hasMarks = (card) =>
  Number(card.rating?.value) > 0 || (card.badges?.length ?? 0) > 0 || card.progress !== undefined;

/** Fits in parts as long as there is room, the most important first: title, a line, marks, overline, then the rest.
 * @param {Card} card @param {Size} frame @param {number} aspect @param {boolean} omitsImage @param {Company} company
 * @returns {CardPlan} */
function rowPlan(card, frame, aspect, omitsImage, company) {
  const plan = emptyPlan("row");
  plan.imageWidth = omitsImage ? 0 : Math.min(frame.height * Math.min(aspect, 1.5), frame.width * 0.45);
  plan.imageHeight = frame.height;
  const lines = linesOf(card).length;
  let room = frame.height - TITLE - (lines > 0 ? LINE : 0) - (hasMarks(card) ? MARKS : 0);
  plan.hasMarks = frame.height >= TITLE + MARKS;
  plan.lines = frame.height >= TITLE + LINE ? Math.min(lines, 1) : 0;
  plan.hasOverline = Boolean(card.overline) && room >= LINE;
  if (plan.hasOverline) room -= LINE;
  const words = frame.width - plan.imageWidth - 24 - (company.hasStars ? 30 : 0) - (card.price ? 60 : 0);
  const isLong = clean(card.title).length * LETTER > words;
  plan.titleLines = isLong && room >= TITLE ? 2 : 1;
  if (plan.titleLines === 2) room -= TITLE;
  if (lines > 1 && room >= LINE) plan.lines = 2;
  return plan;
}

/** @param {Card} card @param {Size} frame @param {number} aspect @param {boolean} omitsImage @param {Company} company
 * @returns {CardPlan} */
function posterPlan(card, frame, aspect, omitsImage, company) {
  const isCaptioned = hasCaption(frame, aspect);
  const isWide = !isCaptioned && frame.width > frame.height * 1.6 * Math.max(1, aspect);
  if (omitsImage || isWide) return rowPlan(card, frame, aspect, omitsImage, company);
  const plan = emptyPlan("poster");
  plan.imageWidth = frame.width;
  plan.imageHeight = isCaptioned ? frame.width / aspect : frame.height;
  plan.isLettered = !isCaptioned;
  let room = frame.height - plan.imageHeight - 5 - CAPTION_TITLE;
  const takes = (/** @type {boolean} */ has, /** @type {number} */ height) => {
    if (!has || room < height) return false;
    room -= height;
    return true;
  };
  const [first] = linesOf(card);
  plan.lines = takes(first !== undefined || Number(card.rating?.value) > 0, CAPTION_LINE) ? 1 : 0;
  plan.hasOverline = takes(Boolean(card.overline), CAPTION_LINE);
  plan.titleLines = takes(true, CAPTION_TITLE) ? 2 : 1;
  plan.hasPrice = takes(card.price !== undefined, CAPTION_TITLE);
  plan.hasMarks = takes(card.progress !== undefined, CAPTION_LINE);
  if (plan.isLettered) Object.assign(plan, { titleLines: frame.height > 120 ? 3 : 2, lines: 0, hasOverline: false });
  return plan;
}

/** Whether there is room for a title below an image at its natural height.
 * @param {Size} frame @param {number} aspect */
const hasCaption = (frame, aspect) => frame.height - frame.width / aspect >= CAPTION_TITLE + 4;

/** @param {Card} card @param {Size} frame @param {number} aspect @param {boolean} omitsImage @param {Company} company
 * @returns {CardPlan} */
function rankedPlan(card, frame, aspect, omitsImage, company) {
  if (!omitsImage && (hasCaption(frame, aspect) || frame.width < frame.height * 0.6)) {
    return posterPlan(card, frame, aspect, false, company);
  }
  const width = Math.min(frame.height * aspect, frame.width * 0.72);
  if (!omitsImage && frame.width - width <= frame.height) {
    return { ...emptyPlan("behind"), imageWidth: width, imageHeight: frame.height, isLettered: true, titleLines: 2 };
  }
  const plan = emptyPlan("numbered");
  plan.imageWidth = omitsImage ? 0 : width;
  plan.imageHeight = frame.height;
  plan.titleLines = frame.height >= 2 * TITLE + LINE ? 2 : 1;
  plan.hasMovementLine = frame.height >= TITLE + LINE;
  plan.lines = frame.height >= TITLE + 2 * LINE ? 2 : 1;
  const room = frame.width - plan.imageWidth - 62 - (company.hasStars ? 30 : 0) - LEAST_WORDS;
  plan.facts = Math.max(0, Math.min(card.facts?.length ?? 0, CardLimits.factColumns, Math.floor(room / FACT_COLUMN)));
  return plan;
}

/** How a rank has moved: `new`, or the number of places, positive for up; `null` if unknown.
 * @param {Card} card @param {number} place @returns {"new" | number | null} */
export function movementOf(card, place) {
  if (card.rank?.isNew) return "new";
  const previous = card.rank?.previous;
  return previous === undefined ? null : previous - place;
}

/** The rank of a card: its own, or else its place in the section.
 * @param {Card} card @param {number} index */
export const placeOf = (card, index) => card.rank?.place ?? index + 1;

/** The action that opens a card: its first one with a target, or else opening the screen of the subject's name.
 * @param {import("./screen-types.js").ScreenItem} item @returns {Action | null} */
export function openingOf(item) {
  const action = item.card?.actions?.find((one) => one.target);
  if (action) return action;
  return item.subject ? { id: "open", target: item.subject } : null;
}

/** @param {import("./screen-types.js").Favorite | undefined} favorite @returns {"off" | "on" | "pending"} */
export const starOf = (favorite) =>
  favorite === "yes" || favorite === true ? "on" : favorite === "pending-yes" ? "pending" : "off";

/** Whether a form shows a card's actions as buttons; in other forms, the whole card acts as one.
 * @param {Form} form */
export const hasButtons = (form) => form === "hero" || form === "detail" || form === "banner";

/** Describes a card to a screen reader.
 * @param {import("./screen-types.js").ScreenItem} item @param {number} index @param {Company} company
 * @param {import("./screen-words.js").Words} words */
export function sentenceOf(item, index, company, words) {
  const card = item.card ?? {};
  const isRanked = expectedForm(company.kind, card) === "ranked";
  const place = placeOf(card, index);
  const movement = isRanked || card.rank ? movementOf(card, place) : null;
  const parts = [isRanked ? words.whole(place) : "", clean(card.overline), clean(card.title), ...linesOf(card)];
  if (movement === "new") parts.push(words.say("isNew"));
  else if (movement !== null) {
    parts.push(
      movement > 0 ? words.say("rose", movement) : movement < 0 ? words.say("fell", -movement) : words.say("stayed"));
  }
  parts.push(...(card.badges ?? []).slice(0, CardLimits.badges).map((badge) => clean(badge.text)));
  const rating = Number(card.rating?.value);
  if (rating > 0) parts.push(words.say("rating", words.say("of", words.decimal(rating), card.rating?.scale || 10)));
  if (card.price) parts.push(words.price(card.price));
  if (card.progress) parts.push(words.progress(card.progress));
  if (isRanked) {
    const facts = (card.facts ?? []).slice(0, CardLimits.factColumns);
    parts.push(...facts.map(({ label, value }) => clean(`${label ?? ""} ${value ?? ""}`)));
  }
  return parts.filter((part) => part !== "").join(", ");
}
