// Streams of real agents (recorded/README.md): what they said is what the items say.
import { readdirSync, readFileSync } from "node:fs";
import { toTranscript, Transcript, transcriptOf, withDelta } from "sandbox-agent/transcript";
import type { TranscriptEntry, UniversalEvent, UniversalItem } from "sandbox-agent/transcript";
import { describe, expect, it } from "vitest";
import { checked, items, only, wordsOf } from "./log.js";

const folder = new URL("recorded/", import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));

const read = (name: string) =>
  readFileSync(new URL(name, folder), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as TranscriptEntry);

type Update = { sessionUpdate: string; content?: { text?: string }; toolCallId?: string; status?: string };
const updatesOf = (entries: TranscriptEntry[]) =>
  entries.flatMap(({ message }) => (message as { params?: { update?: Update } }).params?.update ?? []);
const textIn = (entries: TranscriptEntry[], kind: string) =>
  updatesOf(entries)
    .filter(({ sessionUpdate }) => sessionUpdate === kind)
    .map(({ content }) => content?.text ?? "")
    .join("");

function rebuilt(events: UniversalEvent[]): UniversalItem[] {
  const all = new Map<string, UniversalItem>();
  for (const event of events) {
    if (event.type === "item.started") all.set(event.data.item.item_id, event.data.item);
    if (event.type === "item.delta") all.set(event.data.item_id, withDelta(all.get(event.data.item_id)!, event.data));
  }
  return [...all.values()];
}

const textOf = (all: UniversalItem[], kind: string, role: string) =>
  all
    .filter((item) => item.kind === kind && item.role === role)
    .map(wordsOf)
    .join("");

describe.each(names)("%s", (name) => {
  const entries = read(name);
  const events = checked(toTranscript(entries));

  it("has all the text, rebuilt from deltas and in the finished items", () => {
    const said = textIn(entries, "agent_message_chunk");
    expect(said).not.toBe("");
    for (const all of [rebuilt(events), items(events)]) {
      expect(textOf(all, "message", "assistant")).toBe(said);
      expect(textOf(all, "reasoning", "assistant")).toBe(textIn(entries, "agent_thought_chunk"));
    }
  });

  it("has the user's words", () => {
    const prompts = entries.flatMap(({ from, message }) => {
      const { method, params } = message as { method?: string; params?: { prompt?: { text: string }[] } };
      return from === "client" && method === "session/prompt" ? (params?.prompt ?? []) : [];
    });
    const replayed = textIn(entries, "user_message_chunk");
    expect(textOf(items(events), "message", "user")).toBe(replayed + prompts.map(({ text }) => text).join(""));
  });

  it("has every tool call once, with the end the agent told", () => {
    const told = new Map<string, string>();
    for (const { toolCallId, status } of updatesOf(entries)) if (toolCallId && status) told.set(toolCallId, status);
    const tools = items(events).filter(({ kind }) => kind === "tool_call");
    expect(new Set(tools.map((tool) => tool.native_item_id)).size).toBe(tools.length);
    for (const [id, status] of told) expect(tools.find((tool) => tool.native_item_id === id)?.status).toBe(status);
  });

  it("has one start and one end of the session and of each turn, and nothing unknown but extensions", () => {
    expect(only(events, "session.started")).toHaveLength(1);
    expect(only(events, "session.ended")).toHaveLength(1);
    expect(only(events, "turn.ended").length).toBe(only(events, "turn.started").length);
    expect(only(events, "permission.resolved").length).toBe(only(events, "permission.requested").length);
    expect(only(events, "agent.unparsed")).toEqual([]);
    const unknown = items(events).filter(({ kind }) => kind === "unknown");
    for (const { content } of unknown)
      expect(content).toMatchObject([{ type: "raw", label: expect.stringMatching(/^_/) as string }]);
  });

  it("is the same entry by entry, read as it comes, or cut at any entry and read again from before", async () => {
    const read = [];
    for await (const event of transcriptOf(entries)) read.push(event);
    expect(read).toEqual(events);
    for (let cut = 0; cut < entries.length; ++cut) {
      const transcript = new Transcript();
      const all = [...entries.slice(0, cut), ...entries.slice(Math.max(0, cut - 7))].flatMap((entry) => transcript.push(entry));
      expect(all.concat(transcript.flush()).map(({ event_id }) => event_id)).toEqual(events.map(({ event_id }) => event_id));
    }
  });
});

describe.each(names.filter((name) => !name.includes("loaded")))("%s", (name) => {
  const events = toTranscript(read(name));
  const tools = items(events).filter(({ kind }) => kind === "tool_call");

  it("shows the shell's output and the diff of the file", () => {
    expect(JSON.stringify(tools)).toContain("made by a shell");
    const files = tools.flatMap(({ content }) => content).filter((part) => part.type === "file_ref");
    expect(files.at(-1)).toMatchObject({ path: "/project/written.txt" });
    expect(files.at(-1)?.diff.new_text.trim()).toBe("written by a tool");
  });

  it("shows what was allowed, what was refused, and the turn that was cancelled", () => {
    const asked = only(events, "permission.resolved").map(({ data }) => data.status);
    if (asked.length > 0) expect(new Set(asked)).toEqual(new Set(["approved", "denied"]));
    const turns = only(events, "turn.ended").map(({ data }) => data);
    expect(turns.at(-2)).toMatchObject({ phase: "ended", stop_reason: "cancelled" });
    expect(turns.at(-1)).toMatchObject({ phase: "ended", stop_reason: "end_turn" });
    const messages = items(events).filter(({ kind, role }) => kind === "message" && role === "assistant");
    expect(messages.at(-2)?.status).toBe("interrupted");
    expect(messages.at(-1)).toMatchObject({ status: "completed", content: [{ type: "text", text: "Still here." }] });
  });
});
