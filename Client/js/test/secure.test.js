/** TLS and tokens, with the real server. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { MarqueeClient } from "../src/index.js";
import { tcp } from "../src/tcp.js";
import { Server, importSamples, samples, serverProgram } from "./support/server.js";

const isMissing = !existsSync(serverProgram) && `${serverProgram} is missing`;
/** Only a broken test takes this long. */
const timeout = 60_000;
/** How long a short token lasts, in milliseconds: it has to be renewed within that. */
const SHORT = 8000;

describe("a server with TLS and tokens", { skip: isMissing, timeout }, () => {
  let imported, server, url, ca;
  const clients = [];
  const newToken = (...words) => {
    const tokens = join(imported.folder, "tokens.yaml");
    return execFileSync(serverProgram, ["token", "new", ...words, "--file", tokens], { encoding: "utf8" }).trim();
  };
  const tokenOf = (output) => output.split(/\s+/).at(-1);
  const connect = (options, tls = { ca }) => {
    const client = new MarqueeClient(url, { transport: tcp(tls), ...options });
    clients.push(client);
    return client;
  };
  const next = async (client, fits) => {
    for await (const event of client.events) if (fits(event)) return event;
  };
  let lasting, short, ends;
  before(async () => {
    imported = importSamples();
    const certificates = join(imported.folder, "certificates");
    execFileSync(join(samples, "certs.sh"), [certificates], { stdio: "ignore" });
    const scopes = ["--scope", "read *", "--scope", "favorites"];
    lasting = tokenOf(newToken("ana", "--user", "ana", "--expires", "1d", ...scopes));
    ends = Date.now() + SHORT;
    const expires = new Date(ends).toISOString().replace(/\.\d+/, "");
    short = tokenOf(newToken("ana-soon", "--user", "ana", "--expires", expires, ...scopes));
    const file = (name) => join(certificates, name);
    const tls = ["--tls-cert", file("server.pem"), "--tls-key", file("server.key")];
    server = await new Server(imported, ...tls, "--tokens", join(imported.folder, "tokens.yaml")).start();
    url = server.url.replace("tcp:", "tls:").replace("127.0.0.1", "localhost");
    ca = readFileSync(file("ca.pem"), "utf8");
  });
  after(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await server?.remove();
    imported?.remove();
  });

  test("a token is renewed before it ends, and nothing is interrupted", async () => {
    const asked = [];
    const client = connect({
      token: () => {
        asked.push(Date.now());
        return asked.length === 1 ? short : lasting;
      },
    });
    const states = [];
    void (async () => {
      for await (const { type, state } of client.events) if (type === "state") states.push(state);
    })();
    for await (const { screen } of client.screen("home")) if (screen.live) break;
    await (await client.collection("favorites").set("movie/155")).confirmed;
    while (asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(Date.now() < ends);
    await new Promise((resolve) => setTimeout(resolve, ends + 1000 - Date.now()));
    await (await client.collection("favorites").remove("movie/155")).confirmed;
    assert.equal(states.filter((state) => state === "connected").length, 1);
    assert.equal(asked.length, 2);
  });

  test("a refused token is an event, and another one is asked for", async () => {
    const refusals = [];
    const client = connect({
      token: ({ refused }) => {
        refusals.push(refused);
        return refused ? lasting : "nobody's";
      },
    });
    const event = next(client, ({ type }) => type === "tokenRefused");
    for await (const { screen } of client.screen("home")) if (screen.live) break;
    assert.equal((await event).error.code, "TOKEN_REFUSED");
    assert.deepEqual(refusals, [undefined, "nobody's"]);
  });

  test("a fixed token that is refused ends loops with an error", async () => {
    const client = connect({ token: "nobody's" });
    await assert.rejects(client.screen("home").next(), { code: "TOKEN_REFUSED", remedy: 4 });
  });

  test("an authority that isn't trusted, or no TLS, is no connection", async () => {
    for (const client of [connect({ token: lasting }, {}), new MarqueeClient(server.url, { transport: tcp() })]) {
      clients.push(client);
      void client.search("x").catch(() => {});
      const { error } = await next(client, ({ state }) => state === "waiting");
      assert.equal(error.remedy, 1);
    }
  });
});
