// A home of its own for commands, and the background daemon they start there. leave() stops the daemon and removes the home.
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const binary = process.env.SANDBOX_AGENT_UNDER_TEST ?? fileURLToPath(new URL("../../build/release/sandbox-agent", import.meta.url));
const patience = 30_000 * Number(process.env.SA_TIME_SCALE ?? 1);

export class Place {
  constructor(home) {
    this.home = home;
    const under = (name) => path.join(home, name);
    this.env = {
      PATH: process.env.PATH,
      HOME: home,
      XDG_DATA_HOME: under("data"),
      XDG_CONFIG_HOME: under("config"),
      XDG_STATE_HOME: under("state"),
      XDG_RUNTIME_DIR: under("run"),
      ASAN_OPTIONS: process.env.ASAN_OPTIONS ?? "",
    };
  }

  static async make() {
    const place = new Place(await mkdtemp(path.join(os.tmpdir(), "cli-json-")));
    for (const name of ["data", "config", "state", "run"]) await mkdir(path.join(place.home, name), { mode: 0o700 });
    return place;
  }

  write(name, text, mode = 0o600) {
    return writeFile(path.join(this.home, name), text, { mode });
  }

  // How a command ended and what it printed. `until`: a text on stdout after which it is interrupted.
  run(words, { input, until, env = {} } = {}) {
    const child = spawn(binary, words, {
      cwd: this.home,
      env: { ...this.env, ...env },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      timeout: patience,
      killSignal: "SIGKILL",
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
    const ended = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text) => {
      ended.out += text;
      if (until && ended.out.includes(until)) child.kill("SIGINT");
    });
    child.stderr.setEncoding("utf8").on("data", (text) => (ended.err += text));
    return new Promise((resolve) => child.on("close", (code) => resolve({ ...ended, code })));
  }

  async leave() {
    await this.run(["daemon", "stop"]);
    await rm(this.home, { recursive: true, force: true });
  }
}
