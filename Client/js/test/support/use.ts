/** An app in TypeScript, so that the emitted types are used as apps use them. */

import { MarqueeClient, MarqueeError } from "./types/index";
import { indexedDBMirror } from "./types/indexeddb";
import { search } from "./types/search";
import { screenStore } from "./types/screen-store";
async function main() {
  const client = new MarqueeClient("wss://x", { token: async () => "t", mirror: indexedDBMirror("a") });
  for await (const { screen, changes } of client.screen("home", { windows: { rank: 40 } })) {
    const title: string | undefined = screen.sections[0].items[0].card?.title;
    const op: string = changes[0].op;
    console.log(title, op, screen.section("x")?.head.sorts?.[0].id);
  }
  const { confirmed } = await client.collection("favorites").set("movie/1");
  const { changed }: { changed: boolean } = await confirmed;
  for await (const { members } of client.collection("favorites")) console.log(members[0].pending, changed);
  try { await client.search("x"); } catch (error) { if (error instanceof MarqueeError) console.log(error.code, error.remedy); }
  const { items, facets } = await search(client, "x", { filters: { topics: "food" }, facets: ["topics"], page: 2 });
  const counts: number[] = facets.topics.map(({ count }) => count);
  console.log(items[0].card?.title, counts);
  screenStore(client, "home").subscribe(({ screen }) => console.log(screen?.title));
}
main();
