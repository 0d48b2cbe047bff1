/** The client in a browser: WebSocket, the mirror in IndexedDB, several tabs. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { publish } from "../src/admin.js";
import { MarqueeClient } from "../src/index.js";
import { tcp } from "../src/tcp.js";
import { startBridge } from "./support/bridge.js";
import { Browser, noBrowser } from "./support/browser.js";
import { Server, importSamples, serverProgram } from "./support/server.js";

const isMissing = noBrowser || (!existsSync(serverProgram) && `${serverProgram} is missing`);
/** Only a broken test takes this long. */
const timeout = 120_000;

/** Opens a client in the page, as `window.client`, and shows home: `window.shown` are states, and when they came. */
const open = async (mirror, user) => {
  const { MarqueeClient } = await import("/src/index.js");
  const { indexedDBMirror } = await import("/src/indexeddb.js");
  const options = { user, mirror: mirror ? indexedDBMirror(mirror) : undefined };
  window.client = new MarqueeClient(`ws://${location.host}`, options);
  window.events = [];
  window.shown = [];
  (async () => {
    for await (const event of window.client.events) window.events.push(event);
  })();
  (async () => {
    for await (const { screen, changes } of window.client.screen("home"))
      window.shown.push({ at: Date.now(), live: screen.live, sum: screen.sum, changes, revision: screen.revision });
  })();
};
/** Waits until a state fits, and gives it. */
const shown = async (fits) => {
  const test = new Function("one", `return ${fits}`);
  for (;;) {
    const found = window.shown.find(test);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

describe("in a browser", { skip: isMissing, timeout }, () => {
  let samples, server, bridge, browser, page, publisher;
  const change = () => {
    // A record's title: a change of one field.
    const record = { id: 28, name: { en: `Action ${Math.random()}` } };
    return publish(publisher, [{ put: { type: "genre", id: "28", record } }]);
  };
  before(async () => {
    samples = importSamples();
    server = await new Server(samples).start();
    publisher = new MarqueeClient(server.url, { transport: tcp() });
    bridge = await startBridge(() => server.port);
    browser = await new Browser().start();
    page = `http://127.0.0.1:${bridge.port}/`;
  });
  after(async () => {
    await publisher?.close();
    await browser?.stop();
    bridge?.close();
    await server?.remove();
    samples?.remove();
  });

  test("a page shows what a client in Node shows", async () => {
    await browser.open(page);
    await browser.run(open);
    const { sum } = await browser.run(shown, "one.live");
    const client = new MarqueeClient(server.url, { transport: tcp() });
    for await (const { screen } of client.screen("home")) {
      assert.equal(sum, screen.sum);
      break;
    }
    await client.close();
  });

  test("the mirror shows a screen before the server answers, and it is verified", async () => {
    await browser.open(page);
    await browser.run(open, "kept");
    const { sum } = await browser.run(shown, "one.live");
    await browser.run(async () => window.client.close());
    await browser.open(page);
    await browser.run(open, "kept");
    const first = await browser.run(shown, "true");
    assert.deepEqual([first.live, first.sum], [false, sum]);
    assert.equal((await browser.run(shown, "one.live")).sum, sum);
  });

  test("a page that was left without a word goes on from what it had, by a patch", async () => {
    await browser.open(page);
    await browser.run(open, "kept");
    await browser.run(shown, "one.live");
    await change();
    const { sum } = await browser.run(shown, "one.changes.length");
    await browser.open("about:blank");
    await browser.open(page);
    await browser.run(open, "kept");
    assert.equal((await browser.run(shown, "true")).sum, sum);
    await browser.run(async () => window.client.close());
  });

  test("stored bytes that were damaged aren't shown, and are repaired", async () => {
    await browser.open(page);
    const sum = await browser.run(async () => {
      const result = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
      const database = await result(indexedDB.open("marquee/kept"));
      const store = database.transaction("mirror", "readwrite").objectStore("mirror");
      const keys = await result(store.getAllKeys());
      const key = keys.find(([what, view, section]) => what === "part" && view.startsWith("home") && section);
      const bodies = await result(store.get(key));
      bodies[0][bodies[0].length >> 1] ^= 1;
      await result(store.put(bodies, key));
      database.close();
      return key[2];
    });
    assert.ok(sum);
    await browser.run(open, "kept");
    const first = await browser.run(shown, "true");
    const live = await browser.run(shown, "one.live");
    assert.notEqual(first.sum, live.sum);
    await browser.run(async () => window.client.close());
    await browser.open(page);
    await browser.run(open, "kept");
    assert.equal((await browser.run(shown, "true")).sum, live.sum);
    await browser.run(async () => window.client.close());
  });

  test("a favorite that was set offline is sent by the next page", async () => {
    await server.stop();
    await browser.open(page);
    await browser.run(open, "ana", "ana");
    await browser.run(async () => {
      await window.client.collection("favorites").set("movie/155");
    });
    await browser.open("about:blank");
    await server.start();
    await browser.open(page);
    await browser.run(open, "ana", "ana");
    const members = await browser.run(async () => {
      for await (const { members } of window.client.collection("favorites"))
        if (members.length && !members[0].pending) return members;
    });
    assert.deepEqual(members.map(({ subject }) => subject), ["movie/155"]);
    await browser.run(async () => window.client.close());
  });

  test("without IndexedDB it goes on in memory, and says so", async () => {
    await browser.open(page);
    await browser.run(async () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("not here", "SecurityError");
      };
    });
    await browser.run(open, "private");
    await browser.run(shown, "one.live");
    const types = await browser.run(async () => window.events.map(({ type }) => type));
    assert.ok(types.includes("notStored"), types.join());
    await browser.run(async () => window.client.close());
  });

  test("when the quota is used up, the screen is shown, and stored once there is room", async () => {
    await browser.open(page);
    await browser.run(async () => {
      window.put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (...words) {
        if (words[1][0] === "part") {
          this.transaction.abort();
          throw new DOMException("full", "QuotaExceededError");
        }
        return window.put.apply(this, words);
      };
    });
    await browser.run(open, "full");
    const { sum } = await browser.run(shown, "one.live");
    await browser.run(async () => {
      while (!window.events.some(({ type }) => type === "notStored"))
        await new Promise((resolve) => setTimeout(resolve, 5));
      IDBObjectStore.prototype.put = window.put;
    });
    await change();
    const { sum: next } = await browser.run(shown, "one.changes.length");
    assert.notEqual(next, sum);
    await browser.run(async () => window.client.close());
    await browser.open(page);
    await browser.run(open, "full");
    assert.equal((await browser.run(shown, "true")).sum, next);
    await browser.run(async () => window.client.close());
  });

  test("several tabs share one connection, and the next one takes over within a second", async () => {
    await browser.open("about:blank");
    while (bridge.connections) await new Promise((resolve) => setTimeout(resolve, 5));
    const home = await browser.current();
    const tabs = [];
    for (let i = 0; i < 3; i++) {
      tabs.push(await browser.tab(page));
      await browser.run(open, "tabs", "tom");
      await browser.run(shown, "one.live");
    }
    assert.equal(bridge.connections, 1);
    await change();
    const sums = new Set();
    for (const tab of tabs) {
      await browser.switch(tab);
      sums.add((await browser.run(shown, "one.changes.length")).sum);
      // Each works with the user's collections, whichever tab leads.
      await browser.run(async (subject) => {
        const { confirmed } = await window.client.collection("favorites").set(subject);
        await confirmed;
      }, `movie/${tabs.indexOf(tab) + 1}`);
      assert.ok(await browser.run(async () => (await window.client.search("the")).items.length));
    }
    assert.equal(sums.size, 1);
    assert.equal(bridge.connections, 1);

    // The one that leads is closed.
    await browser.switch(tabs[0]);
    const closed = Date.now();
    await browser.close();
    await browser.switch(tabs[2]);
    await browser.run(async () => (window.shown.length = 0));
    await change();
    const { at } = await browser.run(shown, "one.live && one.changes.length");
    console.log(`# a change arrived ${at - closed} ms after the leading tab was closed`);
    const members = await browser.run(async () => {
      for await (const { members } of window.client.collection("favorites"))
        if (members.length === 3) return members.length;
    });
    assert.equal(members, 3);
    assert.equal(bridge.connections, 1);
    await browser.switch(tabs[1]);
    let leading = 0;
    for (const tab of tabs.slice(1)) {
      await browser.switch(tab);
      leading += await browser.run(async () => window.events.filter(({ role }) => role === "leads").length);
    }
    assert.equal(leading, 1);
    for (const tab of tabs.slice(1)) {
      await browser.switch(tab);
      await browser.close();
    }
    await browser.switch(home);
  });

  test("tabs that come and go all show the newest state, over one connection", async () => {
    const home = await browser.current();
    const tabs = [];
    /** The order in which tabs come and go; always the same. */
    let seed = 11;
    const random = (n) => ((seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 8) % n;
    const client = new MarqueeClient(server.url, { transport: tcp() });
    const newest = async (revision) => {
      for await (const { screen } of client.screen("home"))
        if (screen.live && screen.revision >= revision) return screen;
    };
    let revision = 0;
    for (let round = 0; round < 15; round++) {
      if (tabs.length < 2 || (tabs.length < 5 && random(2))) {
        tabs.push(await browser.tab(page));
        await browser.run(open, "come-and-go", "zoe");
      } else {
        const [gone] = tabs.splice(random(tabs.length), 1);
        await browser.switch(gone);
        await browser.close();
      }
      await change();
      const screen = await newest(revision + 1);
      revision = screen.revision;
      for (const tab of tabs) {
        await browser.switch(tab);
        const { sum } = await browser.run(shown, `one.live && one.revision >= ${revision}`);
        assert.equal(sum, screen.sum, `round ${round}`);
      }
      assert.equal(bridge.connections, 1);
    }
    for (const tab of tabs) {
      await browser.switch(tab);
      await browser.close();
    }
    await browser.switch(home);
    await client.close();
  });
});
