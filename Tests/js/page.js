// A page with one screen from a file, for tests: `?screen=podcasts-home-en`, and `theme`, `locale` and `dir` as the
// element has them. `page` is what tests talk to.

import "../../Client/js/screen.js";

const options = new URLSearchParams(location.search);
const element = document.querySelector("marquee-screen");

/** A client whose one screen tests change. */
class FileClient {
  #screen;
  #waiting = null;
  requests = [];
  favorites = [];

  constructor(screen) { this.#screen = screen; }

  async *screen(name, { signal, ...asked }) {
    this.requests.push({ name, ...asked });
    let shown = null;
    while (!signal.aborted) {
      if (shown !== this.#screen) {
        shown = this.#screen;
        yield { screen: { ...shown, id: name } };
      } else {
        await new Promise((resolve) => {
          this.#waiting = resolve;
          signal.addEventListener("abort", resolve, { once: true });
        });
      }
    }
  }

  collection(name) {
    return {
      set: (subject) => { this.favorites.push(["set", name, subject]); this.mark(subject, "pending-yes"); },
      remove: (subject) => { this.favorites.push(["remove", name, subject]); this.mark(subject, "pending-no"); },
    };
  }

  get value() { return this.#screen; }

  /** Shows another value. */
  set value(screen) {
    this.#screen = screen;
    this.#waiting?.();
  }

  /** Changes the items of a section. */
  change(section, items) {
    const changed = (one) => (one.id === section ? { ...one, items: items([...one.items]) } : one);
    this.value = { ...this.#screen, sections: this.#screen.sections.map(changed) };
  }

  mark(subject, favorite) {
    for (const { id } of this.#screen.sections) {
      this.change(id, (items) => items.map((item) => (item.subject === subject ? { ...item, favorite } : item)));
    }
  }
}

const screen = await (await fetch(`screens/${options.get("screen") ?? "podcasts-home-en"}.json`)).json();
if (options.get("locale")) screen.locale = options.get("locale");
if (options.get("theme")) element.theme = options.get("theme");
if (options.get("dir")) element.dir = options.get("dir");
const client = new FileClient(screen);
const events = [];
for (const name of ["marquee-open", "marquee-action", "marquee-favorite", "marquee-error", "marquee-update"]) {
  element.addEventListener(name, (event) => events.push([name, event.detail.target ?? event.detail.subject ?? ""]));
}
document.addEventListener("securitypolicyviolation", (event) => events.push(["violation", event.violatedDirective]));
globalThis.page = { element, client, events, screen, late: options.has("late") };
if (!options.has("late")) {
  element.client = client;
  element.screen = screen.id;
}
