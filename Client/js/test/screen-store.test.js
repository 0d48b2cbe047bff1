/** Stores against the contracts of libraries: Svelte's as it is written, React and Vue themselves where they are
 * installed. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { MarqueeClient } from "../src/index.js";
import { screenStore } from "../src/screen-store.js";
import { tcp } from "../src/tcp.js";
import { startBridge } from "./support/bridge.js";
import { Browser, noBrowser } from "./support/browser.js";
import { Server, importSamples, serverProgram } from "./support/server.js";

const noServer = !existsSync(serverProgram) && `${serverProgram} is missing`;
/** Builds for browsers: Debian's node-react and node-react-dom; MARQUEE_VUE names vue.esm-browser.js of Vue 3. */
const react = ["react", "react-dom"].map((name) => `/usr/share/nodejs/${name}/umd/${name}.production.min.js`);
const vue = process.env.MARQUEE_VUE ?? "";
/** Only a broken test takes this long. */
const timeout = 60_000;

describe("a screen as a store", { skip: noServer, timeout }, () => {
  let samples, server, client, bridge, browser;
  before(async () => {
    samples = importSamples();
    server = await new Server(samples).start();
    client = new MarqueeClient(server.url, { transport: tcp() });
    if (noBrowser) return;
    bridge = await startBridge(() => server.port);
    browser = await new Browser().start();
  });
  after(async () => {
    await client?.close();
    await browser?.stop();
    bridge?.close();
    await server?.remove();
    samples?.remove();
  });
  const open = async (scripts) => {
    await browser.open(`http://127.0.0.1:${bridge.port}/`);
    const load = async (text) => {
      const script = document.createElement("script");
      script.textContent = text;
      document.head.append(script);
    };
    for (const script of scripts) await browser.run(load, readFileSync(script, "utf8"));
  };

  test("Svelte's contract: called at once and with each value, until it is unsubscribed", async () => {
    const store = screenStore(client, "home");
    const values = [];
    let arrived;
    const live = new Promise((resolve) => (arrived = resolve));
    const stop = store.subscribe((value) => {
      values.push(value);
      if (value.screen?.live) arrived();
    });
    assert.equal(values.length, 1);
    assert.equal(values[0].screen, undefined);
    await live;
    const count = values.length;
    const again = [];
    store.subscribe((value) => again.push(value))();
    assert.deepEqual(again, [values.at(-1)]);
    stop();
    assert.equal(values.length, count);
    assert.equal(store.getSnapshot(), values.at(-1));
    assert.equal(store.getSnapshot(), store.getSnapshot());
  });

  test("a screen that isn't there is a snapshot with an error, and never an empty screen", async () => {
    const store = screenStore(client, "nowhere");
    const { error, screen } = await new Promise((resolve) => store.subscribe((value) => value.error && resolve(value)));
    assert.equal(error.code, "UNKNOWN_SCREEN");
    assert.equal(screen, undefined);
  });

  const noReact = noBrowser || (!react.every(existsSync) && "react is missing");
  test("React draws it with useSyncExternalStore", { skip: noReact }, async () => {
    await open(react);
    const result = await browser.run(async () => {
      const { MarqueeClient } = await import("/src/index.js");
      const { screenStore } = await import("/src/screen-store.js");
      const client = new MarqueeClient(`ws://${location.host}`);
      const store = screenStore(client, "home");
      const place = document.body.appendChild(document.createElement("div"));
      let drawn = 0;
      function Home() {
        const { screen } = React.useSyncExternalStore(store.subscribe, store.getSnapshot);
        drawn++;
        return React.createElement("h1", null, screen?.title ?? "…");
      }
      const root = ReactDOM.createRoot(place);
      root.render(React.createElement(React.StrictMode, null, React.createElement(Home)));
      while (!place.textContent || place.textContent === "…") await new Promise((resolve) => setTimeout(resolve, 5));
      const text = place.textContent;
      root.unmount();
      await client.close();
      return { text, drawn };
    });
    assert.equal(result.text, "Home");
    assert.ok(result.drawn < 10, `drawn ${result.drawn} times`);
  });

  const noVue = noBrowser || (!existsSync(vue) && "MARQUEE_VUE names no build of Vue 3");
  test("Vue draws it with a shallowRef", { skip: noVue }, async () => {
    await open([]);
    const text = await browser.run(async (source) => {
      const module = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      const { createApp, h, onScopeDispose, shallowRef } = await import(module);
      const { MarqueeClient } = await import("/src/index.js");
      const { screenStore } = await import("/src/screen-store.js");
      const client = new MarqueeClient(`ws://${location.host}`);
      function useScreen(name, options) {
        const snapshot = shallowRef({ changes: [] });
        onScopeDispose(screenStore(client, name, options).subscribe((value) => (snapshot.value = value)));
        return snapshot;
      }
      const place = document.body.appendChild(document.createElement("div"));
      const app = createApp({
        setup() {
          const home = useScreen("home");
          return () => h("h1", home.value.screen?.title ?? "…");
        },
      });
      app.mount(place);
      while (place.textContent === "…") await new Promise((resolve) => setTimeout(resolve, 5));
      const text = place.textContent;
      app.unmount();
      await client.close();
      return text;
    }, readFileSync(vue, "utf8"));
    assert.equal(text, "Home");
  });
});
