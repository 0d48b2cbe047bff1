/** For tests only: serves this folder to a browser, and bridges a WebSocket to a server's TCP port. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const types = { ".js": "text/javascript", ".html": "text/html; charset=utf-8" };
const KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A binary message of the server. */
function messageOf(data) {
  const head = Buffer.alloc(data.length < 126 ? 2 : data.length < 65536 ? 4 : 10);
  head[0] = 0x82;
  if (head.length === 2) head[1] = data.length;
  else if (head.length === 4) head.writeUInt16BE(data.length, ((head[1] = 126), 2));
  else head.writeBigUInt64BE(BigInt(data.length), ((head[1] = 127), 2));
  return Buffer.concat([head, data]);
}

/** Calls back with the payload of each message of the client. */
function payloads(take) {
  let buffer = Buffer.alloc(0);
  return (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (;;) {
      if (buffer.length < 6) return;
      const short = buffer[1] & 127;
      const at = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (buffer.length < at + 4) return;
      const length = short === 126 ? buffer.readUInt16BE(2) : short === 127 ? Number(buffer.readBigUInt64BE(2)) : short;
      if (buffer.length < at + 4 + length) return;
      const mask = buffer.subarray(at, at + 4);
      const payload = Buffer.from(buffer.subarray(at + 4, at + 4 + length)).map((byte, i) => byte ^ mask[i & 3]);
      take(buffer[0] & 15, payload);
      buffer = buffer.subarray(at + 4 + length);
    }
  };
}

/** Starts it; `target` gives the port of the server to connect to, for a URL's query. */
export async function startBridge(target) {
  const http = createServer(async ({ url }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    try {
      if (pathname.includes("..")) throw new Error("outside");
      const body = pathname === "/" ? "<!doctype html><title>marquee</title>" : await readFile(root + pathname);
      response.writeHead(200, { "content-type": types[extname(pathname)] ?? types[".html"] }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  const sockets = new Set();
  http.on("upgrade", ({ headers, url }, socket) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const accept = createHash("sha1").update(headers["sec-websocket-key"] + KEY).digest("base64");
    if (pathname !== "/v1/connect" || headers["sec-websocket-protocol"] !== "marquee.v1") return socket.destroy();
    const upstream = connect(target(searchParams), "127.0.0.1");
    // The last bytes are still sent.
    const end = () => {
      sockets.delete(socket);
      socket.end();
      upstream.end();
    };
    for (const one of [socket, upstream]) one.on("error", end).on("end", end).on("close", end);
    const lines = [
      "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
      `Sec-WebSocket-Accept: ${accept}`, "Sec-WebSocket-Protocol: marquee.v1",
    ];
    upstream.on("connect", () => {
      sockets.add(socket);
      socket.write(lines.join("\r\n") + "\r\n\r\n");
    });
    socket.on("data", payloads((opcode, payload) => (opcode === 2 ? upstream.write(payload) : opcode === 8 && end())));
    upstream.on("data", (data) => socket.write(messageOf(data)));
  });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    port: http.address().port,
    get connections() {
      return sockets.size;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      http.closeAllConnections();
      http.close();
    },
  };
}
