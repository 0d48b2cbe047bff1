// The clients of elements that have a `src`. Elements with the same address and token share one client. The client's
// modules are loaded when the first element needs them.

/** @typedef {import("./src/client.js").MarqueeClient} MarqueeClient */
/** @typedef {import("./src/client.js").Options["token"]} Token */
/** @typedef {{client: Promise<MarqueeClient>, leases: number, closing?: ReturnType<typeof setTimeout>}} Shared */

/**
 * @typedef {object} Lease
 * @property {Promise<MarqueeClient>} client Rejects if the address is invalid, or the modules can't be loaded.
 * @property {() => void} end Ends the lease; to be called once.
 */

/** Milliseconds before a client without elements is closed: an element that is moved within its page is removed and
 * inserted again. */
const LINGER_MILLISECONDS = 1000;

/** @type {Map<Token, Map<string, Shared>>} */
const clients = new Map();

/** Leases the client for an address.
 * @param {string} src Relative to the page; `http` and `https` stand for `ws` and `wss`.
 * @param {Token} token
 * @returns {Lease} */
export function leaseOf(src, token) {
  const bySource = clients.get(token) ?? new Map();
  clients.set(token, bySource);
  /** @type {Shared} */
  const shared = bySource.get(src) ?? { client: clientOf(src, token), leases: 0 };
  bySource.set(src, shared);
  shared.leases += 1;
  clearTimeout(shared.closing);
  const close = () => {
    bySource.delete(src);
    if (bySource.size === 0) clients.delete(token);
    shared.client.then((client) => client.close(), () => {});
  };
  return {
    client: shared.client,
    end: () => {
      shared.leases -= 1;
      if (shared.leases === 0) shared.closing = setTimeout(close, LINGER_MILLISECONDS);
    },
  };
}

/** @param {string} src @param {Token} token */
async function clientOf(src, token) {
  const address = new URL(src, document.baseURI);
  address.protocol = address.protocol.replace("http", "ws");
  const { MarqueeClient } = await import("./src/index.js");
  return new MarqueeClient(address.href, { token });
}
