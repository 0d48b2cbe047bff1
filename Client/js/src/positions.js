/** Positions in the two logs (chapters 5 and 12). */

/** @typedef {import("./messages.js").Cut} Cut */

/** Epoch and revision of each log, by name. */
const logs = /** @type {const} */ ([["catalogueEpoch", "catalogueRevision"], ["userEpoch", "userRevision"]]);

/**
 * A position with all four components.
 * @param {Cut} [cut]
 * @returns {Required<Cut>}
 */
export const whole = ({ catalogueEpoch = 0n, catalogueRevision = 0, userEpoch = 0n, userRevision = 0 } = {}) => ({
  catalogueEpoch, catalogueRevision, userEpoch, userRevision,
});

/**
 * The higher of each revision; epochs are those of `position`.
 * @param {Required<Cut>} position
 * @param {Cut} cut
 */
export function advanced(position, { catalogueRevision = 0, userRevision = 0 }) {
  return {
    ...position,
    catalogueRevision: catalogueRevision > position.catalogueRevision ? catalogueRevision : position.catalogueRevision,
    userRevision: userRevision > position.userRevision ? userRevision : position.userRevision,
  };
}

/**
 * Whether a position is behind another one, in a log of which both are in the same epoch.
 * @param {Cut} position
 * @param {Cut} seen
 */
export const isBehind = (position, seen) =>
  logs.some(([epoch, revision]) =>
    seen[epoch] && position[epoch] === seen[epoch] && (position[revision] ?? 0) < (seen[revision] ?? 0));

/**
 * Whether a cut names another epoch than a position.
 * @param {Cut} cut
 * @param {Cut} position
 */
export const isOfOtherEpoch = (cut, position) =>
  logs.some(([epoch]) => cut[epoch] !== undefined && cut[epoch] !== position[epoch]);
