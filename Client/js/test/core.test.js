/** The state machine by itself: events and the time go in, actions come out. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { changesBetween } from "../src/changes.js";
import { Content, EMPTY, Item } from "../src/content.js";
import { Core } from "../src/core.js";
import { FrameReader, encodeFrame, frameOf } from "../src/frames.js";
import { apply, replay, wholePart } from "../src/patch.js";
import { decode, encode } from "../src/protobuf.js";
import { names } from "../src/schema.js";
import { Screen } from "../src/screen.js";

const CUT = { catalogueEpoch: 1n, catalogueRevision: 10, userEpoch: 2n, userRevision: 3 };
const WELCOME = { protocol: 1, cluster: "c", limits: {}, cut: CUT, pingIntervalMs: 20_000, pingMinimumMs: 5000 };
const body = (text) => new TextEncoder().encode(text);
const field = (text) => body(`\x0a${String.fromCharCode(text.length)}${text}`);
const item = (id, text = id) => new Item({ id, kind: 1000, subject: `thing/${id}`, body: field(text) });
const status = (reason, remedy, more) => ({ code: 14, reason, remedy, ...more });

/** A ticket that stands for somebody waiting. */
const ticketOf = (name) => Object.assign(() => {}, { of: name });

/** A core, and the far end of its connection. */
class Peer {
  now = 1_000_000;
  events = [];
  sent = [];
  others = [];
  /** The messages, with their tickets. */
  said = [];

  constructor(stored = {}, config = {}) {
    let id = 0;
    const clientId = () => new Uint8Array(16).fill(++id);
    this.core = new Core({ random: () => 1, clientId, renews: false, ...config }, stored);
  }

  /** Runs an event, and its actions. Writes succeed at once. */
  do(event) {
    this.core.now = this.now;
    event(this.core);
    for (let actions; (actions = this.core.take()).length; )
      for (const [name, ...more] of actions) {
        if (name === "send") this.note(more[0]);
        else if (name === "tell") this.events.push(more[0]);
        else if (name === "write") more[1]?.(this.writeError);
        else if (name === "say") this.said.push({ to: more[0].of, ...more[1] });
        else this.others.push([name, ...more]);
      }
    return this;
  }

  note(bytes) {
    const reader = new FrameReader(1 << 20);
    reader.push(bytes);
    const { name, body: content } = reader.next();
    this.sent.push({ name, ...decode(name, content) });
  }

  receive(name, message, flags) {
    return this.do((core) => core.received(frameOf(names.indexOf(name), encode(name, message), flags)));
  }

  pass(ms) {
    this.now += ms;
    return this.do((core) => core.tick());
  }

  connect(welcome = WELCOME) {
    this.do((core) => core.opened(undefined));
    return this.receive("Welcome", welcome);
  }

  watch(screen = "home") {
    return this.do((core) => core.watch(ticketOf(screen), { screen, locale: "", options: {} }));
  }

  /** The frames sent since the last look. */
  take(name) {
    const found = this.sent.filter((one) => !name || one.name === name);
    this.sent = [];
    return found;
  }

  get state() {
    return this.events.filter(({ type }) => type === "state").at(-1);
  }
}

test("a screen isn't shown before it has content", () => {
  const peer = new Peer().watch().do((core) => core.lost({ retryAfterMs: 0 })).pass(1000).connect();
  const [{ subscription }] = peer.take("Subscribe");
  peer.receive("SubscriptionError", { subscription, status: status("STORE_UNAVAILABLE", 1) });
  assert.ok(!peer.said.length);
});

test("nothing connects before something is wanted", () => {
  const peer = new Peer().pass(1000);
  assert.deepEqual(peer.others, []);
  peer.watch();
  assert.equal(peer.others[0][0], "connect");
});

test("hello states each limit that this side enforces", () => {
  const [{ limits }] = new Peer({}, { limits: { cutBytes: 4 << 20 } }).watch().connect().take("Hello");
  const { frameBytes, answerBytes, creditBytes, cutBytes } = limits;
  assert.deepEqual([frameBytes, answerBytes, creditBytes, cutBytes], [1 << 20, 1 << 20, 1 << 20, 4 << 20]);
});

test("pauses grow, are drawn, and start over after a good connection", () => {
  const peer = new Peer().watch();
  const pauses = [];
  for (let i = 0; i < 9; i++) {
    peer.do((core) => core.lost({ retryAfterMs: 0 }));
    pauses.push(peer.state.pause);
    peer.pass(peer.state.pause);
  }
  assert.deepEqual(pauses, [250, 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
  peer.connect().receive("Progress", { cut: CUT }).pass(5000);
  peer.do((core) => core.lost({ retryAfterMs: 0 }));
  assert.equal(peer.state.pause, 250);
});

test("a connection that fails right after its first content is no reason to hurry", () => {
  const peer = new Peer().watch();
  for (let i = 0; i < 4; i++) {
    peer.connect().receive("Progress", { cut: CUT });
    peer.do((core) => core.lost({ retryAfterMs: 0 })).pass(peer.state.pause);
  }
  assert.equal(peer.state.state, "connecting");
  assert.equal(peer.events.filter(({ pause }) => pause).at(-1).pause, 2000);
});

test("the pause that the server asks for is kept", () => {
  const peer = new Peer().watch().connect();
  peer.receive("Close", { status: status("ROOM_NEEDED", 1, { retryAfterMs: 7000 }) });
  assert.equal(peer.state.pause, 7000);
});

test("after goAway the pause is within its bounds, whatever the remedy", () => {
  const peer = new Peer({}, { random: () => 0.5 }).watch().connect();
  peer.receive("GoAway", { status: status("DRAINING", 5), reconnectMinMs: 100, reconnectMaxMs: 300 }).pass(0);
  assert.equal(peer.state.pause, 200);
  assert.equal(peer.state.error.code, "DRAINING");
});

test("a client that slept pings before it leaves", () => {
  const peer = new Peer().watch().connect();
  peer.take();
  peer.pass(20_000);
  assert.equal(peer.take("Ping").length, 1);
  peer.pass(3_600_000);
  assert.equal(peer.take("Ping").length, 1);
  peer.receive("Pong", { nonce: 1 }).pass(19_999);
  assert.equal(peer.take("Ping").length, 0);
  peer.pass(1).pass(20_000);
  assert.equal(peer.state.state, "waiting");
});

test("a node that is behind is left, and a claim that no server meets is given up in the end", () => {
  const proven = { ...CUT, catalogueRevision: 9 };
  const claimed = { ...CUT, catalogueRevision: 99 };
  const numbers = { next: 0, answered: 0, confirmed: 0 };
  const state = { cluster: "c", user: "", clientId: new Uint8Array(16), claimed, proven, ...numbers };
  const peer = new Peer({ state }).watch();
  for (let i = 0; i < 8; i++) {
    peer.do((core) => core.opened(undefined));
    assert.equal(peer.take("Hello")[0].seen.catalogueRevision, 99);
    peer.receive("Welcome", WELCOME);
    assert.equal(peer.take("Close")[0].status.reason, "NODE_BEHIND");
    peer.pass(60_000);
  }
  peer.do((core) => core.opened(undefined));
  assert.equal(peer.take("Hello")[0].seen.catalogueRevision, 9);
  peer.receive("Welcome", WELCOME);
  assert.equal(peer.state.state, "connected");
  assert.equal(peer.core.state.claimed.catalogueRevision, 9);
});

test("another cluster is taken for damage once, and believed the second time", () => {
  const peer = new Peer().watch().connect();
  peer.do((core) => core.lost({ retryAfterMs: 0 })).pass(1000);
  peer.take();
  peer.connect({ ...WELCOME, cluster: "d" });
  assert.equal(peer.state.state, "waiting");
  assert.equal(peer.take("Close").length, 0);
  peer.pass(1000).connect({ ...WELCOME, cluster: "d" });
  assert.equal(peer.state.error.code, "OTHER_MIRROR");
  assert.deepEqual([peer.said.at(-1).type, peer.said.at(-1).error.code], ["done", "OTHER_MIRROR"]);
  assert.equal(peer.core.state.cluster, "c");
});

test("a refused token is asked for anew; without a source the client gives up", () => {
  const renews = new Peer({}, { renews: true }).watch();
  renews.do((core) => core.opened("old")).receive("Close", { status: status("TOKEN_REFUSED", 4) });
  renews.pass(renews.state.pause);
  assert.deepEqual(renews.others.at(-1), ["connect", "old"]);
  const fixed = new Peer().watch();
  fixed.do((core) => core.opened("old")).receive("Close", { status: status("TOKEN_REFUSED", 4) });
  fixed.pass(3_600_000);
  assert.equal(fixed.state.state, "failed");
});

test("a token is renewed before it ends", () => {
  const peer = new Peer({}, { renews: true }).watch().connect({ ...WELCOME, identityMs: 10_000 });
  peer.pass(8999);
  assert.ok(!peer.others.some(([name]) => name === "renew"));
  peer.pass(1);
  assert.equal(peer.others.at(-1)[0], "renew");
  peer.do((core) => core.renew("new"));
  const { method, call, body: request } = peer.take("Request")[0];
  assert.equal(method, 7);
  assert.equal(decode("RenewRequest", request).token, "new");
  peer.receive("Answer", { call, body: encode("RenewAnswer", { identityMs: 10_000 }) }).pass(9000);
  assert.equal(peer.others.filter(([name]) => name === "renew").length, 2);
});

test("calls wait for a connection, go again on the next one, and end by their deadline", () => {
  const request = { method: 4, body: body(""), timeout: 10_000 };
  const peer = new Peer().do((core) => core.call(ticketOf("t"), request)).connect();
  assert.equal(peer.take("Request")[0].deadlineMs, 10_000);
  peer.do((core) => core.lost({ retryAfterMs: 0 })).pass(1000).connect();
  assert.equal(peer.take("Request")[0].deadlineMs, 9000);
  peer.pass(9000);
  assert.equal(peer.take("Cancel").length, 1);
  const { to, type, error } = peer.said.at(-1);
  assert.deepEqual([to, type, error.code], ["t", "done", "TIMEOUT"]);
});

const favorite = (subject) => ({
  method: 5, type: "CollectionRequest", subject, collection: "favorites", messages: [{ subject, member: true }],
});
/** Adds a favorite. */
const add = (name, subject) => (core) => core.outbox.add(ticketOf(name), favorite(subject));
const answer = (call, number) => {
  const cut = { userEpoch: 2n, userRevision: 4 };
  return { call, body: encode("MutationAnswer", { number, cut, changed: true }) };
};
const requestOf = ({ body: bytes }) => decode("CollectionRequest", bytes);

test("changes go out one at a time, in order, once each is stored as sent", () => {
  const peer = new Peer().do(add("a", "x/1")).do(add("b", "x/2"));
  peer.connect();
  const [first, ...more] = peer.take("Request");
  assert.deepEqual(more, []);
  assert.equal(requestOf(first).number, 1);
  peer.receive("Answer", answer(first.call, 1));
  const [second] = peer.take("Request");
  assert.deepEqual([requestOf(second).number, requestOf(second).answeredThrough], [2, 1]);
  assert.deepEqual(peer.core.outbox.rows.map(({ number }) => number), [2]);
});

test("a change that can't be stored isn't shown, and isn't sent", () => {
  const peer = new Peer().connect();
  peer.take();
  peer.writeError = { code: "NOT_STORED" };
  peer.do(add("a", "x/1"));
  assert.equal(peer.take("Request").length, 0);
  assert.deepEqual(peer.core.outbox.rows, []);
  const { to, type, error } = peer.said.at(-1);
  assert.deepEqual([to, type, error.code], ["a", "done", "NOT_STORED"]);
});

test("a postponed change keeps its place, a refused one is rolled back", () => {
  const peer = new Peer().connect();
  peer.take();
  peer.do(add("a", "x/1")).do(add("b", "x/2"));
  let [{ call, body: first }] = peer.take("Request");
  peer.receive("Answer", { call, status: status("TOO_MANY_WRITES", 1, { retryAfterMs: 3000 }) }).pass(2999);
  assert.equal(peer.take("Request").length, 0);
  peer.pass(1);
  let again;
  [{ call, body: again }] = peer.take("Request");
  assert.deepEqual(again, first);
  peer.receive("Answer", { call, status: status("SUBJECT_INVALID", 5) });
  assert.ok(peer.events.some(({ type }) => type === "changeRejected"));
  const [next] = peer.take("Request");
  assert.deepEqual([requestOf(next).subject, requestOf(next).answeredThrough], ["x/2", 1]);
});

test("a server that has forgotten the client gets another id: what was sent is rolled back, the rest goes out", () => {
  const peer = new Peer().connect();
  peer.do(add("a", "x/1"));
  const [{ call }] = peer.take("Request");
  peer.receive("Answer", answer(call, 1)).do(add("b", "x/2")).do(add("c", "x/3"));
  peer.do((core) => core.lost({ retryAfterMs: 0 })).pass(1000);
  peer.take();
  peer.connect(WELCOME);
  const rejected = peer.events.filter(({ type }) => type === "changeRejected");
  assert.deepEqual(rejected.map(({ subject, error }) => [subject, error.code]), [["x/2", "MUTATION_FORGOTTEN"]]);
  const before = peer.take("Hello")[0].clientId;
  peer.pass(1000).connect(WELCOME);
  const sent = peer.take();
  assert.notDeepEqual(sent.find(({ name }) => name === "Hello").clientId, before);
  assert.equal(decode("CollectionRequest", sent.find(({ name }) => name === "Request").body).subject, "x/3");
});

test("a cloned client goes on under another id, and sends everything again", () => {
  const peer = new Peer().connect();
  peer.do(add("a", "x/1"));
  const [{ call }] = peer.take("Request");
  peer.receive("Answer", { call, status: { code: 10, reason: "CLIENT_CLONED", remedy: 3 } }).pass(1000).connect();
  const { number, subject } = decode("CollectionRequest", peer.take("Request")[0].body);
  assert.deepEqual([number, subject], [2, "x/1"]);
});

test("an answered change stays until the set that contains it is shown", () => {
  const peer = new Peer({}, { user: "ana" }).connect({ ...WELCOME, user: "ana" });
  const [{ subscription, screen }] = peer.take("Subscribe");
  assert.equal(screen, "user-collections");
  const join = { subscription, viewHandle: 1, viewSum: EMPTY.sum, cut: CUT, screen, locale: "en" };
  peer.receive("Join", join, 6).do(add("a", "x/1"));
  const [{ call }] = peer.take("Request");
  peer.receive("Answer", answer(call, 1));
  assert.equal(peer.core.outbox.rows.length, 1);
  peer.receive("Progress", { cut: { userRevision: 4 } });
  assert.equal(peer.core.outbox.rows.length, 0);
});

test("members that were just set come first, and aren't in a window that begins further down", () => {
  const rows = ["new", "b"].map((id) => ({
    subject: `thing/${id}`, collection: "favorites", messages: [{ subject: `thing/${id}`, member: id === "new" }],
  }));
  const shown = (first) => {
    const head = encode("SectionHead", { kind: 17, collection: "favorites", anywhere: 9, first });
    const contents = new Map([
      ["", new Content(body(""), ["s", "all"].map((id) => new Item({ id, kind: 100 })))],
      ["s", new Content(head, ["a", "b", "c"].map((id) => item(id)))],
      ["all", new Content(body(""), [item("new")])],
    ]);
    const state = { screen: "s", served: "en", contents, live: true, asOf: 0, cut: CUT, errors: new Map() };
    return new Screen(state, rows).section("s").items.map(({ id }) => id);
  };
  assert.deepEqual([shown(0), shown(4)], [["new", "a", "c"], ["a", "c"]]);
});

test("a subscription is tried again after pauses that grow, and ends where that is no use", () => {
  const peer = new Peer().watch().connect();
  for (const pause of [1000, 2000, 4000]) {
    const [{ subscription }] = peer.take("Subscribe");
    peer.receive("SubscriptionError", { subscription, status: status("STORE_UNAVAILABLE", 1) }).pass(pause - 1);
    assert.equal(peer.take("Subscribe").length, 0);
    peer.pass(1);
  }
  const [{ subscription }] = peer.take("Subscribe");
  peer.receive("SubscriptionError", { subscription, status: status("UNKNOWN_SCREEN", 5) });
  assert.deepEqual([peer.said.at(-1).type, peer.said.at(-1).error.code], ["done", "UNKNOWN_SCREEN"]);
});

/** Views that are shown: each has the sections a and b, which are empty. */
const OWN = new Content(body(""), ["a", "b"].map((id) => new Item({ id, kind: 100 })));
const FIRST = 2, LAST = 4;
/** The join of a view as it is held, or with another version of its list or of section a. */
function joinOf({ subscription, screen }, { viewSum = OWN.sum, sum = EMPTY.sum } = {}) {
  const handle = 10 * subscription;
  const sections = [{ section: "a", handle: handle + 1, sum }, { section: "b", handle: handle + 2, sum: EMPTY.sum }];
  return { subscription, viewHandle: handle, viewSum, sections, cut: CUT, screen, locale: "en" };
}
function join(peer, subscribe) {
  const script = new Uint8Array([OWN.items.length * 4 + 2]);
  const list = { targetSum: OWN.sum, script, adds: OWN.items, count: OWN.items.length };
  peer.receive("Stage", { handle: 10 * subscribe.subscription, ...list }, FIRST);
  peer.receive("Join", joinOf(subscribe), FIRST | LAST);
}
/** Joins that are refused, until the client gives the connection up; then the next one. Gives what it subscribes to. */
function giveUp(peer, subscribe, wrong) {
  peer.receive("Join", joinOf(subscribe, wrong), FIRST | LAST);
  for (const number of [1, 2, 3]) {
    peer.receive("Repair", { number }, FIRST);
    peer.receive("Join", joinOf(subscribe, wrong), LAST);
  }
  assert.deepEqual(peer.take().map(({ name }) => name), ["Nack", "Nack", "Nack", "Close"]);
  return next(peer);
}
function next(peer) {
  peer.pass(peer.state.pause).connect();
  return peer.take("Subscribe").sort((one, other) => one.screen.localeCompare(other.screen));
}
const offers = (subscribes) => subscribes.map(({ resume }) => resume?.sections?.map(({ section }) => section).join(""));

test("after repairs that didn't help less is offered: not the section, not its view, then nothing", () => {
  const peer = new Peer().watch("home").watch("other").connect();
  let [home, other] = peer.take("Subscribe");
  for (const one of [home, other]) join(peer, one);
  peer.take();
  const wrong = { sum: 77n };
  for (const offered of [["b", "ab"], [undefined, "ab"], [undefined, undefined], [undefined, undefined]]) {
    const subscribes = giveUp(peer, home, wrong);
    assert.deepEqual(offers(subscribes), offered);
    [home, other] = subscribes;
  }
  // A good cut of a view ends that for the view.
  join(peer, home);
  peer.do((core) => core.lost({ retryAfterMs: 0 }));
  assert.deepEqual(offers(next(peer)), ["ab", undefined]);
});

test("a view whose own list was refused isn't offered the next time", () => {
  const peer = new Peer().watch("home").watch("other").connect();
  const [home, other] = peer.take("Subscribe");
  for (const one of [home, other]) join(peer, one);
  peer.take();
  assert.deepEqual(offers(giveUp(peer, home, { viewSum: 77n })), [undefined, "ab"]);
});

test("a server that asks for a resync is offered nothing", () => {
  const peer = new Peer().watch("home").watch("other").connect();
  for (const one of peer.take("Subscribe")) join(peer, one);
  peer.receive("Close", { status: status("CUT_REFUSED", 3) });
  assert.deepEqual(offers(next(peer)), [undefined, undefined]);
});

test("frames are read from pieces of any size", () => {
  const bytes = Buffer.concat([1, 2, 3].map((nonce) => encodeFrame("Ping", { nonce })));
  for (let size = 1; size <= bytes.length; size++) {
    const reader = new FrameReader(100);
    const nonces = [];
    for (let at = 0; at < bytes.length; at += size) {
      reader.push(new Uint8Array(bytes.subarray(at, at + size)));
      for (let frame; (frame = reader.next()); ) nonces.push(decode("Ping", frame.body).nonce);
    }
    assert.deepEqual(nonces, [1, 2, 3]);
    assert.ok(!reader.size);
  }
});

test("a version that is folded into one part is the same version", () => {
  for (const items of [[], [item("a")], [item("a"), item("b", "é"), item("c")]]) {
    const content = new Content(body("\x0a\x01x"), items);
    assert.equal(replay(EMPTY, [wholePart(content)]).sum, content.sum);
    assert.equal(apply(EMPTY, decode("Part", wholePart(content))).items.length, items.length);
  }
});

test("changes lead from one state to the other, for random lists", () => {
  let seed = 7;
  const random = (n) => ((seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 8) % n;
  const shuffled = () => [..."abcdefghij"].filter(() => random(4)).sort(() => random(3) - 1);
  const screenOf = () => {
    const contents = new Map();
    const ids = shuffled();
    for (const id of ids) {
      const items = shuffled().map((one) => item(one, one + random(2)));
      contents.set(id, new Content(body(`\x08${String.fromCharCode(random(2))}`), items));
    }
    contents.set("", new Content(body(""), ids.map((id) => new Item({ id, kind: 100 }))));
    return new Screen({ screen: "s", served: "", contents, live: true, asOf: 0, cut: {}, errors: new Map() }, []);
  };
  const idsOf = (list) => list.map(({ id }) => id);
  const moved = (list, changes) => {
    const gone = new Set(changes.filter(({ op }) => /delete|move/.test(op)).map(({ key }) => key));
    const result = list.filter((key) => !gone.has(key));
    for (const { op, key, to } of changes) if (/insert|move/.test(op)) result.splice(to, 0, key);
    return result;
  };
  for (let round = 0; round < 300; round++) {
    const before = screenOf(), after = screenOf();
    const changes = changesBetween(before, after);
    const sections = changes.filter(({ id }) => id === undefined).map((change) => ({ ...change, key: change.section }));
    assert.deepEqual(moved(idsOf(before.sections), sections), idsOf(after.sections));
    for (const section of after.sections) {
      const old = before.section(section.id);
      if (!old) continue;
      const isOfItem = ({ section: one, id }) => one === section.id && id !== undefined;
      const ofItems = changes.filter(isOfItem).map((change) => ({ ...change, key: change.id }));
      assert.deepEqual(moved(idsOf(old.items), ofItems), idsOf(section.items));
      const updated = new Set(ofItems.filter(({ op }) => op === "update").map(({ id }) => id));
      for (const one of section.items) {
        const was = old.items.find(({ id }) => id === one.id);
        if (was) assert.equal(updated.has(one.id), !was.equals(one));
      }
    }
  }
});
