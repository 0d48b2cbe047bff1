/** Previews in the window: what is asked, when, and what becomes of the answer. The page itself is tested in a browser. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { askPreview, askRevision, isOlder, previewedOf } from "../../window/preview-call.js";
import { PAUSE, Questions, newsBetween } from "../../window/preview-questions.js";
import { audiencesText, fieldText, momentOf, readerOf, wordsOf } from "../../window/preview-request.js";
import { PreviewSource } from "../../window/preview-source.js";
import { MarqueeClient } from "../src/index.js";
import { Content, EMPTY, Item } from "../src/content.js";
import { tcp } from "../src/tcp.js";
import { Server, importSamples, program, serverProgram } from "./support/server.js";

const nothing = { reader: [], at: null, draft: null };

test("a reader is several pairs, and one that is empty is left for the server to refuse", () => {
  assert.deepEqual(readerOf(" plan=free ,audience=korea"), ["plan=free", "audience=korea"]);
  assert.deepEqual(readerOf("  "), []);
  assert.deepEqual(readerOf("plan=free,"), ["plan=free", ""]);
});

test("a moment is the field's text in the browser's zone, to the minute", () => {
  for (const text of ["2026-12-24T20:05", "0987-01-02T03:04"]) assert.equal(fieldText(momentOf(text)), text);
  assert.equal(momentOf(""), null);
  assert.equal(momentOf("tomorrow"), null);
});

test("a preview is told by its reader, moment and draft, and by the audiences of its sections", () => {
  assert.equal(wordsOf({ ...nothing, reader: ["plan=free", "audience=korea"] }), "as plan=free, audience=korea · now");
  assert.match(wordsOf({ ...nothing, at: momentOf("2026-12-24T20:05"), draft: "spring" }), /^on .*24.*2026.* · with the draft spring$/);
  const sections = ["a", "b", "c", "d", "e"].map((title) => ({ title, audiences: ["premium", "premium"] }));
  assert.equal(audiencesText([...sections, { title: "f", audiences: [""] }]),
    "By audience: a, b, c, d and 1 more section for premium; f for everybody else.");
  assert.equal(audiencesText([]), "");
});

test("questions are put one at a time, each at most once a second, and the one that waits longest first", () => {
  const questions = new Questions();
  assert.equal(questions.next(0), null);
  for (const key of ["a", "b"]) questions.want(key);
  assert.deepEqual(questions.next(10), { key: "a", pause: 0 });
  questions.begin("a", 10);
  questions.want("a");
  assert.equal(questions.next(10), null, "one is open");
  questions.end();
  assert.deepEqual(questions.next(20), { key: "b", pause: 0 });
  questions.begin("b", 20);
  questions.end();
  assert.deepEqual(questions.next(110), { key: "a", pause: PAUSE - 100 });
  questions.forget("a");
  assert.equal(questions.next(110), null);
});

test("a preview is asked for again after a commit, an edit of its draft, and a time without answers", () => {
  const mark = { revision: 4, draft: "{}" };
  assert.equal(newsBetween(mark, mark), null);
  assert.equal(newsBetween(mark, { ...mark, revision: 6 }), 6);
  assert.equal(newsBetween(mark, { ...mark, draft: "null" }), Infinity);
  assert.equal(newsBetween(mark, { ...mark, revision: 3 }), Infinity, "the catalogue was restored");
  assert.equal(newsBetween(null, mark), Infinity);
});

const head = new Uint8Array(0);
const item = { id: "1", kind: 13, body: new Uint8Array(0) };
/** An answer as it is decoded, with one section of one item. */
function answerOf(revision, more = {}) {
  const list = [{ id: "top", kind: 1, body: head }];
  const sumOf = (items) => new Content(head, items.map((one) => new Item(one))).sum;
  return {
    screen: "home", locale: "en", cut: { catalogueEpoch: 1n, catalogueRevision: revision }, preview: true,
    view: { head, items: list, sum: sumOf(list) },
    sections: [{ id: "top", head, items: [item], sum: sumOf([item]), audiences: ["premium"] }], ...more,
  };
}

test("an answer is verified, keeps what hasn't changed, and must be the preview that was asked for", () => {
  const first = previewedOf(answerOf(4), nothing, null);
  assert.deepEqual(first.screen.section("top").items.map(({ id }) => id), ["1"]);
  assert.deepEqual(first.sections, [{ title: "top", audiences: ["premium"] }]);
  assert.equal(previewedOf(answerOf(5), nothing, first).screen.section("top").items, first.screen.section("top").items);
  const damaged = answerOf(4);
  damaged.sections[0].sum ^= 1n;
  assert.throws(() => previewedOf(damaged, nothing, null), { code: "SUM_MISMATCH" });
  assert.throws(() => previewedOf(answerOf(4, { preview: undefined }), nothing, null), { code: "UPDATE_NEEDED" });
  assert.throws(() => previewedOf(answerOf(4), { ...nothing, draft: "spring" }, null), { code: "UPDATE_NEEDED" });
});

test("an earlier state is older, also with a draft, whose changes count as the next revision", () => {
  const at = (revision) => previewedOf(answerOf(revision), nothing, null);
  const spring = { ...nothing, draft: "spring" };
  const drafted = (revision) => previewedOf(answerOf(revision, { draft: "spring" }), spring, null);
  assert.equal(isOlder(at(4), at(5)), true);
  assert.equal(isOlder(at(5), at(5)), false);
  assert.equal(isOlder(at(4), null), false);
  assert.equal(drafted(5).revision, 4);
  assert.equal(isOlder(drafted(4), drafted(5)), false, "the draft may have lost its changes");
  assert.equal(isOlder(drafted(3), drafted(5)), true);
});

test("an earlier answer and a refusal leave the last picture, and the refusal is told", async () => {
  const answers = [answerOf(5), answerOf(4), null];
  let next = () => {};
  const told = () => new Promise((resolve) => (next = resolve));
  const source = new PreviewSource(async (options, known) => {
    const answer = answers.shift();
    if (!answer) throw Object.assign(new Error("there is no draft 'spring'"), { code: "DRAFT_UNKNOWN" });
    return previewedOf(answer, nothing, known);
  }, () => next(), new Questions(0));
  const { signal } = new AbortController();
  const first = source.screen("home", { signal }).next();
  assert.equal((await first).value.screen.revision, 5);
  for (const code of [undefined, "DRAFT_UNKNOWN"]) {
    const heard = told();
    source.changed();
    await heard;
    assert.equal(source.standing.error?.code, code);
    assert.equal(source.standing.answer.screen.revision, 5);
  }
  source.close();
});

describe("a preview of a server", { skip: !existsSync(serverProgram) && `${serverProgram} is missing`, timeout: 60_000 }, () => {
  let samples, server, client;
  before(async () => {
    samples = importSamples("guide");
    const put = (id, title, starts, ends) => ({ put: { type: "airing", id, record: { id, channel: "c1", title: { en: title }, starts, ends, kind: "sport", live: true } } });
    const lines = [
      { put: { type: "channel", id: "c1", record: { id: "c1", name: "Harbour One", number: 1, zone: "Seoul" } } },
      put("old", "Moon", "1969-07-20T20:00:00Z", "1969-07-20T21:00:00Z"), put("new", "Mars", "2069-07-20T20:00:00Z", "2069-07-20T21:00:00Z"),
    ];
    const file = join(samples.folder, "airings.ndjson");
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
    execFileSync(serverProgram, ["import", "ndjson", file, "--data", samples.data], { stdio: "ignore" });
    server = await new Server(samples).start();
    client = new MarqueeClient(server.url, { transport: tcp() });
  });
  after(async () => {
    await client.close();
    await server.remove();
    samples.remove();
  });

  const ask = (wanted) => askPreview(client, { ...nothing, ...wanted }, { screen: "home", locale: "en", sorts: {}, windows: {} }, null,
    new AbortController().signal);
  const titles = ({ screen }, section) => screen.section(section)?.items.map(({ card }) => card.title);

  test("it is the reader's, at any moment, before 1970, too", async () => {
    const moment = (text) => ({ at: Date.parse(text) });
    assert.deepEqual(titles(await ask(moment("1969-07-20T20:30:00Z")), "now"), ["Moon"]);
    const mars = moment("2069-07-20T20:30:00Z");
    assert.equal(titles(await ask(mars), "live"), undefined);
    assert.deepEqual(titles(await ask({ ...mars, reader: ["plan=plus"] }), "live"), ["Mars"]);
  });

  test("it has a draft's changes, which count as the next revision", async () => {
    const change = JSON.stringify({ merge: { type: "airing", id: "new", record: { title: { en: "Red planet" } } } });
    execFileSync(program, ["publish", "-", "--draft", "spring", "--server", server.url.replace("tcp://", "")], { input: change });
    const drafted = await ask({ at: Date.parse("2069-07-20T20:30:00Z"), draft: "spring" });
    assert.deepEqual(titles(drafted, "now"), ["Red planet"]);
    assert.equal(drafted.revision, await askRevision(client, new AbortController().signal));
  });

  test("what the server refuses says why", async () => {
    await assert.rejects(ask({ reader: ["plann=plus"] }), { code: "READER_INVALID", message: /did you mean 'plan'/ });
    await assert.rejects(ask({ reader: [""] }), { code: "READER_INVALID" });
    await assert.rejects(ask({ draft: "autumn" }), { code: "DRAFT_UNKNOWN" });
  });
});
