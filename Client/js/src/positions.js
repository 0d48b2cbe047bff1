/** Positions in the two logs (chapters 5 and 12). */

/** @typedef {import("./messages.js").Cut} Cut */
/** @typedef {Required<Cut>} Position */

/**
 * A position with all four components.
 * @param {Cut} [cut]
 * @returns {Position}
 */
export const whole = (cut) => ({ catalogueEpoch: 0n, catalogueRevision: 0, userEpoch: 0n, userRevision: 0, ...cut });

/** @param {any} a may be undefined @param {number} b may be a BigInt, like `a`, which Math.max doesn't accept */
const higher = (a, b) => (a > b ? a : b);

/**
 * A position with the higher of each revision. The epochs are those of `position`.
 * @param {Position} position
 * @param {Cut} cut
 * @returns {Position}
 */
export const advanced = (position, { catalogueRevision, userRevision }) => ({
  ...position,
  catalogueRevision: higher(catalogueRevision, position.catalogueRevision),
  userRevision: higher(userRevision, position.userRevision),
});

/**
 * A position in the epochs of `epochs`: revisions from other epochs become 0.
 * @param {Position} epochs
 * @param {Position} position
 * @returns {Position}
 */
export const within = (epochs, position) => ({
  ...epochs,
  catalogueRevision: epochs.catalogueEpoch === position.catalogueEpoch ? position.catalogueRevision : 0,
  userRevision: epochs.userEpoch === position.userEpoch ? position.userRevision : 0,
});

/**
 * Whether a position is behind another one in a log where both are in the same epoch.
 * @param {Position} position
 * @param {Position} seen
 */
export const isBehind = (position, seen) => {
  const comparable = within(position, seen);
  return position.catalogueRevision < comparable.catalogueRevision || position.userRevision < comparable.userRevision;
};

/**
 * Whether a cut names an epoch that differs from a position's.
 * @param {Cut} cut
 * @param {Position} position
 */
export const isForeign = (cut, position) => {
  const named = { ...position, ...cut };
  return named.catalogueEpoch !== position.catalogueEpoch || named.userEpoch !== position.userEpoch;
};
