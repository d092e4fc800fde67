// What the recorder of a connection does where sessions, requests and processes are not as simple as usual.
import { describe, expect, it } from "vitest";
import type { NewEvent } from "../../src/persist/driver.js";
import { InMemorySessionPersistDriver } from "../../src/persist/memory.js";
import { Recorder, type LogSink } from "../../src/stored/recorder.js";
import { SessionFilter } from "../../src/stored/session_filter.js";
import { SessionLog } from "../../src/stored/session_log.js";
import { Store } from "../../src/stored/store.js";

class Sink implements LogSink {
  readonly events: NewEvent[] = [];
  isNew = true;
  isFull = false;
  isEnded = false;
  add(event: NewEvent) {
    this.isNew = false;
    this.events.push(event);
  }
  pass() {}
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
const update = (sessionId: string) => ({ method: "session/update", params: { sessionId } });
const load = (id: string) => ({ id, method: "session/load", params: { sessionId: "a" } });

describe("a recorder", () => {
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
    const driver = new InMemorySessionPersistDriver();
    const made = await driver.createSession({
      ...{ id: "s", agent: "x", cwd: "/", epoch: 1, state: "ready", baseUrl: "", serverId: "p", instanceId: "i" },
      ...{ last: { eventId: 0, nth: 0 }, createdAt: 1, updatedAt: 1 },
    });
    const [recorder, log] = [new Recorder(), new SessionLog(new Store(driver), made!, () => {})];
    recorder.track("a", log);
    agent(recorder, 1, update("a"));
    recorder.client(load("x-1"), JSON.stringify(load("x-1")));
    agent(recorder, 2, update("a"));
    agent(recorder, 3, { id: "x-1", result: {} });
    agent(recorder, 4, update("a"));
    await log.flush();
    const { events } = await driver.listEvents("s");
    expect(events.map(({ eventId, nth }) => `${eventId}.${nth}`)).toEqual(["1.0", "1.1", "3.0", "4.0"]);
  });

  it("knows of a load that was under way when it began", () => {
    const [recorder, sink] = [new Recorder(1_000), new Sink()];
    sink.isNew = false;
    recorder.track("a", sink, [{ id: "x-1", method: "session/load" }]);
    agent(recorder, 1_001, update("a"));
    agent(recorder, 1_002, { id: "x-1", result: {} });
    agent(recorder, 1_003, update("a"));
    expect(sink.places).toEqual(["agent 1002.0", "agent 1003.0"]);
  });

  it("takes what follows a gap in which the end of the past may be", () => {
    const [recorder, sink] = [new Recorder(), new Sink()];
    sink.isNew = false;
    recorder.track("a", sink);
    recorder.client(load("x-1"), JSON.stringify(load("x-1")));
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

describe("a filter", () => {
  it("forgets the oldest of very many requests that nobody answers", () => {
    const filter = new SessionFilter();
    const ask = (id: number) => filter.ownerOf("agent", { id, method: "fs/read_text_file", params: { sessionId: "a" } });
    for (let id = 0; id < 5_000; ++id) ask(id);
    expect(filter.ownerOf("client", { id: 0, result: {} })).toBeUndefined();
    expect(filter.ownerOf("client", { id: 4_999, result: {} })).toEqual({ sessionId: "a" });
  });
});
