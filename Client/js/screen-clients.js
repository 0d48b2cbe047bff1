// Clients of elements that name their server: those with the same address and the same token share one. The client's
// modules are loaded when the first element asks.

/** @typedef {import("./src/client.js").MarqueeClient} MarqueeClient */
/** @typedef {import("./src/client.js").Options["token"]} Token */
/** @typedef {{client: Promise<MarqueeClient>, leases: number, closing?: ReturnType<typeof setTimeout>}} Shared */

/**
 * @typedef {object} Lease
 * @property {Promise<MarqueeClient>} client Rejects if the address is invalid, or the modules aren't there.
 * @property {() => void} end To be called once.
 */

/** Milliseconds for which a client without elements stays: an element that is moved on its page leaves it and
 * returns. */
const LINGER_MILLISECONDS = 1000;

/** @type {Map<Token, Map<string, Shared>>} */
const clients = new Map();

/** The client for an address, until the lease ends.
 * @param {string} src Relative to the page; `http` and `https` stand for `ws` and `wss`.
 * @param {Token} token
 * @returns {Lease} */
export function leaseOf(src, token) {
  const ofToken = clients.get(token) ?? new Map();
  clients.set(token, ofToken);
  /** @type {Shared} */
  const shared = ofToken.get(src) ?? { client: clientOf(src, token), leases: 0 };
  ofToken.set(src, shared);
  shared.leases += 1;
  clearTimeout(shared.closing);
  const close = () => {
    ofToken.delete(src);
    if (ofToken.size === 0) clients.delete(token);
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
