import fc from "fast-check";
import { expect, test } from "vitest";
import { InstanceLog, seqOf, type LogEntry } from "./log.js";
import { entryLine, headLine, TraceFault, TraceReader } from "./trace_file.js";

function read(...lines: string[]): TraceReader {
  const reader = new TraceReader();
  for (const line of lines.join("").replace(/\n$/, "").split("\n")) reader.read(line);
  reader.end();
  return reader;
}
const plain = (entry: LogEntry) => [seqOf(entry), entry.from, entry.at, entry.json];

test("what is written is read again, byte by byte, gaps and times included", () => {
  const log = new InstanceLog();
  log.client({}, '{"jsonrpc":"2.0","id":1e0,"method":"initialize"}');
  log.agent(1, {}, '{"result": {"a":12345678901234567890} ,"id":1}', 1_700_000_000_000);
  log.client({}, '{\n  "method": "session/cancel"\n}', 1_700_000_000_001.5);
  log.gap({ from: 2, to: 5, reason: "evicted" }, 1_700_000_000_002);
  log.agent(6, {}, '{"method":"x","params":{"text":"}\\",\\"envelope\\":{"}}');
  log.gap({ reason: "unknown_position" });
  log.client({}, '{"method":"y"}');
  const head = { serverId: "s 1", agent: "mock", exportedAt: "2026-01-01T00:00:00Z" };
  const reader = read(headLine(head), ...log.entries.map(entryLine));
  expect(reader.head).toEqual(head);
  expect(reader.entries.map(plain)).toEqual(log.entries.map(plain));
  expect(reader.entries.map(({ index }) => index)).toEqual(log.entries.map(({ index }) => index));
});

test("any JSON comes back as it was, also with parts missing before it", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.jsonValue(), fc.boolean(), fc.nat(2))), (messages) => {
      const log = new InstanceLog();
      let events = 0;
      for (const [value, isAgent, indent] of messages) {
        const json = JSON.stringify({ method: "m", params: value }, null, indent);
        if (isAgent) log.agent(++events, value, json);
        else log.client(value, json);
      }
      const some = log.entries.filter(({ index }) => index % 3 !== 1);
      if (some.length === 0) return;
      expect(read(...some.map(entryLine)).entries.map(plain)).toEqual(some.map(plain));
    }),
  );
});

test("a trace that the command line exported is read, and one that another program wrote anew", () => {
  const { entries } = read(
    '{"direction":"client","envelope":{"id":0,"method":"initialize"}}\n',
    '{"seq":1,"direction":"agent","envelope":{"id":0,"result":{}}}\n',
    '{ "envelope": {"method": "x"}, "seq": 2, "direction": "agent", "more": 1 }\n',
    '{"gap":{"from":3,"to":7}}\n',
    '{"direction":"client","envelope":{"method":"y"}}\n',
  );
  expect(entries.map(seqOf)).toEqual(["0.1", "1", "2", "7", "7.1"]);
  expect(entries[2]!.json).toBe('{"method":"x"}');
});

test("what is wrong with a file is said with its line", () => {
  const fault = (...lines: string[]) => {
    try {
      read(...lines.map((line) => `${line}\n`));
      return "nothing";
    } catch (error) {
      expect(error).toBeInstanceOf(TraceFault);
      return (error as Error).message;
    }
  };
  const head = '{"sandboxAgentTrace":1,"serverId":"s"}';
  const line = '{"seq":1,"direction":"agent","envelope":{}}';
  expect(fault("hello")).toMatch(/no trace file/);
  expect(fault('{"name":"package","version":"1"}')).toMatch(/no trace file/);
  expect(fault("[1]")).toMatch(/no trace file/);
  expect(fault("")).toMatch(/no messages/);
  expect(fault(head, line, line.slice(0, 20))).toBe("Line 3 is broken: it is no JSON.");
  expect(fault(head, line, '{"a":1}')).toBe("Line 3 is broken: it is no message of a trace.");
  expect(fault('{"sandboxAgentTrace":2}')).toMatch(/newer kind/);
  expect(fault(head, '{"direction":"agent","envelope":{}}')).toMatch(/Line 2: .*no number/);
  expect(fault(head)).toBe("nothing");
});
