/** Searches with filters and facets. A page that doesn't import this module searches with `client.search`. */

import { SEARCH } from "./constants.js";
import { Item } from "./content.js";
import { MarqueeError } from "./errors.js";
import { declare } from "./schema.js";

/** @typedef {import("./client.js").MarqueeClient} MarqueeClient */
/** @typedef {import("./client.js").CallOptions} CallOptions */

declare(`
SearchFilter field value
FilteredSearch query 3 page:u locale filters:SearchFilter* facets*
FacetValue value count:u
SearchFacet field values:FacetValue*
FilteredAnswer 2 items* total:u 5 pages:u 7 totalCapped:o facets:SearchFacet* filters:u
`);

/**
 * @typedef {object} Found
 * @property {Item[]} items
 * @property {number} total
 * @property {boolean} totalCapped whether there are more matches than `total`
 * @property {number} page
 * @property {number} pages
 * @property {Record<string, {value: string, count: number}[]>} facets the most frequent values among the matches, by
 *   field
 */

/**
 * Searches.
 * @param {MarqueeClient} client
 * @param {string} query
 * @param {CallOptions & {page?: number, locale?: string, filters?: Record<string, string>, facets?: string[]}} options
 *   pages count from 1; `filters` are values that matches have in fields, and `facets` fields whose values are counted:
 *   `["*"]` for all that the types declare
 * @returns {Promise<Found>}
 * @throws {MarqueeError} `FILTER_INVALID` for a field that isn't a facet; `UPDATE_NEEDED` if the server doesn't filter
 */
export async function search(client, query, options = {}) {
  const { page = 1, locale = client.locale, filters = {}, facets = [], ...more } = options;
  const conditions = Object.entries(filters).map(([field, value]) => ({ field, value }));
  const request = { query, page, locale, filters: conditions, facets };
  const answer = await client.call(SEARCH, "FilteredSearch", request, "FilteredAnswer", more);
  // A server that doesn't know filters leaves them out.
  if ((answer.filters ?? 0) !== conditions.length) throw new MarqueeError("UPDATE_NEEDED");
  const { items = [], total = 0, totalCapped = false, pages = 0 } = answer;
  const counted = (answer.facets ?? []).map((/** @type {any} */ { field = "", values = [] }) =>
    [field, values.map((/** @type {any} */ { value = "", count = 0 }) => ({ value, count }))]);
  const found = items.map((/** @type {any} */ item) => new Item(item));
  return { items: found, total, totalCapped, page, pages, facets: Object.fromEntries(counted) };
}
