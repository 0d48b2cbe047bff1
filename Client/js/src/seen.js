/**
 * Reports what people see, tap and do, as far as the programme asks for it (`impressions`, `taps`). A page that doesn't
 * import this module reports nothing. Reports wait in storage, are sent in batches over HTTP, and count once.
 */

import { declare, schemas } from "./schema.js";

declare(`
Counting share:u forMs:u againMs:u taps:o
`);
schemas.SectionHead[20] = ["counting", "Counting", false, false, 2, undefined];

/** @typedef {{share?: number, forMs?: number, againMs?: number, taps?: boolean}} Rules as in the section's head */
/** @typedef {{share: number, place: number, revision: number, rules: Rules}} Shown an item in view */
/** @typedef {{key: string, since: number, duration: number, shown: Shown}} Impression */
/** @typedef {{kind: string, item: string, place: number, at: number, for?: number, action?: string, shown: number}}
 *   Observation */
/** @typedef {{screen: string, section: string, observation: Observation}} Entry */
/** @typedef {{number: number, screen: string, section: string, observations: Observation[]}} Batch */
/** @typedef {{client: string, next: number, answered: number, waiting: Entry[], batch?: Batch}} State */
/** @typedef {Pick<Storage, "getItem" | "setItem">} Store */

/** The most items in view that are followed. */
const MOST_IN_VIEW = 1000;
/** Milliseconds after which an item that stays in view is reported. */
const LONGEST = 10_000;
/** The most items whose last report is remembered. */
const MOST_REMEMBERED = 4096;
/** The most observations in one report, and the most that wait; the oldest are dropped. */
const PER_REPORT = 128;
const MOST_WAITING = 1000;
/** Milliseconds for which an observation waits for others, and for which a server without room is left alone. */
const PAUSE = 10_000;
const FULL_PAUSE = 60_000;
/** Milliseconds to wait for an answer. */
const ANSWER = 30_000;
/** Characters of a report that a browser still sends when its page is left. */
const KEPT_ALIVE = 50_000;

/** Which items are in view since when, and which have been for long enough. Times are milliseconds. */
export class ItemsInView {
  /** @type {Map<string, {since: number, shown: Shown, isReported: boolean}>} */
  #stays = new Map();

  /**
   * Updates the items in view, and returns those to report, in the order in which they came.
   * @param {Map<string, Shown>} items by any key
   * @param {number} now
   */
  update(items, now) {
    const counts = (/** @type {Shown | undefined} */ shown) =>
      shown && shown.share * 100 + 1e-6 >= (shown.rules.share ?? Infinity);
    const impressions = [];
    for (const key of this.#stays.keys()) {
      if (counts(items.get(key))) continue;
      impressions.push(...this.#impression(key, now));
      this.#stays.delete(key);
    }
    for (const [key, shown] of items) {
      if (this.#stays.size >= MOST_IN_VIEW) break;
      if (counts(shown) && !this.#stays.has(key)) this.#stays.set(key, { since: now, shown, isReported: false });
    }
    return [...impressions, ...this.look(now)].sort((a, b) => a.since - b.since || a.shown.place - b.shown.place);
  }

  /**
   * The impressions that are due because time has passed.
   * @param {number} now
   */
  look(now) {
    return [...this.#stays].flatMap(([key, stay]) => {
      if (now - stay.since < Math.max(LONGEST, stay.shown.rules.forMs ?? 0)) return [];
      const impressions = this.#impression(key, now);
      stay.isReported = true;
      return impressions;
    });
  }

  /** @param {string} key @param {number} now @returns {Impression[]} */
  #impression(key, now) {
    const stay = this.#stays.get(key);
    const duration = now - (stay?.since ?? now);
    if (!stay || stay.isReported || duration < (stay.shown.rules.forMs ?? 0)) return [];
    return [{ key, since: stay.since, duration: Math.round(duration), shown: stay.shown }];
  }
}

/** The reports that wait in storage. Tabs of one name share them; that needs Web Locks, so HTTPS or `localhost`. */
class Waiting {
  #store;
  #name;

  /** @param {Store} store @param {string} name */
  constructor(store, name) {
    this.#store = store;
    this.#name = `marquee-seen/${name}`;
  }

  /**
   * Changes the state, while no other tab does.
   * @template T
   * @param {(state: State) => T} body
   * @returns {Promise<T>}
   */
  change(body) {
    return this.#alone("", async () => {
      const state = this.#read();
      const result = body(state);
      this.#store.setItem(this.#name, JSON.stringify(state));
      return result;
    });
  }

  /**
   * Sends, while no other tab does.
   * @param {() => Promise<void>} body
   */
  sending(body) {
    return this.#alone("/sending", body);
  }

  /**
   * @template T
   * @param {string} what
   * @param {() => Promise<T>} body
   * @returns {Promise<T>}
   */
  #alone(what, body) {
    const locks = globalThis.navigator?.locks;
    return locks ? locks.request(this.#name + what, body) : body();
  }

  /** @returns {State} */
  #read() {
    try {
      const state = JSON.parse(this.#store.getItem(this.#name) ?? "");
      if (/^[0-9a-f]{32}$/.test(state.client) && Array.isArray(state.waiting)) return state;
    } catch {
      // It is new, or was damaged.
    }
    return { client: newClient(), next: 1, answered: 0, waiting: [] };
  }
}

const newClient = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Keeps everything in memory, until the page is left. @returns {Store} */
function memoryStore() {
  /** @type {Map<string, string>} */
  const values = new Map();
  return {
    getItem: (/** @type {string} */ key) => values.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void values.set(key, value),
  };
}

/**
 * Takes the next batch to send: the one that was sent before, or the first observations of one section.
 * @param {State} state
 */
export function nextBatch(state) {
  if (state.batch || state.waiting.length === 0) return state.batch;
  const [{ screen, section }] = state.waiting;
  const isOurs = (/** @type {Entry} */ one) => one.screen === screen && one.section === section;
  const entries = state.waiting.filter(isOurs).slice(0, PER_REPORT);
  state.waiting = state.waiting.filter((one) => !entries.includes(one));
  state.batch = { number: state.next++, screen, section, observations: entries.map(({ observation }) => observation) };
  return state.batch;
}

/**
 * Takes the server's answer to the batch.
 * @param {State} state
 * @param {number} sent the number under which it was sent
 * @param {{status: number, reason?: string, changed?: boolean}} answer status 0 if there was none
 * @param {boolean} isFirst whether the batch can't have been sent before
 * @returns {number} milliseconds after which to send again
 */
export function answered(state, sent, { status, reason, changed }, isFirst) {
  const { batch } = state;
  if (batch?.number !== sent) return 0;
  const number = () => {
    batch.number = state.next++;
  };
  if (status === 200) {
    state.answered = batch.number;
    if (changed) delete state.batch;
    else number();
    return changed ? 0 : FULL_PAUSE;
  }
  if (reason === "CLIENT_CLONED" || reason === "MUTATION_FORGOTTEN") {
    // What may have been counted isn't sent again under a new id.
    if (reason === "MUTATION_FORGOTTEN" && !isFirst) delete state.batch;
    Object.assign(state, { client: newClient(), next: 1, answered: 0 });
    if (state.batch) number();
    return PAUSE;
  }
  if (status < 400 || status >= 500 || [401, 408, 429].includes(status)) return PAUSE;
  state.answered = batch.number;
  delete state.batch;
  return 0;
}

export class SeenReporter {
  #url;
  #token;
  #waiting;
  /** @type {Map<string, ItemsInView>} by screen */
  #inView = new Map();
  /** @type {Map<string, number>} when an item was last counted, by key; the longest ago comes first */
  #counted = new Map();
  /** @type {Map<any, () => void>} how to end the reports of an element */
  #watched = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #sending = false;
  #isClosed = false;

  /**
   * @param {string} url the server's web door, such as `https://screens.example.org`
   * @param {{token?: string | (() => string | Promise<string>), user?: string, store?: Store, name?: string}} [options]
   *   `store` keeps what waits, such as `localStorage`; by default it is lost with the page. `name` is that of the user
   *   whose reports they are.
   */
  constructor(url, options = {}) {
    const { token, user, store = memoryStore(), name = "" } = options;
    this.#url = `${url.replace(/^ws/, "http").replace(/\/$/, "")}/v1/seen`;
    this.#token = token;
    this.user = user;
    this.#waiting = new Waiting(store, name);
    this.#sendLater(0);
  }

  /**
   * Updates which items of a page's own markup are in view.
   * @param {import("./screen.js").Screen} screen
   * @param {Record<string, Record<string, number>>} shares of all items in view, by section and id; `{}` when none is
   */
  saw(screen, shares) {
    /** @type {Map<string, Shown>} */
    const items = new Map();
    for (const { id, head, items: all } of screen.sections) {
      const rules = /** @type {{counting?: Rules}} */ (head).counting;
      if (!rules?.share) continue;
      for (const [index, item] of all.entries()) {
        const share = shares[id]?.[item.id];
        if (!share) continue;
        const key = JSON.stringify([screen.name, id, item.id]);
        items.set(key, { share, place: (head.first ?? 0) + index + 1, revision: screen.revision, rules });
      }
    }
    const inView = this.#inView.get(screen.name) ?? new ItemsInView();
    this.#inView.set(screen.name, inView);
    this.#count(inView.update(items, performance.now()));
    if (items.size === 0) this.#inView.delete(screen.name);
  }

  #look() {
    for (const inView of this.#inView.values()) this.#count(inView.look(performance.now()));
  }

  /** @param {Impression[]} impressions */
  #count(impressions) {
    const now = performance.now();
    const entries = impressions.flatMap(({ key, since, duration, shown }) => {
      const last = this.#counted.get(key);
      if (last !== undefined && now - last < (shown.rules.againMs ?? 0)) return [];
      this.#counted.delete(key);
      this.#counted.set(key, now);
      const oldest = this.#counted.keys().next().value;
      if (this.#counted.size > MOST_REMEMBERED && oldest !== undefined) this.#counted.delete(oldest);
      const [screen, section, item] = JSON.parse(key);
      const at = Math.round(Date.now() - (now - since));
      const { place, revision } = shown;
      return [{ screen, section, observation: { kind: "seen", item, place, at, for: duration, shown: revision } }];
    });
    void this.#add(entries);
  }

  /**
   * Reports that a person opened an item or, with the id of an action, did something else with it.
   * @param {import("./screen.js").Screen} screen
   * @param {string} section
   * @param {string} item
   * @param {string} [action]
   */
  tapped(screen, section, item, action) {
    const found = screen.sections.find(({ id }) => id === section);
    const index = found?.items.findIndex(({ id }) => id === item) ?? -1;
    const rules = /** @type {{counting?: Rules} | undefined} */ (found?.head)?.counting;
    if (!found || index < 0 || !rules?.taps) return;
    const place = (found.head.first ?? 0) + index + 1;
    const how = action ? { kind: "action", action } : { kind: "tap" };
    const observation = { ...how, item, place, at: Date.now(), shown: screen.revision };
    void this.#add([{ screen: screen.name, section, observation }]);
  }

  /**
   * Reports what a `<marquee-screen>` shows, as far as it is in the window, and taps.
   * @param {any} element
   */
  watch(element) {
    if (this.#watched.has(element)) return;
    /** @type {Map<Element, {section: string, item: string, share: number}>} */
    const roots = new Map();
    const tell = () => {
      /** @type {Record<string, Record<string, number>>} */
      const shares = {};
      if (!document.hidden) for (const { section, item, share } of roots.values()) (shares[section] ??= {})[item] = share;
      if (element.content) this.saw(element.content, shares);
    };
    const steps = Array.from({ length: 21 }, (_, index) => index / 20);
    const observer = new IntersectionObserver((changes) => {
      for (const { target, intersectionRatio } of changes) {
        const known = roots.get(target);
        if (known) known.share = intersectionRatio;
      }
      tell();
    }, { threshold: steps });
    const look = () => {
      const now = new Map(element.itemsInDocument().map((/** @type {any} */ one) => [one.root, one]));
      for (const root of roots.keys()) {
        if (now.has(root)) continue;
        observer.unobserve(root);
        roots.delete(root);
      }
      for (const [root, { section, item }] of now) {
        if (roots.has(root)) continue;
        roots.set(root, { section, item, share: 0 });
        observer.observe(root);
      }
    };
    const tap = (/** @type {any} */ { type, detail: { action, item } }) => {
      const section = element.content?.sections.find((/** @type {any} */ one) => one.items.includes(item));
      if (section) this.tapped(element.content, section.id, item.id, type === "marquee-open" ? undefined : action.id);
    };
    const aborts = new AbortController();
    const { signal } = aborts;
    element.addEventListener("marquee-drawn", look, { signal });
    element.addEventListener("marquee-open", tap, { signal });
    element.addEventListener("marquee-action", tap, { signal });
    document.addEventListener("visibilitychange", tell, { signal });
    addEventListener("pagehide", () => {
      if (element.content) this.saw(element.content, {});
      void this.flush();
    }, { signal });
    const clock = setInterval(() => this.#look(), LONGEST / 10);
    this.#watched.set(element, () => {
      clearInterval(clock);
      aborts.abort();
      observer.disconnect();
    });
    look();
  }

  /**
   * Ends the reports of an element.
   * @param {any} element
   */
  unwatch(element) {
    this.#watched.get(element)?.();
    this.#watched.delete(element);
  }

  /** @param {Entry[]} entries */
  async #add(entries) {
    if (entries.length === 0 || this.#isClosed) return;
    const count = await this.#waiting.change((state) => {
      state.waiting = [...state.waiting, ...entries].slice(-MOST_WAITING);
      return state.waiting.length;
    });
    if (count >= PER_REPORT) void this.flush();
    else this.#sendLater(PAUSE);
  }

  /** @param {number} pause */
  #sendLater(pause) {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, pause);
  }

  /** Sends what waits. Returns when all of it is sent, or can't be for now. */
  async flush() {
    if (this.#sending) return;
    this.#sending = true;
    try {
      await this.#waiting.sending(() => this.#sendAll());
    } finally {
      this.#sending = false;
    }
  }

  async #sendAll() {
    for (;;) {
      // A batch is stored with its number before it is sent.
      const { isFirst, state, batch } = await this.#waiting.change((state) => {
        const isFirst = !state.batch;
        return { isFirst, state, batch: nextBatch(state) };
      });
      if (!batch) return;
      const answer = await this.#send(state, batch);
      const pause = await this.#waiting.change((state) => answered(state, batch.number, answer, isFirst));
      if (pause > 0) return this.#sendLater(pause);
    }
  }

  /** @param {State} state @param {Batch} batch */
  async #send({ client, answered: answeredThrough }, batch) {
    try {
      const token = typeof this.#token === "function" ? await this.#token() : this.#token;
      /** @type {Record<string, string>} */
      const headers = { "Content-Type": "application/json" };
      if (token) headers.Authorization = `Bearer ${token}`;
      if (this.user) headers["Marquee-User"] = encodeURIComponent(this.user);
      const body = JSON.stringify({ client, answeredThrough, ...batch });
      const keepalive = body.length < KEPT_ALIVE;
      const signal = /** @type {any} */ (AbortSignal).timeout(ANSWER);
      const response = await fetch(this.#url, { method: "POST", headers, body, keepalive, signal });
      const { reason, changed } = await response.json();
      return { status: response.status, reason, changed };
    } catch {
      return { status: 0 };
    }
  }

  /** Ends all reports; what waits in storage is sent by the next page. */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const end of this.#watched.values()) end();
    this.#watched.clear();
  }
}
