// A turn: an iterable of its events and a promise of its result, against the demo agent.
import { expect, test } from "vitest";
import "./guards.js";
import { inBothModes, timeScale } from "./place.js";
import { eventsOf, failureOf, firstOf, quickest, seenUntilFailure, textOf, timed, until } from "./waiting.js";
import { CancelledError, type ToolEvent, type TurnEvent } from "../src/index.js";

inBothModes("a turn", (place) => {
  const begin = async () => (await place().open()).createSession({ agent: "mock", cwd: "/" });

  test("awaited or read, tells the same text", async () => {
    const session = await begin();
    const { text, stopReason } = await session.prompt("/think");
    expect(stopReason).toBe("end_turn");
    const turn = session.prompt("/think");
    const events = await eventsOf(turn);
    expect(textOf(events)).toBe(text);
    expect(await turn).toMatchObject({ text, stopReason });
    expect(events.filter(({ type }) => type === "thought")).not.toEqual([]);
  });

  test("takes content as well as words", async () => {
    const session = await begin();
    const { text } = await session.prompt([
      { type: "text", text: "look" },
      { type: "resource_link", uri: "file:///etc/hosts", name: "hosts" },
    ]);
    expect(text).toContain('"look"');
  });

  test("every event carries the message it was made of, untouched and numbered", async () => {
    const events = await eventsOf((await begin()).prompt("/tool"));
    let last = 0;
    for (const { raw } of events) {
      expect(JSON.parse(raw.json)).toEqual(raw.envelope);
      expect(raw.id).toBeGreaterThan(last);
      last = raw.id;
    }
  });

  test("tool events are the sum of what was said of the call", async () => {
    const events = await eventsOf((await begin()).prompt("/tool"));
    const tools = events.filter((event): event is ToolEvent => event.type === "tool");
    const ended = new Map(tools.map((tool) => [tool.toolCallId, tool]));
    expect([...ended.values()].map(({ status }) => status).sort()).toEqual(["completed", "failed"]);
    for (const tool of tools) expect(tool).toMatchObject({ title: expect.stringMatching(/./), kind: expect.any(String) });
  });

  test("plans, commands, usage, pictures and modes have their events", async () => {
    const session = await begin();
    const plan = await eventsOf(session.prompt("/plan"));
    const plans = plan.filter((event) => event.type === "plan");
    expect(plans.at(-1)?.entries.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    expect(plan.filter(({ type }) => type === "usage")).not.toEqual([]);
    const commands = await eventsOf(session.prompt("/commands"));
    expect(commands.find((event) => event.type === "commands")?.commands).not.toEqual([]);
    expect(session.commands.length).toBeGreaterThan(0);
    const picture = await eventsOf(session.prompt("/image"));
    expect(picture.find((event) => event.type === "raw" && event.content?.type === "image")).toBeDefined();
  });

  test("the agent's refusal rejects with its words, and the next turn works", async () => {
    const session = await begin();
    const failure = await failureOf(session.prompt("/error"));
    expect(failure).toMatchObject({ code: "agent_error", message: expect.stringContaining("the error you asked for") });
    expect(failure.data).toMatchObject({ hint: expect.any(String) });
    expect(await session.prompt("hello")).toMatchObject({ stopReason: "end_turn" });
  });

  test("a loop over a turn that fails throws behind the last event, the same that the promise rejects with", async () => {
    const turn = (await begin()).prompt("/error");
    const { events, failure } = await seenUntilFailure(turn);
    expect(textOf(events)).toBe("I am about to fail.");
    expect(failure).toBe(await failureOf(turn));
  });

  test("a failure that nobody reads nor awaits stays quiet", async () => {
    const turn = (await begin()).prompt("/error");
    await until(() => turn.over);
  });

  test("cancel() ends it within a second with stopReason cancelled", async () => {
    const session = await begin();
    const limit = 1_000 * timeScale;
    const cancelled = async () => {
      const turn = session.prompt("/slow 1000");
      await firstOf(turn, "text");
      const { value, ms } = await timed(async () => (await turn.cancel(), turn));
      return { turn, value, ms };
    };
    const { turn, value, ms } = await quickest(limit, cancelled);
    expect(value.stopReason).toBe("cancelled");
    expect(value.text).toMatch(/^step 1 of 1000\n/);
    expect(ms).toBeLessThan(limit);
    await turn.cancel(); // after its end: nothing
    expect((await session.prompt("hello")).stopReason).toBe("end_turn");
  });

  test("cancel() right after prompt() arrives after it", async () => {
    const session = await begin();
    const turn = session.prompt("/slow 1000");
    await turn.cancel();
    expect((await turn).stopReason).toBe("cancelled");
    const other = session.prompt("/slow 1000");
    await session.cancel();
    expect((await other).stopReason).toBe("cancelled");
    await session.cancel(); // nothing runs
  });

  test("an AbortSignal cancels it; one aborted before sends nothing", async () => {
    const session = await begin();
    const abort = new AbortController();
    const turn = session.prompt("/slow 1000", { signal: abort.signal });
    await firstOf(turn, "text");
    abort.abort();
    expect((await turn).stopReason).toBe("cancelled");
    expect(await failureOf(session.prompt("hello", { signal: abort.signal }))).toBeInstanceOf(CancelledError);
    expect(session.turn?.over).toBe(true);
    expect((await session.prompt("hello")).stopReason).toBe("end_turn");
  });

  test("a signal that is aborted afterwards does nothing", async () => {
    const session = await begin();
    const abort = new AbortController();
    await session.prompt("hello", { signal: abort.signal });
    const next = session.prompt("/slow 3");
    abort.abort();
    expect((await next).stopReason).toBe("end_turn");
  });

  test("an agent that ignores cancel rejects it after the grace, and stopAgent() still works", async () => {
    const agent = await place().open();
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    const turn = session.prompt("/hang", { cancelGraceMs: 200 });
    await firstOf(turn, "text");
    await turn.cancel();
    const failure = await failureOf(turn);
    expect(failure).toBeInstanceOf(CancelledError);
    expect(failure).toMatchObject({ code: "cancel_ignored", hint: expect.stringContaining("stopAgent") });
    await session.stopAgent();
    expect(session.ended).toBe(true);
    expect(await failureOf(session.prompt("hello"))).toMatchObject({ code: "not_connected" });
    const next = await agent.createSession({ agent: "mock", cwd: "/" });
    expect((await next.prompt("hello")).stopReason).toBe("end_turn");
  });

  test("stopAgent() ends a hanging turn at once", async () => {
    const session = await begin();
    const turn = session.prompt("/hang");
    await firstOf(turn, "text");
    const failed = failureOf(turn);
    await session.stopAgent();
    expect(await failed).toMatchObject({ code: "not_connected" });
  });

  test("leaving the loop does not cancel it", async () => {
    const session = await begin();
    const turn = session.prompt("/slow 5");
    for await (const event of turn) if (event.type === "text") break;
    const { text, stopReason } = await turn;
    expect(stopReason).toBe("end_turn");
    expect(text).toContain("step 5 of 5");
  });

  test("an exception in the loop does not cancel it", async () => {
    const session = await begin();
    const turn = session.prompt("/slow 3");
    const read = async () => {
      for await (const event of turn) throw new Error(`mine: ${event.type}`);
    };
    await expect(read()).rejects.toThrow("mine");
    expect((await turn).text).toContain("step 3 of 3");
  });

  test("a slow reader gets everything", async () => {
    const turn = (await begin()).prompt("/flood 200");
    let text = "";
    for await (const event of turn) {
      if (event.type === "text") text += event.text;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await turn).text).toBe(text);
  });

  test("a loop that has ended is a turn that has ended: the next prompt may begin", async () => {
    const session = await begin();
    for (let i = 0; i < 5; ++i) {
      const turn = session.prompt("hello");
      for await (const event of turn) void event;
      expect(turn.over).toBe(true);
      expect(session.turn).toBe(turn);
    }
    expect((await session.prompt("hello")).stopReason).toBe("end_turn");
  });

  test("there is one at a time per session: a second prompt rejects and the first goes on", async () => {
    const session = await begin();
    const first = session.prompt("/slow 3");
    const second = session.prompt("hello");
    expect(session.turn).toBe(first);
    await second.cancel(); // itself, not the other one
    expect(await failureOf(second)).toMatchObject({ code: "turn_running" });
    expect(await seenUntilFailure(session.prompt("hello"))).toMatchObject({ events: [], failure: { code: "turn_running" } });
    const { text, stopReason } = await first;
    expect(text).toContain("step 3 of 3");
    expect(stopReason).toBe("end_turn");
    expect(session.turn).toBe(first);
  });

  test("two sessions at once keep their events apart", async () => {
    const agent = await place().open();
    const [one, two] = await Promise.all([1, 2].map(() => agent.createSession({ agent: "mock", cwd: "/" })));
    expect(one?.serverId).toBe(two?.serverId);
    expect(one?.id).not.toBe(two?.id);
    const [first, second] = await Promise.all([eventsOf(one!.prompt("/flood 300")), eventsOf(two!.prompt("/slow 3"))]);
    expect(textOf(first!)).toMatch(/^token 1 [^s]*token 300 $/);
    expect(textOf(second!)).toBe("step 1 of 3\nstep 2 of 3\nstep 3 of 3\n");
    const idOf = ({ raw }: TurnEvent) => (raw.envelope as { params: { sessionId: string } }).params.sessionId;
    const ids = (events: TurnEvent[]) => new Set(events.map(idOf));
    expect(ids(first!)).toEqual(new Set([one!.id]));
    expect(ids(second!)).toEqual(new Set([two!.id]));
  });

  test("a session's mode, model, options and title can be set and seen", async () => {
    const agent = await place().open();
    const wishes = { mode: "plan", model: "demo-large", title: "Mine", metadata: { variant: "v" } };
    const session = await agent.createSession({ agent: "mock", cwd: "/", ...wishes });
    expect(session.metadata).toMatchObject({ mode: "plan", model: "demo-large", title: "Mine", variant: "v", agent: "mock" });
    expect(session.title).toBe("Mine");
    expect(session.modes?.currentModeId).toBe("plan");
    expect((await session.prompt("/permission")).text).toContain("In plan mode");
    await session.setMode("auto");
    expect((await session.prompt("/permission")).text).toContain("In auto mode");
    await session.setModel("demo-small");
    expect(session.models.map(({ modelId }) => modelId)).toEqual(["demo-small", "demo-large"]);
    await session.setOption("thought_level", "off");
    expect(session.options.find(({ id }) => id === "thought_level")).toMatchObject({ currentValue: "off" });
    expect(await session.setMetadata({ own: [1] })).toMatchObject({ own: [1], model: "demo-small", mode: "auto" });
    expect(session.agent).toBe("mock");
  });

  test("close() ends the session and not its neighbour", async () => {
    const agent = await place().open();
    const one = await agent.createSession({ agent: "mock", cwd: "/" });
    const two = await agent.createSession({ agent: "mock", cwd: "/" });
    const turn = one.prompt("/slow 1000");
    await firstOf(turn, "text");
    await one.close();
    expect((await turn).stopReason).toBe("cancelled");
    expect([one.ended, two.ended]).toEqual([true, false]);
    expect((await two.prompt("hello")).stopReason).toBe("end_turn");
    const again = await agent.openSession({ agent: "mock", sessionId: one.id, cwd: "/" });
    expect(again.ended).toBe(false);
    expect((await again.prompt("hello")).stopReason).toBe("end_turn");
  });
});
