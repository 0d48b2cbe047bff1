/** How long a snapshot of 2,000 items and its patches take, beside JSON.parse of the same content. Runs anywhere. */

import { Core } from "../../src/core.js";
import { Content, Item } from "../../src/content.js";
import { encodeFrame, frameOf } from "../../src/frames.js";
import { encode } from "../../src/protobuf.js";

const ITEMS = 2000;
const PARTS = 8;
const BODY = 200;
const CUT = { catalogueEpoch: 1n, catalogueRevision: 10, userEpoch: 0n, userRevision: 0 };
const FIRST = 1 << 1, LAST = 1 << 2;
const STAGE = 33, DATA = 32, JOIN = 19;

const bodyOf = (i, round) => {
  const body = new Uint8Array(BODY);
  body.set([0x08, 0x80 | (i & 127), i >> 7, 0x10, 0x80 | (round & 127), round >> 7 & 127, 0x1a, 0xbf, 0x01]);
  for (let k = 9; k < BODY; k++) body[k] = 97 + ((i * 31 + k * 7) % 26);
  return body;
};
const itemOf = (i, round) => new Item({ id: `item-${i}`, kind: 13, subject: `movie/${i}`, body: bodyOf(i, round) });
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
const round = (ms) => Math.round(ms * 1000) / 1000;

/** The frames of a snapshot, and patches that follow it: each changes one field of one item. */
function recorded(patches) {
  const items = Array.from({ length: ITEMS }, (_, i) => itemOf(i, 0));
  const content = new Content(new Uint8Array(), items);
  const own = new Content(new Uint8Array(), [new Item({ id: "all", kind: 100 })]);
  const script = encode("cut", { catalogueRevision: ITEMS * 4 + 2 }).slice(1);
  const list = { handle: 1, targetSum: own.sum, script: new Uint8Array([6]), adds: own.items, count: 1 };
  const frames = [frameOf(STAGE, encode("Part", list), FIRST)];
  for (let i = 0; i < PARTS; i++) {
    const adds = items.slice((i * ITEMS) / PARTS, ((i + 1) * ITEMS) / PARTS);
    const part = { handle: 2, targetSum: content.sum, adds, count: ITEMS, more: i < PARTS - 1 };
    if (!i) part.script = script;
    frames.push(frameOf(STAGE, encode("Part", part), i ? 0 : FIRST));
  }
  const sections = [{ section: "all", handle: 2, sum: content.sum }];
  const join = { subscription: 1, viewHandle: 1, viewSum: own.sum, sections, cut: CUT, screen: "s", locale: "en" };
  frames.push(frameOf(JOIN, encode("Join", join), FIRST | LAST));
  const keep = encode("cut", { catalogueRevision: ITEMS * 4 }).slice(1);
  const changes = [];
  let base = content;
  for (let i = 0; i < patches; i++) {
    const at = (i * 37) % ITEMS;
    const list = base.items.slice();
    list[at] = itemOf(at, i + 1);
    const target = new Content(new Uint8Array(), list);
    const records = list[at].body.slice(3, 6);
    const gap = encode("cut", { catalogueRevision: at }).slice(1);
    const part = {
      handle: 2, baseSum: base.sum, targetSum: target.sum, script: new Uint8Array([...keep, 0, 7, ...(at ? gap : [0])]),
      updates: [{ records }], count: ITEMS, cut: { catalogueRevision: 11 + i },
    };
    changes.push(frameOf(DATA, encode("Part", part), FIRST | LAST));
    base = target;
  }
  const textOf = (body) => String.fromCharCode(...body.map((byte) => byte & 127));
  const json = JSON.stringify(items.map(({ id, kind, subject, body }) => ({ id, kind, subject, body: textOf(body) })));
  return { frames, changes, json };
}

/** A core that waits for a screen. `write` takes what it stores. */
function waiting(write) {
  const core = new Core({ random: () => 1, clientId: () => new Uint8Array(16), renews: false }, {});
  const run = async (event) => {
    event();
    const writes = [];
    for (let actions; (actions = core.take()).length; )
      for (const [name, what, done] of actions)
        if (name === "write") writes.push(Promise.resolve(write?.(what)).then(() => done?.(undefined)));
    await Promise.all(writes);
  };
  return { core, run };
}
async function ready(write) {
  const { core, run } = waiting(write);
  await run(() => {
    core.watch(() => {}, { screen: "s", locale: "", options: {} });
    core.opened(undefined);
    core.received(encodeFrame("Welcome", { protocol: 1, cluster: "c", limits: {}, cut: CUT }));
  });
  return { core, run };
}

/**
 * Measures.
 * @param {(name: string) => any} [mirrorOf] also stores in a mirror of a name
 */
export async function speed(mirrorOf) {
  const { frames, changes, json } = recorded(150);
  const bytes = frames.reduce((total, { length }) => total + length, 0);
  const fresh = () => frames.map((frame) => frame.slice());
  const snapshots = [], patches = [], stored = [], patched = [], parses = [];
  let first;
  for (let round = 0; round < 15; round++) {
    const mirror = mirrorOf?.(`speed-${round}`);
    await mirror?.open();
    const { core, run } = await ready(mirror && ((what) => mirror.write(what)));
    const pieces = fresh();
    const start = performance.now();
    for (const piece of pieces) core.received(piece);
    const verified = performance.now() - start;
    if (core.views.get("s\n").contents.get("all")?.items.length !== ITEMS) throw new Error("the snapshot was refused");
    await run(() => {});
    stored.push(performance.now() - start);
    first ??= [verified, stored[0]];
    snapshots.push(verified);
    for (const change of changes.slice(0, round ? 20 : changes.length)) {
      const begin = performance.now();
      core.received(change);
      const done = performance.now() - begin;
      await run(() => {});
      patched.push(performance.now() - begin);
      patches.push(done);
    }
    if (core.session.position.catalogueRevision < 30) throw new Error("a patch was refused");
    mirror?.close();
    const before = performance.now();
    JSON.parse(json);
    parses.push(performance.now() - before);
  }
  const result = {
    bytes, jsonBytes: json.length, firstVerified: round(first[0]), verified: round(median(snapshots)),
    patch: round(median(patches)), jsonParse: round(median(parses)),
  };
  if (!mirrorOf) return result;
  const times = { firstStored: first[1], stored: median(stored), patchStored: median(patched) };
  return { ...result, ...Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, round(ms)])) };
}

if (globalThis.process?.argv[1]?.endsWith("speed.js")) console.log(JSON.stringify(await speed()));
