// The process is gone, with the daemon or without it: the agent is asked to go on, and if it cannot, that is said.
import { describe, expect, test } from "vitest";
import "../guards.js";
import { failureOf, firstOf } from "../waiting.js";
import { inLand, type Land, type Offer } from "./land.js";
import { logOf, messageOf, turnsIn } from "./logs.js";
import { ofProcess } from "./witness.js";
import type { Session } from "../../src/index.js";

const wordsAround = 100; // what says that it is replayed
const giveUpAfterMs = 1_000; // a stream has as long to open, on any machine

/** What the agent "remembering" knows: everything that was said, and the prompt it was asked with. */
async function recalled(session: Session) {
  const { text } = await session.prompt("recall");
  return JSON.parse(text) as {
    past: [string, string][];
    prompt: { type: string; text: string; _meta?: unknown }[];
    opened?: object;
  };
}

/** A session with a turn that is over and one that the loss of the daemon interrupted. */
async function interrupted(land: Land, agent: string, id: string, words = land.hold().words) {
  const client = await land.open({ giveUpAfterMs });
  const session = await client.createSession({ agent, cwd: "/", id, serverId: id });
  await session.prompt("remember the milk");
  const turn = session.prompt(words);
  await firstOf(turn, "text");
  await session.flush();
  const log = await logOf(session);
  const failed = failureOf(turn);
  await land.loseDaemon();
  await failed;
  await client.dispose();
  return { log, agentSessionId: session.agentSessionId };
}

describe("after the loss of the daemon", () => {
  inLand((land) => {
    test.each<[Offer, Session["restored"]]>([
      ["load", "loaded"],
      ["tardy", "loaded"],
      ["resume", "resumed"],
      ["both", "resumed"],
      ["halfway", "loaded"],
    ])('an agent that offers "%s" goes on, and the session is %s', async (offer, restored) => {
      const id = `lost with ${offer}`;
      const before = await interrupted(land(), offer, id);
      const client = await land().open();
      const session = await client.restoreSession({ id });
      expect(session.restored).toBe(restored);
      expect(session.id).toBe(id);
      expect(session.agentSessionId).toBe(before.agentSessionId);
      expect(session.turn?.over ?? true, "the interrupted turn is over").toBe(true);

      const { past } = await recalled(session);
      expect(past.slice(0, 2)).toEqual([
        ["user", "remember the milk"],
        ["agent", "you said: remember the milk"],
      ]);
      const log = await logOf(session);
      expect(log.slice(0, before.log.length), "what was logged stays").toEqual(before.log);
      expect(turnsIn(log).map(({ words }) => words?.split(" ")[0])).toEqual(["remember", "hold", "recall"]);
      const later = log.slice(before.log.length);
      expect(new Set(later.map(({ epoch }) => epoch)).size).toBe(1);
      const told = log.filter(({ json }) => json.includes("you said: remember the milk") && !json.includes("past"));
      expect(told, "the past that load told again is not logged again").toHaveLength(1);
      const method = restored === "loaded" ? "session/load" : "session/resume";
      expect(later.some((entry) => messageOf(entry).method === method)).toBe(true);
    });

    test("the log of the new process is what an independent reader saw, without the past that was told again", async () => {
      const id = "watched after the loss";
      await interrupted(land(), "load", id);
      const client = await land().open();
      const session = await client.restoreSession({ id });
      const witness = land().witness(session.serverId);
      await session.prompt("steps 5");
      await witness.whenAnswered(session.agentSessionId);
      const seen = witness.ofSession(session.agentSessionId);
      const answer = seen.findIndex(({ from, json }) => from === "agent" && !json.includes("session/update"));
      const [load, ...rest] = [seen[0], ...seen.slice(answer)];
      expect(JSON.parse(load!.json)).toMatchObject({ method: "session/load" });
      expect(answer, "it told the past").toBeGreaterThan(1);
      expect(ofProcess(await logOf(session), 1)).toEqual([load, ...rest]);
    });

    test("it can be lost again and again", async () => {
      const id = "lost often";
      await interrupted(land(), "both", id);
      for (const time of [1, 2]) {
        const client = await land().open({ giveUpAfterMs });
        const session = await client.restoreSession({ id });
        await session.prompt(`time ${time}`);
        await land().loseDaemon();
        await client.dispose();
      }
      const session = await (await land().open()).restoreSession({ id });
      const { past } = await recalled(session);
      expect(past.map(([, text]) => text)).toContain("you said: time 2");
      const log = await logOf(session);
      expect(new Set(log.map(({ epoch }) => epoch)).size).toBe(4);
    });

    test.each([
      ["mock", "/slow 100"],
      ["forgets", undefined],
      ["neither", undefined],
    ])('the agent "%s" cannot go on: it is said, nothing runs, and text can be replayed', async (agent, words) => {
      const id = `lost with ${agent}`;
      const before = await interrupted(land(), agent, id, words);
      const client = await land().open();
      expect(await failureOf(client.restoreSession({ id }))).toMatchObject({ code: "cannot_restore" });
      await client.dispose();
      expect((await land().servers()).filter(({ status }) => status === "running")).toEqual([]);

      const session = await (await land().open()).restoreSession({ id, replayText: true });
      expect(session.restored).toBe("replayed");
      await session.prompt("go on");
      await session.prompt("and on");
      const log = await logOf(session);
      expect(log.slice(0, before.log.length)).toEqual(before.log);
      const prompts = log
        .filter((entry) => entry.epoch > before.log[0]!.epoch && messageOf(entry).method === "session/prompt")
        .map((entry) => messageOf(entry).params!.prompt as { text: string; _meta?: Record<string, unknown> }[]);
      expect(prompts.map((prompt) => prompt.at(-1)!.text)).toEqual(["go on", "and on"]);
      expect(prompts[0]).toHaveLength(2);
      expect(prompts[0]![0]!._meta).toMatchObject({ "sandboxagent.dev": { replayed: true } });
      expect(prompts[0]![0]!.text).toContain("remember the milk");
      expect(prompts[1], "only the first prompt carries it").toHaveLength(1);
    });

    test("the replayed text is what was said, by whom, and no longer than allowed", async () => {
      const id = "replayed";
      await interrupted(land(), "neither", id);
      const session = await (await land().open()).restoreSession({ id, replayText: { maxChars: 400 } });
      const { prompt } = await recalled(session);
      expect(prompt).toHaveLength(2);
      expect(prompt[0]!.text.length).toBeLessThanOrEqual(400 + wordsAround);
      for (const words of ["remember the milk", "you said: remember the milk", "first half, "])
        expect(prompt[0]!.text).toContain(words);
    });

    test("with no room for all of it the end of the log is replayed", async () => {
      const id = "replayed in part";
      const client = await land().open();
      const before = await client.createSession({ agent: "neither", cwd: "/", id });
      for (let time = 1; time <= 20; ++time) await before.prompt(`this is number ${time} of twenty`);
      await client.dispose();
      const session = await (await land().open()).restoreSession({ id, replayText: { maxChars: 300 } });
      const { prompt } = await recalled(session);
      expect(prompt[0]!.text.length).toBeLessThanOrEqual(300 + wordsAround);
      expect(prompt[0]!.text).toContain("you said: this is number 20 of twenty");
      expect(prompt[0]!.text).not.toContain("this is number 1 of twenty");
    });

    test.each(["load", "resume"])('the agent "%s" is told again what the session was made with', async (agent) => {
      const id = `made with much, ${agent}`;
      const client = await land().open();
      const mcpServers = [{ name: "tools", command: "/bin/true", args: ["x"], env: [] }];
      const wishes = { cwd: land().home, mcpServers, additionalDirectories: ["/usr"] };
      await (await client.createSession({ agent, id, ...wishes })).prompt("hello");
      await client.dispose();
      const session = await (await land().open()).restoreSession({ id });
      expect(session.cwd).toBe(land().home);
      expect((await recalled(session)).opened).toMatchObject(wishes);
    });

    test("text that was not told yet is told by the client that comes next", async () => {
      const id = "not told yet";
      await interrupted(land(), "neither", id);
      await (await land().open()).restoreSession({ id, replayText: true });
      const next = await (await land().open()).restoreSession({ id });
      expect(next.restored).toBe("replayed");
      expect((await recalled(next)).prompt[0]!.text).toContain("remember the milk");
      const last = await (await land().open()).restoreSession({ id });
      expect(last.restored).toBe("attached");
      expect((await recalled(last)).prompt).toHaveLength(1);
    });

    test("replaying is the last resort: an agent that remembers is asked", async () => {
      const id = "not replayed";
      await interrupted(land(), "both", id);
      const session = await (await land().open()).restoreSession({ id, replayText: true });
      expect(session.restored).toBe("resumed");
      const { prompt } = await recalled(session);
      expect(prompt).toHaveLength(1);
    });
  });
});
