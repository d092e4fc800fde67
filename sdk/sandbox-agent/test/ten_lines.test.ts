// The ten-line program of the README, with the demo agent.
import { expect, test, vi } from "vitest";
import "./guards.js";
import { isAlive } from "./place.js";
import { SandboxAgent } from "../src/index.js";

test("ten lines start a daemon, run a turn, answer its question and leave nothing behind", async () => {
  const written: string[] = [];
  const tools: [string, string][] = [];
  let daemon = 0;
  const ten = async () => {
    await using agent = await SandboxAgent.start();
    daemon = (await agent.status()).pid;
    const session = await agent.createSession({ agent: "mock", cwd: "." });

    const turn = session.prompt("/permission");
    for await (const e of turn) {
      if (e.type === "text") written.push(e.text);
      if (e.type === "permission") await e.allow("once");
      if (e.type === "tool") tools.push([e.title, e.status]);
    }
    const { text, stopReason, usage, changes } = await turn;
    return { text, stopReason, usage, changes };
  };
  const { text, stopReason, usage, changes } = await ten();
  expect(text).toBe("You chose: Allow once. A real agent would have run the command now.");
  expect(written.join("")).toBe(text);
  expect(stopReason).toBe("end_turn");
  expect(usage).toMatchObject({ used: expect.any(Number), size: 32_000 });
  expect(changes).toEqual([]);
  expect(tools).toEqual([
    ["make clean", "pending"],
    ["make clean", "completed"],
  ]);
  expect(isAlive(daemon)).toBe(false);
});

test("the result carries the files the agent changed", async () => {
  await using agent = await SandboxAgent.start();
  const session = await agent.createSession({ agent: "mock" });
  const { changes } = await session.prompt("/edit");
  expect(changes).toEqual([expect.objectContaining({ path: expect.stringMatching(/^\//), newText: expect.any(String) })]);
});

test("relative folders are below the process's own after start()", async () => {
  await using agent = await SandboxAgent.start({ spawn: true });
  expect((await agent.createSession({ agent: "mock", cwd: "." })).cwd).toBe(process.cwd());
  expect((await agent.createSession({ agent: "mock" })).cwd).toBe(process.cwd());
});

test("the environment names the daemon's program", async () => {
  vi.stubEnv("SANDBOX_AGENT_BIN", "/no/such/program");
  try {
    await expect(SandboxAgent.start()).rejects.toMatchObject({ name: "SandboxAgentError" });
  } finally {
    vi.unstubAllEnvs();
  }
});
