// Items of Marquee's preset kinds as cards, which any viewer can draw: movies, charts, credits, banners, courses.

import { sectionKinds } from "../js/layout.js";
import { decodeBody } from "../js/src/protobuf.js";
import { declare } from "../js/src/schema.js";

/** @typedef {import("../js/src/content.js").Item} Item */
/** @typedef {import("../js/src/screen.js").Screen} Screen */
/** @typedef {import("../js/screen-types.js").Card} Card */
/** @typedef {import("../js/screen-types.js").ScreenItem} ScreenItem */

// The messages of presets.proto, in the form of schema.js.
declare(`
Certification country code label colorClass
MovieBody id:n title originalTitle releaseDate runtime:u genres* voteAverage:d voteCount:u popularity:d poster:image
  backdrop:image certification:Certification overview revenue:n
GenreBody id:n name image movies:u
CreditBody person:n name character job portrait:image
BannerBody title caption description image link actions*
TextBody text highlighted action:actions
CourseBody title author rating:d reviews:u price:s tag image currency
CategoriesBody titles*
DetailBody id:n title originalTitle releaseDate countries* genres* runtime:u tagline overview infoLine
  certification:Certification directors* voteAverage:d voteCount:u poster:image backdrop:image revenue:n
ChartEntryBody title movie:n releaseDate gross:n grossToDate:n theaters:u daysInRelease:u distributor poster:image
  voteAverage:d currency audience:n audienceToDate:n share:d hours:n views:n weeks:u rank:u previousRank:u isNew:o
PlaceBody title distance image`);

/** Roles of badges by the colours of signs at a cinema.
 * @type {Record<string, string>} */
const signs = { everyone: "good", teen: "warning", adult: "bad" };

/** @param {any} certification */
const badgesOf = (certification) =>
  certification?.code ? [{ text: certification.code, role: signs[certification.colorClass] ?? "neutral" }] : [];

/** @param {number | undefined} value @param {number | undefined} count @param {number} scale */
const ratingOf = (value, count, scale) => (value ? { value, count, scale } : undefined);

/** @param {(string | undefined | false)[]} facts */
const joined = (...facts) => facts.filter(Boolean).join(" · ");

/** @param {string | undefined} date */
const yearOf = (date) => date?.slice(0, 4);

/** @param {any} amount @param {string | undefined} currency */
function moneyOf(amount, currency = "USD") {
  try {
    return new Intl.NumberFormat([], { style: "currency", currency, notation: "compact" }).format(Number(amount));
  } catch {
    return `${amount} ${currency}`;
  }
}

/** @type {Record<number, [string, (body: any, kind: string) => Card]>} */
const makers = {
  1: ["MovieBody", (movie, kind) => {
    const isHero = kind === "main" || kind === "hero", isRow = kind === "list";
    return {
      title: movie.title, rating: ratingOf(movie.voteAverage, movie.voteCount, 10),
      badges: isHero ? [] : badgesOf(movie.certification),
      subtitle: isHero ? joined(...(movie.genres ?? []).slice(0, 3))
        : joined(yearOf(movie.releaseDate), isRow && (movie.genres ?? []).slice(0, 2).join(", ")),
      image: (isRow ? movie.backdrop : movie.poster) ?? movie.poster ?? movie.backdrop,
      ...(isHero && movie.overview ? { text: movie.overview } : {}),
    };
  }],
  2: ["GenreBody", ({ name, movies, image }) => ({ title: name, image, subtitle: movies ? `${movies}` : undefined })],
  3: ["CreditBody", ({ name, character, job, portrait }) => ({ title: name, subtitle: character ?? job, image: portrait })],
  4: ["BannerBody", ({ title, caption, description, image, link, actions }) =>
    ({ title: title ?? caption ?? link, subtitle: title ? caption : undefined, caption: description, image, actions })],
  5: ["TextBody", ({ text, action }) => ({ title: text, actions: action ? [action] : [] })],
  6: ["CourseBody", ({ title, author, rating, reviews, price, tag, image, currency }) => ({
    title, subtitle: author, rating: ratingOf(rating, reviews, 5), badges: tag ? [{ text: tag, role: "highlight" }] : [],
    price: price ? { amount: price, currency } : undefined, image,
  })],
  7: ["CategoriesBody", ({ titles = [] }) => ({ title: titles.join(" · ") })],
  8: ["DetailBody", (detail) => ({
    title: detail.title, subtitle: detail.originalTitle === detail.title ? undefined : detail.originalTitle,
    caption: detail.infoLine, badges: badgesOf(detail.certification), overline: detail.tagline, text: detail.overview,
    rating: ratingOf(detail.voteAverage, detail.voteCount, 10), image: detail.poster ?? detail.backdrop,
    facts: detail.directors?.length ? [{ label: "Director", value: detail.directors.join(", ") }] : [],
  })],
  10: ["ChartEntryBody", (entry) => ({
    title: entry.title, image: entry.poster, rating: ratingOf(entry.voteAverage, undefined, 10),
    subtitle: joined(entry.audience && `${entry.audience}`, entry.gross && moneyOf(entry.gross, entry.currency),
      entry.share && `${entry.share} %`, entry.views && `${entry.views} views`),
    caption: entry.grossToDate ? `${moneyOf(entry.grossToDate, entry.currency)} in all` : undefined,
    rank: { place: entry.rank, previous: entry.previousRank, isNew: entry.isNew },
  })],
  11: ["PlaceBody", ({ title, distance, image }) => ({ title, subtitle: distance, image })],
};

/** Items that were made, as long as those that they were made of are kept.
 * @type {WeakMap<Item, Map<string, ScreenItem>>} */
const made = new WeakMap();

/** @param {Item} item @param {string} kind Of its section. @returns {ScreenItem} */
function cardItem(item, kind) {
  const maker = makers[item.kind];
  if (!maker) return item;
  const known = made.get(item)?.get(kind);
  if (known) return known;
  const body = decodeBody(maker[0], item.body);
  const one = { id: item.id, subject: item.subject, card: body ? maker[1](body, kind) : undefined };
  made.set(item, (made.get(item) ?? new Map()).set(kind, one));
  return one;
}

/** Lists that were made, which stay the same as long as those that they were made of do.
 * @type {WeakMap<readonly Item[], Map<string, readonly ScreenItem[]>>} */
const lists = new WeakMap();

/** A screen whose items are cards.
 * @param {Screen} screen */
export function cardScreen(screen) {
  const sections = screen.sections.map(({ id, head, title, items, error }) => {
    const kind = sectionKinds[head.kind ?? 0] ?? "";
    const known = lists.get(items)?.get(kind);
    const shown = known ?? items.map((item) => cardItem(item, kind));
    if (!known) lists.set(items, (lists.get(items) ?? new Map()).set(kind, shown));
    return { id, head, title, items: shown, error };
  });
  const { name, locale, title, live, revision } = screen;
  return { name, locale, title, live, revision, sections };
}

/** A client whose screens have cards only.
 * @param {import("../js/src/client.js").MarqueeClient} client */
export function asCards(client) {
  return {
    /** @param {string} name @param {Parameters<typeof client.screen>[1]} options */
    async *screen(name, options) {
      for await (const { screen, changes } of client.screen(name, options)) yield { screen: cardScreen(screen), changes };
    },
    collection: (/** @type {string} */ name) => client.collection(name),
    setOptions: (/** @type {string} */ name, /** @type {any} */ options) => client.setOptions(name, options),
  };
}

/** @typedef {ReturnType<typeof cardScreen>} CardScreen */

/** The screen that an item leads to.
 * @param {ScreenItem} item @param {ReadonlySet<string>} families Of the screens that there are. */
export function targetOf({ subject, card }, families) {
  const own = card?.actions?.find(({ id, target }) => target && (id === "open" || !id))?.target;
  const [type, id] = subject?.split("/") ?? [];
  return own ?? (type === "movie" && families.has("detail") ? `detail/${id}` : undefined);
}
