// The world in which a document's snippets run: a home and a small project in a scratch folder, the program under test on PATH, a
// free port, and servers that stand in for npm's registry and for the list of agents. No key of the caller reaches it.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { binary } from "../contract/daemon.mjs";
import { freePort } from "../contract/free_port.mjs";
import { processesWith } from "../install/disk.mjs";
import { startNpmRegistry } from "../install/npm_registry.mjs";
import { json, startServer } from "../install/registry_server.mjs";
import { nodeAgent } from "../install/test_agents.mjs";
import { until } from "../install/waiting.mjs";

const underTest = path.resolve(binary);

export async function makeStage(repository) {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "docs-")));
  const place = (name) => path.join(folder, name);
  for (const name of ["home", "project", "tmp", "bin", "snippets"]) mkdirSync(place(name));
  symlinkSync(underTest, path.join(place("bin"), "sandbox-agent"));
  symlinkSync(process.execPath, path.join(place("bin"), "node"));
  symlinkSync(onPath("npm"), path.join(place("bin"), "npm"));
  writeFileSync(path.join(place("project"), "README.md"), "# Hello\n\nA program that greets.\n");
  writeFileSync(path.join(place("project"), "hello.py"), 'print("Hello, world!")\n');
  const packages = standIns(path.join(repository, "agents"));
  const [web, npm, port] = await Promise.all([startServer(), startNpmRegistry(), freePort()]);
  web.put("/registry.json", json({ version: "1.0.0", agents: [] })); // so the pinned npm packages are taken
  for (const [parts, options] of packages) npm.publish(parts, options);
  return new Stage({ folder, home: place("home"), project: place("project"), snippets: place("snippets"), web, npm, port }, {
    PATH: `${place("bin")}:/usr/bin:/bin:/usr/sbin:/sbin`,
    LANG: "C.UTF-8",
    HOME: place("home"),
    TMPDIR: place("tmp"),
    SANDBOX_AGENT_PORT: String(port),
    SANDBOX_AGENT_BIN: path.join(place("bin"), "sandbox-agent"),
    SANDBOX_AGENT_ACP_REGISTRY_URL: `${web.url}/registry.json`,
    npm_config_registry: npm.url,
    npm_config_fetch_retries: "0",
  });
}

class Stage {
  constructor(parts, environment) {
    Object.assign(this, parts, { environment });
  }

  survivors() {
    return processesWith(`HOME=${this.home}`);
  }

  // Ends whatever runs here, or only these, at once.
  kill(processes = this.survivors()) {
    for (const { pid } of processes)
      try {
        process.kill(pid, "SIGKILL");
      } catch {} // it ended meanwhile
  }

  // Stops the background daemon; an error when that fails or something runs on.
  async end() {
    try {
      const { code, output } = await this.command("daemon", "stop");
      if (code !== 0) throw new Error(`sandbox-agent daemon stop ended with ${code}\n${output}`);
      const nobody = () => this.survivors().length === 0;
      await until("nothing runs", nobody, 3000).catch(() => {
        throw new Error(`left running: ${this.survivors().map(({ pid, command }) => `\n  ${pid} ${command}`).join("")}`);
      });
    } finally {
      this.kill();
      await Promise.all([this.web.stop(), this.npm.stop()]);
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  command(...words) {
    const options = { env: this.environment, cwd: this.home, timeout: 30_000 };
    return new Promise((resolve) =>
      execFile(underTest, words, options, (error, out, errors) =>
        resolve({ code: error ? (error.code ?? error.signal) : 0, output: out + errors })),
    );
  }
}

function onPath(program) {
  for (const folder of process.env.PATH.split(":"))
    try {
      return realpathSync(path.join(folder, program));
    } catch {} // not there
  throw new Error(`${program} is not on PATH`);
}

// For every npm package that a manifest names, a program that speaks a little ACP; and Node.js itself, for agents that want a
// newer one: [[package, options]].
function standIns(folder) {
  const manifests = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const agents = manifests.flatMap((name) => {
    const { process: agent, native } = JSON.parse(readFileSync(path.join(folder, name), "utf8"));
    return [agent?.npm, native?.npm].filter(Boolean).map(({ package: name, version, bin }) => [
      { name, version, bin: { [bin]: "agent.js" }, files: { "agent.js": nodeAgent(version) } },
    ]);
  });
  const same = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`;
  const node = { version: "22.0.0", bin: { node: "bin/node" }, files: { "bin/node": same } };
  const versions = Array.from({ length: 1000 }, (_, at) => `22.${Math.floor(at / 10)}.${at % 10}`); // whichever is wanted
  return [...agents, ...["node", `node-linux-${process.arch}`].map((name) => [{ name, ...node }, { versions }])];
}
