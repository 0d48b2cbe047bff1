/** Whatever a server sends, the core ends the connection or goes on; it never throws, and shows nothing unverified. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Content, EMPTY, Item } from "../src/content.js";
import { Core } from "../src/core.js";
import { encodeFrame, frameOf } from "../src/frames.js";
import { encode } from "../src/protobuf.js";
import { names } from "../src/schema.js";

const ROUNDS = Number(process.env.MARQUEE_FUZZ_ROUNDS ?? 4000);
/** A position in the epochs that the vectors name. */
const CUT = { catalogueEpoch: 0x1122334455667788n, catalogueRevision: 10, userEpoch: 9n, userRevision: 3 };
/** Messages that only clients send, and those that end a connection. */
const OTHERS = /^(Hello|Ack|Subscribe|Unsubscribe|Nack|Manifest|Request|Cancel|Welcome|Close|GoAway)$/;
const none = new Uint8Array();
const folder = new URL("../../../Proto/vectors/", import.meta.url);
const recorded = JSON.parse(readFileSync(new URL("frames.json", folder), "utf8"));
const bodies = [...recorded.frames, ...recorded.odd_frames]
  .filter(({ message }) => !OTHERS.test(message))
  .map(({ kind, frame }) => [kind, Buffer.from(frame.slice(24), "hex")]);

let seed = Number(process.env.MARQUEE_FUZZ_SEED ?? 1);
const random = (n) => ((seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 8) % n;

/** A core that shows a screen of one section, and what it has stored. */
function live() {
  const writes = [];
  const core = new Core({ random: () => 0, clientId: () => new Uint8Array(16), renews: true }, {});
  const run = () => {
    for (const [name, write, done] of core.take())
      if (name === "write") {
        writes.push(write);
        done?.(undefined);
      }
  };
  core.watch(() => {}, { screen: "home", locale: "", options: {} });
  core.call(() => {}, { method: 4, body: none, timeout: 1e9 });
  const messages = [{ subject: "a/b", member: true }];
  core.outbox.add(() => {}, { method: 5, type: "CollectionRequest", subject: "a/b", messages });
  run();
  core.opened("token");
  core.received(encodeFrame("Welcome", { protocol: 1, cluster: "c", limits: {}, cut: CUT, identityMs: 1000 }));
  const own = new Content(none, [new Item({ id: "s", kind: 100 })]);
  const part = { handle: 1, targetSum: own.sum, script: new Uint8Array([6]), adds: own.items, count: 1 };
  core.received(frameOf(names.indexOf("Stage"), encode("Part", part), 2));
  const sections = [{ section: "s", handle: 2, sum: EMPTY.sum }];
  const join = { subscription: 1, viewHandle: 1, viewSum: own.sum, sections };
  core.received(frameOf(names.indexOf("Join"), encode("Join", { ...join, cut: CUT, screen: "home", locale: "en" }), 6));
  run();
  assert.ok(core.views.get("home\n").live);
  return { core, run, writes };
}

/** One of the vectors, with some of its bytes changed, removed or doubled. */
function mutated() {
  const [kind, body] = bodies[random(bodies.length)];
  let bytes = Buffer.from(body);
  for (let changes = Math.max(0, random(5) - 2); changes > 0 && bytes.length; changes--) {
    const at = random(bytes.length);
    if (random(3)) bytes[at] ^= 1 << random(8);
    else if (random(2)) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at >> 1)]);
  }
  return frameOf(random(50) ? kind : random(70), new Uint8Array(bytes), random(10) ? 6 : random(8));
}

test(`${ROUNDS} connections with mutated frames`, () => {
  let ended = 0, frames = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const { core, run, writes } = live();
    for (let i = 0; i < 20 && core.session; i++, frames++) {
      core.received(mutated(), i);
      core.tick(i);
      run();
      assert.ok(core.due >= 0);
    }
    if (!core.session) ended++;
    for (const { views = [] } of writes)
      for (const { contents } of views)
        for (const content of contents.values())
          assert.equal(new Content(content.head, content.items).sum, content.sum);
  }
  // Neither is everything refused at once, nor is everything taken.
  assert.ok(ended > 0 && frames > 3 * ROUNDS, `${ended} of ${ROUNDS} ended, after ${frames} frames`);
});
