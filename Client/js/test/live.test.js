/** The client against the real server, and beside the one in Swift. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { describe as describeScreens, fetchScreen, health, publish } from "../src/admin.js";
import { MarqueeClient, MarqueeError, memory } from "../src/index.js";
import { search } from "../src/search.js";
import { tcp } from "../src/tcp.js";
import { Server, importSamples, program, serverProgram } from "./support/server.js";

const isMissing = !existsSync(serverProgram) && `${serverProgram} is missing`;
/** Only a broken test takes this long. */
const timeout = 60_000;

describe("a search with facets", { skip: isMissing, timeout }, () => {
  test("values filter matches and are counted, and fields that are no facets are refused", async () => {
    const imported = importSamples("conference", ["types.yaml", "catalogue.ndjson"]);
    const server = await new Server(imported).start();
    const client = new MarqueeClient(server.url, { transport: tcp(), locale: "en" });
    try {
      const all = await search(client, "the", { facets: ["track", "day"] });
      const [{ value, count }] = all.facets.track;
      assert.ok(count > 0 && count < all.total && all.facets.day.length, JSON.stringify(all.facets));
      const some = await search(client, "the", { filters: { track: value }, facets: ["*"] });
      assert.deepEqual(some.facets.track.map((one) => [one.value, one.count]), [[value, count]]);
      assert.equal(some.total, count);
      assert.deepEqual([some.page, some.pages, some.totalCapped], [1, 1, false]);
      assert.ok(some.items.every((item) => item.subject.startsWith("session/") && item.card?.title));
      const found = await search(client, "the", { locale: "ko" });
      assert.deepEqual([found.total, found.facets], [(await client.search("the")).total, {}]);
      await assert.rejects(search(client, "the", { filters: { tracks: value } }), { code: "FILTER_INVALID" });
    } finally {
      await client.close();
      await server.remove();
      imported.remove();
    }
  });
});

describe("the real server", { skip: isMissing, timeout }, () => {
  let samples, server;
  const clients = [];
  const connect = (options = {}) => {
    const client = new MarqueeClient(server.url, { transport: tcp(), ...options });
    clients.push(client);
    return client;
  };
  /** The first update of a screen that fits. */
  const find = async (client, name, fits = ({ screen }) => screen.live, options = {}) => {
    for await (const update of client.screen(name, options)) if (fits(update)) return update;
  };
  before(async () => {
    samples = importSamples();
    server = await new Server(samples).start();
  });
  after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server?.remove();
    samples?.remove();
  });

  test("screens have the sums that the client in Swift computes", async () => {
    const client = connect();
    for (const [name, locale] of [["home", "en"], ["home", "ko"], ["detail/27205", "en"], ["genre/28", "en"]]) {
      const { screen } = await find(client, name, undefined, { locale });
      const words = ["get", name, "--server", `127.0.0.1:${server.port}`, "--locale", locale, "--output", "ndjson"];
      assert.equal(screen.sum, JSON.parse(execFileSync(program, words)).sum, `${name} in ${locale}`);
    }
    assert.equal((await find(client, "home")).screen.sum, (await fetchScreen(client, "home")).sum);
  });

  test("a publication arrives as changes", async () => {
    const client = connect();
    const loop = client.screen("home");
    let { value: { screen } } = await loop.next();
    const movie = screen.sections.flatMap(({ items }) => items).find(({ subject }) => subject.startsWith("movie/"));
    const id = movie.subject.slice("movie/".length);
    await publish(client, [{ remove: { type: "movie", id } }]);
    const { value } = await loop.next();
    const isRemoved = value.changes.some((change) => change.op === "delete" && change.id === movie.id);
    assert.ok(isRemoved, JSON.stringify(value.changes));
    assert.ok(value.screen.revision > screen.revision);
    await loop.return();
  });

  test("a favorite is shown at once, confirmed, and counts for every client of the user", async () => {
    const client = connect({ user: "ana" });
    const favorites = client.collection("favorites");
    const { confirmed } = await favorites.set("movie/155");
    assert.ok(favorites.has("movie/155"));
    assert.deepEqual(await confirmed, { changed: true });
    const other = connect({ user: "ana" });
    for await (const { members } of other.collection("favorites")) {
      if (!members.length) continue;
      assert.deepEqual(members, [{ subject: "movie/155", value: undefined, pending: false }]);
      break;
    }
    await (await favorites.remove("movie/155")).confirmed;
    for await (const { members } of other.collection("favorites")) if (!members.length) break;
  });

  test("a refused change is rolled back, with its reason", async () => {
    const client = connect({ user: "ben" });
    const favorites = client.collection("favorites");
    const rejected = (async () => {
      for await (const event of client.events) if (event.type === "changeRejected") return event;
    })();
    const { confirmed } = await favorites.set("nothing of the kind");
    await assert.rejects(confirmed, (error) => error instanceof MarqueeError && error.code === "SUBJECT_INVALID");
    assert.equal((await rejected).subject, "nothing of the kind");
    assert.ok(!favorites.has("nothing of the kind"));
  });

  test("a favorite without a user waits, and an event says why", async () => {
    const client = connect();
    const held = (async () => {
      for await (const event of client.events) if (event.type === "changesHeldUp") return event;
    })();
    await client.collection("favorites").set("movie/155");
    assert.equal((await held).error.code, "USER_REQUIRED");
    assert.ok(client.collection("favorites").has("movie/155"));
  });

  test("calls answer, fail by their reason, and can be aborted", async () => {
    const client = connect();
    const { items, total } = await client.search("the");
    assert.ok(items.length > 0 && total >= items.length);
    assert.ok(items.every((item) => item.subject));
    await assert.rejects(client.search("x".repeat(5000)), { code: "QUERY_TOO_LONG" });
    await assert.rejects(client.search("the", { signal: AbortSignal.abort() }), { code: "ABORTED" });
    assert.equal((await health(client)).state, "serving");
    assert.ok((await describeScreens(client)).screens.some(({ pattern }) => pattern === "home"));
  });

  test("a screen that isn't there throws, and others go on", async () => {
    const client = connect();
    await assert.rejects(find(client, "nowhere"), { code: "UNKNOWN_SCREEN", remedy: 5 });
    assert.ok((await find(client, "home")).screen.sections.length);
  });

  test("options apply, wrong ones are an event, and the screen stays", async () => {
    const client = connect();
    const { sections } = (await describeScreens(client)).screens.find(({ pattern }) => pattern === "home");
    const { id, sorts } = sections.find((one) => one.sorts?.length > 1);
    const loop = client.screen("home", { sorts: { [id]: sorts[1].id } });
    const first = (await loop.next()).value.screen;
    assert.equal(first.section(id).head.sort, sorts[1].id);
    const refused = (async () => {
      for await (const event of client.events) if (event.type === "optionsRefused") return event;
    })();
    client.setOptions("home", { sorts: { [id]: "no such sort" } });
    assert.equal((await refused).error.code, "UNKNOWN_SORT");
    client.setOptions("home", { sorts: { [id]: sorts[0].id } });
    const { value } = await loop.next();
    assert.equal(value.screen.section(id).head.sort, sorts[0].id);
    await loop.return();
  });

  test("an address that can't be one is an error, and a port where nobody listens is tried again", async () => {
    const wrong = connect();
    const client = new MarqueeClient("no address", { transport: tcp() });
    await assert.rejects(client.screen("home").next(), { code: "UNAVAILABLE", remedy: 5 });
    await client.close();
    const nobody = new MarqueeClient("tcp://127.0.0.1:1", { transport: tcp() });
    const pauses = [];
    void nobody.search("x", { timeout: 5000 }).catch(() => {});
    for await (const event of nobody.events) {
      if (event.state === "waiting") pauses.push(event.error.remedy);
      if (pauses.length === 2) break;
    }
    assert.deepEqual(pauses, [1, 1]);
    await nobody.close();
    assert.throws(() => wrong.setOptions("home", {}), { code: "NOT_SHOWN" });
  });

  test("a loop can be aborted, and ends when the client is closed", async () => {
    const client = connect();
    const controller = new AbortController();
    const loop = client.screen("home", { signal: controller.signal });
    await loop.next();
    controller.abort("enough");
    await assert.rejects(loop.next(), { code: "ABORTED", cause: "enough" });
    const other = client.screen("home");
    await other.next();
    await client.close();
    await assert.rejects(other.next(), { code: "CLOSED" });
    await assert.rejects(client.search("x"), { code: "CLOSED" });
  });

  test("after a restart the screen goes on, and a change made meanwhile takes effect once", async () => {
    const client = connect({ user: "cleo" });
    const loop = client.screen("home");
    const { sum } = (await loop.next()).value.screen;
    await server.stop();
    let update = (await loop.next()).value;
    assert.equal(update.screen.live, false);
    assert.equal(update.screen.sum, sum);
    assert.ok(update.screen.error instanceof MarqueeError);
    const { confirmed } = await client.collection("favorites").set("movie/603");
    await server.start();
    while (!update.screen.live) update = (await loop.next()).value;
    assert.equal(update.screen.sum, sum);
    assert.deepEqual(await confirmed, { changed: true });
    await loop.return();
  });

  test("an outbox that outlives the program is sent by the next one", async () => {
    /** Keeps what is written, as a disk would. */
    const disk = () => {
      const kept = { rows: new Map(), state: undefined };
      return {
        kept,
        open: async () => structuredClone({ state: kept.state, rows: [...kept.rows.values()] }),
        async write({ state, put = [], removed = [] }) {
          if (state) kept.state = structuredClone(state);
          for (const row of put) kept.rows.set(row.number, structuredClone(row));
          for (const number of removed) kept.rows.delete(number);
        },
      };
    };
    const mirror = disk();
    const offline = new MarqueeClient("tcp://127.0.0.1:1", { transport: tcp(), user: "dora", mirror });
    await offline.collection("favorites").set("movie/27205");
    await offline.collection("favorites").set("movie/155");
    await offline.collection("favorites").remove("movie/155");
    await offline.close();
    assert.equal(mirror.kept.rows.size, 3);
    const client = connect({ user: "dora", mirror });
    for await (const { members } of client.collection("favorites"))
      if (members.length === 1 && !members[0].pending) break;
    while (mirror.kept.rows.size) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(mirror.kept.state.confirmed, 3);
  });

  test("a failing mirror is reported, content is shown, and a change is not", async () => {
    const mirror = { ...memory(), write: () => Promise.reject(new Error("full")) };
    const client = connect({ user: "eva", mirror });
    const said = (async () => {
      for await (const event of client.events) if (event.type === "notStored") return event.error.code;
    })();
    assert.ok((await find(client, "home")).screen.sections.length);
    assert.equal(await said, "NOT_STORED");
    await assert.rejects(client.collection("favorites").set("movie/155"), { code: "NOT_STORED" });
    assert.ok(!client.collection("favorites").has("movie/155"));
  });
});
