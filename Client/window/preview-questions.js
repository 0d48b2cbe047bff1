// Decides which question about a preview is asked next, and when: one at a time, and each at most once a second.

/** Milliseconds between two times that the same question is asked, on the page. */
export const PAUSE = 1000;

export class Questions {
  /** When each question was asked last, and whether it is to be asked again.
   * @type {Map<string, {asked: number, isDue: boolean}>} */
  #known = new Map();
  #isOpen = false;

  /** @param {number} pause Milliseconds between two times that the same question is asked. */
  constructor(pause = PAUSE) {
    this.pause = pause;
  }

  /** @param {string} key */
  want(key) {
    const known = this.#known.get(key);
    if (known) known.isDue = true;
    else this.#known.set(key, { asked: -Infinity, isDue: true });
  }

  /** @param {string} key */
  forget(key) {
    this.#known.delete(key);
  }

  /** The question that has waited longest, and the milliseconds until it may be asked; `null` for none.
   * @param {number} now @returns {{key: string, pause: number} | null} */
  next(now) {
    if (this.#isOpen) return null;
    const due = [...this.#known].filter(([, { isDue }]) => isDue).sort(([, a], [, b]) => (a.asked < b.asked ? -1 : 1));
    if (!due.length) return null;
    const [[key, { asked }]] = due;
    return { key, pause: Math.max(0, asked + this.pause - now) };
  }

  /** @param {string} key @param {number} now */
  begin(key, now) {
    this.#isOpen = true;
    this.#known.set(key, { asked: now, isDue: false });
  }

  end() {
    this.#isOpen = false;
  }
}

/** What a preview depends on: a revision of the catalogue, and a draft as the list of drafts has it.
 * @typedef {{revision: number, draft: string}} Mark */

/** The revision that a preview has to include now; `null` if nothing is new, infinite if it is to be asked for again in
 * any case.
 * @param {Mark | null} before `null` if it isn't known. @param {Mark} now */
export function newsBetween(before, now) {
  if (!before || before.draft !== now.draft || now.revision < before.revision) return Infinity;
  return now.revision > before.revision ? now.revision : null;
}
