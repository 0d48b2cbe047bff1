/** The protocol over WebSocket. Each binary message is a piece of the stream of frames. */

/**
 * A connection of any transport.
 * @typedef {object} Connection
 * @property {(bytes: Uint8Array) => void} send
 * @property {() => void} close
 * @property {() => number} buffered bytes passed to `send` that aren't on the network yet
 */

/**
 * The events of a connection.
 * @typedef {{open: () => void, data: (bytes: Uint8Array) => void, close: (cause?: unknown) => void}} Listener
 */

/**
 * Opens a connection.
 * @typedef {(url: string, listener: Listener) => Connection} Transport
 */

/**
 * A URL without a path gets the server's default path.
 * @type {Transport}
 */
export function websocket(url, listener) {
  const target = new URL(url);
  if (target.pathname === "/") target.pathname = "/v1/connect";
  const socket = new WebSocket(target, "marquee.v1");
  socket.binaryType = "arraybuffer";
  socket.onopen = listener.open;
  socket.onmessage = (event) => listener.data(new Uint8Array(event.data));
  socket.onclose = (event) => listener.close(event.reason || undefined);
  return {
    send: (bytes) => socket.send(bytes),
    close() {
      socket.onmessage = socket.onclose = null;
      socket.close();
    },
    buffered: () => socket.bufferedAmount,
  };
}
