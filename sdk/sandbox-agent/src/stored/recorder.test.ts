import { describe, expect, it } from "vitest";
import type { NewEvent } from "../persist/driver.js";
import { InMemorySessionPersistDriver } from "../persist/memory.js";
import { Recorder, type LogSink } from "./recorder.js";
import { SessionLog } from "./session_log.js";
import { Store } from "./store.js";

class Sink implements LogSink {
  readonly events: NewEvent[] = [];
  passed: unknown;
  isFull = false;
  isEnded = false;
  constructor(public isNew = true) {}
  add(event: NewEvent) {
    this.isNew = false;
    this.events.push(event);
  }
  pass(place: unknown) {
    this.passed = place;
  }
  room() {
    return new Promise<void>(() => {});
  }
  async flush() {}
  end() {
    this.isEnded = true;
  }
  get places() {
    return this.events.map(({ eventId, nth, from }) => `${from} ${eventId}.${nth}`);
  }
}

const agent = (recorder: Recorder, id: number, message: object) =>
  recorder.agent({ type: "message", id, message: message as never, json: JSON.stringify(message) });
const client = (recorder: Recorder, message: object) => recorder.client(message, JSON.stringify(message));
const load = { id: "x-1", method: "session/load", params: { sessionId: "a" } };
const update = (sessionId: string) => ({ method: "session/update", params: { sessionId } });

async function newLog() {
  const driver = new InMemorySessionPersistDriver();
  const made = await driver.createSession({
    ...{ id: "s", agent: "x", cwd: "/", epoch: 1, state: "ready", baseUrl: "", serverId: "p", instanceId: "i" },
    ...{ last: { eventId: 0, nth: 0 }, createdAt: 1, updatedAt: 1 },
  });
  const log = new SessionLog(new Store(driver), made!, () => {});
  const stored = async () => {
    await log.flush();
    const { events } = await driver.listEvents("s");
    return events.map(({ eventId, nth }) => `${eventId}.${nth}`);
  };
  return { log, stored };
}

describe("a recorder", () => {
  it("counts what clients send behind the agent's message before", () => {
    const [recorder, sink] = [new Recorder(), new Sink()];
    recorder.track("a", sink);
    client(recorder, { id: "x-1", method: "session/prompt", params: { sessionId: "a" } });
    agent(recorder, 1, update("a"));
    client(recorder, { method: "session/cancel", params: { sessionId: "a" } });
    client(recorder, { method: "session/cancel", params: { sessionId: "a" } });
    agent(recorder, 2, { id: "x-1", result: {} });
    expect(sink.places).toEqual(["client 0.1", "agent 1.0", "client 1.1", "client 1.2", "agent 2.0"]);
  });

  it("counts from where its connection begins", () => {
    const [recorder, sink] = [new Recorder(41), new Sink()];
    recorder.track("a", sink, [{ id: "x-9", method: "session/prompt" }]);
    client(recorder, { method: "session/cancel", params: { sessionId: "a" } });
    agent(recorder, 42, { id: "x-9", result: {} });
    expect(sink.places).toEqual(["client 41.1", "agent 42.0"]);
  });

  it("gives a session everything from the request that made it on, also what came before the answer", async () => {
    const [recorder, sink] = [new Recorder(), new Sink()];
    await recorder.during(async () => {
      client(recorder, { id: "x-1", method: "session/new", params: {} });
      agent(recorder, 1, update("n"));
      agent(recorder, 2, update("other"));
      agent(recorder, 3, { id: "x-1", result: { sessionId: "n" } });
      agent(recorder, 4, update("n"));
      recorder.track("n", sink);
    });
    agent(recorder, 5, update("n"));
    expect(sink.places).toEqual(["client 0.1", "agent 1.0", "agent 3.0", "agent 4.0", "agent 5.0"]);
  });

  it("gives the request also to a session that is tracked before, and what came before the answer behind it", () => {
    const [recorder, sink, old] = [new Recorder(), new Sink(), new Sink(false)];
    recorder.track("n", sink);
    recorder.track("old", old);
    client(recorder, { id: "x-1", method: "session/new", params: {} });
    agent(recorder, 1, update("n"));
    agent(recorder, 2, update("old"));
    expect(old.places).toEqual(["agent 2.0"]);
    agent(recorder, 3, { id: "x-1", result: { sessionId: "n" } });
    expect(sink.places).toEqual(["client 0.1", "agent 1.0", "agent 3.0"]);
  });

  it("lets nobody wait for a session that could not be made", () => {
    const [recorder, sink] = [new Recorder(), new Sink()];
    recorder.track("n", sink);
    client(recorder, { id: "x-1", method: "session/new", params: {} });
    agent(recorder, 1, update("n"));
    agent(recorder, 2, { id: "x-1", error: {} });
    agent(recorder, 3, update("n"));
    expect(sink.places).toEqual(["agent 1.0", "agent 3.0"]);
  });

  it("holds no more than 4,096 messages of a session whose beginning does not come", () => {
    const [recorder, sink] = [new Recorder(), new Sink()];
    recorder.track("n", sink);
    client(recorder, { id: "x-1", method: "session/new", params: {} });
    for (let id = 1; id <= 4_097; ++id) agent(recorder, id, update("n"));
    expect(sink.places).toHaveLength(4_097);
  });

  it("leaves out what the agent tells of the past, unless there is no log of it", () => {
    for (const isNew of [false, true]) {
      const [recorder, sink] = [new Recorder(), new Sink(isNew)];
      recorder.track("a", sink);
      client(recorder, { id: "x-1", method: "session/load", params: { sessionId: "a" } });
      agent(recorder, 1, update("a"));
      agent(recorder, 2, { id: "x-1", result: {} });
      agent(recorder, 3, update("a"));
      const past = isNew ? ["agent 1.0"] : [];
      expect(sink.places).toEqual(["client 0.1", ...past, "agent 2.0", "agent 3.0"]);
    }
  });

  it("keeps sessions apart, and tells all of them about the process and about lost messages", () => {
    const [recorder, a, b] = [new Recorder(), new Sink(), new Sink()];
    recorder.track("a", a);
    recorder.track("b", b);
    agent(recorder, 1, update("a"));
    recorder.gap({ from: 2, to: 8 });
    recorder.gap({ clientMessages: 3 });
    client(recorder, { method: "session/cancel", params: { sessionId: "b" } });
    agent(recorder, 9, { method: "_adapter/agent_exited", params: {} });
    expect(a.places).toEqual(["agent 1.0", "daemon 8.0", "daemon 8.3", "agent 9.0"]);
    expect(b.places).toEqual(["daemon 8.0", "daemon 8.3", "client 8.4", "agent 9.0"]);
  });

  it("tells sessions nobody speaks of how far the stream was read", () => {
    const [recorder, sink] = [new Recorder(), new Sink()];
    recorder.track("quiet", sink);
    for (let id = 1; id <= 1_000; ++id) agent(recorder, id, update("loud"));
    expect(sink.passed).toEqual({ eventId: 1_000, nth: 0 });
  });

  it("says when a message has been heard or lost", async () => {
    const recorder = new Recorder();
    const heard = recorder.reached(3);
    agent(recorder, 1, update("a"));
    recorder.gap({ from: 2, to: 5 });
    await heard;
    await recorder.reached(5);
  });

  it("lets nothing wait unless a log is full", () => {
    const [recorder, sink] = [new Recorder(), new Sink()];
    recorder.track("a", sink);
    expect(recorder.room()).toBeUndefined();
    sink.isFull = true;
    expect(recorder.room()).toBeInstanceOf(Promise);
  });

  it("goes on filling the log of a session that another record of the same session joins", async () => {
    const [recorder, first, second] = [new Recorder(), new Sink(), new Sink()];
    recorder.track("a", first);
    agent(recorder, 1, update("a"));
    recorder.track("a", second);
    agent(recorder, 2, update("a"));
    await recorder.untrack("a", second);
    agent(recorder, 3, update("a"));
    expect(first.places).toEqual(["agent 1.0", "agent 2.0", "agent 3.0"]);
    expect(second.places).toEqual(["agent 2.0"]);
    expect([first.isEnded, second.isEnded]).toEqual([false, true]);
  });

  it("does not take the past twice when a session that was made here is loaded again", async () => {
    const recorder = new Recorder();
    const { log, stored } = await newLog();
    recorder.track("a", log);
    agent(recorder, 1, update("a"));
    client(recorder, load);
    agent(recorder, 2, update("a"));
    agent(recorder, 3, { id: "x-1", result: {} });
    agent(recorder, 4, update("a"));
    expect(await stored()).toEqual(["1.0", "1.1", "3.0", "4.0"]);
  });

  it.each([
    ["a gap", (recorder: Recorder) => recorder.gap({ from: 1_002, to: 1_002 })],
    ["news of the process", (recorder: Recorder) => agent(recorder, 1_002, { method: "_adapter/invalid_stdout" })],
    ["nothing else", () => {}],
  ])("loses nothing of a past that is told while another session begins, and there is %s", async (_, happen) => {
    const recorder = new Recorder(997);
    const { log, stored } = await newLog();
    recorder.track("a", log);
    client(recorder, { id: "x-2", method: "session/new", params: {} });
    client(recorder, load);
    for (let id = 998; id <= 1_001; ++id) agent(recorder, id, update("a"));
    happen(recorder);
    agent(recorder, 1_003, { id: "x-2", result: { sessionId: "b" } });
    agent(recorder, 1_004, update("a"));
    const past = ["997.2", "998.0", "999.0", "1000.0", "1001.0"];
    expect((await stored()).filter((place) => place !== "1002.0")).toEqual([...past, "1004.0"]);
  });

  it("knows of a load that was under way when it began", () => {
    const [recorder, sink] = [new Recorder(1_000), new Sink(false)];
    recorder.track("a", sink, [{ id: "x-1", method: "session/load" }]);
    agent(recorder, 1_001, update("a"));
    agent(recorder, 1_002, { id: "x-1", result: {} });
    agent(recorder, 1_003, update("a"));
    expect(sink.places).toEqual(["agent 1002.0", "agent 1003.0"]);
  });

  it("takes what follows a gap in which the end of the past may be", () => {
    const [recorder, sink] = [new Recorder(), new Sink(false)];
    recorder.track("a", sink);
    client(recorder, load);
    recorder.gap({ from: 1, to: 9 });
    agent(recorder, 10, update("a"));
    expect(sink.places).toEqual(["client 0.1", "daemon 9.0", "agent 10.0"]);
  });

  it("takes nothing of the process that replaced the session's", async () => {
    const [recorder, sink] = [new Recorder(), new Sink()];
    recorder.track("a", sink);
    agent(recorder, 1, update("a"));
    recorder.gap({ reason: "unknown_position" });
    for (const id of [1, 2, 3]) agent(recorder, id, { method: "_adapter/invalid_stdout", params: {} });
    await Promise.resolve();
    expect(sink.places).toEqual(["agent 1.0", "daemon 1.1"]);
    expect(sink.isEnded).toBe(true);
  });

  it("lets nobody wait for room when its connection is over", async () => {
    const [recorder, sink] = [new Recorder(), new Sink()];
    recorder.track("a", sink);
    sink.isFull = true;
    const room = recorder.room();
    recorder.close();
    await room;
  });
});
