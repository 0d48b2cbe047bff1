/** A league's season at high speed, beside the client in Swift: same positions, same sums. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { MarqueeClient } from "../src/index.js";
import { tcp } from "../src/tcp.js";
import { Server, importSamples, program, samples, serverProgram } from "./support/server.js";

const isMissing = !existsSync(serverProgram) && `${serverProgram} is missing`;
/** What only takes so long if it is broken. */
const timeout = 120_000;
const SECONDS = "0.01";
const options = { skip: isMissing, timeout };
/** Sums of one position that both have to have seen. */
const LEAST_COMMON = 20;

test("at every position that both show, this client and the one in Swift have the same sum", options, async () => {
  const imported = importSamples("league");
  const server = await new Server(imported).start();
  const address = `127.0.0.1:${server.port}`;
  const client = new MarqueeClient(server.url, { transport: tcp() });
  const mirror = join(imported.folder, "swift.sqlite");
  const words = ["subscribe", "home", "--server", address, "--mirror", mirror, "--output", "ndjson"];
  const swift = spawn(program, words, { stdio: ["ignore", "pipe", "ignore"] });
  const theirs = new Map(), ours = new Map();
  for await (const line of createInterface({ input: swift.stdout })) {
    const { type, revision, sum, origin } = JSON.parse(line);
    if (origin === "live") theirs.set(revision, sum);
    if (type === "snapshot" && origin === "live") break;
  }
  createInterface({ input: swift.stdout }).on("line", (line) => {
    const { revision, sum, origin } = JSON.parse(line);
    if (origin === "live") theirs.set(revision, sum);
  });
  const controller = new AbortController();
  const loop = (async () => {
    for await (const { screen } of client.screen("home", { signal: controller.signal }))
      if (screen.live) ours.set(screen.revision, screen.sum);
  })().catch(() => {});
  const file = join(samples, "league/live.ndjson");
  const publish = ["publish", file, "--blocks", "--interval", SECONDS, "--server", address, "--user", "editor"];
  await new Promise((resolve) => spawn(program, publish, { stdio: "ignore" }).on("exit", resolve));
  // The last commit has been made: both see it, or what they see of it by progress.
  const common = () => [...ours].filter(([revision]) => theirs.has(revision));
  const newest = (sums) => Math.max(...sums.keys());
  while (newest(ours) !== newest(theirs)) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const [revision, sum] of common()) assert.equal(sum, theirs.get(revision), `revision ${revision}`);
  assert.ok(common().length >= LEAST_COMMON, `${common().length} common of ${ours.size} and ${theirs.size}`);
  console.log(`# ${common().length} positions in common, of ${ours.size} and ${theirs.size}`);
  controller.abort();
  await loop;
  swift.kill();
  await client.close();
  await server.remove();
  imported.remove();
});
