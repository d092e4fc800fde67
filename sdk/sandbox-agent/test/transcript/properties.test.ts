// What holds for any log: chunks cut anywhere, mixed in any order, repeated, cut off and read again; and for anything that is no log.
import fc from "fast-check";
import { toTranscript, Transcript } from "sandbox-agent/transcript";
import type { TranscriptEntry, UniversalEvent, UniversalItem } from "sandbox-agent/transcript";
import { describe, expect, it } from "vitest";
import { checked, chunk, items, Log, text, thought, tool, toolUpdate } from "./log.js";

const word = fc.string({ minLength: 1, maxLength: 6, unit: "grapheme" });
const nameless = ({ item_id: _, parent_id: __, ...item }: UniversalItem) => item;

// Things that happen in a session, in any order.
const happening: fc.Arbitrary<(log: Log) => unknown> = fc.oneof(
  word.map((said) => (log: Log) => log.update(chunk(said))),
  fc.tuple(word, fc.constantFrom("m", "n")).map(
    ([said, messageId]) =>
      (log: Log) =>
        log.update(chunk(said, { messageId })),
  ),
  word.map((said) => (log: Log) => log.update(thought(said))),
  fc.constantFrom("t", "u").map((id) => (log: Log) => log.update(tool(id))),
  fc
    .tuple(fc.constantFrom("t", "u", "v"), fc.constantFrom("in_progress", "completed", "failed", undefined), fc.option(word))
    .map(
      ([id, status, out]) =>
        (log: Log) =>
          log.update(toolUpdate(id, { status, ...(out && { rawOutput: out }) })),
    ),
  fc.constant((log: Log) => log.update({ sessionUpdate: "plan", entries: [{ content: "x" }] })),
  fc.constant((log: Log) => log.update({ sessionUpdate: "usage_update", used: 1 })),
  fc.nat(3).map((id) => (log: Log) => log.prompt(id, text("go"))),
  fc.tuple(fc.nat(3), fc.constantFrom("end_turn", "cancelled")).map(
    ([id, stop]) =>
      (log: Log) =>
        log.answer(id, stop),
  ),
  fc.nat(3).map((id) => (log: Log) => log.agent({ id, error: { code: 1, message: "no" } })),
  fc
    .nat(2)
    .map((id) => (log: Log) => log.ask(id, "session/request_permission", { toolCall: { toolCallId: "t" }, options: [] })),
  fc.nat(2).map((id) => (log: Log) => log.ask(id, "elicitation/create", { message: "?" })),
  fc.nat(2).map((id) => (log: Log) => log.client({ id, result: { outcome: { outcome: "cancelled" } } })),
  fc.constant((log: Log) => log.client({ method: "session/cancel", params: { sessionId: "native" } })),
  fc.constant((log: Log) => log.begin()),
  fc.constant((log: Log) => log.move()),
  fc.constant((log: Log) => log.daemon({ from: 1, to: 2 })),
  fc.constant((log: Log) => log.notify("_adapter/agent_exited", { code: 0 })),
  fc.constant((log: Log) => log.notify("_sandboxagent/item/completed", {})),
);
const anyLog = fc.array(happening, { maxLength: 40 }).map((all) => {
  const log = new Log();
  for (const happen of all) happen(log);
  return log;
});

const pushed = (entries: TranscriptEntry[]): UniversalEvent[] => {
  const transcript = new Transcript();
  return [...entries.flatMap((entry) => transcript.push(entry)), ...transcript.flush()];
};

describe("any log", () => {
  it("keeps what readers rely on: each item begins once, changes, ends once; numbers are dense; the schema holds", () => {
    fc.assert(
      fc.property(anyLog, (log) => void log.transcript()),
      { numRuns: 300 },
    );
  });

  it("loses no text", () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        const events = log.transcript();
        const said = (kind: string) =>
          log.entries
            .map(({ message }) => (message as { params?: { update?: ReturnType<typeof chunk> } }).params?.update)
            .map((update) => (update?.sessionUpdate === kind ? update.content.text : ""))
            .join("");
        const letters = (words: string) => [...words].sort().join("");
        const of = (kind: string) =>
          items(events)
            .filter((item) => item.kind === kind && item.role === "assistant")
            .flatMap(({ content }) => content.map((part) => ("text" in part ? part.text : "")))
            .join("");
        expect(letters(of("message"))).toBe(letters(said("agent_message_chunk")));
        expect(letters(of("reasoning"))).toBe(letters(said("agent_thought_chunk")));
      }),
    );
  });

  it("gives the same transcript when entries are there twice", () => {
    const repeats = fc.tuple(anyLog, fc.array(fc.nat(3), { minLength: 1 }));
    fc.assert(
      fc.property(repeats, ([{ entries }, times]) => {
        const repeated = entries.flatMap(
          (entry, i) => [entry, ...Array(times[i % times.length]).fill(entry)] as TranscriptEntry[],
        );
        expect(pushed(repeated)).toEqual(toTranscript(entries));
      }),
    );
  });

  it("gives the same transcript when it is cut and read again from any place before", () => {
    fc.assert(
      fc.property(anyLog, fc.nat(), fc.nat(), ({ entries }, at, back) => {
        const cut = at % (entries.length + 1);
        const resumed = [...entries.slice(0, cut), ...entries.slice(Math.max(0, cut - (back % (cut + 1))))];
        expect(pushed(resumed)).toEqual(toTranscript(entries));
      }),
    );
  });

  it("gives what follows a cut the same names when only the rest is read", () => {
    const log = new Log()
      .begin()
      .prompt(1, text("a"))
      .update(chunk("b"))
      .answer(1)
      .prompt(2, text("c"))
      .update(chunk("d"), tool("t"));
    const rest = toTranscript(log.entries.slice(5)).map(({ event_id, data }) => [
      event_id,
      "item" in data && data.item.item_id,
    ]);
    const whole = toTranscript(log.entries).map(({ event_id, data }) => [event_id, "item" in data && data.item.item_id]);
    expect(whole.slice(-rest.length)).toEqual(rest);
  });
});

describe("chunks", () => {
  it("give the same items wherever the text is cut", () => {
    const cuts = fc.tuple(fc.string({ minLength: 1 }), fc.array(fc.nat()));
    fc.assert(
      fc.property(cuts, ([whole, at]) => {
        const places = [...new Set(at.map((place) => place % whole.length))].sort((a, b) => a - b);
        const pieces = [0, ...places].map((place, i) => whole.slice(place, places[i]));
        const say = (words: string[]) =>
          new Log()
            .prompt(1, text("go"))
            .update(...words.map((each) => chunk(each)))
            .answer(1);
        expect(
          say(pieces)
            .transcript()
            .filter(({ type }) => type === "item.completed")
            .map(({ data }) => data),
        ).toMatchObject(
          items(say([whole]).transcript()).map((item) => ({ item: { content: item.content, status: item.status } })),
        );
      }),
    );
  });

  it("of independent items give the same items, however they are mixed", () => {
    const streams = [
      ["a1", "a2", "a3"].map((said) => chunk(said, { messageId: "a" })),
      ["b1", "b2", "b3"].map((said) => chunk(said, { messageId: "b" })),
      ["c1", "c2"].map((said) => thought(said, { messageId: "a" })),
      [tool("t"), toolUpdate("t", { status: "in_progress" }), toolUpdate("t", { status: "completed", rawOutput: "x" })],
      [tool("u"), toolUpdate("u", { status: "failed" })],
    ];
    const key = (item: UniversalItem) => `${item.kind} ${item.native_item_id}`;
    const result = (updates: unknown[]) =>
      items(
        new Log()
          .prompt(1, text("go"))
          .update(...updates)
          .answer(1)
          .transcript(),
      )
        .map(nameless)
        .sort((a, b) => (key(a as UniversalItem) < key(b as UniversalItem) ? -1 : 1));
    const order = streams.flatMap((stream, i) => stream.map(() => i));
    const expected = result(streams.flat());
    fc.assert(
      fc.property(fc.shuffledSubarray(order, { minLength: order.length }), (mixed) => {
        const next = streams.map(() => 0);
        expect(result(mixed.map((i) => streams[i]![next[i]!++]))).toEqual(expected);
      }),
    );
  });
});

describe("anything", () => {
  const plain = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
  });
  const part = fc.oneof(plain, fc.jsonValue());
  const odd = fc.oneof(
    fc.constantFrom<unknown>(
      "session/update",
      "session/prompt",
      "session/request_permission",
      "elicitation/create",
      "session/new",
    ),
    fc.constantFrom<unknown>(
      "_adapter/agent_exited",
      "_adapter/invalid_stdout",
      "_sandboxagent/session/ended",
      "_sandboxagent/error",
    ),
    fc.constantFrom<unknown>("_sandboxagent/session/request_question", "_sandboxagent/item/completed", "$/cancel_request"),
  );
  const meta = fc.record({
    traceparent: part,
    "sandboxagent.dev": fc.oneof(part, fc.dictionary(fc.constantFrom("turn", "phase", "kind", "x"), part)),
  });
  const update = fc.record(
    {
      sessionUpdate: fc.constantFrom(
        "agent_message_chunk",
        "user_message_chunk",
        "tool_call",
        "tool_call_update",
        "plan",
        "notice",
        "?",
      ),
      content: fc.oneof(
        part,
        fc.record({ type: fc.constantFrom("text", "image", "resource", "resource_link", "x"), text: part, uri: part }),
      ),
      toolCallId: fc.oneof(part, fc.constant("t")),
      messageId: part,
      status: part,
      rawOutput: part,
      locations: part,
      entries: part,
      _meta: fc.oneof(part, meta),
    },
    { requiredKeys: [] },
  );
  const params = fc.oneof(
    part,
    fc.record(
      {
        sessionId: part,
        update: fc.oneof(part, update),
        prompt: fc.oneof(part, fc.array(part)),
        options: fc.oneof(part, fc.array(part)),
        toolCall: fc.oneof(part, update),
        requestedSchema: fc.oneof(part, fc.record({ properties: part })),
        item: part,
        error: part,
        raw: part,
        requestId: part,
        _meta: fc.oneof(part, meta),
      },
      { requiredKeys: [] },
    ),
  );
  const message = fc.record(
    { id: fc.oneof(part, fc.nat(2)), method: fc.oneof(odd, part), params, result: params, error: part },
    { requiredKeys: [] },
  );
  const entry = fc.record(
    {
      from: fc.oneof(fc.constantFrom("agent", "client", "daemon"), part),
      message: fc.oneof(message, part),
      eventId: fc.option(fc.oneof(fc.nat(50), part), { nil: undefined }),
      nth: fc.option(fc.oneof(fc.nat(3), part), { nil: undefined }),
      epoch: fc.option(fc.oneof(fc.nat(1), part), { nil: undefined }),
      at: part,
    },
    { requiredKeys: [] },
  );

  it("never throws, and gives events that keep their schema", () => {
    const entries = fc.array(
      fc.oneof({ weight: 9, arbitrary: entry as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: part }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(entries, (all) => void checked(toTranscript(all as TranscriptEntry[]))),
      { numRuns: 1000 },
    );
  });
});
