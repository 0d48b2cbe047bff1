/** Follows a screen until it is killed: `node follow.js HOST:PORT SCREEN [MIRROR]`. For `marquee conform client`. */

import { fileMirror } from "../../src/file.js";
import { MarqueeClient } from "../../src/index.js";
import { tcp } from "../../src/tcp.js";

const [address, screen, path] = process.argv.slice(2);
const mirror = path ? fileMirror(path) : undefined;
const client = new MarqueeClient(`tcp://${address}`, { transport: tcp(), mirror });
const hold = setInterval(() => {}, 60_000);
try {
  for await (const { screen: shown } of client.screen(screen)) console.log(shown.name, shown.live, shown.sum);
} catch (error) {
  // It keeps running, like an app that shows why it doesn't connect again.
  console.error(`${error.code}: ${error.message}`);
}
void hold;
