/** Prints how long a snapshot, its storing and its patches take in Node and in Chromium: `node measure.js`. */

import { startBridge } from "./bridge.js";
import { Browser, noBrowser } from "./browser.js";
import { speed } from "./speed.js";

const names = {
  firstVerified: "2,000 items, the first time, verified",
  firstStored: "2,000 items, the first time, verified and stored",
  verified: "2,000 items, verified",
  stored: "2,000 items, verified and stored",
  patch: "a patch of one field, verified",
  patchStored: "a patch of one field, verified and stored",
  jsonParse: "JSON.parse of the same 2,000 items",
};
const print = (place, result) => {
  for (const [key, name] of Object.entries(names))
    if (key in result) console.log(`${place}: ${name}: ${result[key]} ms`);
};

const result = await speed();
console.log(`a snapshot of ${result.bytes} bytes, ${result.jsonBytes} as JSON; medians`);
print("Node", result);
if (noBrowser) console.log(`Chromium: skipped: ${noBrowser}`);
else {
  const bridge = await startBridge(() => 0);
  const browser = await new Browser().start();
  await browser.open(`http://127.0.0.1:${bridge.port}/`);
  print("Chromium", await browser.run(async () => {
    const { speed } = await import("/test/support/speed.js");
    const { indexedDBMirror } = await import("/src/indexeddb.js");
    return speed(indexedDBMirror);
  }));
  await browser.stop();
  bridge.close();
}
