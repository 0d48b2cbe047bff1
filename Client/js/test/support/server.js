/** The real server as a child process. */

import { spawn, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
export const samples = join(root, "Samples");
export const serverProgram = process.env.MARQUEE_SERVER_BIN ?? join(root, ".build/debug/marquee-server");
export const program = serverProgram.replace(/-server$/, "");

/** A data folder of a sample: its types and records, or some of its files. */
export function importSamples(sample = "catalogue", files = ["types.yaml", "catalogue.ndjson", "chart.ndjson"]) {
  const folder = mkdtempSync(join(tmpdir(), "marquee-js-"));
  const data = join(folder, "data");
  for (const name of files) {
    const file = join(samples, sample, name);
    const kind = name === "types.yaml" ? "types" : "ndjson";
    if (existsSync(file)) execFileSync(serverProgram, ["import", kind, file, "--data", data], { stdio: "ignore" });
  }
  const programme = join(samples, sample, "programme.yaml");
  return { folder, data, programme, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A server on data of its own. */
export class Server {
  #programme;
  #more;

  /** @param samples as imported @param more arguments; without any, everybody may do everything */
  constructor({ data, programme }, ...more) {
    this.#programme = programme;
    this.#more = more.length ? more : ["--open"];
    this.data = join(mkdtempSync(join(tmpdir(), "marquee-js-")), "data");
    cpSync(data, this.data, { recursive: true });
  }

  /** Starts it; at the same port, if it ran before. */
  async start() {
    const address = `127.0.0.1:${this.port ?? 0}`;
    const words = ["serve", "--data", this.data, "--listen", address, "--programme", this.#programme];
    words.push("--log-level", "warning", ...this.#more);
    this.process = spawn(serverProgram, words, { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    this.ended = new Promise((resolve) => this.process.once("exit", resolve));
    for await (const chunk of this.process.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
      output += chunk;
      const ready = / ready on [^:]+:(\d+): /.exec(output);
      if (!ready) continue;
      this.port = Number(ready[1]);
      this.url = `tcp://127.0.0.1:${this.port}`;
      this.process.stdout.resume();
      return this;
    }
    throw new Error(`the server did not start: ${output}`);
  }

  async stop() {
    this.process.kill("SIGTERM");
    await this.ended;
  }

  async remove() {
    await this.stop();
    rmSync(join(this.data, ".."), { recursive: true, force: true });
  }
}
