// Types of a screen as `<marquee-screen>` shows it. Any client whose `screen` yields them will do.

/**
 * @typedef {object} ScreenSource A client, as the element sees it.
 * @property {(name: string, options: ScreenOptions) => AsyncIterable<ScreenUpdate>} screen A screen now, and again
 *   whenever it has changed, until `options.signal` aborts.
 * @property {(name: string) => UserCollection} [collection] One of the user's collections. Without it, nobody can have
 *   favorites, and no star is shown.
 * @property {string} [imageBaseUrl] Where images are: the name of an image is appended to it.
 */

/**
 * @typedef {object} ScreenOptions
 * @property {AbortSignal} signal Ends the updates.
 * @property {string} [locale] The language wished for, such as `ko`; absent: the client's.
 * @property {Record<string, string>} [sorts] Orders by section, which a person has chosen.
 * @property {Record<string, number>} [windows] Numbers of items by section, of which a person wants to see more.
 */

/**
 * @typedef {object} UserCollection
 * @property {(subject: string) => unknown} set Makes a subject a member.
 * @property {(subject: string) => unknown} remove
 */

/**
 * @typedef {object} ScreenUpdate
 * @property {Screen} screen
 * @property {readonly ScreenOperation[] | null} [changes] The operations since the previous value, as
 *   Docs/cli-output.md describes them. Moved items pass in front of the others. Absent: found by comparing.
 */

/**
 * @typedef {{op: string, section: string, id?: string, from?: number, to?: number}} ScreenOperation
 */

/**
 * @typedef {object} Screen
 * @property {string} id
 * @property {string} [locale] The language of its texts, which decides the direction and how numbers are written.
 * @property {string} [title]
 * @property {readonly ScreenSection[]} sections
 */

/**
 * @typedef {object} ScreenSection
 * @property {string} id Unique on the screen.
 * @property {string | number} kind Its name, such as `list`, or its number on the wire.
 * @property {string} [title] That of its header, if it has no `header`.
 * @property {Supplement | null} [header]
 * @property {Supplement | null} [footer]
 * @property {Readonly<Record<string, Supplement>>} [supplements] Words of the layout's other views, by their kinds.
 * @property {import("./layout.js").Layout | null} [layout] Without one, its kind decides.
 * @property {readonly {id: string, title?: string}[]} [sorts] The orders it can be shown in.
 * @property {string} [sort] The order it is in.
 * @property {readonly number[]} [windows] How many items each step shows, ascending.
 * @property {number} [window]
 * @property {boolean} [hasMore] Whether a larger window would show more.
 * @property {string | {message?: string} | null} [error] Why it can't be shown.
 * @property {number} [placeholders] Items to expect while there are none.
 * @property {readonly ScreenItem[]} items
 */

/**
 * @typedef {object} ScreenItem
 * @property {string} id Unique in its section.
 * @property {string} [subject] The entity that it stands for, such as `movie/27205`. With one, it can be a favorite.
 * @property {Favorite} [favorite]
 * @property {Card | null} [card] Absent for kinds of items that aren't cards: they keep their places, which stay empty.
 */

/** @typedef {boolean | "no" | "yes" | "pending-yes" | "pending-no"} Favorite */

/** @typedef {{id?: string, title?: string, target?: string}} Action */
/** @typedef {{title?: string, actions?: readonly Action[]}} Supplement */
/** @typedef {{name?: string, aspect?: number, color?: string}} Image */

/**
 * @typedef {object} Card `CardBody` of marquee.proto: the parts of a record that any viewer can draw.
 * @property {string} [overline]
 * @property {string} [title]
 * @property {string} [subtitle]
 * @property {string} [caption]
 * @property {Image} [image]
 * @property {readonly {text?: string, role?: string}[]} [badges]
 * @property {{value?: number, scale?: number, count?: number}} [rating]
 * @property {{amount?: string, currency?: string}} [price]
 * @property {{place?: number, previous?: number, isNew?: boolean}} [rank]
 * @property {{value?: number, total?: number, unit?: string}} [progress]
 * @property {readonly {label?: string, value?: string}[]} [facts]
 * @property {readonly Action[]} [actions]
 * @property {string} [text]
 */

export {};
