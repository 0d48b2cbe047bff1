/** The mirror in a file. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Content, EMPTY, Item } from "../src/content.js";
import { fileMirror } from "../src/file.js";
import { encode } from "../src/protobuf.js";
import { wholePart } from "../src/patch.js";
import { View } from "../src/view.js";

const none = new Uint8Array();
const item = (text) => new Item({ id: "a", kind: 1000, body: encode("actions", { id: text }) });
const versionOf = (text) => new Content(none, [item(text)]);
const state = { cluster: "c", user: "", clientId: new Uint8Array(16), next: 0, answered: 0, confirmed: 0 };

let folder, path;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "marquee-js-file-"));
  path = join(folder, "mirror");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A view whose section becomes a version, from the one before or anew. */
function change(view, text, isPatch) {
  const base = isPatch ? view.contents.get("s") : EMPTY;
  const { items, sum } = versionOf(text);
  const patch = encode("Part", {
    handle: 1, baseSum: base.sum, targetSum: sum, script: new Uint8Array([4, 0, 7, 0]), count: 1,
    updates: [{ records: items[0].body, replace: true }],
  });
  const bodies = [isPatch ? patch : wholePart(versionOf(text))];
  view.contents = new Map(view.contents).set("s", new Content(none, items, base, bodies));
  view.cut = {};
  return view;
}

test("what was written is there again, by patches and after folding", async () => {
  const mirror = fileMirror(path);
  assert.deepEqual((await mirror.open()).views, []);
  const view = new View("home", "");
  await mirror.write({ state, views: [change(view, "0")] });
  for (let i = 1; i < 50; i++) await mirror.write({ state, views: [change(view, `${i}`, true)] });
  const put = [{ number: 1, state: "pending" }, { number: 2, state: "sent" }];
  await mirror.write({ strict: true, put, removed: [1] });
  mirror.close();
  for (let round = 0; round < 2; round++) {
    const again = fileMirror(path);
    const { views, rows, state: kept } = await again.open();
    assert.equal(views[0].contents.get("s").sum, versionOf("49").sum);
    assert.deepEqual(rows, [{ number: 2, state: "sent" }]);
    assert.equal(kept.cluster, "c");
    again.close();
  }
});

test("a file that ends anywhere opens as it was at an earlier write", async () => {
  const mirror = fileMirror(path);
  await mirror.open();
  const view = new View("home", "");
  const sums = new Set();
  const lengths = [];
  for (let i = 0; i < 5; i++) {
    await mirror.write({ state, views: [change(view, `${i}`, i > 0)] });
    sums.add(versionOf(`${i}`).sum);
    lengths.push(statSync(path).size);
  }
  mirror.close();
  const bytes = readFileSync(path);
  for (let length = 0; length <= bytes.length; length += 3) {
    writeFileSync(path, bytes.subarray(0, length));
    const again = fileMirror(path);
    const { views } = await again.open();
    const whole = lengths.filter((one) => one <= length).length;
    assert.equal(views.length, whole ? 1 : 0);
    if (whole) assert.equal(views[0].contents.get("s").sum, [...sums][whole - 1]);
    again.close();
  }
});

test("a flipped byte costs what came after it, and nothing wrong is shown", async () => {
  const mirror = fileMirror(path);
  await mirror.open();
  const view = new View("home", "");
  for (let i = 0; i < 5; i++) await mirror.write({ state, views: [change(view, `${i}`, i > 0)] });
  mirror.close();
  const bytes = readFileSync(path);
  const sums = new Set([0, 1, 2, 3, 4].map((i) => versionOf(`${i}`).sum));
  for (let at = 0; at < bytes.length; at += 3) {
    const damaged = Buffer.from(bytes);
    damaged[at] ^= 1;
    writeFileSync(path, damaged);
    const again = fileMirror(path);
    for (const { contents } of (await again.open()).views) assert.ok(sums.has(contents.get("s").sum));
    again.close();
  }
});

test("a mirror belongs to one program, and a lock that a killed one has left is taken over", async () => {
  const mirror = fileMirror(path);
  await mirror.open();
  await assert.rejects(fileMirror(path).open(), { code: "MIRROR_IN_USE" });
  mirror.close();
  assert.ok(!existsSync(path + ".lock"));
  writeFileSync(path + ".lock", "4194303");
  const again = fileMirror(path);
  await again.open();
  again.close();
  // Another program may be about to write its id, or was killed before it did.
  writeFileSync(path + ".lock", "");
  await assert.rejects(again.open(), { code: "MIRROR_IN_USE" });
  again.close();
  assert.ok(existsSync(path + ".lock"), "the lock of another program is left");
  utimesSync(path + ".lock", 1, 1);
  await again.open();
  again.close();
});

test("an error while a mirror opens gives the lock back", async () => {
  mkdirSync(path);
  await assert.rejects(fileMirror(path).open(), { code: "EISDIR" });
  assert.ok(!existsSync(path + ".lock"));
});

