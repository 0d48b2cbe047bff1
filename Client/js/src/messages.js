/**
 * The types of decoded messages that this library reads. Absent fields are undefined.
 *
 * @typedef {{catalogueEpoch?: bigint, catalogueRevision?: number, userEpoch?: bigint, userRevision?: number}} Cut
 * @typedef {{code?: number, reason?: string, remedy?: number, message?: string, retryAfterMs?: number}} Status
 * @typedef {{id: string, kind: number, subject?: string, body?: Uint8Array}} ItemMessage
 * @typedef {{records?: Uint8Array, cleared?: number[], replace?: boolean}} FieldChange
 * @typedef {{handle: number, baseSum?: bigint, targetSum: bigint, script?: Uint8Array, adds?: ItemMessage[],
 *   updates?: FieldChange[], head?: FieldChange, count: number, more?: boolean, cut?: Cut}} Part
 * @typedef {{section: string, handle: number, sum?: bigint}} Binding
 * @typedef {{subscription: number, generation?: number, viewHandle: number, viewSum: bigint, sections?: Binding[],
 *   cut: Cut, screen: string, locale: string}} Join
 * @typedef {{frameBytes?: number, partBytes?: number, elementsPerFrame?: number, calls?: number, creditBytes?: number,
 *   cutBytes?: number, answerBytes?: number}} Limits
 * @typedef {{protocol: number, cluster: string, user?: string, node?: string, agent?: string, limits: Limits, cut: Cut,
 *   pingIntervalMs?: number, pingMinimumMs?: number, progressIntervalMs?: number, imageBaseUrl?: string,
 *   locales?: string[], lastMutation?: number, identityMs?: number}} Welcome
 * @typedef {{id: string, title?: string, target?: string}} Action
 * @typedef {{name?: string, role?: string, aspect?: number, color?: string}} Image
 * @typedef {{title?: string, actions?: Action[]}} Supplement
 * @typedef {{overline?: string, title?: string, subtitle?: string, caption?: string, image?: Image,
 *   badges?: {text?: string, role?: string}[], rating?: {value?: number, scale?: number, count?: number},
 *   price?: {amount?: string, currency?: string}, rank?: {place?: number, previous?: number, isNew?: boolean},
 *   progress?: {value?: number, total?: number, unit?: string}, facts?: {label?: string, value?: string}[],
 *   actions?: Action[], text?: string, record?: {message?: string, bytes?: Uint8Array}}} Card
 * @typedef {{kind?: number, header?: Supplement, footer?: Supplement, layout?: any,
 *   sorts?: {id: string, title?: string}[], sort?: string, windows?: number[], window?: number, total?: number,
 *   hasMore?: boolean, error?: Status, collection?: string, totalCapped?: boolean, anywhere?: number,
 *   first?: number, cursor?: Uint8Array,
 *   supplements?: {kind?: string, supplement?: Supplement}[]}} SectionHead
 */

export {};
