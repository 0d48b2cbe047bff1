/** Follows a screen in a page: `page.html?port=PORT&screen=SCREEN&mirror=NAME`. For `marquee conform client`. */

import { MarqueeClient } from "../../src/index.js";
import { indexedDBMirror } from "../../src/indexeddb.js";

const query = new URLSearchParams(location.search);
const url = `ws://${location.host}/v1/connect?port=${query.get("port")}`;
const client = new MarqueeClient(url, { mirror: indexedDBMirror(query.get("mirror")) });
try {
  for await (const { screen } of client.screen(query.get("screen"))) document.title = `${screen.name} ${screen.sum}`;
} catch (error) {
  // It stays, like a page that shows why it doesn't connect again.
  document.title = error.code;
}
