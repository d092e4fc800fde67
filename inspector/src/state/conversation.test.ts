import { expect, test } from "vitest";
import type { ErrorBlock, ExitBlock, GapBlock, ItemBlock, PermissionBlock } from "./blocks.js";
import { answerOf } from "./conversation.js";
import { RowList } from "./rows.js";
import { chunk, inWords, Talk, text, tool } from "./talk_for_tests.js";

const asking = (more: (talk: Talk) => Talk) => more(new Talk().begin().prompt(1, "do it").askPermission("p"));

test("a turn is what was asked, what was answered, and a footer", () => {
  const talk = new Talk().begin().prompt(1, "hello").update(chunk("Hi ")).update(chunk("there"));
  expect(inWords(talk.blocks)).toEqual(["user: hello", "message: Hi there"]);
  expect(talk.session().running?.number).toBe(1);
  talk.answer(1, "end_turn", { usage: { totalTokens: 12 } });
  expect(inWords(talk.blocks)).toEqual(["user: hello", "message: Hi there", "turn: ended"]);
  expect(talk.blocks.map(({ turn }) => turn)).toEqual([1, 1, 1]);
  expect(talk.session().running).toBeUndefined();
  expect(talk.session().turns).toMatchObject([
    {
      number: 1,
      phase: "ended",
      stopReason: "end_turn",
      tokens: 12,
      startedAt: 3_000,
      endedAt: 6_000,
      prompt: [text("hello")],
    },
  ]);
});

test("a block that changed is another object, and one that did not is the same", () => {
  const talk = new Talk().begin().prompt(1, "hello").update(chunk("one"));
  const [user, message] = talk.blocks;
  talk.update(chunk("two"));
  expect(talk.blocks[0]).toBe(user);
  expect(talk.blocks[1]).not.toBe(message);
  expect(talk.blocks[1]?.key).toBe(message?.key);
});

test("every block has a key of its own", () => {
  const talk = new Talk().begin();
  for (const turn of [1, 2]) {
    talk.prompt(turn, "go").update(chunk("a")).update(tool("t")).askPermission("p").choose("p", "yes");
    talk.ask("q", "elicitation/create", { message: "?" }).client({ id: "q", result: { action: "accept" } });
    talk.agent({ id: turn, error: { code: 1, message: "no" } });
  }
  talk.gap(2).exit({ code: 1 });
  const keys = talk.blocks.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});

test("a thought and what follows it are two blocks", () => {
  const thought = { ...chunk("Hm."), sessionUpdate: "agent_thought_chunk" };
  const talk = new Talk().begin().prompt(1, "?").update(thought).update(chunk("Yes.")).answer(1);
  expect(inWords(talk.blocks)).toEqual(["user: ?", "thought: Hm.", "message: Yes.", "turn: ended"]);
});

test("a tool call stays one block while it changes, with the times of its beginning and its end", () => {
  const talk = new Talk()
    .begin()
    .prompt(1, "go")
    .update(tool("t", { status: "pending" }));
  talk.update({ sessionUpdate: "tool_call_update", toolCallId: "t", status: "in_progress" });
  expect(inWords(talk.blocks)).toEqual(["user: go", "tool: in_progress"]);
  talk.update({ sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed" });
  expect(talk.blocks[1]).toMatchObject({ kind: "tool", startedAt: 4_000, endedAt: 6_000, item: { status: "completed" } });
  expect(talk.session().turns[0]?.tools).toBe(1);
});

test("chunks that come after the turn's answer are shown, and belong to that turn", () => {
  const talk = new Talk().begin().prompt(1, "go").update(chunk("early")).answer(1).update(chunk("late"));
  expect(inWords(talk.blocks)).toEqual(["user: go", "message: early", "turn: ended", "message: late"]);
  expect(talk.blocks.at(-1)?.turn).toBe(1);
  expect(answerOf(talk.session(), 1)).toBe("early\n\nlate");
  expect(talk.session().running).toBeUndefined();
});

test("what happens to an agent that is idle belongs to no turn", () => {
  const talk = new Talk().begin().prompt(1, "go").answer(1).gap(1).exit({ code: 0 });
  expect(talk.blocks.slice(-2).map(({ kind, turn }) => [kind, turn])).toEqual([
    ["gap", undefined],
    ["exit", undefined],
  ]);
});

test("of two prompts in line the older one runs, and has what is said", () => {
  const talk = new Talk().begin().prompt(1, "one").prompt(2, "two").update(chunk("to one")).update(tool("t"));
  expect(talk.session().running?.number).toBe(1);
  expect(answerOf(talk.session(), 1)).toBe("to one");
  expect(talk.session().turns.map(({ tools }) => tools)).toEqual([1, 0]);
  talk.answer(2);
  expect(talk.session().running?.number).toBe(1);
  talk.answer(1);
  expect(talk.session().running).toBeUndefined();
});

test("a turn knows its own prompt, whatever was sent before it", () => {
  const talk = new Talk().begin();
  talk.client({ method: "session/prompt", params: { sessionId: "s", prompt: [text("nobody can answer this")] } });
  talk.prompt(1, "mine");
  expect(talk.session().turns.map(({ prompt }) => prompt)).toEqual([[text("mine")]]);
});

test.each(["end_turn", "cancelled", "max_tokens", "max_turn_requests", "refusal"])(
  "a turn that ended with %s says so",
  (why) => {
    expect(new Talk().begin().prompt(1, "go").answer(1, why).session().turns[0]).toMatchObject({
      phase: "ended",
      stopReason: why,
    });
  },
);

test("a turn whose prompt was answered with an error shows the error, and has failed", () => {
  const talk = new Talk().begin().prompt(1, "go").update(chunk("I"));
  talk.agent({ id: 1, error: { code: -32603, message: "It broke.", data: { why: "x" } } });
  expect(inWords(talk.blocks)).toEqual(["user: go", "message: I", "error: It broke.", "turn: failed"]);
  expect(talk.blocks[2]).toMatchObject({ code: "-32603", details: { why: "x" }, times: 1, turn: 1 });
  expect((talk.blocks[2] as ErrorBlock).signIn).toBeUndefined();
  expect((talk.blocks[1] as ItemBlock).item.status).toBe("interrupted");
  expect(talk.session().turns[0]?.phase).toBe("failed");
});

test("an agent that wants a login says so", () => {
  const talk = new Talk()
    .begin()
    .prompt(1, "go")
    .agent({ id: 1, error: { code: -32000, message: "Authentication required" } });
  expect(talk.blocks[1]).toMatchObject({ kind: "error", signIn: true });
});

test("a change that was refused is said where it was made, not in the conversation", () => {
  const talk = new Talk().begin("s", { modes: { currentModeId: "a", availableModes: [{ id: "a" }, { id: "b" }] } });
  talk.client({ id: 5, method: "session/set_mode", params: { sessionId: "s", modeId: "b" } });
  talk.agent({ id: 5, error: { code: -32602, message: "Not now." } });
  expect(talk.blocks).toEqual([]);
  expect(talk.session().settings.refusal).toBe("Not now.");
});

test("an agent that crashes in a turn leaves everything interrupted, and a block that says how it ended", () => {
  const talk = new Talk()
    .begin()
    .prompt(1, "go")
    .update(chunk("I am"))
    .update(tool("t", { status: "in_progress" }));
  talk.askPermission("p").exit({ success: false, code: 7 });
  expect(inWords(talk.blocks)).toEqual([
    "user: go",
    "message: I am",
    "tool: interrupted",
    "tool: interrupted",
    "permission",
    "turn: interrupted",
    "exit",
  ]);
  expect(talk.permissions[0]?.closing).toEqual({ status: "expired" });
  expect(talk.blocks.at(-1)).toMatchObject({ kind: "exit", exitCode: 7, wasAsked: false });
  expect(talk.session()).toMatchObject({ ended: true, asks: [], running: undefined });
});

test("an agent that was ended says by which signal, and that it was asked to", () => {
  const exit = new Talk().begin().exit({ success: false, signal: "SIGTERM" }).blocks.at(-1) as ExitBlock;
  expect(exit).toMatchObject({ signal: "SIGTERM", wasAsked: true });
  expect(exit.exitCode).toBeUndefined();
});

test("an agent that the daemon had to end says why, and was not asked to", () => {
  const talk = new Talk().begin().exit({ success: false, signal: "SIGKILL", reason: "Its line was too long." });
  expect(talk.blocks.at(-1)).toMatchObject({ kind: "exit", message: "Its line was too long.", wasAsked: false });
});

test("events that were lost leave a gap that says which", () => {
  const talk = new Talk().begin().prompt(1, "go").update(chunk("a")).gap(40).update(chunk("b")).answer(1);
  expect(talk.blocks.filter(({ kind }) => kind === "gap")).toHaveLength(1);
  expect(talk.blocks.find(({ kind }) => kind === "gap") as GapBlock).toMatchObject({
    from: 3,
    to: 42,
    reason: "evicted",
    turn: 1,
  });
});

test("what was said before a loss and behind it are two messages, with the gap between", () => {
  const talk = new Talk().begin().prompt(1, "go").update(chunk("a")).gap(40).update(chunk("b")).answer(1);
  expect(talk.blocks.map(({ kind }) => kind)).toEqual(["user", "message", "gap", "message", "turn"]);
});

test("a turn whose answer was lost is over when the daemon knows of none to come", () => {
  const talk = new Talk().begin().prompt(1, "go").update(chunk("a"));
  expect(talk.session().mayHaveEnded).toBe(false);
  talk.gap(40);
  expect(talk.session().mayHaveEnded).toBe(true);
  talk.session().endUnseen();
  expect(talk.session().running).toBeUndefined();
  expect(talk.session().turns[0]).toMatchObject({ phase: "interrupted" });
  talk.answer(1);
  expect(talk.blocks.filter(({ kind }) => kind === "turn")).toHaveLength(1);
});

test("a turn that ended as it should leaves nothing to doubt", () => {
  const talk = new Talk().begin().prompt(1, "go").gap(2).answer(1).prompt(2, "more");
  expect(talk.session().mayHaveEnded).toBe(false);
});

test("an agent that writes nonsense again and again is one error that counts", () => {
  const talk = new Talk().begin().prompt(1, "go");
  const params = { error: "This is no JSON.", raw: "Traceback" };
  for (let times = 0; times < 3; ++times) talk.agent({ method: "_adapter/invalid_stdout", params });
  expect(inWords(talk.blocks)).toEqual(["user: go", "error: This is no JSON."]);
  expect(talk.blocks[1]).toMatchObject({ times: 3, details: "Traceback" });
  talk.update(chunk("back")).agent({ method: "_adapter/invalid_stdout", params });
  expect(inWords(talk.blocks).slice(2)).toEqual(["message: back", "error: This is no JSON."]);
});

test("a plan replaces the plan before it, and is no block", () => {
  const plan = (...done: string[]) => ({
    sessionUpdate: "plan",
    entries: ["a", "b"].map((content) => ({
      content,
      priority: "high",
      status: done.includes(content) ? "completed" : "pending",
    })),
  });
  const talk = new Talk().begin().prompt(1, "go").update(plan()).update(plan("a"));
  const states = () => talk.session().plan.map(({ content, status }) => `${content} ${status}`);
  expect(states()).toEqual(["a completed", "b pending"]);
  talk.update(plan("a", "b")).answer(1);
  expect(states()).toEqual(["a completed", "b completed"]);
  expect(inWords(talk.blocks)).toEqual(["user: go", "turn: ended"]);
  talk.prompt(2, "again").update({ sessionUpdate: "plan", entries: [{ content: "c", status: "pending" }] });
  expect(states()).toEqual(["c pending"]);
});

test("a permission is asked with its tool and the agent's options in the agent's order", () => {
  const talk = asking((so) => so);
  const [ask] = talk.permissions;
  expect(ask).toMatchObject({ requestId: "p", action: "tool p", turn: 1, shownAt: 4_000 });
  expect(ask?.options.map(({ name }) => name)).toEqual(["Allow once", "Always allow", "Reject"]);
  expect(ask?.tool?.native_item_id).toBe("call p");
  expect(ask?.closing).toBeUndefined();
  expect(talk.session().asks).toEqual([ask]);
});

test.each<[string, (talk: Talk) => Talk, PermissionBlock["closing"]]>([
  ["allowed once", (talk) => talk.choose("p", "yes"), { status: "approved", chosen: "yes" }],
  ["allowed for ever", (talk) => talk.choose("p", "always"), { status: "approved_always", chosen: "always" }],
  ["rejected", (talk) => talk.choose("p", "no"), { status: "denied", chosen: "no" }],
  ["answered with something else", (talk) => talk.choose("p", "perhaps"), { status: "unknown", chosen: "perhaps" }],
  ["cancelled", (talk) => talk.client({ id: "p", result: { outcome: { outcome: "cancelled" } } }), { status: "cancelled" }],
  ["refused", (talk) => talk.client({ id: "p", error: { code: -32601, message: "no" } }), { status: "cancelled" }],
  ["withdrawn", (talk) => talk.agent({ method: "$/cancel_request", params: { requestId: "p" } }), { status: "cancelled" }],
  [
    "stopped with its turn",
    (talk) => talk.client({ method: "session/cancel", params: { sessionId: "s" } }),
    { status: "cancelled" },
  ],
  ["left by its turn", (talk) => talk.answer(1, "cancelled"), { status: "cancelled" }],
  ["left by its agent", (talk) => talk.exit({ code: 1 }), { status: "expired" }],
])("a permission that was %s is closed and says how", (_, close, closing) => {
  const talk = asking(close);
  expect(talk.permissions[0]?.closing).toEqual(closing);
  expect(talk.session().asks).toEqual([]);
});

test("the first answer counts", () => {
  const talk = asking((so) => so.choose("p", "no").choose("p", "yes"));
  expect(talk.permissions[0]?.closing).toEqual({ status: "denied", chosen: "no" });
});

test("three permissions wait in order, and are closed one by one", () => {
  const talk = new Talk().begin().prompt(1, "go").askPermission(1).askPermission(2).askPermission(3);
  const waiting = () => talk.session().asks.map(({ requestId }) => requestId);
  expect(waiting()).toEqual([1, 2, 3]);
  talk.choose(2, "yes");
  expect(waiting()).toEqual([1, 3]);
  talk.choose(1, "no").choose(3, "yes");
  expect(waiting()).toEqual([]);
  expect(talk.permissions.map(({ closing }) => closing?.status)).toEqual(["denied", "approved", "approved"]);
});

test("an id that is used again is another request", () => {
  const talk = asking((so) => so.choose("p", "yes").askPermission("p"));
  expect(talk.permissions.map(({ closing }) => closing?.status)).toEqual(["approved", undefined]);
  expect(talk.session().asks).toEqual([talk.permissions[1]]);
});

test("two questions of one name are two questions", () => {
  const talk = new Talk().begin().prompt(1, "go");
  const method = "_sandboxagent/session/request_question";
  talk.ask(1, method, { question_id: "q", prompt: "first" }).ask(2, method, { question_id: "q", prompt: "second" });
  talk.client({ id: 1, result: { outcome: "answered" } });
  expect(talk.questions.map(({ prompt, closing }) => [prompt, closing?.status])).toEqual([
    ["first", "answered"],
    ["second", undefined],
  ]);
  expect(talk.session().asks.map(({ requestId }) => requestId)).toEqual([2]);
});

test("a session is called as the agent says, else by what was first asked, else new", () => {
  const talk = new Talk().begin();
  expect(talk.session().title).toBe("New session");
  talk.prompt(1, " \n ").answer(1);
  expect(talk.session().title).toBe("New session");
  talk.prompt(2, `\nFix the bug\nin detail`).answer(2).prompt(3, "Another").answer(3);
  expect(talk.session().title).toBe("Fix the bug");
  talk.update({ sessionUpdate: "session_info_update", title: "Bug fix" });
  expect(talk.session().title).toBe("Bug fix");
});

test("a long first message makes a title of 80 characters", () => {
  expect(new Talk().begin().prompt(1, "x".repeat(500)).session().title).toHaveLength(80);
});

test("a session that was loaded is called by what was asked in it long ago", () => {
  const talk = new Talk().client({
    id: 1,
    method: "session/load",
    params: { sessionId: "s", cwd: "/project", mcpServers: [] },
  });
  talk.update({ sessionUpdate: "user_message_chunk", content: text("Long ago") }).update(chunk("Yes."));
  talk.agent({ id: 1, result: null });
  expect(talk.session().title).toBe("Long ago");
  expect(talk.session().settings.cwd).toBe("/project");
  expect(inWords(talk.blocks)).toEqual(["user: Long ago", "message: Yes."]);
  expect(talk.session().turns).toEqual([]);
});

test("what pickers and lists show is no block", () => {
  const talk = new Talk().begin();
  talk.update({ sessionUpdate: "current_mode_update", currentModeId: "a" });
  talk.update({ sessionUpdate: "available_commands_update", availableCommands: [] });
  talk.update({ sessionUpdate: "usage_update", used: 1, size: 2 });
  expect(talk.blocks).toEqual([]);
});

test("what the log dropped is forgotten, oldest first: the rest keeps its places, the title and the numbers of turns stay", () => {
  const talk = new Talk({ entries: 20, characters: 1e6 }).begin();
  for (let turn = 1; turn <= 8; ++turn)
    talk
      .prompt(turn, `ask ${turn}`)
      .update(chunk("a"))
      .update(tool(`t${turn}`))
      .answer(turn);
  const session = talk.session();
  const rows = new RowList().update(session);
  expect(session.forgotten).toBeGreaterThan(8);
  expect(rows[0]).toEqual({ key: "forgotten", turn: undefined, forgotten: session.forgotten });
  expect(session.forgotten + session.blocks.length).toBe(32);
  expect(session.title).toBe("ask 1");
  talk
    .prompt(9, "ask 9")
    .update(tool("t9", { status: "in_progress" }))
    .update({ ...tool("t9"), sessionUpdate: "tool_call_update" });
  expect(inWords(talk.blocks).slice(-2)).toEqual(["user: ask 9", "tool: completed"]);
  expect(session.running?.number).toBe(9);
});

test("a question without an answer is never forgotten, and can be answered later", () => {
  const talk = new Talk({ entries: 10, characters: 1e6 }).begin().prompt(1, "go").askPermission("p");
  for (let count = 0; count < 50; ++count) talk.update(tool(`t${count}`));
  const session = talk.session();
  expect(session.asks).toHaveLength(1);
  expect(session.blocks[0]).toMatchObject({ kind: "permission" });
  talk.choose("p", "yes");
  expect(session.asks).toHaveLength(0);
  talk.update(tool("last")).update(tool("very last"));
  for (let count = 0; count < 20; ++count) talk.update(tool(`more ${count}`));
  expect(session.blocks.some(({ kind }) => kind === "permission")).toBe(false);
});
