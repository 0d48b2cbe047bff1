// The types that `<marquee-screen>` works with. It can show the screens of any client whose `screen` yields them.

/**
 * @typedef {object} ScreenSource A client, as the element sees it.
 * @property {(name: string, options: ScreenOptions) => AsyncIterable<ScreenUpdate>} screen Yields a screen, and again
 *   whenever it changes, until `options.signal` aborts.
 * @property {(name: string) => UserCollection} [collection] One of the user's collections. Without it there are no
 *   favorites, and no star is shown.
 * @property {(name: string, options: ScreenChoices) => unknown} [setOptions] Changes the sorts and windows of a screen
 *   that is being iterated. Without it, the element calls `screen` again.
 * @property {string} [imageBaseUrl] The URL that the names of images are resolved against.
 */

/**
 * @typedef {object} ScreenChoices
 * @property {string} [locale] The requested language, such as `ko`; the client's by default.
 * @property {Record<string, string>} [sorts] The sort that a person has chosen, by section.
 * @property {Record<string, number>} [windows] The number of items to show, by section.
 */

/** @typedef {ScreenChoices & {signal: AbortSignal}} ScreenOptions `signal` ends the updates. */

/**
 * @typedef {object} UserCollection
 * @property {(subject: string) => unknown} set Makes a subject a member.
 * @property {(subject: string) => unknown} remove
 * @property {(options: {signal: AbortSignal}) => AsyncIterable<{members: readonly Member[]}>} [states] Yields the
 *   members, and again whenever they change. Used for items without `favorite`.
 */

/** @typedef {{subject: string, pending?: boolean}} Member */

/**
 * @typedef {object} ScreenUpdate
 * @property {Screen} screen
 * @property {readonly ScreenOperation[] | null} [changes] The operations since the previous value, as
 *   Docs/cli-output.md describes them. They decide which items pass in front of others when they move. If absent, the
 *   element compares the two values.
 */

/**
 * @typedef {{op: string, section: string, id?: string, from?: number, to?: number}} ScreenOperation
 */

/**
 * @typedef {object} Screen
 * @property {string} [locale] The language of its texts, which decides the text direction and the format of numbers.
 * @property {string} [title]
 * @property {readonly ScreenSection[]} sections
 */

/**
 * @typedef {SectionHead & SectionBody} ScreenSection A section. Its head's fields are either in `head` or
 *   in the section itself.
 */

/**
 * @typedef {object} SectionBody
 * @property {string} id Unique on the screen.
 * @property {SectionHead} [head]
 * @property {string} [title] The title of its header, used if there is no `header`.
 * @property {number} [placeholders] How many placeholders to show while there are no items.
 * @property {readonly ScreenItem[]} items
 */

/**
 * @typedef {object} SectionHead
 * @property {string | number} [kind] The name of its kind, such as `list`, or its number on the wire.
 * @property {Supplement | null} [header]
 * @property {Supplement | null} [footer]
 * @property {Readonly<Record<string, Supplement>> | readonly {kind?: string, supplement?: Supplement}[]} [supplements]
 *   The texts of the layout's other views, by kind.
 * @property {import("./layout.js").Layout | Uint8Array | null} [layout] Decoded or encoded. Without a valid layout, the
 *   section's kind decides how it is laid out.
 * @property {readonly {id: string, title?: string}[]} [sorts] The sorts that can be chosen.
 * @property {string} [sort] The current sort.
 * @property {readonly number[]} [windows] The available window sizes in items, ascending.
 * @property {number} [window]
 * @property {number} [first] The place of the first item in the whole list, from 0.
 * @property {boolean} [hasMore] Whether a larger window would show more.
 * @property {string | {message?: string} | null} [error] Why it can't be shown or updated.
 */

/**
 * @typedef {object} ScreenItem
 * @property {string} id Unique in its section.
 * @property {string} [subject] The entity that it represents, such as `movie/27205`. Only an item with one can be
 *   a favorite.
 * @property {Favorite} [favorite] If absent, the client's collection decides.
 * @property {Card | null} [card] Absent for items that aren't cards; their places stay empty.
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
