import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { changedFiles } from "./changes.js";
import { InstanceView } from "./instance.js";
import { RowList } from "./rows.js";
import { spokenOf } from "./spoken.js";
import { chunk, inWords, Talk, tool } from "./talk_for_tests.js";

test("two sessions of one process never mix", () => {
  const talk = new Talk().begin("a").begin("b").prompt(1, "to a", "a").prompt(2, "to b", "b");
  talk.update(chunk("A1 "), "a").update(chunk("B1 "), "b").update(chunk("A2"), "a").update(chunk("B2"), "b");
  talk.agent({
    id: 9,
    method: "session/request_permission",
    params: { sessionId: "a", toolCall: { title: "t" }, options: [] },
  });
  talk.answer(2, "refusal");
  expect(inWords(talk.session("a").blocks)).toEqual(["user: to a", "message: A1 A2", "permission"]);
  expect(inWords(talk.session("b").blocks)).toEqual(["user: to b", "message: B1 B2", "turn: ended"]);
  talk.choose(9, "x").answer(1);
  expect(talk.session("a").turns.map(({ stopReason }) => stopReason)).toEqual(["end_turn"]);
  expect(talk.session("b").turns.map(({ stopReason }) => stopReason)).toEqual(["refusal"]);
});

test("a session that hears nothing does not change", () => {
  const talk = new Talk().begin("a").begin("b");
  const { version } = talk.session("a");
  talk.update(chunk("for b"), "b");
  expect(talk.session("a").version).toBe(version);
});

test("an update that comes before the answer to session/new is heard, and so is the answer", () => {
  const talk = new Talk().client({ id: 1, method: "session/new", params: { cwd: "/here", mcpServers: [] } });
  talk.update({ sessionUpdate: "available_commands_update", availableCommands: [{ name: "go", description: "" }] });
  const modes = { currentModeId: "a", availableModes: [{ id: "a", name: "A" }] };
  talk.agent({ id: 1, result: { sessionId: "s", modes } });
  expect([...talk.view.sessions.keys()]).toEqual(["s"]);
  const { settings } = talk.session();
  expect(settings.cwd).toBe("/here");
  expect(settings.commands.map(({ name }) => name)).toEqual(["go"]);
  expect(settings.options.map(({ name }) => name)).toEqual(["Mode"]);
  expect(inWords(talk.prompt(2, "hi").update(chunk("ho")).answer(2).blocks)).toEqual([
    "user: hi",
    "message: ho",
    "turn: ended",
  ]);
});

test("a session whose beginning was dropped offers what is remembered of it, as it was changed since", () => {
  const choices = ["a", "b"].map((value) => ({ value, name: value }));
  const mode = { id: "mode", name: "Mode", category: "mode", current: "b", choices, how: "mode" } as const;
  const offer = { options: [{ ...mode, wanted: "a" }], commands: [{ name: "go", description: "" }] };
  const introduction = { agentName: "Demo", canLoad: true, prompts: { image: true, embeddedContext: true }, authMethods: [] };
  const talk = new Talk(undefined, (id) => (id === "s" ? { cwd: "/here", offer, introduction } : undefined));
  talk.gap(9).update({ sessionUpdate: "current_mode_update", currentModeId: "a" });
  expect(talk.session().settings).toEqual({ ...offer, cwd: "/here", options: [{ ...mode, current: "a" }] });
  expect(talk.view.introduction).toEqual(introduction);
  expect(talk.session().isUnknown).toBe(false);
  talk.update(chunk("hi"), "stranger");
  expect(talk.session("stranger").isUnknown).toBe(true);
  expect(talk.begin("whole").session("whole").isUnknown).toBe(false);
});

test("a session that could not be made is none", () => {
  const talk = new Talk().client({ id: 1, method: "session/new", params: { cwd: "/" } });
  talk.agent({ id: 1, error: { code: -32000, message: "Authentication required" } });
  expect(talk.view.sessions.size).toBe(0);
});

test("a fork is a session of its own", () => {
  const talk = new Talk().begin("a").prompt(1, "hi", "a").answer(1);
  talk
    .client({ id: 2, method: "session/fork", params: { sessionId: "a", cwd: "/" } })
    .agent({ id: 2, result: { sessionId: "b" } });
  talk.prompt(3, "ho", "b").update(chunk("forked"), "b");
  expect(inWords(talk.session("a").blocks)).toEqual(["user: hi", "turn: ended"]);
  expect(inWords(talk.session("b").blocks)).toEqual(["user: ho", "message: forked"]);
});

test("the end of the process and what was lost are told to all of its sessions", () => {
  const talk = new Talk().begin("a").begin("b").gap(3).exit({ code: 1 });
  for (const id of ["a", "b"]) expect(inWords(talk.session(id).blocks)).toEqual(["gap", "exit"]);
});

test("a session whose beginning was lost says so", () => {
  const talk = new Talk().gap(100).update(chunk("the rest"));
  expect(inWords(talk.blocks)).toEqual(["gap", "message: the rest"]);
});

test("a session that began after the loss has lost nothing", () => {
  const talk = new Talk().gap(100).begin();
  talk.client({ id: 1, method: "session/load", params: { sessionId: "old", cwd: "/" } });
  expect(talk.session().blocks).toEqual([]);
  expect(talk.session("old").blocks).toEqual([]);
});

test("a question that names no session is asked in all, and closed in all", () => {
  const talk = new Talk().begin("a").begin("b");
  talk.agent({ id: 3, method: "elicitation/create", params: { message: "Which account?" } });
  expect(["a", "b"].map((id) => talk.session(id).asks.length)).toEqual([1, 1]);
  talk.client({ id: 3, result: { action: "accept", content: {} } });
  expect(["a", "b"].map((id) => talk.session(id).asks.length)).toEqual([0, 0]);
});

test("the agent introduces itself once, and a later answer of the same number is none", () => {
  const talk = new Talk().client({ id: 0, method: "initialize", params: { clientInfo: { name: "page" } } });
  expect(talk.view.introduction).toBeUndefined();
  const authMethods = [{ id: "key", name: "API key", description: "from the shop" }, { id: "bare" }, "nonsense"];
  const agentCapabilities = { loadSession: true, promptCapabilities: { image: true } };
  talk.agent({ id: 0, result: { agentInfo: { name: "demo", title: "Demo", version: "2" }, agentCapabilities, authMethods } });
  const introduction = {
    client: "page",
    agentName: "Demo",
    agentVersion: "2",
    canLoad: true,
    prompts: { image: true, embeddedContext: false },
    authMethods: [
      { id: "key", name: "API key", description: "from the shop" },
      { id: "bare", name: "bare" },
    ],
  };
  expect(talk.view.introduction).toEqual(introduction);
  talk.begin().prompt(0, "hi").answer(0);
  expect(talk.view.introduction).toEqual(introduction);
});

interface Line {
  readonly from: "agent" | "client";
  readonly eventId: number;
  readonly message: unknown;
}

const recorded = new URL("../../../sdk/sandbox-agent/test/transcript/recorded/", import.meta.url);
const recordings = readdirSync(recorded).filter((name) => name.endsWith(".jsonl"));
const linesOf = (name: string) =>
  readFileSync(new URL(name, recorded), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

function hear(view: InstanceView, { from, eventId, message }: Line): void {
  const json = JSON.stringify(message);
  view.hear(from === "agent" ? view.log.agent(eventId, message, json) : view.log.client(message, json));
}

/** All the page shows of a process. */
const pictureOf = (view: InstanceView) =>
  [...view.sessions.values()].map((session) => {
    const { sessionId, title, blocks, turns, plan, settings, asks } = session;
    return {
      sessionId,
      title,
      blocks,
      turns,
      plan,
      settings,
      asks,
      rows: new RowList().update(session),
      changes: changedFiles(session),
    };
  });

test.each(recordings)("%s read again from its beginning gives what it gave when it was live", (name) => {
  const lines = linesOf(name);
  const live = new InstanceView("server");
  for (const line of lines) {
    hear(live, line);
    pictureOf(live); // who looks changes nothing
  }
  const replay = new InstanceView("server");
  for (const { from, json, eventId } of live.log.entries)
    hear(replay, { from: from as "agent", eventId, message: JSON.parse(json) });
  expect(pictureOf(live).flatMap(({ blocks }) => blocks).length).toBeGreaterThan(3);
  expect(pictureOf(replay)).toEqual(pictureOf(live));
});

test("a past that is cut anywhere and read again to there gives the same", () => {
  const lines = linesOf("claude.jsonl");
  for (let end = 0; end < lines.length; end += 7) {
    const [one, other] = [new InstanceView("server"), new InstanceView("server")];
    for (const line of lines.slice(0, end)) hear(one, line);
    for (const line of structuredClone(lines.slice(0, end))) hear(other, line);
    expect(pictureOf(one)).toEqual(pictureOf(other));
  }
});

const methods = [
  "initialize",
  "session/new",
  "session/load",
  "session/fork",
  "session/prompt",
  "session/cancel",
  "session/update",
  "session/set_mode",
  "session/set_config_option",
  "session/request_permission",
  "elicitation/create",
  "_sandboxagent/session/request_question",
  "_sandboxagent/session/ended",
  "_adapter/agent_exited",
  "_adapter/invalid_stdout",
  "$/cancel_request",
];
const updates = [
  "agent_message_chunk",
  "user_message_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
  "config_option_update",
  "current_mode_update",
  "available_commands_update",
  "usage_update",
  "session_info_update",
];

const id = fc.oneof(fc.nat(3), fc.constantFrom("0", "1", null), fc.jsonValue({ maxDepth: 1 }));
const sessionId = fc.oneof({ weight: 5, arbitrary: fc.constantFrom("a", "b") }, { weight: 1, arbitrary: fc.jsonValue() });
const anything = fc.jsonValue({ maxDepth: 3 });
const content = fc.oneof(fc.record({ type: fc.constant("text"), text: fc.string() }), anything);
const list = fc.oneof(fc.array(fc.oneof(content, fc.dictionary(fc.string(), anything))), anything);
const update = fc.record(
  {
    sessionUpdate: fc.oneof(fc.constantFrom(...updates), anything),
    content: fc.oneof(content, list),
    toolCallId: fc.oneof(fc.constantFrom("t", "u"), anything),
    status: fc.oneof(fc.constantFrom("pending", "completed", "failed"), anything),
    entries: list,
    configOptions: list,
    availableCommands: list,
    currentModeId: anything,
    title: anything,
    cost: anything,
  },
  { requiredKeys: ["sessionUpdate"] },
);
const params = fc.record(
  {
    sessionId,
    update,
    prompt: list,
    toolCall: anything,
    options: list,
    requestId: id,
    message: anything,
    requestedSchema: anything,
    question_id: anything,
    value: anything,
    configId: anything,
  },
  { requiredKeys: ["sessionId"] },
);
const message = fc.oneof(
  anything,
  fc.record(
    { id, method: fc.oneof(fc.constantFrom(...methods), anything), params: fc.oneof(params, anything) },
    { requiredKeys: ["method"] },
  ),
  fc.record({
    id,
    result: fc.oneof(anything, fc.record({ sessionId, modes: anything, configOptions: list, stopReason: anything })),
  }),
  fc.record({ id, error: anything }),
);
const line = fc.record({ from: fc.constantFrom("agent", "client", "daemon"), message });

test("nonsense of either side never throws, keeps keys apart, and is the same when it is read again", () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const tell = (view: InstanceView) =>
        lines.forEach(({ from, message: said }, at) => {
          const json = JSON.stringify(said);
          if (from === "agent") view.hear(view.log.agent(at + 1, said, json));
          else if (from === "client") view.hear(view.log.client(said, json));
          else view.hear(view.log.gap({ reason: "test" }));
        });
      const [one, other] = [new InstanceView("server"), new InstanceView("server")];
      tell(one);
      tell(other);
      expect(pictureOf(one)).toEqual(pictureOf(other));
      for (const session of one.sessions.values()) {
        expect(typeof spokenOf(session)).toBe("string");
        expect(typeof session.title).toBe("string");
        const keys = new RowList().update(session).map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        expect(session.asks.every(({ closing }) => closing === undefined)).toBe(true);
        expect(session.running === undefined).toBe(session.turns.every(({ phase }) => phase !== "running"));
      }
    }),
    { numRuns: 500 },
  );
});

/** What the work took of a processor: others may be at work here too. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const withinMs = 1_000 * Number(process.env["SA_TIME_SCALE"] ?? 1);

test("a hundred thousand chunks are heard within a second", () => {
  const talk = new Talk().begin().prompt(1, "flood");
  const { log } = talk.view;
  const message = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: chunk("word ") } };
  const entries = Array.from({ length: 100_000 }, (_, at) => log.agent(at + 2, message, "", at));
  const took = cpuMs(() => entries.forEach((entry) => talk.view.hear(entry)));
  expect(inWords(talk.blocks)[1]).toHaveLength("message: ".length + 500_000);
  expect(took).toBeLessThan(withinMs);
});

test("twenty thousand tool calls are made rows within a tenth of a second", () => {
  const talk = new Talk().begin().prompt(1, "work");
  for (let i = 0; i < 20_000; ++i) talk.update(tool(`t${i}`, { kind: i % 2 === 0 ? "read" : "edit" }));
  let count = 0;
  const took = cpuMs(() => (count = new RowList().update(talk.session()).length));
  expect(count).toBe(20_001);
  expect(talk.session().turns[0]?.tools).toBe(20_000);
  expect(took).toBeLessThan(withinMs / 10);
});
