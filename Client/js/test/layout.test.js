import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import {
  LayoutLimits, SectionFrames, designLayout, layoutProblem, sectionDesign, sectionKinds,
} from "../layout.js";
import { answerTo, contradiction, difference, parseCase } from "./layout-cases.js";

const folder = new URL("../../../Proto/vectors/layout/", import.meta.url);
/** The files, and how many cases each of them has at least.
 * @type {[string, number][]} */
const files = [["worked", 225], ["random", 250]];

/** @param {string} name @returns {any[]} */
const casesOf = (name) => parseCase(readFileSync(new URL(`${name}.json`, folder), "utf8")).cases;
/** @param {any} one */
const givenOf = (one) => one.section ?? one.screen ?? one.design;

for (const [name, least] of files) {
  test(`the engine gives every answer of ${name}.json to the last bit`, () => {
    const cases = casesOf(name);
    assert.ok(cases.length >= least, `${cases.length} cases`);
    for (const one of cases) {
      const given = givenOf(one);
      assert.ok(given.answer, `${given.name} has no answer`);
      assert.equal(difference(answerTo(one), given.answer), null, given.name);
    }
  });
}

test("the answers agree with what was worked out by hand", () => {
  const worked = casesOf("worked").filter((one) => givenOf(one).worked);
  assert.ok(worked.length >= 180, `${worked.length} cases`);
  for (const one of worked) assert.equal(contradiction(answerTo(one), givenOf(one).worked), null, givenOf(one).name);
});

test("there are no other files of vectors", () => {
  assert.deepEqual(readdirSync(folder).sort(), ["README.md", ...files.map(([name]) => `${name}.json`)].sort());
});

test("a changed answer is noticed", () => {
  const one = casesOf("worked").find((other) => other.section?.answer.frames.length > 0);
  const answer = structuredClone(answerTo(one));
  answer.frames[0][1] += 1e-12 * Math.max(1, answer.frames[0][1]);
  assert.match(String(difference(answerTo(one), answer)), /answer\.frames\.0\.1/);
  assert.match(String(difference({ x: 0 }, { x: -0 })), /answer\.x/);
  assert.match(String(difference({}, { x: 1 })), /answer\.x/);
});

const whole = { unit: 1, value: 1 };
const item = { type: 1, width: whole, height: { unit: 2, value: 1 } };
/** @param {object} more */
const group = (more) => ({ type: 2, width: whole, height: whole, ...more });

test("a layout that the protocol refuses has a problem", () => {
  /** @type {[RegExp, any][]} */
  const refused = [
    [/0 nodes/, {}],
    [/65 nodes/, { nodes: [group({ children: [1] }), ...Array(64).fill(item)] }],
    [/isn't a group/, { nodes: [item] }],
    [/no children/, { nodes: [group({})] }],
    [/item has children/, { nodes: [group({ children: [1] }), { ...item, children: [0] }] }],
    [/count of 0/, { nodes: [group({ children: [1], count: 0 }), item] }],
    [/count of 1025/, { nodes: [group({ children: [1], count: 1025 }), item] }],
    [/2 children and a count/, { nodes: [group({ children: [1, 2], count: 2 }), item, item] }],
    [/child 0/, { nodes: [group({ children: [0] })] }],
    [/child 2/, { nodes: [group({ children: [1, 2] }), item] }],
    [/2 parents/, { nodes: [group({ children: [1, 1] }), item] }],
    [/0 parents/, { nodes: [group({ children: [1] }), item, item] }],
    [/type 4/, { nodes: [group({ children: [1] }), { ...item, type: 4 }] }],
    [/missing/, { nodes: [group({ children: [1] }), { type: 1, width: whole }] }],
    [/missing/, { nodes: [group({ children: [1] }), { ...item, height: { unit: 5, value: 1 } }] }],
    [/missing/, { nodes: [group({ children: [1] }), { ...item, badges: [{ width: whole }] }] }],
    [/missing/, { nodes: [group({ children: [1] }), item], supplementaries: [{ kind: "header" }] }],
  ];
  for (const [problem, layout] of refused) {
    assert.match(String(layoutProblem(layout)), problem);
    // It has frames all the same.
    const frames = new SectionFrames(layout, { width: 390, height: 844 }, 3);
    assert.ok(Number.isFinite(frames.frameOfItem(2)?.x));
  }
  assert.equal(layoutProblem({ nodes: [group({ children: [1] }), item] }), null);
  for (const kind of sectionKinds) {
    assert.equal(layoutProblem(designLayout(sectionDesign(kind), { header: true, footer: true, width: 390 })), null);
  }
});

test("a section costs the same for one item as for 65,536", () => {
  const layout = { nodes: [group({ children: [1], count: 3, height: { unit: 3, value: 100 } }), item] };
  const frames = new SectionFrames(layout, { width: 390, height: 844 }, LayoutLimits.items);
  const started = performance.now();
  for (let index = 0; index < 2000; index += 1) {
    new SectionFrames(layout, { width: 390, height: 844 }, LayoutLimits.items).itemsIn(
      { x: 0, y: 1e6, width: 390, height: 844 });
  }
  // Laying out every item would take minutes.
  assert.ok(performance.now() - started < 5000);
  assert.equal(frames.itemsIn({ x: 0, y: 1000, width: 390, height: 844 }).length, 27);
});

test("no layout takes long or gives frames that aren't finite", () => {
  let node = [item];
  for (let depth = 0; depth < 63; depth += 1) {
    node = [group({ count: 1024, children: [1] }), ...node.map((one) => shifted(one))];
  }
  for (const layout of [{ nodes: node }, { nodes: [group({ children: [1], spacing: NaN, count: NaN }), item] }]) {
    const frames = new SectionFrames(layout, { width: 390, height: 844 }, 1e9);
    assert.equal(frames.itemCount, LayoutLimits.items);
    assert.ok(Number.isFinite(frames.frameOfItem(65535)?.width));
  }
});

/** @param {any} node */
const shifted = (node) =>
  (node.children ? { ...node, children: node.children.map((/** @type {number} */ child) => child + 1) } : node);
