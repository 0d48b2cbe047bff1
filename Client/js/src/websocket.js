/** The protocol over WebSocket: binary messages are pieces of the stream of frames. */

/**
 * A connection of some kind.
 * @typedef {object} Connection
 * @property {(bytes: Uint8Array) => void} send
 * @property {() => void} close
 * @property {() => number} buffered bytes that were sent and not taken yet
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
 * @type {Transport} a URL without a path gets the server's
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
