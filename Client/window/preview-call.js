// A screen as another reader would see it, at another moment or with a draft: the protocol's call 3 and its answer.

import { NONE } from "../js/src/bytes.js";
import { Content, Item } from "../js/src/content.js";
import { MarqueeError } from "../js/src/errors.js";
import { declare } from "../js/src/schema.js";
import { Screen } from "../js/src/screen.js";
import { OWN } from "../js/src/view.js";

/** @typedef {import("../js/src/client.js").MarqueeClient} MarqueeClient */
/** @typedef {import("../js/src/messages.js").Cut} Cut */
/** @typedef {import("./preview-request.js").Wanted} Wanted */

/** Methods of calls. */
const HEALTH = 1, GET_SCREEN = 3;

// GetScreenRequest, Content, GetScreenAnswer and HealthAnswer of marquee.proto, in the form of schema.js.
declare(`
PreviewRequest screen locale sections* 40 reader* at:n draft
PreviewContent id head:b items* sum:x! 40 audiences*
PreviewAnswer screen! locale! cut! view:PreviewContent! sections:PreviewContent* 40 preview:o draft
PositionRequest
PositionAnswer 2 cut`);

/**
 * @typedef {object} Options What is shown of a screen.
 * @property {string} screen
 * @property {string} locale
 * @property {Record<string, string>} sorts
 * @property {Record<string, number>} windows
 */

/**
 * @typedef {object} Previewed
 * @property {Screen} screen
 * @property {ReadonlyMap<string, Content>} contents
 * @property {Cut} cut
 * @property {number} revision A revision of the catalogue that it surely includes. With a draft it may include the
 *   next one.
 * @property {{title: string, audiences: string[]}[]} sections Those with values by audience.
 */

/** A content of the answer; the known one if it is the same, so that its items stay the same values.
 * @param {any} message @param {Content | undefined} known */
function contentOf({ head = NONE, items = [], sum }, known) {
  if (known && known.sum === sum) return known;
  const content = new Content(head, items.map((/** @type {any} */ item) => new Item(item)));
  if (content.sum !== sum) throw new MarqueeError("SUM_MISMATCH");
  return content;
}

/**
 * Turns an answer into a screen, and verifies it.
 * @param {any} answer @param {Wanted} wanted @param {Previewed | null} known The answer before, to the same request.
 * @returns {Previewed}
 * @throws {MarqueeError} `UPDATE_NEEDED` if the server doesn't know previews, and shows something else
 */
export function previewedOf({ screen, locale, cut, view, sections = [], preview = false, draft }, wanted, known) {
  if (!preview || (draft ?? null) !== wanted.draft)
    throw new MarqueeError("UPDATE_NEEDED", undefined, { message: "this server is too old for previews" });
  /** @type {[string, any][]} */
  const all = [[OWN, view], ...sections.map((/** @type {any} */ section) => [section.id ?? "", section])];
  const contents = new Map(all.map(([id, message]) => [id, contentOf(message, known?.contents.get(id))]));
  const shown = new Screen({
    screen, served: locale, contents, cut, live: true, asOf: Date.now(), errors: new Map(),
    error: undefined,
  }, []);
  const named = sections.filter((/** @type {any} */ { audiences }) => audiences?.length);
  return {
    screen: shown, contents, cut, revision: Number(cut.catalogueRevision ?? 0) - (wanted.draft ? 1 : 0),
    sections: named.map((/** @type {any} */ { id, audiences }) => ({ title: shown.section(id)?.title || id, audiences })),
  };
}

/** Whether an answer is of an earlier state than one that is known, such as another node's.
 * @param {Previewed} answer @param {Previewed | null} known */
export function isOlder({ cut }, known) {
  return known !== null && cut.catalogueEpoch === known.cut.catalogueEpoch
    && Number(cut.catalogueRevision ?? 0) < known.revision;
}

/**
 * Asks for a preview.
 * @param {MarqueeClient} client @param {Wanted} wanted @param {Options} options @param {Previewed | null} known
 * @param {AbortSignal} signal
 * @throws {MarqueeError}
 */
export async function askPreview(client, { reader, at, draft }, { screen, locale, sorts, windows }, known, signal) {
  const sections = Object.keys({ ...sorts, ...windows })
    .map((section) => ({ section, sort: sorts[section], window: windows[section] }));
  const request = {
    screen, locale, sections, reader, draft: draft ?? undefined,
    // Moments before 1970 are negative.
    at: at === null ? undefined : BigInt.asUintN(64, BigInt(at)),
  };
  const answer = await client.call(GET_SCREEN, "PreviewRequest", request, "PreviewAnswer", { signal });
  return previewedOf(answer, { reader, at, draft }, known);
}

/** The revision of the catalogue at the server.
 * @param {MarqueeClient} client @param {AbortSignal} signal @returns {Promise<number>} */
export async function askRevision(client, signal) {
  const { cut = {} } = await client.call(HEALTH, "PositionRequest", {}, "PositionAnswer", { signal });
  return Number(cut.catalogueRevision ?? 0);
}
