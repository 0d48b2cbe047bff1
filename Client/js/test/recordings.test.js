/**
 * Recorded feeds beside the client in Swift: at every position that both show, the same sums and the same states. A
 * league's hour, and a year of a box office's daily charts.
 *
 * They are played in a few seconds each, two months of the year; with MARQUEE_RECORDING_SECONDS they take as long as it
 * says, such as 3600, and the year is a whole one.
 */

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { fileMirror } from "../src/file.js";
import { MarqueeClient } from "../src/index.js";
import { tcp } from "../src/tcp.js";
import { Server, importSamples, program, samples, serverProgram } from "./support/server.js";

const isMissing = !existsSync(serverProgram) && `${serverProgram} is missing`;
const SECONDS = Number(process.env.MARQUEE_RECORDING_SECONDS ?? 3);
/** Only broken recordings take this long; there are two, one after the other. */
const timeout = 1000 * (120 + 1.5 * SECONDS);
/** States of home that both have to have shown, of those that there are. */
const LEAST_COMMON = 0.1;
/** How often a client is closed, and opened again on its mirror, while a recording is played. */
const BREAKS = 5;
const DAYS = process.env.MARQUEE_RECORDING_SECONDS ? 366 : 60;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// ---------------------------------------------------------------- states

/** The parts of a state that are compared, besides its sum. */
const cardOf = ({ overline, title, subtitle, caption, text, badges = [], facts = [], rank } = {}) => [
  overline, title, subtitle, caption, text, rank?.place, badges.map((badge) => badge.text),
  facts.map(({ label, value }) => [label, value]),
];
const ours = ({ sections }) => JSON.stringify(sections.map(({ id, title, head: { total = 0, window }, items }) => [
  id, title, total, window, items.map((item) => [item.id, item.subject, cardOf(item.card)]),
]));
const theirs = (sections) => JSON.stringify(sections.map(({ id, title = "", total = 0, window, items }) => [
  id, title, total, window,
  items.map((item) => [item.id, item.subject ?? "", cardOf(item.kind === "card" ? item.content : undefined)]),
]));

/** A list after operations of `marquee subscribe`, as Docs/cli-output.md describes them. */
function changed(list, operations, { isGone, created, updated }) {
  const old = new Map(list.map((one) => [one.id, one]));
  const gone = new Set(operations.filter(({ op }) => /delete|move/.test(op)).map(isGone));
  const result = list.filter(({ id }) => !gone.has(id));
  for (const operation of operations) {
    const { op, to } = operation;
    const id = isGone(operation);
    if (/insert/.test(op)) result.splice(to, 0, created(operation));
    if (/move/.test(op)) result.splice(to, 0, old.get(id));
    if (/update/.test(op)) result[to] = updated(operation, result[to]);
  }
  return result;
}
function afterOperations(sections, operations) {
  const ofSections = operations.filter(({ op }) => op.startsWith("section-"));
  const ofItems = operations.filter((operation) => !ofSections.includes(operation));
  const result = changed(sections, ofSections, {
    isGone: ({ section }) => section,
    created: ({ content }) => content,
    updated: ({ head }, { items }) => ({ ...head, items }),
  });
  return result.map((section) => {
    const own = ofItems.filter((operation) => operation.section === section.id);
    const isGone = ({ id }) => id;
    const made = ({ item }) => item;
    return { ...section, items: changed(section.items, own, { isGone, created: made, updated: made }) };
  });
}

// ---------------------------------------------------------------- clients

/** The client in Swift: its states by revision, as they come. */
async function followInSwift(context, server, folder, screen, locale) {
  const mirror = join(folder, `${screen.replaceAll("/", "-")}-${locale}.sqlite`);
  const words = ["subscribe", screen, "--server", `127.0.0.1:${server.port}`, "--locale", locale, "--mirror", mirror];
  const child = spawn(program, [...words, "--output", "ndjson"], { stdio: ["ignore", "pipe", "ignore"] });
  context.after(() => child.kill());
  const states = new Map();
  let sections = [];
  const live = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const value = JSON.parse(line);
      if (value.type === "snapshot") sections = value.sections;
      else if (value.type === "update") sections = afterOperations(sections, value.operations);
      else return;
      if (value.origin !== "live") return;
      states.set(value.revision, { sum: value.sum, state: theirs(sections) });
      resolve();
    });
  });
  await live;
  return states;
}

/** A client of this library: its states of a screen by revision, until it is closed. */
async function follow(client, screen, locale, states) {
  try {
    for await (const { screen: shown } of client.screen(screen, { locale }))
      if (shown.live) states.set(shown.revision, { sum: shown.sum, state: ours(shown) });
  } catch (error) {
    assert.equal(error.code, "CLOSED");
  }
}

/** Plays a recording of commits to a server on which both follow screens; gives what they have shown. */
async function play(context, imported, file, commits, screens) {
  const server = await new Server(imported).start();
  context.after(async () => {
    await server.remove();
    imported.remove();
  });
  const address = `127.0.0.1:${server.port}`;
  const client = new MarqueeClient(server.url, { transport: tcp() });
  const pairs = await Promise.all(screens.map(async ([screen, locale]) => {
    const swift = await followInSwift(context, server, imported.folder, screen, locale);
    const states = new Map();
    return { screen, locale, swift, states, loop: follow(client, screen, locale, states) };
  }));
  const interval = `${SECONDS / commits}`;
  const words = ["publish", file, "--blocks", "--interval", interval, "--server", address, "--user", "editor"];
  const publisher = spawn(program, words, { stdio: ["ignore", "ignore", "inherit"] });
  const published = new Promise((resolve) => publisher.on("exit", resolve));

  // Another one goes away and comes back to what its mirror has.
  const [screen, locale] = screens[0];
  const resumed = new Map();
  for (let i = 0; i <= BREAKS; i++) {
    const mirror = fileMirror(join(imported.folder, "resumed"));
    const again = new MarqueeClient(server.url, { transport: tcp(), mirror });
    const loop = follow(again, screen, locale, resumed);
    await (i < BREAKS ? pause((1000 * SECONDS) / (2 * BREAKS)) : published);
    if (i === BREAKS) await newest(resumed);
    await again.close();
    await loop;
    if (i < BREAKS) await pause((1000 * SECONDS) / (2 * BREAKS));
  }
  assert.equal(await published, 0);

  /** Waits until the newest state is the one that the server has. */
  async function newest(states, name = screen, language = locale) {
    const get = ["get", name, "--server", address, "--locale", language, "--output", "ndjson"];
    const { sum } = JSON.parse(execFileSync(program, get));
    while ([...states.values()].at(-1)?.sum !== sum) await pause(20);
  }
  for (const { screen: name, locale: language, swift, states } of pairs)
    for (const one of [swift, states]) await newest(one, name, language);
  await client.close();
  await Promise.all(pairs.map(({ loop }) => loop));
  return [...pairs, { screen, locale, swift: pairs[0].swift, states: resumed }];
}

/** Compares what both have shown at the same position; gives in how many. */
function compare({ screen, locale, swift, states }) {
  const common = [...states].filter(([revision]) => swift.has(revision));
  for (const [revision, { sum, state }] of common) {
    const other = swift.get(revision);
    assert.equal(sum, other.sum, `the sum of ${screen} in ${locale} at revision ${revision}`);
    if (state !== other.state) assert.deepEqual(JSON.parse(state), JSON.parse(other.state), `revision ${revision}`);
  }
  const counts = `${common.length} states in common, of ${states.size} and ${swift.size}`;
  console.log(`# ${screen} in ${locale}: ${counts}`);
  return common.length;
}

function check(results, commits) {
  const counts = results.map(compare);
  assert.ok(counts[0] >= LEAST_COMMON * commits, `${counts[0]} common states of ${commits} commits`);
  assert.ok(counts.every((count) => count > 0), counts.join());
}

// ---------------------------------------------------------------- recordings

/** A year of daily charts, made of those of the sample: places change, and so do the numbers. */
function yearOfCharts() {
  const lines = readFileSync(join(samples, "catalogue/chart.ndjson"), "utf8").trim().split("\n");
  const editions = lines.map((line) => JSON.parse(line)).filter(({ list }) => list?.edition);
  let seed = 5;
  const random = (n) => ((seed = (seed * 1103515245 + 12345) & 0x7fffffff) >> 8) % n;
  const first = Date.parse(editions[0].list.edition);
  return Array.from({ length: DAYS }, (_, day) => {
    const { list } = structuredClone(editions[day % editions.length]);
    list.edition = new Date(first + day * 86_400_000).toISOString().slice(0, "YYYY-MM-DD".length);
    for (const { place } of list.entries) place.gross += random(100_000);
    const [entry] = list.entries.splice(random(list.entries.length), 1);
    list.entries.splice(random(list.entries.length + 1), 0, entry);
    const movie = { type: "movie", id: entry.record.split("/")[1], record: { popularity: random(10_000) / 10 } };
    const show = { list: list.list, edition: list.edition };
    return [{ list }, { show }, { merge: movie }].map((change) => JSON.stringify(change)).join("\n");
  });
}

describe("beside the client in Swift, recorded feeds are the same sums and the same states", {
  skip: isMissing, timeout: 2 * timeout,
}, () => {
  test("a league's hour", { timeout }, async (context) => {
    const imported = importSamples("league");
    const file = join(samples, "league/live.ndjson");
    const commits = readFileSync(file, "utf8").trim().split("\n\n").length;
    const screens = [["home", "en"], ["home", "ko"], ["match/r13-foundry-highmoor", "en"]];
    check(await play(context, imported, file, commits, screens), commits);
  });

  test("a box office's year", { timeout }, async (context) => {
    const imported = importSamples("catalogue", ["types.yaml", "catalogue.ndjson"]);
    const file = join(imported.folder, "year.ndjson");
    const days = yearOfCharts();
    writeFileSync(file, days.join("\n\n") + "\n");
    check(await play(context, imported, file, days.length, [["home", "en"], ["home", "ko"]]), days.length);
  });
});
