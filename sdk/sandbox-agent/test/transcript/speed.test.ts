// A hundred thousand events within a second, and no more memory than what is open.
import v8 from "node:v8";
import vm from "node:vm";
import { toTranscript, Transcript } from "sandbox-agent/transcript";
import type { TranscriptEntry } from "sandbox-agent/transcript";
import { expect, it } from "vitest";

v8.setFlagsFromString("--expose-gc");
const collect = vm.runInNewContext("gc") as () => void;
const timeScale = Number(process.env["SA_TIME_SCALE"] ?? 1);
const params = (update: object) => ({ sessionId: "s", update });
const content = { type: "text", text: "a few words more " };

// A long session: turns of chunks and tools.
function* session(length: number): Generator<TranscriptEntry> {
  for (let i = 0; i < length; ++i) {
    const at = 1_700_000_000_000 + i;
    const update = (update: object) => ({ jsonrpc: "2.0", method: "session/update", params: params(update) });
    const told = (message: unknown) => ({ from: "agent" as const, eventId: i + 1, nth: 0, epoch: 0, at, message });
    const prompt = [{ type: "text", text: "go on" }];
    if (i % 1000 === 0)
      yield { ...told({ id: i, method: "session/prompt", params: { sessionId: "s", prompt } }), from: "client" };
    else if (i % 1000 === 999) yield told({ id: i - 999, result: { stopReason: "end_turn" } });
    else if (i % 20 === 10)
      yield told(update({ sessionUpdate: "tool_call", toolCallId: `t${i}`, title: "tool", status: "pending" }));
    else if (i % 20 === 11)
      yield told(update({ sessionUpdate: "tool_call_update", toolCallId: `t${i - 1}`, status: "completed" }));
    else yield told(update({ sessionUpdate: "agent_message_chunk", content }));
  }
}

// CPU time, which the neighbours do not count in; the best of three.
function cost(work: () => void): number {
  const once = () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  return Math.min(once(), once(), once());
}

it("A log of 100,000 messages is converted within a second", () => {
  const entries = [...session(100_000)];
  const ms = cost(() => expect(toTranscript(entries).length).toBeGreaterThan(100_000));
  expect(ms).toBeLessThan(1000 * timeScale);
});

it("A message that grows and grows costs the same per chunk", () => {
  const update = {
    jsonrpc: "2.0",
    method: "session/update",
    params: params({ sessionUpdate: "agent_message_chunk", content }),
  };
  const ms = cost(() => {
    const transcript = new Transcript();
    for (let i = 1; i <= 100_000; ++i) transcript.push({ from: "agent", eventId: i, message: update });
    const [end] = transcript.flush();
    expect(end?.type === "item.completed" && end.data.item.content).toEqual([
      { type: "text", text: content.text.repeat(100_000) },
    ]);
  });
  expect(ms).toBeLessThan(1000 * timeScale);
});

it("Nothing is kept of what is over: a long log leaves no more behind than a short one", () => {
  const transcript = new Transcript();
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  let before = 0;
  let i = 0;
  for (const entry of session(200_000)) {
    transcript.push(entry);
    if (++i === 50_000) before = used();
  }
  expect(used() - before).toBeLessThan(1_000_000);
  expect(transcript.flush()).toEqual([]);
});
