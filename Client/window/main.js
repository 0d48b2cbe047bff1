// The window: the screens of a server, what changes them, and the effect of a change.

import { MarqueeClient } from "../js/src/index.js";
import { Api, Refusal } from "./api.js";
import { sentences } from "./changes.js";
import { showClients } from "./clients.js";
import { Choices } from "./choices.js";
import { byId, bytesText, clock, counted, make } from "./dom.js";
import { Editor } from "./editor.js";
import { programmeKind, recordKind, typesKind } from "./kinds.js";
import { asCards } from "./presets.js";
import { Preview } from "./preview.js";
import { Recordings } from "./recordings.js";
import { MAX_DEVICES, Stage, devicesOf } from "./stage.js";
import { Tabs } from "./tabs.js";
import { Timeline } from "./timeline.js";
import { explain } from "./why.js";
import { Wire } from "./wire.js";

/** Milliseconds between two sentences for a screen reader. */
const QUIET = 5000;
/** Points of an explanation that have to be visible, or else it is scrolled to. */
const VISIBLE = 160;
/** Lines of the connection's log. */
const LOG = 40;

const credentials = { token: "", user: "window" };
const api = new Api(() => credentials);
const wire = new Wire(() => drawFigures(), (words) => log(words));
const tabs = new Tabs(["timeline", "item", "edit", "wire", "clients"], (name) => follow(name));
/** @type {Stage} */
const stage = new Stage(byId("stage"), (element, section, item) => void inspect(element, section, item),
  (shown) => void recordings.toggle(shown));
/** @type {Recordings} */
const recordings = new Recordings(byId("recording"), (words) => (byId("said").textContent = words), () => preview.words);
const choices = new Choices(() => show());
/** @type {Preview} */
const preview = new Preview(api, {
  changed: () => {
    // A recording is of one thing.
    void recordings.end();
    show();
  },
  mark: (mark) => (stage.mark = mark),
  moved: (words, changes) => {
    stage.glow(changes);
    say(words);
  },
});
const edited = {
  received: () => wire.received,
  shown: () => ({ screen: choices.view.screen, locale: choices.view.locales[0], ...stage.chosen }),
};
const records = new Editor(byId("record"), api, edited);
const programmes = new Editor(byId("programme"), api, edited);
const types = new Editor(byId("types"), api, edited);
const timeline = new Timeline(byId("timeline"), byId("timeline-note"), ({ change, type, id = "" }) => {
  if (!type) {
    edit(change === "types" ? "types" : "programme");
    return tabs.focus("edit");
  }
  tabs.select("item");
  tabs.focus("item");
  byId("why").replaceChildren();
  byId("item-note").hidden = true;
  void records.show(recordKind(type, id));
});

/** @type {MarqueeClient | null} */
let client = null;
/** The same, with everything as cards.
 * @type {ReturnType<typeof asCards> | null} */
let cards = null;
/** The families of the server's screens: `detail` of `detail/27205`.
 * @type {Set<string>} */
let families = new Set();
/** @type {AbortController | null} */
let session = null;
/** @type {AbortController | null} */
let watching = null;
/** @type {string | null} */
let programme = null;
let revision = 0;
let state = "connecting";

// ---------------------------------------------------------------- the connection

function connect() {
  session?.abort();
  for (const editor of [records, programmes, types]) editor.hide();
  void client?.close();
  session = new AbortController();
  const { signal } = session;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const { token, user } = credentials;
  client = new MarqueeClient(`${scheme}//${location.host}/v1/connect`, {
    transport: wire.transport, ...(token ? { token } : { user: user || undefined }),
  });
  cards = asCards(client);
  preview.connect(client, signal);
  void listen(client);
  void begin(signal);
  void timeline.follow(api, signal, (commit) => {
    byId("timeline-empty").hidden = true;
    for (const editor of [records, programmes, types]) editor.heard(commit);
    preview.heard(commit.revision);
    if (commit.changes.some(({ change }) => change === "programme")) void readProgramme();
  });
}

/** @param {MarqueeClient} from */
async function listen(from) {
  for await (const event of from.events) {
    if (from !== client) return;
    const why = event.error ? `: ${reasonOf(event.error)}` : "";
    if (event.type === "state") {
      state = event.state;
      const pause = event.pause ? `, again in ${(event.pause / 1000).toFixed(1)}\u00a0s` : "";
      if (state === "waiting") broken ??= { since: Date.now(), bytes: wire.received };
      // While it is offline, it is enough to say that it tries again.
      if (state !== "connecting" || wire.mode !== "offline") log(`${stateWords(state)}${why}${pause}`, state);
      drawState();
      preview.isConnected = state === "connected";
      if (state === "failed") complain(event.error);
    } else log(`${event.type}${event.message ? `: ${event.message}` : why}`);
  }
}

/** The time since which the screen isn't current, and the bytes received until then.
 * @type {{since: number, bytes: number} | null} */
let broken = null;

/** @param {any} error */
function reasonOf({ code, message, cause }) {
  const more = typeof cause === "string" ? cause : message === code ? "" : message;
  return more ? `${more} (${code})` : code;
}

/** @param {string} name */
const stateWords = (name) =>
  ({ idle: "Idle", connecting: "Connecting", connected: "Connected", waiting: "Waiting", failed: "Refused" })[name] ?? name;

/** Reads the list of screens.
 * @param {AbortSignal} signal */
async function begin(signal) {
  try {
    const offer = await api.json("/v1/screens", { signal });
    byId("alert").hidden = true;
    families = new Set(offer.screens.map((/** @type {{pattern: string}} */ { pattern }) => pattern.split("/")[0]));
    choices.offer(offer);
    show();
    if (!byId("panel-edit").hidden) drawSource();
    await readProgramme();
  } catch (error) {
    if (!signal.aborted) complain(error);
  }
}

async function readProgramme() {
  try {
    programme = (await api.json("/v1/programme")).programme;
    preview.allow(true);
  } catch (error) {
    programme = null;
    // The same scope is for both.
    preview.allow(!(error instanceof Refusal && [401, 403].includes(error.status)));
  }
}

/** @param {unknown} error */
function complain(error) {
  const alert = byId("alert");
  alert.textContent = error instanceof Error ? error.message : `${error}`;
  alert.hidden = false;
  const details = /** @type {HTMLDetailsElement} */ (byId("credentials"));
  const status = error instanceof Refusal ? error.status : 401;
  if (status === 401 || status === 403) details.open = true;
}

// ---------------------------------------------------------------- the screens

/** Shows what is chosen. */
function show() {
  if (!cards || !choices.view.locales.length) return;
  choices.screen = named(location.hash.slice(1)) || "home";
  const { view } = choices;
  document.title = `${view.screen} · Marquee`;
  stage.show(preview.source ?? cards, view);
  const count = devicesOf(view).length;
  byId("stage-note").textContent = count > MAX_DEVICES ? `${MAX_DEVICES} of ${count} devices are shown.` : "";
  watch(cards, view.screen, view.locales[0]);
  void preview.watch(view.screen, view.locales[0]);
}

/** The screen that an address names.
 * @param {string} text */
function named(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Follows a screen for its changes; the devices share what it receives.
 * @param {ReturnType<typeof asCards>} from @param {string} name @param {string} locale */
async function watch(from, name, locale) {
  if (watching && watched === `${name}\n${locale}` && from === watchedClient) return;
  watching?.abort();
  const controller = (watching = new AbortController());
  [watched, watchedClient] = [`${name}\n${locale}`, from];
  /** @type {import("./presets.js").CardScreen | undefined} */
  let before;
  try {
    for await (const { screen, changes } of from.screen(name, { locale, signal: controller.signal })) {
      revision = screen.revision;
      drawFigures();
      if (broken && screen.live) {
        const seconds = ((Date.now() - broken.since) / 1000).toFixed(1);
        log(`The screens are current again, and verified: ${seconds} s, ${bytesText(wire.received - broken.bytes)}`);
        broken = null;
      }
      preview.heard(screen.revision);
      if (before && changes.length) {
        const words = sentences(before, screen, changes);
        timeline.moved(screen.revision, words);
        byId("timeline-empty").hidden = true;
        if (!preview.source) {
          stage.glow(changes);
          say(words);
        }
      }
      before = screen;
    }
  } catch (error) {
    if (!controller.signal.aborted) complain(error);
    if (watching === controller) watching = null;
  }
}
let watched = "";
/** @type {ReturnType<typeof asCards> | null} */
let watchedClient = null;

let lastSaid = -QUIET;
/** @param {string[]} words */
function say(words) {
  if (performance.now() - lastSaid < QUIET) return;
  lastSaid = performance.now();
  byId("said").textContent = words.length > 1 ? `${words[0]}, and ${counted(words.length - 1, "more change")}` : words[0];
}

/** @param {string} target */
function open(target) {
  location.hash = encodeURIComponent(target);
}

/** Explains an item.
 * @param {import("../js/screen.js").MarqueeScreen} element @param {string} section @param {string} item */
async function inspect(element, section, item) {
  const found = explain(element, section, item, programme, families, open, (line) => edit("programme", line));
  if (!found) return;
  tabs.select("item");
  byId("item-note").hidden = true;
  byId("why").replaceChildren(found);
  byId("panel-item").scrollTop = 0;
  if (byId("panel-item").getBoundingClientRect().top > innerHeight - VISIBLE) byId("details").scrollIntoView();
  byId("said").textContent = `${found.querySelector("h3")?.textContent} is explained under Item`;
  const subject = element.content?.sections.find(({ id }) => id === section)?.items.find(({ id }) => id === item)?.subject;
  const slash = subject?.indexOf("/") ?? -1;
  if (subject && slash > 0) await records.show(recordKind(subject.slice(0, slash), subject.slice(slash + 1)));
  else records.hide();
}

// ---------------------------------------------------------------- the rest of the page

/** Shows how a phone opens the screen. */
async function drawPhone() {
  if (!(/** @type {HTMLDetailsElement} */ (byId("phone")).open)) return;
  const { phoneHelp } = await import("./phone.js");
  byId("phone-card").replaceChildren(...phoneHelp(location.href));
}

/** The source that is edited under Programme. */
let source = "programme";

/** Edits the programme or the types.
 * @param {string} name @param {number} [line] To be selected. */
function edit(name, line) {
  source = name;
  tabs.select("edit");
  if (line !== undefined) void programmes.reveal(programmeKind, line);
}

function drawSource() {
  const sources = /** @type {const} */ ([["programme", programmes, programmeKind], ["types", types, typesKind]]);
  for (const [name, editor, kind] of sources) {
    const isShown = name === source;
    byId(`edit-${name}`).setAttribute("aria-pressed", `${isShown}`);
    if (isShown) void editor.reveal(kind);
    editor.root.hidden = !isShown;
  }
}

/** @type {AbortController | null} */
let clientsShown = null;
/** @param {string} name The tab that is shown. */
function follow(name) {
  clientsShown?.abort();
  if (name === "edit") drawSource();
  if (name !== "clients") return;
  clientsShown = new AbortController();
  void showClients(byId("clients"), api, clientsShown.signal);
}

function drawState() {
  byId("state").dataset.state = wire.mode === "slow" && state === "connected" ? "slow" : state;
  byId("state-words").textContent = wire.mode === "slow" && state === "connected" ? "Connected, slowly" : stateWords(state);
}

let figuresFrame = 0;
function drawFigures() {
  figuresFrame ||= requestAnimationFrame(() => {
    figuresFrame = 0;
    byId("figures").textContent = `revision ${revision} · ${bytesText(wire.received)} received`;
    for (const mode of ["online", "slow", "offline"])
      byId(`wire-${mode}`).setAttribute("aria-pressed", `${wire.mode === mode}`);
    const facts = [["Received", bytesText(wire.received)], ["Sent", bytesText(wire.sent)],
      ["Connections so far", `${wire.opened}`], ["Revision shown", `${revision}`]];
    byId("wire-facts").replaceChildren(...facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
    drawState();
  });
}

/** @param {string} words @param {string} [kind] A line replaces one of the same kind before it. */
function log(words, kind = "") {
  const list = byId("wire-log");
  if (kind && list.firstElementChild?.getAttribute("data-kind") === kind) list.firstElementChild.remove();
  list.prepend(make("li", { "data-kind": kind }, make("time", {}, clock(Date.now())), make("span", {}, words),
    make("small", {}, `${bytesText(wire.received)} received`)));
  while (list.children.length > LOG) list.lastChild?.remove();
}

for (const mode of /** @type {const} */ (["online", "slow", "offline"]))
  byId(`wire-${mode}`).addEventListener("click", () => {
    if (wire.mode === mode) return;
    log({ online: "Online again", slow: "Slow from now on: 1 KiB a second", offline: "Cut off" }[mode]);
    wire.mode = mode;
    if (mode !== "offline") client?.retry();
  });
byId("wire-damage").addEventListener("click", () => {
  wire.damage();
  // So that something arrives even when nothing changes.
  void client?.search("a").catch(() => {});
});
for (const name of ["programme", "types"]) byId(`edit-${name}`).addEventListener("click", () => edit(name));
byId("pause").addEventListener("click", ({ currentTarget }) => {
  timeline.isPaused = !timeline.isPaused;
  /** @type {HTMLElement} */ (currentTarget).setAttribute("aria-pressed", `${timeline.isPaused}`);
});
byId("screen").addEventListener("change", (event) => open(/** @type {HTMLSelectElement} */ (event.target).value));
byId("phone").addEventListener("toggle", () => void drawPhone());
byId("credentials-form").addEventListener("submit", (event) => {
  event.preventDefault();
  credentials.token = /** @type {HTMLInputElement} */ (byId("token")).value.trim();
  credentials.user = /** @type {HTMLInputElement} */ (byId("user")).value.trim();
  /** @type {HTMLDetailsElement} */ (byId("credentials")).open = false;
  connect();
});
/** @type {HTMLInputElement} */ (byId("user")).value = credentials.user;
// The address names the screen that is shown, so it can't name a place on the page.
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("stage").focus();
});
addEventListener("hashchange", () => {
  show();
  void drawPhone();
});
connect();
