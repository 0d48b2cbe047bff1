// The element's own phrases, and its formats for numbers, in the screen's language.

/**
 * @typedef {{more: string, less: string, isNew: string, addFavorite: string, removeFavorite: string,
 *   nothingHere: string, loading: string, failed: string, rose: string, fell: string, stayed: string,
 *   rating: string, order: string,
 *   added: string, removed: string, moved: string, of: string}} Phrases
 *   `{}` stands for a number or a text; `of` has two.
 */

/** @type {Record<string, Phrases>} */
const PHRASES = {
  en: {
    more: "More", less: "Less", isNew: "New", addFavorite: "Add {} to favorites",
    removeFavorite: "Remove {} from favorites", nothingHere: "Nothing here yet", loading: "Loading",
    failed: "This can't be shown right now", rose: "up {}", fell: "down {}", stayed: "unchanged", rating: "rated {}",
    order: "Order", added: "{} added", removed: "{} removed", moved: "{} moved", of: "{} of {}",
  },
  ko: {
    more: "더보기", less: "접기", isNew: "신규", addFavorite: "{} 즐겨찾기에 추가",
    removeFavorite: "{} 즐겨찾기에서 삭제", nothingHere: "표시할 내용이 없습니다",
    loading: "불러오는 중",
    failed: "지금은 표시할 수 없습니다", rose: "{}계단 상승", fell: "{}계단 하락",
    stayed: "변동 없음",
    rating: "평점 {}", order: "정렬", added: "{}개 추가", removed: "{}개 삭제", moved: "{}개 이동",
    of: "{} / {}",
  },
  ar: {
    more: "المزيد", less: "أقل", isNew: "جديد", addFavorite: "إضافة {} إلى المفضلة",
    removeFavorite: "إزالة {} من المفضلة", nothingHere: "لا يوجد شيء هنا بعد",
    loading: "جارٍ التحميل",
    failed: "لا يمكن عرض هذا الآن", rose: "صعود {}", fell: "هبوط {}",
    stayed: "بلا تغيير", rating: "التقييم {}",
    order: "الترتيب", added: "أضيف {}", removed: "حُذف {}", moved: "انتقل {}", of: "{} من {}",
  },
};

/** Languages written from right to left. */
const RIGHT_TO_LEFT = new Set(
  ["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"]);
/** Maximum number of characters shown of a text; no card has room for more, and laying them out takes time. */
const MAXIMUM_TEXT = 2000;
/** Maximum number of characters in a price that is formatted. */
const PRICE_DIGITS = 15;

/** @param {string} locale */
const languageOf = (locale) => locale.split(/[-_]/)[0].toLowerCase();

/** Whether a language is read from right to left.
 * @param {string} locale */
export const isRightToLeft = (locale) => RIGHT_TO_LEFT.has(languageOf(locale));

/** A text on one line, without characters that could change the direction of the text around it: it may be anyone's.
 * @param {unknown} text */
export const clean = (text) =>
  (typeof text === "string" ? text : "").slice(0, MAXIMUM_TEXT).replace(HIDDEN, "").replace(BREAKS, " ").trim();

/** Directional marks and invisible characters. Joiners are kept, because they shape letters and emoji. */
const HIDDEN = /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;
const BREAKS = /[\s\u0000-\u001F\u007F-\u009F]+/g;

/** The phrases and number formats of one language. */
export class Words {
  /** @type {Intl.NumberFormat} */ #decimal;
  /** @type {Intl.NumberFormat} */ #whole;
  /** @type {Intl.NumberFormat} */ #short;

  /** @param {string} locale Unknown ones become English. @param {Partial<Phrases>} [own] The page's own phrases. */
  constructor(locale, own = {}) {
    this.locale = supported(locale);
    /** @type {Phrases} */
    this.phrases = { ...(PHRASES[languageOf(locale)] ?? PHRASES.en), ...own };
    this.#decimal = new Intl.NumberFormat(this.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    this.#whole = new Intl.NumberFormat(this.locale);
    this.#short = new Intl.NumberFormat(this.locale, { maximumFractionDigits: 1 });
  }

  /** A phrase with its `{}` replaced by values.
   * @param {keyof Phrases} phrase @param {...(string | number)} values */
  say(phrase, ...values) {
    const rest = [...values];
    return this.phrases[phrase].replace(/\{\}/g, () => {
      const value = rest.shift() ?? "";
      return typeof value === "number" ? this.#whole.format(value) : value;
    });
  }

  /** A number with one decimal.
   * @param {number} value */
  decimal(value) { return this.#decimal.format(value); }

  /** A whole number.
   * @param {number} value */
  whole(value) { return this.#whole.format(value); }

  /** `24 of 38 min`.
   * @param {{value?: number, total?: number, unit?: string}} progress */
  progress({ value, total, unit }) {
    if (!Number.isFinite(value)) return "";
    const done = this.#short.format(Number(value));
    const words = Number(total) > 0 ? this.say("of", done, this.#short.format(Number(total))) : done;
    return clean(`${words} ${unit ?? ""}`);
  }

  /** A formatted price; an amount that isn't a number is shown unchanged.
   * @param {{amount?: string, currency?: string}} price */
  price({ amount, currency }) {
    const text = clean(amount);
    if (!/^[0-9]+(\.[0-9]+)?$/.test(text) || text.length > PRICE_DIGITS) return text;
    const whole = text.includes(".") ? {} : { minimumFractionDigits: 0, maximumFractionDigits: 0 };
    if (!/^[A-Za-z]{3}$/.test(currency ?? "")) return this.#whole.format(Number(text));
    return new Intl.NumberFormat(this.locale, { style: "currency", currency, ...whole }).format(Number(text));
  }
}

/** @param {string} locale */
function supported(locale) {
  try {
    return Intl.NumberFormat.supportedLocalesOf([locale.replace(/_/g, "-")])[0] ?? "en";
  } catch {
    return "en";
  }
}
