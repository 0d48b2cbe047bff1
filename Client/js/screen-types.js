// Types of a screen as `<marquee-screen>` shows it. Any client whose `screen` yields them will do.

/**
 * @typedef {object} ScreenSource A client, as the element sees it.
 * @property {(name: string, options: ScreenOptions) => AsyncIterable<ScreenUpdate>} screen A screen now, and again
 *   whenever it has changed, until `options.signal` aborts.
 * @property {(name: string) => UserCollection} [collection] One of the user's collections. Without it, nobody can have
 *   favorites, and no star is shown.
 * @property {(name: string, options: ScreenChoices) => unknown} [setOptions] Shows the screen with other sorts or
 *   windows, in the same loop. Without it, the element asks for the screen again.
 * @property {string} [imageBaseUrl] Where images are: the name of an image is appended to it.
 */

/**
 * @typedef {object} ScreenChoices
 * @property {string} [locale] The requested language, such as `ko`; absent: the client's.
 * @property {Record<string, string>} [sorts] Orders by section, which a person has chosen.
 * @property {Record<string, number>} [windows] Numbers of items by section, of which a person wants to see more.
 */

/** @typedef {ScreenChoices & {signal: AbortSignal}} ScreenOptions `signal` ends the updates. */

/**
 * @typedef {object} UserCollection
 * @property {(subject: string) => unknown} set Makes a subject a member.
 * @property {(subject: string) => unknown} remove
 * @property {(options: {signal: AbortSignal}) => AsyncIterable<{members: readonly Member[]}>} [states] The members now,
 *   and whenever they have changed: for items that don't say themselves whether they are favorites.
 */

/** @typedef {{subject: string, pending?: boolean}} Member */

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
 * @property {string} [locale] The language of its texts, which decides the direction and how numbers are written.
 * @property {string} [title]
 * @property {readonly ScreenSection[]} sections
 */

/**
 * @typedef {SectionHead & SectionBody} ScreenSection A section. The fields of its head are its own, or those of `head`.
 */

/**
 * @typedef {object} SectionBody
 * @property {string} id Unique on the screen.
 * @property {SectionHead} [head]
 * @property {string} [title] That of its header, if it has no `header`.
 * @property {number} [placeholders] Items to expect while there are none.
 * @property {readonly ScreenItem[]} items
 */

/**
 * @typedef {object} SectionHead
 * @property {string | number} [kind] Its name, such as `list`, or its number on the wire.
 * @property {Supplement | null} [header]
 * @property {Supplement | null} [footer]
 * @property {Readonly<Record<string, Supplement>> | readonly {kind?: string, supplement?: Supplement}[]} [supplements]
 *   Words of the layout's other views, by their kinds.
 * @property {import("./layout.js").Layout | Uint8Array | null} [layout] Decoded or not. Without one that the protocol
 *   allows, the section's kind decides.
 * @property {readonly {id: string, title?: string}[]} [sorts] The orders it can be shown in.
 * @property {string} [sort] The order it is in.
 * @property {readonly number[]} [windows] How many items each step shows, ascending.
 * @property {number} [window]
 * @property {boolean} [hasMore] Whether a larger window would show more.
 * @property {string | {message?: string} | null} [error] Why it can't be shown.
 */

/**
 * @typedef {object} ScreenItem
 * @property {string} id Unique in its section.
 * @property {string} [subject] The entity that it stands for, such as `movie/27205`. With one, it can be a favorite.
 * @property {Favorite} [favorite] Absent: the client's collection knows.
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
