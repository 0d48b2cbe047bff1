/** Follows a screen over TCP until it is killed: `node follow.js HOST:PORT SCREEN`. For `marquee conform client`. */

import { MarqueeClient } from "../../src/index.js";
import { tcp } from "../../src/tcp.js";

const [address, screen] = process.argv.slice(2);
const client = new MarqueeClient(`tcp://${address}`, { transport: tcp() });
const hold = setInterval(() => {}, 60_000);
try {
  for await (const { screen: shown } of client.screen(screen)) console.log(shown.name, shown.live, shown.sum);
} catch (error) {
  // It stays, as a client would that shows why it doesn't connect again.
  console.error(`${error.code}: ${error.message}`);
}
void hold;
