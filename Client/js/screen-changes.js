// Finds the items of a section that were moved, added or removed between two lists.

/** @typedef {{added: Set<string>, removed: Set<string>, moved: Set<string>}} ListChanges */

/** Maximum number of items for which moves are found. Beyond it, items slide to their places without passing in front
 * of others. */
const MAXIMUM_COMPARED = 5000;

/** The changes between two lists of ids. As many items as possible keep their order.
 * @param {readonly string[]} before @param {readonly string[]} after @returns {ListChanges} */
export function changesBetween(before, after) {
  const oldPlaces = new Map(before.map((id, index) => [id, index]));
  const newIds = new Set(after);
  const kept = after.filter((id) => oldPlaces.has(id));
  return {
    added: new Set(after.filter((id) => !oldPlaces.has(id))), removed: new Set(before.filter((id) => !newIds.has(id))),
    moved: kept.length > MAXIMUM_COMPARED ? new Set() : movedOf(kept, oldPlaces),
  };
}

/** The ids outside a longest increasing subsequence of their old places (patience sorting).
 * @param {readonly string[]} kept @param {Map<string, number>} oldPlaces */
function movedOf(kept, oldPlaces) {
  const places = kept.map((id) => oldPlaces.get(id) ?? 0);
  /** @type {number[]} */
  const tails = [];
  const previous = new Array(places.length).fill(-1);
  for (const [index, place] of places.entries()) {
    let [low, high] = [0, tails.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[tails[middle]] < place) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[index] = tails[low - 1];
    tails[low] = index;
  }
  const moved = new Set(kept);
  for (let index = tails[tails.length - 1] ?? -1; index >= 0; index = previous[index]) moved.delete(kept[index]);
  return moved;
}

/** The moves in a section according to the client's operations; `null` if the client reports no operations.
 * @param {readonly import("./screen-types.js").ScreenOperation[] | null | undefined} operations
 * @param {string} section */
export function reportedMoves(operations, section) {
  if (!Array.isArray(operations)) return null;
  return new Set(operations.filter((one) => one.op === "move" && one.section === section).map((one) => one.id ?? ""));
}
