/**
 * `marquee conform client` against the client in headless Chromium: each client that it starts is a page of its own, in
 * a frame, with a WebSocket that is bridged to the scripted server. Arguments are those of `conform client`.
 *
 * The command that it starts, and kills, is a program that only holds a connection to here; the page lives as long.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { startBridge } from "./bridge.js";
import { Browser, noBrowser } from "./browser.js";
import { program } from "./server.js";

if (noBrowser) {
  console.log(`skipped: conform client in a browser: ${noBrowser}`);
  process.exit();
}
const bridge = await startBridge((query) => Number(query.get("port")));
const browser = await new Browser().start();
await browser.open(`http://127.0.0.1:${bridge.port}/`);

/** Frames come and go in the order in which this was asked for. */
let turn = Promise.resolve();
const run = (code, ...words) => (turn = turn.then(() => browser.run(code, ...words)));
let lastFrame = 0;
const control = createServer(async (socket) => {
  socket.on("error", () => {});
  const ended = once(socket, "close");
  const [line] = await once(createInterface({ input: socket }), "line");
  const [port, screen, mirror] = line.split(" ");
  const id = `frame-${++lastFrame}`;
  run(async (name, query) => {
    const frame = document.createElement("iframe");
    frame.id = name;
    frame.src = `/test/support/page.html?${query}`;
    document.body.append(frame);
  }, id, `${new URLSearchParams({ port, screen, mirror })}`);
  await ended;
  run(async (name) => document.getElementById(name).remove(), id);
});
await once(control.listen(0, "127.0.0.1"), "listening");

const script = `exec 3<>/dev/tcp/127.0.0.1/${control.address().port}; echo "$@" >&3; exec cat <&3`;
const client = ["bash", "-c", script, "client", "{port}", "{screen}", "{mirror}"];
const conform = spawn(program, ["conform", "client", ...process.argv.slice(2), "--", ...client], { stdio: "inherit" });
[process.exitCode] = await once(conform, "exit");
control.close();
await turn;
await browser.stop();
bridge.close();
