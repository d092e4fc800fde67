// agents against a real daemon, with an agent to install from a registry on loopback.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tarGz } from "../../../tests/install/archives.mjs";
import { bytes, json, startServer, status } from "../../../tests/install/registry_server.mjs";
import { nodeAgent } from "../../../tests/install/test_agents.mjs";
import { Agents, type InstallProgress } from "../src/agents.js";
import { AgentNotFoundError, CancelledError, InstallError } from "../src/errors.js";
import { failureOf, startDaemon } from "./http_daemon.js";
import { quickest, timed } from "./waiting.js";

let web: Awaited<ReturnType<typeof startServer>>;
let daemon: Awaited<ReturnType<typeof startDaemon>>;
let agents: Agents;
let folder: string;

beforeAll(async () => {
  web = await startServer();
  web.put("/tin", bytes(tarGz([{ name: "agent", body: nodeAgent("1.0.0"), mode: 0o755 }])));
  web.put("/rusty", status(500));
  web.put("/stuck", () => undefined);
  const names = ["tin", "rusty", "stuck"];
  web.put("/registry.json", json({ version: "1.0.0", agents: names.map((id) => registryEntry(id)) }));
  folder = await manifests(names);
  daemon = await startDaemon({ args: ["--registry-url", `${web.url}/registry.json`, "--agents-dir", folder] });
  agents = new Agents(daemon.caller());
});
afterAll(async () => {
  await daemon.stop();
  await web.stop();
  await rm(folder, { recursive: true });
});

describe("knowing agents", () => {
  it("lists them and finds one by its id or an alias", async () => {
    const all = await agents.list();
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(["mock", "tin"]));
    expect(await agents.get("mock")).toMatchObject({ id: "mock", installed: true });
    expect(await agents.get("tinny")).toMatchObject({ id: "tin" });
  });

  it("asks an agent what it offers", async () => {
    const mock = await agents.get("mock", { config: true, fresh: true });
    expect(mock.configOptions?.length).toBeGreaterThan(0);
  });

  it("names the nearest ones for a name it does not know", async () => {
    for (const ask of [() => agents.get("mokc"), () => agents.install("mokc"), () => agents.uninstall("mokc")]) {
      const { value: failure, ms } = await quickest(1000, () => timed(() => failureOf(ask())));
      expect(ms).toBeLessThan(1000);
      expect(failure).toBeInstanceOf(AgentNotFoundError);
      expect((failure as AgentNotFoundError).suggestions).toContain("mock");
      expect((failure as AgentNotFoundError).hint).toMatch(/did you mean/i);
    }
  });

  it("does not let a name become another path", async () => {
    for (const name of ["", ".", ".."]) expect(await failureOf(agents.get(name))).toMatchObject({ code: "invalid_option" });
    expect(await failureOf(agents.get("../health"))).toBeInstanceOf(AgentNotFoundError);
    expect(await failureOf(agents.get("a/b?c=d#e"))).toBeInstanceOf(AgentNotFoundError);
  });
});

describe("installing", () => {
  it("has nothing to do for the demo agent", async () => {
    const result = await agents.install("mock", { onProgress: () => undefined });
    expect(result).toMatchObject({ alreadyInstalled: true, artifacts: [{ source: "builtin" }] });
  });

  it("tells its progress, and removes what it installed", async () => {
    const phases: InstallProgress[] = [];
    const first = await agents.install("tin", { onProgress: (progress) => phases.push(progress) });
    expect(first).toMatchObject({ alreadyInstalled: false, artifacts: [{ kind: "agent_process", version: "1.0.0" }] });
    expect(phases.map(({ phase }) => phase)).toEqual(expect.arrayContaining(["downloading"]));
    expect((await agents.get("tin")).installed).toBe(true);
    expect((await agents.install("tin")).alreadyInstalled).toBe(true);
    expect((await agents.install("tin", { reinstall: true })).alreadyInstalled).toBe(false);
    await agents.uninstall("tin");
    expect((await agents.get("tin")).installed).toBe(false);
  });

  it("rejects with InstallError when it fails", async () => {
    const failure = await failureOf(agents.install("rusty"));
    expect(failure).toBeInstanceOf(InstallError);
    expect(failure).toMatchObject({ code: "install_failed", status: 500, problem: { agent: "rusty" } });
    expect((failure as InstallError).hint).toBeTruthy();
  });

  it("stops waiting when its signal is aborted", async () => {
    const controller = new AbortController();
    const waiting = agents.install("stuck", { signal: controller.signal, onProgress: () => controller.abort() });
    expect(await failureOf(waiting)).toBeInstanceOf(CancelledError);
  });

  it("rejects with what onProgress throws", async () => {
    const onProgress = () => {
      throw new RangeError("mine");
    };
    expect(await failureOf(agents.install("tin", { reinstall: true, onProgress }))).toBeInstanceOf(RangeError);
  });
});

function registryEntry(id: string) {
  const platform = `linux-${process.arch === "arm64" ? "aarch64" : "x86_64"}`;
  const archive = { archive: `${web.url}/${id}`, cmd: "./agent" };
  return { id, name: id, version: "1.0.0", distribution: { binary: { [platform]: archive } } };
}

async function manifests(names: string[]): Promise<string> {
  const made = await mkdtemp(path.join(os.tmpdir(), "sdk-agents-"));
  for (const id of names) {
    const manifest = { id, name: id, registry: [id], aliases: id === "tin" ? ["tinny"] : [] };
    await writeFile(path.join(made, `${id}.json`), JSON.stringify(manifest));
  }
  return made;
}
