/** The protocol over TCP, and over TLS 1.3, for Node. */

import { connect } from "node:net";
import { connect as connectTLS } from "node:tls";

const DEFAULT_PORT = 7420;
/** Milliseconds after a close in which the last bytes written may still be sent. */
const LINGER = 1000;
/** The application protocol that both sides agree on in the TLS handshake. */
const ALPN = "marquee/1";

/**
 * A transport for `tcp://host:port` and `tls://host:port`. With a `tls:` URL, nothing is ever sent unencrypted.
 * @param {{ca?: string, servername?: string}} [options] for TLS
 * @returns {import("./websocket.js").Transport}
 */
export const tcp = (options = {}) => (url, listener) => {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const target = { host, port: Number(port) || DEFAULT_PORT, noDelay: true };
  const isTLS = protocol === "tls:";
  const socket = isTLS
    ? connectTLS({ servername: host, ...options, ...target, ALPNProtocols: [ALPN], minVersion: "TLSv1.3" })
    : connect(target);
  /** @type {unknown} */
  let cause;
  socket.on(isTLS ? "secureConnect" : "connect", () => {
    if (!isTLS || socket.alpnProtocol === ALPN) listener.open();
    else socket.destroy(new Error(`the server doesn't speak ${ALPN}`));
  });
  socket.on("data", (/** @type {Uint8Array} */ bytes) => listener.data(bytes));
  socket.on("error", (/** @type {unknown} */ error) => (cause = error));
  socket.on("close", () => listener.close(cause));
  return {
    send(bytes) {
      // Bytes sent in the same turn of the event loop are written together.
      if (!socket.writableCorked) {
        socket.cork();
        process.nextTick(() => socket.uncork());
      }
      socket.write(bytes);
    },
    close() {
      socket.removeAllListeners("data");
      socket.removeAllListeners("close");
      // The last bytes, such as the reason for closing, are still sent.
      socket.end();
      /** @type {any} */ (setTimeout(() => socket.destroy(), LINGER)).unref();
    },
    buffered: () => socket.writableLength,
  };
};
