/** Operators' calls: the server's screens, its health, and changes to its catalogue. */

import "./admin-schema.js";
import { utf8 } from "./bytes.js";
import { Content, Item } from "./content.js";
import { FATAL, MarqueeError, RETRY } from "./errors.js";
import { Screen } from "./screen.js";
import { OWN } from "./view.js";

/** @typedef {import("./client.js").MarqueeClient} MarqueeClient */
/** @typedef {import("./client.js").CallOptions} CallOptions */

const HEALTH = 1, DESCRIBE = 2, GET_SCREEN = 3, PUBLISH = 6;
/** Maximum number of bytes of changes in one request; a frame has room for a little more. */
const PART_BYTES = 60_000;
const PUBLICATION_BYTES = 8 << 20;

/**
 * The state of the server.
 * @param {MarqueeClient} client
 * @param {CallOptions} [options]
 */
export const health = (client, options = {}) => client.call(HEALTH, "DescribeRequest", {}, "HealthAnswer", options);

/**
 * The screens that this client can show.
 * @param {MarqueeClient} client
 * @param {CallOptions & {locale?: string}} options
 */
export const describe = (client, { locale, ...options } = {}) =>
  client.call(DESCRIBE, "DescribeRequest", { locale }, "DescribeAnswer", options);

/**
 * Fetches a screen once from the server, and verifies all its sums.
 * @param {MarqueeClient} client
 * @param {string} screen
 * @param {CallOptions & {locale?: string}} options
 * @returns {Promise<Screen>}
 */
export async function fetchScreen(client, screen, { locale, ...options } = {}) {
  const answer = await client.call(GET_SCREEN, "GetScreenRequest", { screen, locale }, "GetScreenAnswer", options);
  const contents = new Map();
  for (const { id = OWN, head = new Uint8Array(), items = [], sum } of [answer.view, ...(answer.sections ?? [])]) {
    const content = new Content(head, items.map((/** @type {any} */ item) => new Item(item)));
    if (content.sum !== sum) throw new MarqueeError("BODY_INVALID", RETRY, { message: "a sum doesn't match" });
    contents.set(id, content);
  }
  const state = { screen, served: answer.locale, contents, live: true, asOf: Date.now(), cut: answer.cut };
  return new Screen({ ...state, error: undefined, errors: new Map() }, []);
}

/**
 * Publishes changes as one commit; resolves when the server has committed them. Without a connection, they wait in the
 * outbox.
 * @param {MarqueeClient} client
 * @param {object[]} changes such as `{put: {type, id, record}}`
 * @param {{key?: string}} options a commit with a `key` is made only once, whoever sends it
 * @returns {Promise<{changed: boolean}>}
 */
export async function publish(client, changes, { key } = {}) {
  const documents = changes.map((change) => utf8(JSON.stringify(change)));
  /** @type {Uint8Array[][]} */
  const parts = [[]];
  let size = 0, total = 0;
  for (const document of documents) {
    const message = `a change has at most ${PART_BYTES} bytes`;
    if (document.length > PART_BYTES) throw new MarqueeError("LIMIT", FATAL, { message });
    if (size + document.length + 8 > PART_BYTES) size = parts.push([]) && 0;
    parts[parts.length - 1].push(document);
    size += document.length + 8;
    total += document.length;
  }
  if (total > PUBLICATION_BYTES) throw new MarqueeError("PUBLICATION_TOO_LARGE");
  const messages = parts.map((part, index) => ({ key, index, last: index === parts.length - 1, changes: part }));
  const { confirmed } = await client.change({ method: PUBLISH, type: "PublishRequest", messages });
  return confirmed;
}
