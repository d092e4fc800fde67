// Starting and ending real daemons, and what is left of them when Node ends in every way it can.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../tests/contract/free_port.mjs";
import { SandboxAgentError, TimeoutError } from "../src/errors.js";
import { Caller } from "../src/http/caller.js";
import { spawnSandboxAgent } from "../src/spawn/node.js";
import { binary, failureOf } from "./http_daemon.js";

let home: string;
const readyLine = '{"event":"ready","url":"http://127.0.0.1:1"}';
const env = () => ({ HOME: home, XDG_DATA_HOME: undefined, SANDBOX_AGENT_BIN: binary });

beforeAll(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), "sdk-spawn-"));
});
afterAll(() => rm(home, { recursive: true }));

/** Whether it runs. One that only waits for its parent to take notice does not. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (const begun = Date.now(); !holds(); await pause(10)) if (Date.now() - begun > 10_000) throw new Error(`never: ${what}`);
}

/** A module of the sources as JavaScript, with all it imports, for a plain Node. */
async function javaScriptOf(module: string): Promise<string> {
  const sources = fileURLToPath(new URL("../src/", import.meta.url));
  const folder = path.join(home, "javascript");
  const options = { module: ts.ModuleKind.ES2022, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true };
  const made = new Set<string>();
  const make = async (name: string): Promise<void> => {
    if (made.has(name)) return;
    made.add(name);
    const { outputText } = ts.transpileModule(await readFile(path.join(sources, name), "utf8"), { compilerOptions: options });
    const file = path.join(folder, name.replace(/ts$/, "js"));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, outputText);
    for (const [, imported = ""] of outputText.matchAll(/from "([.][^"]+)js"/g)) {
      await make(path.join(path.dirname(name), `${imported}ts`));
    }
  };
  await make(module);
  await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
  await symlink(fileURLToPath(new URL("../../../node_modules", import.meta.url)), path.join(folder, "node_modules"));
  return path.join(folder, module.replace(/ts$/, "js"));
}

async function program(name: string, text: string): Promise<string> {
  const file = path.join(home, name);
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
  return file;
}

describe("a daemon of our own", () => {
  it("is ready on a free port, with a random token that no command line shows", async () => {
    const [one, two] = await Promise.all([spawnSandboxAgent({ env: env() }), spawnSandboxAgent({ env: env() })]);
    expect(one.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(one.token).toMatch(/^[0-9a-f]{48}$/);
    expect([one.baseUrl, one.token]).not.toContain([two.baseUrl, two.token]);
    expect(await new Caller(one).json("get", "/v1/health")).toMatchObject({ status: "ok" });
    expect(await failureOf(new Caller({ ...one, token: two.token }).json("get", "/v1/health"))).toMatchObject({ status: 401 });
    expect(await readFile(`/proc/${one.pid}/cmdline`, "utf8")).not.toContain(one.token);
    await Promise.all([one.dispose(), two.dispose()]);
  });

  it("takes host, port, token, flags and working directory", async () => {
    const port = await freePort();
    const asked = { host: "0.0.0.0", port, token: "mine", cwd: home, args: ["--max-instances", "3"] };
    await using daemon = await spawnSandboxAgent({ binaryPath: binary, env: env(), ...asked });
    expect(daemon).toMatchObject({ baseUrl: `http://127.0.0.1:${port}`, token: "mine" });
    expect(await new Caller(daemon).json("get", "/v1/status")).toMatchObject({ version: expect.any(String) });
  });

  it("has a process group of its own, so that Ctrl-C is the application's business", async () => {
    await using daemon = await spawnSandboxAgent({ env: env() });
    const [, group] = /^\d+ \(.*\) \S \d+ (\d+)/.exec(await readFile(`/proc/${daemon.pid}/stat`, "utf8")) ?? [];
    expect(Number(group)).toBe(daemon.pid);
  });

  it("is gone when dispose() resolves, however often it is called", async () => {
    const daemon = await spawnSandboxAgent({ env: env() });
    expect(isAlive(daemon.pid)).toBe(true);
    await Promise.all([daemon.dispose(), daemon.dispose()]);
    await daemon[Symbol.asyncDispose]();
    expect(isAlive(daemon.pid)).toBe(false);
  });

  it("may have ended by itself", async () => {
    const daemon = await spawnSandboxAgent({ env: env() });
    process.kill(daemon.pid, "SIGKILL");
    await until("the daemon is gone", () => !isAlive(daemon.pid));
    await daemon.dispose();
    expect(await failureOf(new Caller(daemon).json("get", "/v1/health"))).toMatchObject({ code: "unreachable" });
  });

  it("is killed when it does not heed SIGTERM", { timeout: 15_000 }, async () => {
    const deaf = await program("deaf", `trap "" TERM; echo '${readyLine}'; while :; do sleep 0.1; done`);
    const daemon = await spawnSandboxAgent({ binaryPath: deaf });
    await daemon.dispose();
    expect(isAlive(daemon.pid)).toBe(false);
  });

  it("never waits for somebody to read what it writes", async () => {
    const lines = 20_000;
    const talker = await program(
      "talker",
      `echo '${readyLine}'; i=0
       while [ $i -lt ${lines} ]; do echo "line $i of many words"; echo "line $i" >&2; i=$((i+1)); done; exec sleep 60`,
    );
    let last = "";
    const daemon = await spawnSandboxAgent({ binaryPath: talker, log: (line) => (last = line) });
    await until("all was read", () => last === `line ${lines - 1}`);
    await daemon.dispose();
  });

  it("has its log told line by line", async () => {
    const log: string[] = [];
    const daemon = await spawnSandboxAgent({ env: env(), log: (line) => log.push(line), args: ["--log-level", "debug"] });
    await daemon.dispose();
    expect(log.some((line) => line.includes("shutting down"))).toBe(true);
    expect(log.join("\n")).not.toContain(daemon.token);
  });
});

describe("a daemon that cannot start", () => {
  it("says which port is taken", async () => {
    const taken = createServer();
    await once(taken.listen(0, "127.0.0.1"), "listening");
    const { port } = taken.address() as AddressInfo;
    const failure = (await failureOf(spawnSandboxAgent({ env: env(), port }))) as SandboxAgentError;
    expect(failure.code).toBe("spawn_failed");
    expect(failure.message).toBe(`The daemon did not start: port ${port} is already in use`);
    expect(failure.hint).toContain("--port");
    taken.close();
  });

  it("says which flag is wrong", async () => {
    const failure = (await failureOf(spawnSandboxAgent({ env: env(), args: ["--nonsense"] }))) as SandboxAgentError;
    expect(failure).toMatchObject({ code: "spawn_failed", hint: expect.any(String) });
    expect(failure.message).toContain("--nonsense");
  });

  it("is found nowhere, and the error lists the places", async () => {
    const failure = (await failureOf(
      spawnSandboxAgent({ env: { PATH: "/nowhere", SANDBOX_AGENT_BIN: undefined } }),
    )) as SandboxAgentError;
    expect(failure.code).toBe("binary_not_found");
    for (const place of [
      "binaryPath",
      "SANDBOX_AGENT_BIN",
      `@sandbox-agent/cli-${process.platform}-${process.arch}`,
      "/nowhere",
    ]) {
      expect(failure.hint).toContain(place);
    }
    expect(await failureOf(spawnSandboxAgent({ binaryPath: home }))).toMatchObject({ code: "binary_not_found" });
    expect(await failureOf(spawnSandboxAgent({ env: { SANDBOX_AGENT_BIN: "/none" } }))).toMatchObject({
      code: "binary_not_found",
      message: "SANDBOX_AGENT_BIN names /none, which is not a program.",
    });
  });

  it("is found on PATH", async () => {
    const failing = await program("sandbox-agent", "echo 'error: it was me' >&2; exit 1");
    const failure = await failureOf(spawnSandboxAgent({ env: { PATH: path.dirname(failing), SANDBOX_AGENT_BIN: "" } }));
    expect(failure).toMatchObject({ message: "The daemon did not start: it was me" });
  });

  it("has no working directory", async () => {
    expect(await failureOf(spawnSandboxAgent({ env: env(), cwd: "/none" }))).toMatchObject({ code: "spawn_failed" });
  });

  it("is killed when it is not ready in time, and its last words are told", async () => {
    const slow = await program("slow", 'echo $$ >"$0.pid"; echo "waiting for a miracle" >&2; exec sleep 60');
    const failure = (await failureOf(spawnSandboxAgent({ binaryPath: slow, timeoutMs: 3_000 }))) as TimeoutError;
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(failure.message).toContain("waiting for a miracle");
    expect(failure.hint).toContain("timeoutMs");
    expect(isAlive(Number(await readFile(`${slow}.pid`, "utf8")))).toBe(false);
  });
});

describe("when Node ends", () => {
  const host = fileURLToPath(new URL("./spawn_host.mjs", import.meta.url));
  let module: string;

  beforeAll(async () => {
    module = await javaScriptOf("spawn/node.ts");
  });

  /** A Node process that starts a daemon, says its pid and then does `what`. */
  async function start(what: string): Promise<{ node: ChildProcess; ended: Promise<unknown[]>; pid: number }> {
    const stdio = ["ignore", "ignore", "ignore", "ipc"] as const;
    const node = fork(host, [what, module], { env: { ...process.env, ...env() }, execArgv: [], stdio: [...stdio] });
    const ended = once(node, "exit");
    const [pid] = (await once(node, "message")) as [number];
    return { node, ended, pid };
  }

  it.each([
    ["by process.exit()", "exit", [7, null]],
    ["because it has nothing left to do", "idle", [0, null]],
    ["by an uncaught exception", "throw", [1, null]],
  ])("%s, its daemon ends too", async (_, what, expected) => {
    const { ended, pid } = await start(what);
    expect(await ended).toEqual(expected);
    await until("the daemon is gone", () => !isAlive(pid));
  });

  const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const;
  it.each(signals)("by %s, it does so as ever, and its daemon ends too", async (signal) => {
    const { node, ended, pid } = await start("wait");
    node.kill(signal);
    expect(await ended).toEqual([null, signal]);
    await until("the daemon is gone", () => !isAlive(pid));
  });

  it("later than dispose(), it waits for the daemon to be gone", async () => {
    const { ended, pid } = await start("dispose");
    expect(await ended).toEqual([0, null]);
    expect(isAlive(pid)).toBe(false);
  });
});
