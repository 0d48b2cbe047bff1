/** A browser over WebDriver, without a library: its driver speaks JSON over HTTP.
 * MARQUEE_BROWSER names it: `chromium` by default, `firefox`, or `webkit`, which needs a display such as xvfb-run's. */

import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const has = (program) => {
  try {
    return execFileSync("which", [program], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
};

const firefoxDriver = fileURLToPath(new URL("../../../../Tests/js/firefox_driver.py", import.meta.url));
const miniBrowser = () => execFileSync("sh", ["-c", "ls /usr/lib/*/webkit2gtk-4.1/MiniBrowser"], { encoding: "utf8" }).trim();

/** The programs that each browser needs, the command of its driver, and the capabilities that start it. */
const browsers = {
  chromium: {
    programs: ["chromedriver", "chromium"],
    driver: (port) => ["chromedriver", `--port=${port}`],
    capabilities(profile) {
      const args = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"];
      const binary = process.env.CHROMIUM ?? has("chromium");
      return { "goog:chromeOptions": { binary, args: [...args, `--user-data-dir=${profile}`] } };
    },
  },
  firefox: {
    programs: ["python3", "firefox-esr"],
    driver: (port) => ["python3", firefoxDriver, String(port)],
    capabilities: () => ({}),
  },
  webkit: {
    programs: ["WebKitWebDriver"],
    driver: (port) => ["WebKitWebDriver", `--port=${port}`],
    capabilities: () => ({ "webkitgtk:browserOptions": { binary: miniBrowser(), args: ["--automation"] } }),
  },
};
const name = process.env.MARQUEE_BROWSER ?? "chromium";
const chosen = browsers[name];
if (!chosen) throw new Error(`MARQUEE_BROWSER=${name}: there are ${Object.keys(browsers).join(", ")}`);

const missing = chosen.programs.find((program) => !has(program));
/** Why no browser can be started; empty if one can. */
export const noBrowser = missing ? `${missing} is missing` : "";

/** A port that nothing listens on. */
const freePort = () => new Promise((resolve, reject) => {
  const server = createServer();
  server.on("error", reject);
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

/** How often a driver is asked whether it is ready, and the pause in between in milliseconds. */
const attempts = 1_200;
const pause = 50;

export class Browser {
  async start() {
    this.profile = mkdtempSync(join(tmpdir(), "marquee-js-profile-"));
    const port = await freePort();
    const [program, ...words] = chosen.driver(port);
    this.process = spawn(program, words, { stdio: ["pipe", "ignore", "ignore"] });
    this.base = `http://127.0.0.1:${port}`;
    for (let attempt = 1; !(await this.#isReady()); attempt += 1) {
      if (attempt === attempts || this.process.exitCode !== null) throw new Error(`${program} doesn't start`);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    const alwaysMatch = { ...chosen.capabilities(this.profile), timeouts: { script: 60_000 } };
    const { sessionId } = await this.send("POST", "/session", { capabilities: { alwaysMatch } });
    this.base += `/session/${sessionId}`;
    return this;
  }

  async #isReady() {
    try {
      return (await this.send("GET", "/status")).ready;
    } catch {
      return false;
    }
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
    this.process.stdin.end();
    if (name !== "firefox") this.process.kill();
    else await new Promise((resolve) => this.process.once("exit", resolve));
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
