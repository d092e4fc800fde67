// The first use once more, by a program that other people's agents drive browsers with. It keeps a process of its own between
// commands; everything of it lives below a folder of ours and is gone at the end.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { executable } from "../browser/page.mjs";
import { marked } from "../real_agents/processes.mjs";
import { until } from "../real_agents/waiting.mjs";
import { InspectedDaemon } from "./daemon.mjs";

const program = fileURLToPath(new URL("../../node_modules/.bin/agent-browser", import.meta.url));
const run = promisify(execFile);
const scale = Number(process.env.SA_TIME_SCALE ?? 1); // how much longer a limit is where everything is slower

class AgentBrowser {
  mark = ["INSPECTOR_MARK", randomUUID()];

  static async start() {
    const browser = new AgentBrowser();
    browser.home = await mkdtemp(path.join(os.tmpdir(), "inspector-"));
    return browser;
  }

  get #environment() {
    return {
      PATH: process.env.PATH,
      HOME: this.home,
      AGENT_BROWSER_SOCKET_DIR: path.join(this.home, "sockets"),
      AGENT_BROWSER_EXECUTABLE_PATH: executable(),
      AGENT_BROWSER_ARGS: "--no-sandbox,--no-proxy-server,--disable-background-networking", // root cannot use the sandbox
      AGENT_BROWSER_ALLOWED_DOMAINS: "127.0.0.1",
      AGENT_BROWSER_DEFAULT_TIMEOUT: String(10_000 * scale),
      AGENT_BROWSER_IDLE_TIMEOUT_MS: String(60_000 * scale), // should we be killed
      [this.mark[0]]: this.mark[1],
    };
  }

  async say(...words) {
    const { stdout } = await run(program, words, { cwd: this.home, env: this.#environment, timeout: 30_000 * scale });
    return stdout.trim();
  }

  async stop() {
    const left = () => marked(this.mark.join("="));
    await this.say("close").catch(() => {}); // what is left is ended below
    await until(() => left().length === 0, "the end of the browser", 3000 * scale).catch(() => {
      for (const { pid } of left())
        try {
          process.kill(pid, "SIGKILL");
        } catch {} // it ended meanwhile
    });
    await until(() => left().length === 0, "the end of everything of the browser", 10_000 * scale);
    await rm(this.home, { recursive: true });
  }
}

test("B1 agent-browser opens the page, starts a session and reads the answer, by keys only", { timeout: 60_000 * scale }, async () => {
  const [browser, daemon] = await Promise.all([AgentBrowser.start(), InspectedDaemon.start()]);
  try {
    await browser.say("open", `${daemon.origin}/ui/`);
    await browser.say("wait", "--text", "healthy");
    await browser.say("press", "n");
    await browser.say("wait", "[role=dialog], dialog[open]");
    assert.match(await browser.say("snapshot"), /dialog "New session"/);
    await browser.say("press", "Enter");
    await browser.say("wait", "--url", "/ui/s/");
    await browser.say("wait", "--fn", "document.activeElement?.ariaLabel === 'Message'");
    await browser.say("keyboard", "type", "hello there");
    await browser.say("press", "Enter");
    await browser.say("wait", "--text", 'You said: "hello there"');
    const seen = await browser.say("snapshot");
    assert.match(seen, /log "Conversation"/);
    assert.match(seen, /article "Agent"/);
    assert.match(seen, /textbox "Message"/);
    assert.equal(await browser.say("errors"), "");
    assert.doesNotMatch(await browser.say("console"), /\[(error|warning)\]/i);
  } finally {
    await Promise.all([browser.stop(), daemon.stop()]);
  }
});
