// Holds the layout engine in JavaScript to the one in Swift: reads the lines of `layout-vectors random` and compares
// each answer to the last bit.
//
//   layout-vectors random 1 100000 | node Tests/js/compare-layouts.js 100000

import { createInterface } from "node:readline";
import { answerTo, difference, parseCase } from "../../Client/js/test/layout-cases.js";

/** Differences that are shown. */
const SHOWN = 5;

const expected = Number(process.argv[2]);
let [read, different] = [0, 0];
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  read += 1;
  const one = parseCase(line);
  const given = one.section ?? one.screen ?? one.design;
  const found = difference(answerTo(one), given.answer);
  if (!found) continue;
  different += 1;
  if (different <= SHOWN) console.error(`${given.name}: ${found}`);
}
console.log(`${read} layouts, ${different} of them different`);
if (different > 0 || read !== expected) {
  if (read !== expected) console.error(`${expected} layouts were expected`);
  process.exitCode = 1;
}
