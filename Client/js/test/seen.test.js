/** What was seen: which items count, and reports that count once, with the real server. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ItemsInView, SeenReporter, answered, nextBatch } from "../src/seen.js";
import { MarqueeClient } from "../src/index.js";
import { tcp } from "../src/tcp.js";
import { Server, importSamples, serverProgram } from "./support/server.js";

const rules = { share: 50, forMs: 1000, againMs: 1_800_000 };
const items = (shares) =>
  new Map(Object.entries(shares).map(([key, share], place) => [key, { share, place, revision: 4, rules }]));
const told = (impressions) => impressions.map(({ key, duration }) => `${key} ${duration}`);

test("an item counts when enough of it was in view for long enough, when it leaves or after a while, once a stay", () => {
  const view = new ItemsInView();
  assert.deepEqual(view.update(items({ a: 1, b: 0.5, c: 0.49 }), 0), []);
  assert.deepEqual(told(view.update(items({ a: 1, c: 1 }), 999)), [], "b was there for too short a time");
  assert.deepEqual(told(view.update(items({ a: 1 }), 2500)), ["c 1501"]);
  assert.deepEqual(view.look(9_999), []);
  assert.deepEqual(told(view.look(10_000)), ["a 10000"]);
  assert.deepEqual(view.update(items({}), 30_000), []);
  view.update(items({ a: 1 }), 40_000);
  assert.deepEqual(told(view.update(items({}), 41_000)), ["a 1000"]);
});

test("what nobody asks about never counts", () => {
  const view = new ItemsInView();
  const shown = { share: 1, place: 1, revision: 4, rules: {} };
  view.update(new Map([["a", shown]]), 0);
  assert.deepEqual(view.update(new Map(), 60_000), []);
});

const entry = (section, item) =>
  ({ screen: "home", section, observation: { kind: "tap", item, place: 1, at: 5, shown: 4 } });
const stateOf = (...waiting) => ({ client: "0".repeat(32), next: 1, answered: 0, waiting });

test("a batch keeps its number until it is answered, and has observations of one section", () => {
  const state = stateOf(entry("a", "1"), entry("b", "2"), entry("a", "3"));
  const batch = nextBatch(state);
  assert.deepEqual(batch.observations.map(({ item }) => item), ["1", "3"]);
  assert.equal(nextBatch(state), batch);
  for (const answer of [{ status: 0 }, { status: 503 }, { status: 429 }, { status: 401 }]) {
    assert.ok(answered(state, 1, answer, true) > 0);
    assert.equal(nextBatch(state).number, 1);
  }
  assert.equal(answered(state, 1, { status: 200, changed: true }, false), 0);
  assert.deepEqual([nextBatch(state).number, nextBatch(state).section, state.answered], [2, "b", 1]);
  assert.equal(answered(state, 1, { status: 200, changed: true }, false), 0, "an answer that comes twice");
  assert.equal(nextBatch(state).number, 2);
});

test("without room at the server a batch waits under another number; what isn't asked for is dropped", () => {
  const state = stateOf(entry("a", "1"), entry("b", "2"));
  nextBatch(state);
  assert.ok(answered(state, 1, { status: 200, changed: false }, true) >= 60_000);
  assert.deepEqual([nextBatch(state).number, nextBatch(state).section, state.answered], [2, "a", 1]);
  assert.equal(answered(state, 2, { status: 409, reason: "NOT_ASKED" }, false), 0);
  assert.deepEqual([nextBatch(state).number, nextBatch(state).section], [3, "b"]);
});

test("a client that the server has forgotten gets a new id, and sends nothing again that may have been counted", () => {
  for (const [reason, isFirst, kept] of [
    ["CLIENT_CLONED", false, true], ["MUTATION_FORGOTTEN", true, true], ["MUTATION_FORGOTTEN", false, false],
  ]) {
    const state = stateOf(entry("a", "1"));
    nextBatch(state);
    answered(state, 1, { status: 409, reason }, isFirst);
    assert.notEqual(state.client, "0".repeat(32));
    assert.equal(nextBatch(state)?.number, kept ? 1 : undefined);
  }
});

/** Only a broken test takes this long. */
const timeout = 60_000;
const programme = `
impressions: {share: 0.5, for: 100ms, again: 0s}
taps: true
screens:
  home:
    title: Home
    sections: [{id: rank, kind: rank, source: {records: {type: movie, sort: -popularity, limit: 3}}}]
`;
const freePort = () => new Promise((resolve) => {
  const listener = createServer().listen(0, "127.0.0.1", () => {
    const { port } = listener.address();
    listener.close(() => resolve(port));
  });
});
/** A store that a later page finds. */
const kept = () => {
  const values = new Map();
  return { values, getItem: (key) => values.get(key) ?? null, setItem: (key, value) => values.set(key, value) };
};

describe("reports to a server", { skip: !existsSync(serverProgram) && `${serverProgram} is missing`, timeout }, () => {
  let imported, server, client, screen, door;
  const seen = () => execFileSync(serverProgram, ["seen", "--data", server.data], { encoding: "utf8" })
    .split("\n").filter(Boolean).map((line) => JSON.parse(line));
  before(async () => {
    imported = importSamples();
    writeFileSync(join(imported.folder, "programme.yaml"), programme);
    const port = await freePort();
    door = `http://127.0.0.1:${port}`;
    const place = { ...imported, programme: join(imported.folder, "programme.yaml") };
    server = await new Server(place, "--open", "--web", `127.0.0.1:${port}`).start();
    client = new MarqueeClient(server.url, { transport: tcp() });
    for await (const update of client.screen("home")) {
      screen = update.screen;
      if (screen.live) break;
    }
  });
  after(async () => {
    await client?.close();
    await server?.remove();
    imported?.remove();
  });

  test("a report that waited for the server counts once, also if its answer was lost", async () => {
    const store = kept();
    const away = new SeenReporter("http://127.0.0.1:9", { store });
    const [item] = screen.section("rank").items;
    away.tapped(screen, "rank", item.id);
    away.tapped(screen, "rank", item.id, "play");
    away.tapped(screen, "rank", "nothing");
    await away.flush();
    away.close();
    assert.equal(seen().length, 0);
    const before = new Map(store.values);
    const here = new SeenReporter(door.replace("http", "ws"), { store });
    await here.flush();
    here.close();
    const first = seen();
    assert.deepEqual(first.map(({ kind, item, action }) => [kind, item, action]),
      [["tap", item.id, undefined], ["action", item.id, "play"]]);
    assert.deepEqual([first[0].screen, first[0].section, first[0].place, first[0].shown], ["home", "rank", 1, screen.revision]);
    for (const [key, value] of before) store.values.set(key, value);
    const again = new SeenReporter(door, { store });
    await again.flush();
    again.close();
    assert.equal(seen().length, first.length);
  });
});
