import assert from "node:assert/strict";
import { test } from "node:test";
import { companyOf, haveOnlyWords, movementOf, openingOf, planOf, sentenceOf, starOf } from "../screen-cards.js";
import { changesBetween, reportedMoves } from "../screen-changes.js";
import { layoutOfBytes } from "../layout-bytes.js";
import { sectionInput } from "../screen-input.js";
import { neighbour } from "../screen-keys.js";
import { badgeColors, palette } from "../screen-styles.js";
import { Words, clean, isRightToLeft } from "../screen-words.js";
import { ScreenLayout, designLayout } from "../layout.js";

// ---------------------------------------------------------------- colours

/** Relative luminance as WCAG 2.2 defines it. @param {string} color */
function luminance(color) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {string} a @param {string} b */
function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

for (const scheme of /** @type {const} */ (["light", "dark"])) {
  test(`words have the contrast that WCAG AA asks for: ${scheme}`, () => {
    const colors = palette[scheme];
    for (const ground of [colors.background, colors.surface]) {
      for (const name of ["text", "secondary", "accent-text", "warning", "rose", "fell"]) {
        assert.ok(contrast(colors[name], ground) >= 4.5, `${name} on ${ground}: ${contrast(colors[name], ground)}`);
      }
      assert.ok(contrast(colors.star, ground) >= 3, `star on ${ground}: ${contrast(colors.star, ground)}`);
    }
    assert.ok(contrast(colors["on-accent"], colors.accent) >= 4.5);
    for (const [role, [fill, words]] of Object.entries(badgeColors)) {
      assert.ok(contrast(fill, words) >= 4.5, `${role}: ${contrast(fill, words)}`);
    }
  });
}

// ---------------------------------------------------------------- words

test("a text has no characters that change the direction of others or break its line", () => {
  assert.equal(clean("a\u202Eb\u2066c\n\u0000 d\u200E "), "abc d");
  assert.equal(clean(undefined), "");
  assert.equal(clean(12), "");
  assert.equal(clean("x".repeat(5000)).length, 2000);
  // Joiners shape letters and emoji.
  assert.equal(clean("👩‍🚀"), "👩‍🚀");
});

test("numbers and prices are written as the language does", () => {
  const [en, de, ko] = ["en", "de", "ko-KR"].map((locale) => new Words(locale));
  assert.equal(en.price({ amount: "4.99", currency: "EUR" }), "€4.99");
  assert.equal(ko.price({ amount: "15000", currency: "KRW" }), "₩15,000");
  assert.equal(de.decimal(4.5), "4,5");
  assert.equal(en.price({ amount: "free" }), "free");
  assert.equal(en.price({ amount: "1e5", currency: "EUR" }), "1e5");
  assert.equal(en.price({ amount: "12", currency: "nonsense" }), "12");
  assert.equal(en.progress({ value: 24, total: 38, unit: "min" }), "24 of 38 min");
  assert.equal(en.progress({ value: NaN }), "");
  assert.equal(new Words("not a language!").locale, "en");
  assert.equal(ko.say("rose", 2), "2계단 상승");
  assert.equal(new Words("en", { more: "Show more" }).phrases.more, "Show more");
});

test("languages have their directions", () => {
  for (const locale of ["ar", "ar-EG", "he", "fa_IR", "ur"]) assert.ok(isRightToLeft(locale), locale);
  for (const locale of ["en", "ko", "de-AT", ""]) assert.ok(!isRightToLeft(locale), locale);
});

// ---------------------------------------------------------------- cards

/** @param {string} kind @param {object} card @param {number} width @param {number} height */
function formOf(kind, card, width, height) {
  const items = [{ id: "a", subject: "x/a", card }];
  return planOf(card, { width, height }, companyOf(kind, items));
}

test("the kind of a section and the frame decide the form of a card", () => {
  const pictured = { title: "T", image: { name: "i", aspect: 2 / 3 } };
  assert.equal(formOf("hero", {}, 390, 450).form, "hero");
  assert.equal(formOf("list", {}, 360, 80).form, "row");
  assert.equal(formOf("list", { rank: { place: 2 } }, 360, 46).form, "numbered");
  assert.equal(formOf("rank", pictured, 80, 140).form, "poster");
  assert.equal(formOf("rank", pictured, 161, 170).form, "behind");
  assert.equal(formOf("chart", pictured, 350, 80).form, "numbered");
  assert.equal(formOf("basic", pictured, 104, 180).isLettered, false);
  assert.equal(formOf("basic", pictured, 104, 140).isLettered, true);
  assert.equal(formOf("basic", pictured, 350, 80).form, "row");
  // Without any image in its section, a tile is its words.
  assert.equal(formOf("basic", { title: "T" }, 104, 180).form, "row");
  assert.equal(formOf("kind-4711", pictured, 350, 80).form, "row");
  // A shape that no picture has counts as the usual one.
  assert.ok(Number.isFinite(formOf("basic", { image: { aspect: 1e300 } }, 104, 180).imageHeight));
});

test("a row shows no more than there is room for", () => {
  const card = { title: "Title", overline: "o", subtitle: "s", caption: "c", rating: { value: 4 } };
  assert.deepEqual([formOf("list", card, 360, 20).lines, formOf("list", card, 360, 20).hasMarks], [0, false]);
  assert.equal(formOf("list", card, 360, 60).hasOverline, false);
  assert.equal(formOf("list", card, 360, 72).hasOverline, true);
  assert.equal(formOf("list", card, 360, 120).lines, 2);
});

test("a movement is a number of places", () => {
  assert.equal(movementOf({ rank: { previous: 4 } }, 2), 2);
  assert.equal(movementOf({ rank: { isNew: true, previous: 4 } }, 2), "new");
  assert.equal(movementOf({ rank: {} }, 2), null);
});

test("a card in words has what it shows", () => {
  const card = {
    title: "Harbour City", rank: { place: 2, previous: 4 }, facts: [{ label: "Pts", value: "35" }],
    rating: { value: 4.6, scale: 5 }, badges: [{ text: "Live" }],
  };
  const items = [{ id: "a", subject: "team/a", card }];
  assert.equal(
    sentenceOf(items[0], 0, companyOf("rank", items), new Words("en")),
    "2, Harbour City, up 2, Live, rated 4.6 of 5, Pts 35");
});

test("a card opens its first action's target, or the screen of its subject", () => {
  const actions = [{ id: "favorite" }, { id: "open", target: "team/x" }];
  assert.equal(openingOf({ id: "a", subject: "team/a", card: { actions } })?.target, "team/x");
  assert.equal(openingOf({ id: "a", subject: "team/a", card: {} })?.target, "team/a");
  assert.equal(openingOf({ id: "a", card: {} }), null);
});

test("a favorite is off, on or pending", () => {
  /** @type {any[]} */
  const marks = [true, "yes", "pending-yes", "pending-no", "no", false, undefined];
  assert.deepEqual(marks.map((one) => starOf(one)), ["on", "on", "pending", "off", "off", "off", "off"]);
});

test("records without any image are only words", () => {
  assert.ok(haveOnlyWords([{ id: "a", card: { title: "T" } }]));
  assert.ok(!haveOnlyWords([{ id: "a", card: { title: "T", image: { name: "i" } } }]));
  assert.ok(!haveOnlyWords([{ id: "a" }]));
  assert.ok(!haveOnlyWords([]));
});

// ---------------------------------------------------------------- changes and keys

test("the fewest items move", () => {
  const { added, removed, moved } = changesBetween(["a", "b", "c", "d", "e"], ["e", "a", "b", "x", "d"]);
  assert.deepEqual([[...added], [...removed], [...moved]], [["x"], ["c"], ["e"]]);
  assert.equal(changesBetween(["a", "b"], ["a", "b"]).moved.size, 0);
  const many = Array.from({ length: 3000 }, (_, index) => String(index));
  assert.equal(changesBetween(many, [...many].reverse()).moved.size, 2999);
  const operations = [{ op: "move", section: "s", id: "a" }, { op: "move", section: "t", id: "b" }];
  assert.deepEqual([...(reportedMoves(operations, "s") ?? [])], ["a"]);
  assert.equal(reportedMoves(null, "s"), null);
});

test("arrows lead to the nearest item, and from section to section", () => {
  const tiles = designLayout("tiles", { width: 390 });
  const lines = designLayout("lines", { width: 390 });
  const layout = new ScreenLayout(
    [{ layout: tiles, itemCount: 6 }, { layout: lines, itemCount: 0 }, { layout: lines, itemCount: 3 }],
    { width: 390, height: 844 });
  const go = (/** @type {number} */ section, /** @type {number} */ item, /** @type {string} */ key) => {
    const next = neighbour(layout, { section, item }, key, () => undefined);
    return next ? [next.section, next.item] : null;
  };
  assert.deepEqual(go(0, 1, "ArrowRight"), [0, 2]);
  assert.deepEqual(go(0, 1, "ArrowLeft"), [0, 0]);
  assert.equal(go(0, 3, "ArrowRight"), null);
  assert.deepEqual(go(0, 1, "ArrowDown"), [0, 5]);
  assert.deepEqual(go(0, 5, "ArrowDown"), [2, 0]);
  assert.deepEqual(go(2, 0, "ArrowUp"), [0, 5]);
  assert.equal(go(0, 0, "ArrowUp"), null);
  assert.deepEqual(go(0, 2, "End"), [0, 5]);
  assert.deepEqual(go(0, 2, "Home"), [0, 0]);
  assert.equal(go(0, 2, "a"), null);
});

// ---------------------------------------------------------------- what a client gives

test("a section's fields are its own or those of its head", () => {
  const own = { id: "s", kind: "list", header: { title: "T" }, sort: "new", items: [], placeholders: 3 };
  assert.equal(sectionInput(own).kind, "list");
  assert.equal(sectionInput(own).placeholders, 3);
  const head = {
    kind: 2, header: { title: "T" }, windows: [5, 20], window: 5,
    supplements: [{ kind: "side", supplement: { title: "S" } }],
  };
  const input = sectionInput({ id: "s", head, items: [], error: { message: "gone" } });
  assert.deepEqual([input.kind, input.header?.title, input.window, input.error], ["rank", "T", 5, "gone"]);
  assert.deepEqual(input.supplements, { side: { title: "S" } });
  assert.equal(sectionInput({ id: "s", title: "T", items: [] }).header?.title, "T");
  assert.equal(sectionInput({ id: "s", head: { kind: 4711 }, items: [] }).kind, "kind-4711");
  // A layout that the protocol refuses counts as none.
  assert.equal(sectionInput({ id: "s", layout: { nodes: [] }, items: [] }).layout, null);
  assert.equal(sectionInput({ id: "s", layout: new Uint8Array([255]), items: [] }).layout, null);
});

/** A message of fields, each of which is its number, its wire type and its bytes.
 * @param {...[number, number, number[]]} fields */
const message = (...fields) => fields.flatMap(([number, wire, bytes]) =>
  [number * 8 + wire, ...(wire === 2 ? [bytes.length] : []), ...bytes]);
/** @param {number} value */
const double = (value) => [...new Uint8Array(new Float64Array([value]).buffer)];

test("a layout is read from its bytes", () => {
  const whole = message([1, 0, [1]], [2, 1, double(1)]);
  const high = message([1, 0, [3]], [2, 1, double(80)]);
  const group = message([1, 0, [2]], [2, 2, whole], [3, 2, high], [6, 0, [3]], [7, 2, [1]]);
  const item = message([1, 0, [1]], [2, 2, whole], [3, 2, whole], [15, 0, [7]]);
  const bytes = message([1, 2, group], [1, 2, item], [3, 1, double(5)], [4, 0, [5]], [6, 2, [98, 103]]);
  const layout = layoutOfBytes(Uint8Array.from(bytes));
  const [one, eighty] = [{ unit: 1, value: 1 }, { unit: 3, value: 80 }];
  assert.deepEqual(layout, {
    nodes: [{ type: 2, width: one, height: eighty, count: 3, children: [1] }, { type: 1, width: one, height: one }],
    spacing: 5, scrolling: 5, decoration: "bg",
  });
  // Whatever is cut off or changed, it is read or refused, and nothing else happens.
  for (let length = 0; length < bytes.length; length += 1) layoutOfBytes(Uint8Array.from(bytes.slice(0, length)));
  assert.equal(layoutOfBytes(Uint8Array.from(bytes.slice(0, -1))), null);
  for (let at = 0; at < bytes.length; at += 1) {
    for (const value of [0, 1, 2, 127, 128, 255]) {
      layoutOfBytes(Uint8Array.from(bytes, (byte, index) => (index === at ? value : byte)));
    }
  }
  // Beyond what any layout has.
  assert.equal(layoutOfBytes(Uint8Array.from(Array(20000).fill(message([1, 2, []])).flat())), null);
});
