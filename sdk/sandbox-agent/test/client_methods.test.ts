// The method table of SandboxAgentClient, against the demo agent.
import { expect, test } from "vitest";
import "./guards.js";
import { inBothModes } from "./place.js";
import { failureOf, until } from "./waiting.js";
import { AuthError } from "../src/index.js";
import type { ClientEvent, SandboxAgentClient } from "../src/index.js";

inBothModes("a client's methods", (place) => {
  const cwd = "/";
  const text = (words: string) => [{ type: "text" as const, text: words }];
  const say = (client: SandboxAgentClient, sessionId: string, words: string) =>
    client.prompt({ sessionId, prompt: text(words) });

  function listening(options = {}) {
    const events: ClientEvent[] = [];
    const client = place().client({ onEvent: (event) => events.push(event), ...options });
    const updates = (sessionId: string) =>
      events.flatMap((event) => (event.type === "update" && event.sessionId === sessionId ? [event.update] : []));
    const heard = (sessionId: string) =>
      updates(sessionId)
        .map((update) =>
          update.sessionUpdate === "agent_message_chunk" && "text" in update.content ? update.content.text : "",
        )
        .join("");
    return { client, events, updates, heard };
  }

  test("newSession tells what the agent offers", async () => {
    const { client } = listening();
    const { sessionId, modes, options } = await client.newSession({ cwd });
    expect(sessionId).toMatch(/./);
    expect(modes).toMatchObject({ currentModeId: "ask", availableModes: [{ id: "ask" }, { id: "auto" }, { id: "plan" }] });
    expect(options.map(({ id }) => id)).toEqual(expect.arrayContaining(["model", "thought_level"]));
  });

  test("prompt settles after its updates, which the listeners have by then", async () => {
    const { client, heard } = listening();
    const { sessionId } = await client.newSession({ cwd });
    expect(await say(client, sessionId, "good morning")).toMatchObject({ stopReason: "end_turn" });
    expect(heard(sessionId)).toContain('You said: "good morning"');
  });

  test("cancel ends the turn, and the prompt says so", async () => {
    const { client, updates } = listening();
    const { sessionId } = await client.newSession({ cwd });
    const turn = say(client, sessionId, "/slow 1000");
    await until(() => updates(sessionId).some(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk"));
    await client.cancel({ sessionId });
    expect(await turn).toMatchObject({ stopReason: "cancelled" });
  });

  test("a signal cancels the prompt; one that is aborted already sends none", async () => {
    const { client, updates, heard } = listening();
    const { sessionId } = await client.newSession({ cwd });
    const abort = new AbortController();
    const turn = client.prompt({ sessionId, prompt: text("/slow 1000") }, { signal: abort.signal });
    await until(() => updates(sessionId).some(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk"));
    abort.abort();
    expect(await turn).toMatchObject({ stopReason: "cancelled" });
    const before = heard(sessionId);
    const late = client.prompt({ sessionId, prompt: text("hello") }, { signal: abort.signal });
    expect(await failureOf(late)).toMatchObject({ name: "CancelledError" });
    await say(client, sessionId, "/think");
    expect(heard(sessionId).slice(before.length)).not.toContain("You said");
  });

  test("loadSession tells the past again, resumeSession does not, forkSession goes its own way", async () => {
    const { client, events, heard } = listening();
    const { sessionId } = await client.newSession({ cwd });
    await say(client, sessionId, "remember me");
    await client.detachSession({ sessionId });
    events.splice(0);
    expect(await client.loadSession({ sessionId, cwd })).toMatchObject({ sessionId, modes: { currentModeId: "ask" } });
    expect(heard(sessionId)).toContain("remember me");
    events.splice(0);
    expect(await client.resumeSession({ sessionId, cwd })).toMatchObject({ sessionId });
    expect(heard(sessionId)).toBe("");
    const fork = await client.forkSession({ sessionId, cwd });
    expect(fork.sessionId).not.toBe(sessionId);
    expect(await say(client, fork.sessionId, "hello")).toMatchObject({ stopReason: "end_turn" });
    expect(heard(sessionId)).toBe("");
    expect(heard(fork.sessionId)).toContain("You said");
  });

  test("loadSession of a session nobody knows is the agent's error", async () => {
    const { client } = listening();
    expect(await failureOf(client.loadSession({ sessionId: "demo-777", cwd }))).toMatchObject({ code: "agent_error" });
    expect((await client.listSessions()).sessions).toEqual([]);
  });

  test("setSessionMode, setSessionConfigOption and setSessionModel act and are remembered", async () => {
    const { client } = listening();
    const { sessionId } = await client.newSession({ cwd });
    await client.setSessionMode({ sessionId, modeId: "plan" });
    const options = await client.setSessionConfigOption({ sessionId, configId: "thought_level", value: "long" });
    expect(options.find(({ id }) => id === "thought_level")).toMatchObject({ currentValue: "long" });
    await client.setSessionModel({ sessionId, modelId: "demo-large" });
    expect(await client.listModels({ sessionId })).toEqual({
      current: "demo-large",
      models: [
        { modelId: "demo-small", name: "Demo small", description: expect.any(String) },
        { modelId: "demo-large", name: "Demo large", description: expect.any(String) },
      ],
    });
    const { sessions } = await client.listSessions();
    expect(sessions[0]?.metadata).toMatchObject({ mode: "plan", model: "demo-large" });
    expect(await failureOf(client.setSessionModel({ sessionId, modelId: "demo-huge" }))).toMatchObject({ code: "agent_error" });
    expect(await failureOf(client.setSessionMode({ sessionId, modeId: "wild" }))).toMatchObject({ code: "agent_error" });
    expect((await client.listModels({ sessionId })).current).toBe("demo-large");
  });

  test("metadata: title, model and mode act, derived keys are as they are, all others are kept", async () => {
    const { client } = listening();
    const passed = {
      variant: "high",
      requestedSessionId: "mine",
      permissionMode: "ask",
      skills: ["a", { b: 1 }],
      agentVersionRequested: "1.2.3",
    };
    const first = { title: "First", mode: "auto", model: "demo-large", ...passed };
    const { sessionId, modes } = await client.newSession({ cwd, metadata: first });
    expect(modes?.currentModeId).toBe("auto");
    const begun = (await client.listSessions()).sessions[0];
    expect(begun).toMatchObject({ sessionId, cwd, title: "First" });
    expect(begun?.metadata).toMatchObject({ ...first, agent: "mock", ended: false });
    expect(begun?.metadata.createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

    const forged = { agent: "other", createdAt: "never", updatedAt: "never", ended: true, eventCount: -1 };
    const second = { title: "Second", model: "demo-small", mode: "plan", own: 1 };
    const all = await client.setMetadata({ sessionId, metadata: { ...forged, ...second } });
    expect(all).toMatchObject({ ...passed, ...second, agent: "mock", ended: false });
    expect(all.createdAt).toBe(begun?.metadata.createdAt);
    expect(Date.parse(all.updatedAt as string)).toBeGreaterThanOrEqual(Date.parse(all.createdAt as string));
    const counted = all.eventCount as number;
    expect(counted).toBeGreaterThanOrEqual(0);
    await say(client, sessionId, "/flood 10");
    const after = (await client.listSessions()).sessions[0]?.metadata;
    expect(after?.eventCount).toBeGreaterThanOrEqual(counted + 10);
    expect(after).toMatchObject({ ...passed, title: "Second", own: 1 });
    expect((await client.listModels({ sessionId })).current).toBe("demo-small");
  });

  test("setMetadata that the agent refuses keeps nothing", async () => {
    const { client } = listening();
    const { sessionId } = await client.newSession({ cwd });
    const refused = client.setMetadata({ sessionId, metadata: { model: "none", own: 1 } });
    expect(await failureOf(refused)).toMatchObject({ code: "agent_error" });
    expect((await client.listSessions()).sessions[0]?.metadata).not.toHaveProperty("own");
    expect(await failureOf(client.setMetadata({ sessionId: "who", metadata: {} }))).toMatchObject({ code: "unknown_session" });
    expect(await failureOf(client.listModels({ sessionId: "who" }))).toMatchObject({ code: "unknown_session" });
  });

  test("listSessions picks by folder and turns pages", async () => {
    const { client } = listening();
    for (let i = 0; i < 52; ++i) await client.newSession({ cwd: i < 51 ? "/" : "/usr" });
    const first = await client.listSessions({ cwd: "/" });
    expect(first.nextCursor).toBeDefined();
    const second = await client.listSessions({ cwd: "/", cursor: first.nextCursor as string });
    expect(second.nextCursor).toBeUndefined();
    const ids = [...first.sessions, ...second.sessions].map(({ sessionId }) => sessionId);
    expect(new Set(ids).size).toBe(51);
    expect((await client.listSessions({ cwd: "/usr" })).sessions).toHaveLength(1);
  });

  test("detachSession stops what is heard; the agent goes on", async () => {
    const { client, events, updates, heard } = listening();
    const { sessionId } = await client.newSession({ cwd });
    const turn = say(client, sessionId, "/slow 8");
    await until(() => heard(sessionId) !== "");
    await client.detachSession({ sessionId });
    const before = updates(sessionId).length;
    expect(await turn).toMatchObject({ stopReason: "end_turn" });
    expect(updates(sessionId)).toHaveLength(before);
    await client.resumeSession({ sessionId, cwd });
    expect(heard(sessionId)).not.toContain("step 8 of 8"); // it was said while nobody heard
    expect(events.filter(({ type }) => type === "session_ended")).toEqual([]);
  });

  test("terminateSession ends one session; others in the process go on", async () => {
    const { client, events, updates } = listening();
    const { sessionId } = await client.newSession({ cwd });
    const other = await client.newSession({ cwd });
    const turn = say(client, sessionId, "/slow 1000");
    const others = say(client, other.sessionId, "/slow 3");
    await until(() => updates(sessionId).some(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk"));
    await client.terminateSession({ sessionId });
    expect(await turn).toMatchObject({ stopReason: "cancelled" });
    expect(await others).toMatchObject({ stopReason: "end_turn" });
    const endings = events.filter(({ type }) => type === "session_ended");
    expect(endings).toEqual([{ type: "session_ended", serverId: client.serverId, sessionId, reason: "terminated" }]);
    const { sessions } = await client.listSessions();
    expect(sessions.find((each) => each.sessionId === sessionId)?.metadata.ended).toBe(true);
    expect(sessions.find((each) => each.sessionId === other.sessionId)?.metadata.ended).toBe(false);
    expect(await failureOf(say(client, sessionId, "hello"))).toMatchObject({ code: "agent_error" });
    expect(await say(client, other.sessionId, "hello")).toMatchObject({ stopReason: "end_turn" });
  });

  test("authenticate lets through what wanted it, logout takes it back", async () => {
    const { client } = listening();
    const { sessionId } = await client.newSession({ cwd });
    const refused = await failureOf(say(client, sessionId, "/auth"));
    expect(refused).toBeInstanceOf(AuthError);
    expect(refused).toMatchObject({ code: "agent_auth_required", data: { authMethods: expect.any(Array) } });
    const methodId = client.authMethods[0]?.id as string;
    await client.authenticate({ methodId });
    expect(await say(client, sessionId, "/auth")).toMatchObject({ stopReason: "end_turn" });
    await client.logout();
    expect(await failureOf(say(client, sessionId, "/auth"))).toBeInstanceOf(AuthError);
    expect(await failureOf(client.authenticate({ methodId: "no such" }))).toMatchObject({ code: "agent_error" });
  });

  test("the agent's exit ends every session, said once each, after all that was said before", async () => {
    const { client, events } = listening();
    const one = await client.newSession({ cwd });
    const two = await client.newSession({ cwd });
    await failureOf(say(client, one.sessionId, "/crash 5"));
    const tail = events.filter(({ type }) => type === "agent_exited" || type === "session_ended");
    expect(tail).toMatchObject([
      { type: "agent_exited", exitCode: 5 },
      { type: "session_ended", sessionId: one.sessionId, reason: "agent_exited" },
      { type: "session_ended", sessionId: two.sessionId, reason: "agent_exited" },
    ]);
    expect(events.findLastIndex(({ type }) => type === "update")).toBeLessThan(events.indexOf(tail[0] as ClientEvent));
    await client.disconnect();
    expect(events.filter(({ type }) => type === "session_ended")).toHaveLength(2);
  });

  test("a listener can be taken away", async () => {
    const { client } = listening();
    let count = 0;
    const remove = client.onEvent(() => ++count);
    const { sessionId } = await client.newSession({ cwd });
    remove();
    const before = count;
    await say(client, sessionId, "hello");
    expect(count).toBe(before);
  });
});
