/** Headless Chromium over WebDriver, without a library: chromedriver speaks JSON over HTTP. */

import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const has = (program) => {
  try {
    return execFileSync("which", [program], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
};
const driver = has("chromedriver");
const chromium = process.env.CHROMIUM ?? has("chromium");

/** Why no browser can be started; empty if one can. */
export const noBrowser = !driver ? "chromedriver is missing" : !chromium ? "chromium is missing" : "";

export class Browser {
  async start() {
    this.profile = mkdtempSync(join(tmpdir(), "marquee-js-profile-"));
    this.process = spawn(driver, ["--port=0"], { stdio: ["ignore", "pipe", "ignore"] });
    let output = "";
    for await (const chunk of this.process.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
      output += chunk;
      const found = /on port (\d+)\./.exec(output);
      if (!found) continue;
      this.base = `http://127.0.0.1:${found[1]}`;
      break;
    }
    this.process.stdout.resume();
    const args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
    const options = { binary: chromium, args: [...args, `--user-data-dir=${this.profile}`] };
    const alwaysMatch = { "goog:chromeOptions": options, timeouts: { script: 60_000 } };
    const { sessionId } = await this.send("POST", "/session", { capabilities: { alwaysMatch } });
    this.base += `/session/${sessionId}`;
    return this;
  }

  async send(method, path, body) {
    const response = await fetch(this.base + path, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  }

  open(url) {
    return this.send("POST", "/url", { url });
  }

  /** A new tab, which is the current one from now on. */
  async tab(url) {
    const { handle } = await this.send("POST", "/window/new", { type: "tab" });
    await this.switch(handle);
    await this.open(url);
    return handle;
  }

  current() {
    return this.send("GET", "/window");
  }

  switch(handle) {
    return this.send("POST", "/window", { handle });
  }

  /** Closes the current tab. */
  close() {
    return this.send("DELETE", "/window");
  }

  /** Runs an async function in the page, and gives its result. */
  async run(code, ...args) {
    const script = `const words = [...arguments];
      const done = words.pop();
      (${code})(...words).then((value) => done({ value }), (error) => done({ error: String(error.stack || error) }));`;
    const { value, error } = await this.send("POST", "/execute/async", { script, args });
    if (error) throw new Error(error);
    return value;
  }

  async stop() {
    await this.send("DELETE", "").catch(() => {});
    this.process.kill();
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
