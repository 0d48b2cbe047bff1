/** The vectors that every implementation of the protocol is checked with. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { hex } from "../src/bytes.js";
import { Content, EMPTY, Item, edge, pairsOf, screenSum } from "../src/content.js";
import { crc32c } from "../src/crc32c.js";
import { Fault } from "../src/errors.js";
import { FrameReader, encodeFrame, frameOf } from "../src/frames.js";
import { apply, canonical, changed } from "../src/patch.js";
import { decode, encode } from "../src/protobuf.js";
import { names } from "../src/schema.js";
import { xxh64 } from "../src/xxh64.js";
import { schemas } from "./support/presets.js";

const folder = new URL("../../../Proto/vectors/", import.meta.url);
const vectors = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));
const bytes = (text) => new Uint8Array(Buffer.from(text, "hex"));
const hexOf = (array) => Buffer.from(array).toString("hex");
const sumOf = (text) => BigInt("0x" + text);
const itemOf = (row) => new Item({ ...row, body: bytes(row.body) });
const contentOf = (row) => new Content(bytes(row.head), row.items.map(itemOf));
const changeOf = (row) => ({ ...row, records: bytes(row.records) });
const patchOf = (row) => ({
  handle: 1,
  baseSum: sumOf(row.base_sum),
  targetSum: sumOf(row.target_sum),
  script: bytes(row.script),
  adds: row.adds.map((item) => ({ ...item, body: bytes(item.body) })),
  updates: row.updates.map(changeOf),
  head: row.head ? changeOf(row.head) : undefined,
  count: row.count,
});
const sameContent = (actual, row) => {
  assert.equal(hexOf(actual.head), row.head);
  assert.deepEqual(
    actual.items.map(({ id, kind, subject, body }) => ({ id, kind, subject, body: hexOf(body) })),
    row.items.map(({ id, kind, subject, body }) => ({ id, kind, subject, body })),
  );
};
const refusal = (run, reason) => assert.throws(run, (error) => error instanceof Fault && reason.test(error.message));
/** A message as the vectors write it. */
const fieldsOf = (type, message) => {
  const result = {};
  for (const [name, one, repeated] of schemas[type].filter(() => true)) {
    if (message[name] === undefined) continue;
    const plain = (value) =>
      one.length > 1 ? fieldsOf(one, value) : one === "b" ? hexOf(value) : /[nx]/.test(one) ? String(value) : value;
    const key = name.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase());
    result[key] = repeated ? message[name].map(plain) : plain(message[name]);
  }
  return result;
};
/** Whether the client encodes all fields of a message: it sends no doubles. */
const isSent = (type, message) =>
  schemas[type].every(([name, one]) => message[name] === undefined || (one !== "d" && (one.length === 1 ||
    [message[name]].flat().every((value) => isSent(one, value)))));
const frameIn = (data, limit = 1 << 20) => {
  const reader = new FrameReader(limit);
  reader.push(data);
  return reader.next();
};

const sums = vectors("sums");
const bodies = vectors("canonical");
const scripts = vectors("scripts");
const frames = vectors("frames");

test("hashes", () => {
  for (const row of sums.hashes) assert.equal(hex(xxh64(bytes(row.bytes))), row.hash);
});

for (const row of sums.lists)
  test(`sums of lists: ${row.name}`, () => {
    const content = contentOf(row);
    let previous = "";
    const edges = content.items.map((item) => {
      const one = edge(previous, item.id, item.kind, item.subject, item.bodyHash);
      previous = item.id;
      return hex(one);
    });
    assert.deepEqual(edges, row.edges);
    assert.equal(hex(edge(previous, "", 0, "", 0n)), row.closing_edge);
    assert.equal(hex(xxh64(content.head)), row.head_hash);
    assert.equal(hex(content.sum), row.sum);
  });

test("sums of screens, and of the empty version", () => {
  for (const row of sums.screens) {
    const own = contentOf(row);
    assert.equal(hex(own.sum), row.view_sum);
    const sum = screenSum(own, (section) => row.section_sums[section] && sumOf(row.section_sums[section]));
    assert.equal(hex(sum), row.screen_sum);
  }
  assert.equal(hex(EMPTY.sum), "aa79de1ffb397201");
});

for (const row of bodies.bodies)
  test(`canonical bodies: ${row.name}`, () => assert.equal(hexOf(canonical(bytes(row.body))), row.canonical));
for (const row of bodies.refused_bodies)
  test(`refused bodies: ${row.name}`, () => refusal(() => canonical(bytes(row.body)), /./));
for (const row of bodies.changes)
  test(`changes: ${row.name}`, () => assert.equal(hexOf(changed(bytes(row.body), changeOf(row.change))), row.result));
for (const row of bodies.refused_changes)
  test(`refused changes: ${row.name}`, () =>
    refusal(() => changed(bytes(row.body), changeOf(row.change)), /./));

for (const row of [...scripts.patches, ...scripts.manifests])
  test(`patches: ${row.name}`, () => {
    const base = contentOf(row.base);
    assert.equal(hex(base.sum), row.base.sum);
    const target = apply(base, patchOf(row.patch));
    sameContent(target, row.target);
    assert.equal(hex(target.sum), row.target.sum);
    if (row.pairs) assert.equal(hexOf(pairsOf(base.items)), row.pairs);
  });
for (const row of scripts.refused.patches)
  test(`refused patches: ${row.name}`, () =>
    // A body or a script that can't be read may be refused for what is wrong with it.
    refusal(
      () => apply(contentOf(scripts.refused.base), patchOf(row.patch)),
      /invalidBody|malformedScript/.test(row.why) ? RegExp(`${row.why}|^[A-Z_]+$`) : RegExp(row.why),
    ));

test("checks of frames", () => {
  for (const row of frames.checks) {
    const check = (~crc32c(-1, bytes(row.bytes)) >>> 0).toString(16).padStart(8, "0");
    assert.equal(check, row.crc32c);
  }
});
for (const row of [...frames.frames, ...frames.odd_frames])
  test(`frames: ${row.name ?? row.message} ${row.frame.slice(0, 40)}`, () => {
    const frame = frameIn(bytes(row.frame));
    assert.deepEqual([frame.name, frame.flags], [names[row.kind], row.flags]);
    assert.equal(schemas[frame.name], schemas[row.message]);
    const message = decode(row.message, frame.body);
    assert.deepEqual(fieldsOf(row.message, message), row.fields);
    const again = frameIn(encodeFrame(frame.name, message));
    assert.deepEqual(fieldsOf(row.message, decode(row.message, again.body)), row.fields);
  });
for (const row of [...frames.bodies, ...frames.preset_bodies, ...frames.call_bodies])
  test(`bodies: ${row.message} ${row.body.slice(0, 40)}`, () => {
    const message = decode(row.message, bytes(row.body));
    assert.deepEqual(fieldsOf(row.message, message), row.fields);
    if (isSent(row.message, message))
      assert.deepEqual(fieldsOf(row.message, decode(row.message, encode(row.message, message))), row.fields);
    if (!row.name) assert.equal(hexOf(canonical(bytes(row.body))), row.body);
  });
for (const row of frames.refused)
  test(`refused frames: ${row.name}`, () =>
    refusal(() => {
      const frame = frameIn(bytes(row.frame), row.limit);
      decode(frame.name, frame.body);
    }, RegExp(`^${row.reason}$`)));
for (const row of frames.refused_call_bodies)
  test(`refused bodies: ${row.name}`, () =>
    refusal(() => decode(row.message, bytes(row.body)), RegExp(`^${row.reason}$`)));

test("every kind of a frame has a vector, and the page's example of a ping is what is sent", () => {
  assert.deepEqual(new Set(frames.frames.map((row) => row.kind)), new Set(Object.keys(names).map(Number)));
  assert.equal(hexOf(encodeFrame("Ping", { nonce: 1 })), "0000000a000300000e52d9970801");
  assert.equal(hexOf(frameOf(3, bytes("0801"))), "0000000a000300000e52d9970801");
});
