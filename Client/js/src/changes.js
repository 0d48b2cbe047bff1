/** The difference between two states of a screen, as operations to apply to lists on a page. */

/** @typedef {import("./screen.js").Screen} Screen */
/** @typedef {import("./screen.js").Section} Section */

/** @typedef {"delete" | "insert" | "move" | "update"} Op */

/**
 * One change. Indices count from 0; `from` is an index in the old list, `to` one in the new list. To apply changes,
 * first to the sections and then to the items of each: remove what is deleted or moved, then insert what is inserted or
 * moved at its `to`, in the order given. The rest keeps its order.
 * @typedef {object} Change
 * @property {Op | `section-${Op}`} op
 * @property {string} section its id
 * @property {string} [id] of the item
 * @property {number} [from]
 * @property {number} [to]
 */

/**
 * A longest increasing subsequence.
 * @param {number[]} numbers
 * @returns {Set<number>}
 */
function longestIncreasing(numbers) {
  /**
   * The smallest last number of the sequences of each length.
   * @type {number[]}
   */
  const ends = [];
  /**
   * For each number, the one before it in its sequence.
   * @type {number[]}
   */
  const previous = [];
  for (const number of numbers) {
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (ends[middle] < number) low = middle + 1;
      else high = middle;
    }
    previous[number] = ends[low - 1];
    ends[low] = number;
  }
  const result = new Set();
  for (let number = ends[ends.length - 1]; number !== undefined; number = previous[number]) result.add(number);
  return result;
}

/**
 * Compares two lists by id.
 * @param {readonly {id: string}[]} before
 * @param {readonly {id: string}[]} after
 * @param {(op: Op, id: string, from: any, to?: any) => void} visit
 */
function compare(before, after, visit) {
  const places = new Map(before.map(({ id }, i) => [id, i]));
  const kept = after.flatMap(({ id }) => places.get(id) ?? []);
  const still = longestIncreasing(kept), left = new Set(kept);
  before.forEach(({ id }, from) => left.has(from) || visit("delete", id, from));
  after.forEach(({ id }, to) => {
    const from = places.get(id);
    if (from === undefined) return visit("insert", id, undefined, to);
    if (!still.has(from)) visit("move", id, from, to);
    visit("update", id, from, to);
  });
}

/**
 * All changes from one state to another.
 * @param {Screen} before
 * @param {Screen} after
 * @returns {Change[]}
 */
export function changesBetween(before, after) {
  /** @type {Change[]} */
  const changes = [];
  /** @type {Change[]} */
  const ofItems = [];
  compare(before.sections, after.sections, (op, section, from, to) => {
    const old = before.sections[from], now = after.sections[to];
    if (op !== "update" || !old.hasHeadOf(now)) changes.push({ op: `section-${op}`, section, from, to });
    if (op === "update" && old.items !== now.items)
      compare(old.items, now.items, (change, id, at, end) => {
        if (change !== "update" || !old.items[at].equals(now.items[end]))
          ofItems.push({ op: change, section, id, from: at, to: end });
      });
  });
  return changes.concat(ofItems);
}
