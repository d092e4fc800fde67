// mcp and skills against a real daemon.
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { McpServers, type McpServerConfig } from "../src/mcp.js";
import { Skills, type SkillsConfig } from "../src/skills.js";
import { failureOf, startDaemon } from "./http_daemon.js";

let daemon: Awaited<ReturnType<typeof startDaemon>>;
let mcp: McpServers;
let skills: Skills;

beforeAll(async () => {
  daemon = await startDaemon();
  mcp = new McpServers(daemon.caller());
  skills = new Skills(daemon.caller());
});
afterAll(() => daemon.stop());

describe("mcp", () => {
  const local: McpServerConfig = { type: "local", command: "server", args: ["--stdio"], env: { A: "1" } };
  const remote: McpServerConfig = { type: "remote", url: "https://example.com/mcp", headers: { "X-A": "1" } };

  it("keeps entries by directory and name", async () => {
    expect(await mcp.get(daemon.home, "tools & more")).toBeUndefined();
    await mcp.set(daemon.home, "tools & more", local);
    await mcp.set(daemon.home, "far", remote);
    expect(await mcp.get(daemon.home, "tools & more")).toEqual(local);
    expect(await mcp.get(daemon.home, "far")).toEqual(remote);
    await mcp.remove(daemon.home, "far");
    await mcp.remove(daemon.home, "far");
    expect(await mcp.get(daemon.home, "far")).toBeUndefined();
  });

  it("says which field is wrong", async () => {
    const wrong = { type: "local", command: 5 } as unknown as McpServerConfig;
    const failure = await failureOf(mcp.set(daemon.home, "x", wrong));
    expect(failure).toMatchObject({ code: "unprocessable", status: 422, problem: { field: "command" } });
    expect(await failureOf(mcp.get("", "x"))).toMatchObject({ code: "invalid_request", status: 400 });
  });
});

describe("skills", () => {
  const config: SkillsConfig = { sources: [{ type: "github", source: "owner/repository", skills: ["one"], ref: "main" }] };

  it("keeps entries by directory and name", async () => {
    expect(await skills.get(daemon.home, "mine")).toBeUndefined();
    await skills.set(daemon.home, "mine", config);
    expect(await skills.get(daemon.home, "mine")).toEqual(config);
    await skills.remove(daemon.home, "mine");
    expect(await skills.get(daemon.home, "mine")).toBeUndefined();
  });

  it("does not take a corrupt file or a wrong token for absence", async () => {
    await skills.set(daemon.home, "mine", config);
    await writeFile(path.join(daemon.home, ".sandbox-agent/config/skills.json"), "not JSON");
    expect(await failureOf(skills.get(daemon.home, "mine"))).toMatchObject({ code: "config_corrupt", status: 409 });
    const stranger = new Skills(daemon.caller({ token: "wrong" }));
    expect(await failureOf(stranger.get(daemon.home, "mine"))).toMatchObject({ name: "AuthError", code: "token_invalid" });
  });
});
