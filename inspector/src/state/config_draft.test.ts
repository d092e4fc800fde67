import { expect, test } from "vitest";
import {
  draftAfterSave,
  draftOf,
  faultAfter,
  isChanged,
  markedFault,
  newDraft,
  notKept,
  readDraft,
  saidOfText,
  shownAs,
  withText,
  type Draft,
} from "./config_draft.js";
import type { McpForm } from "./config_form.js";

const entry = { type: "local", command: "npx", args: ["-y"] };
const draft = draftOf("mcp", "files", entry);
const withForm = (change: Partial<McpForm>): Draft => ({ ...draft, form: { ...(draft.form as McpForm), ...change } });
const asJson = (text: string): Draft => ({ ...draft, view: "json", text });

test("switching takes along what was written, both ways", () => {
  const { draft: json } = shownAs(withForm({ command: "node" }), "json");
  expect(JSON.parse(json.text)).toEqual({ ...entry, command: "node" });
  const { draft: form } = shownAs({ ...json, text: '{"type":"remote","url":"u"}' }, "form");
  expect(form.form).toMatchObject({ type: "remote", url: "u" });
  expect(isChanged(form)).toBe(true);
});

test("what is not JSON stays where it is, with its line and column", () => {
  const { draft: same, fault } = shownAs(asJson('{\n  "type": "local"\n  "command": "x"\n}'), "form");
  expect(same.view).toBe("json");
  expect(fault?.mark).toEqual({ line: 3, column: 3 });
});

test("a shape the form cannot show is said at its line", () => {
  const { fault } = shownAs(asJson('{\n  "type": "local",\n  "command": "x",\n  "env": {\n    "A": 1\n  }\n}'), "form");
  expect(fault).toMatchObject({ field: "env.A", detail: "'env.A' must be a string.", mark: { line: 5, column: 10 } });
  expect(readDraft(asJson('{"type": "other"}'))).toMatchObject({ fault: { field: "type" } });
  expect(readDraft(asJson("[]"))).toMatchObject({ fault: { field: "body" } });
  expect(readDraft({ ...newDraft("skills"), view: "json", text: '{"sources":[{"type":"git"}]}' })).toMatchObject({
    fault: { field: "sources[0].source" },
  });
});

test("a problem of the daemon gets its place in the text", () => {
  const fault = markedFault(asJson('{\n  "type": "local",\n  "command": " "\n}'), { field: "command", detail: "…" });
  expect(fault.mark).toEqual({ line: 3, column: 14 });
  expect(markedFault(draft, { field: "command", detail: "…" }).mark).toBeUndefined();
});

test("what was not changed is not called changed", () => {
  expect(isChanged(draft)).toBe(false);
  expect(isChanged(withForm({ command: "node" }))).toBe(true);
  expect(isChanged(withForm({ command: "" }))).toBe(true);
  expect(isChanged(newDraft("mcp"))).toBe(false);
  expect(isChanged(newDraft("skills"))).toBe(false);
  expect(isChanged({ ...newDraft("mcp"), name: "x" })).toBe(true);
  expect(isChanged(shownAs(draft, "json").draft)).toBe(false);
  expect(isChanged(asJson('{"args":["-y"],"command":"npx","type":"local"}'))).toBe(false);
  expect(isChanged(asJson("{"))).toBe(true);
});

test("what the daemon would not keep is named", () => {
  expect(notKept(asJson('{"type":"stdio","command":"x","environment":{},"colour":"red"}'))).toEqual(["colour"]);
  expect(
    notKept({ ...newDraft("skills"), view: "json", text: '{"sources":[{"type":"a","source":"b","branch":"c"}]}' }),
  ).toEqual(["sources[0].branch"]);
});

test("an entry of a wrong shape is opened as JSON, to be mended", () => {
  const wrong = draftOf("mcp", "bad", { type: "local", command: 7 });
  expect([wrong.view, isChanged(wrong)]).toEqual(["json", false]);
});

test("what was wrong is over when it is mended; what the daemon said stays until it is asked again", () => {
  const empty = withForm({ command: "" });
  const read = readDraft(empty);
  const fault = "fault" in read ? read.fault : undefined;
  expect(faultAfter(fault, empty, withForm({ command: "x" }))).toBeUndefined();
  expect(faultAfter(fault, empty, withForm({ command: " " }))).toMatchObject({ field: "command" });
  const said = { field: "command", detail: "…", isDaemons: true };
  expect(faultAfter(said, empty, draft)).toBe(said);
  const unnamed = { field: "name", detail: "…" };
  expect(faultAfter(unnamed, draft, withForm({ command: "x" }))).toBe(unnamed);
  expect(faultAfter(unnamed, draft, { ...draft, name: "x" })).toBeUndefined();
});

test("what is written while it is saved stays, and is not saved", () => {
  const sent = withForm({ command: "node" });
  const kept = { ...entry, command: "node" };
  const typed = draftAfterSave(sent, withForm({ command: "node22" }), kept);
  expect(typed.form).toMatchObject({ command: "node22" });
  expect([isChanged(typed), typed.saved]).toEqual([true, kept]);
  const broken = draftAfterSave(sent, asJson("{"), kept);
  expect([broken.text, isChanged(broken)]).toEqual(["{", true]);
  const back = draftAfterSave(sent, withForm({ command: "npx" }), kept);
  expect(isChanged(back)).toBe(true);
});

test("what was saved goes on as the daemon has it, in the view that is shown", () => {
  const sent = { ...withForm({ command: "node" }), isNew: true };
  const kept = { ...entry, command: "node", enabled: true };
  const same = draftAfterSave(sent, shownAs(sent, "json").draft, kept);
  expect([same.view, JSON.parse(same.text), same.isNew, isChanged(same)]).toEqual(["json", kept, false, false]);
});

test("the JSON of what is no entry yet can be opened, and the form is as it was after it", () => {
  const { draft: fresh, fault } = shownAs(newDraft("mcp"), "json");
  expect([fresh.view, fault, JSON.parse(fresh.text), isChanged(fresh)]).toEqual([
    "json",
    undefined,
    { type: "local", command: "" },
    false,
  ]);
  const twice = withForm({ timeoutMs: "soon", env: ["1", "2"].map((value) => ({ name: "A", value })) });
  const { draft: json } = shownAs(twice, "json");
  expect(JSON.parse(json.text)).toEqual({ ...entry, env: { A: "2" }, timeoutMs: "soon" });
  expect(readDraft(json)).toMatchObject({ fault: { field: "timeoutMs" } });
  expect(shownAs(json, "form")).toEqual({ draft: { ...json, view: "form" } });
});

test("what other programs keep is unwrapped, gives its name and gets its type", () => {
  const text = '{"mcpServers":{"web.x":{\n"url":"u","colour":1}}}';
  const fresh = withText({ ...newDraft("mcp"), view: "json" }, text);
  expect([fresh.name, readDraft(fresh), notKept(fresh)]).toEqual([
    "web.x",
    { value: { url: "u", type: "remote", colour: 1 } },
    ["colour"],
  ]);
  expect(saidOfText(fresh)).toBe("Only what is in “web.x” is kept. It has no type; its url makes it 'remote'.");
  expect(withText({ ...fresh, name: "mine" }, text).name).toBe("mine");
  expect(shownAs(fresh, "form").draft.form).toMatchObject({ type: "remote", url: "u" });
  expect(readDraft(asJson('{"command":"x"}'))).toEqual({ value: { type: "local", command: "x" } });
  expect(readDraft(asJson('{"mcpServers":{"a":{\n"command":7}}}'))).toMatchObject({
    fault: { field: "command", mark: { line: 2, column: 11 } },
  });
});

test("what is not one server is not guessed at", () => {
  expect(readDraft(asJson('{"mcpServers":{"a":{},"b":{}}}'))).toMatchObject({
    fault: { detail: "'mcpServers' has 2 servers; leave one." },
  });
  expect(readDraft(asJson('{"mcpServers":{}}'))).toMatchObject({ fault: { detail: "There is no server in 'mcpServers'." } });
  expect(readDraft(asJson('{"command":"x","url":"u"}'))).toMatchObject({ fault: { field: "type" } });
  expect(saidOfText(asJson('{"type":"local","command":"x"}'))).toBe("");
});
