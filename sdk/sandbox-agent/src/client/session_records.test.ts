import { expect, test } from "vitest";
import type { SessionOption } from "./protocol.js";
import { SessionRecord } from "./session_records.js";

const choice = (category: string, currentValue: string, grouped = false): SessionOption => {
  const values = [
    { value: "a", name: "A", description: "first" },
    { value: "b", name: "B" },
  ];
  const options = grouped ? [{ group: "g", name: "G", options: values }] : values;
  return { id: `${category}-id`, name: category, category, type: "select", currentValue, options };
};

test("derived keys cannot be set; all others are kept", () => {
  const record = new SessionRecord("s", "agent", "/");
  record.keep({ agent: "x", createdAt: "x", updatedAt: "x", ended: true, eventCount: 99, variant: "v", own: null });
  expect(record.metadata).toMatchObject({ agent: "agent", ended: false, eventCount: 0, variant: "v", own: null });
  expect(record.metadata.createdAt).toMatch(/^\d{4}-/);
});

test("the model is the option's, else the old shape's, else what was set", () => {
  const record = new SessionRecord("s", "agent", "/");
  expect(record.metadata).not.toHaveProperty("model");
  record.modelIs("hint");
  expect(record.model).toBe("hint");
  record.offer({ models: { currentModelId: "old", availableModels: [{ modelId: "old", name: "Old", description: null }] } });
  expect([record.model, record.models]).toEqual(["old", [{ modelId: "old", name: "Old" }]]);
  record.offer({ configOptions: [choice("model", "b", true)] });
  expect(record.model).toBe("b");
  expect(record.models).toEqual([
    { modelId: "a", name: "A", description: "first" },
    { modelId: "b", name: "B" },
  ]);
});

test("the user's title stays whatever the agent calls the session", () => {
  const record = new SessionRecord("s", "agent", "/");
  record.count({ sessionUpdate: "session_info_update", title: "Theirs" });
  expect(record.title).toBe("Theirs");
  record.keep({ title: "Mine" });
  record.count({ sessionUpdate: "session_info_update", title: "Theirs again" });
  expect([record.title, record.metadata.title, record.summary.title]).toEqual(["Mine", "Mine", "Mine"]);
});

test("updates are counted, and what they say is remembered", () => {
  const record = new SessionRecord("s", "agent", "/");
  record.offer({ modes: { currentModeId: "one", availableModes: [] } });
  record.count({ sessionUpdate: "current_mode_update", currentModeId: "two" });
  record.count({ sessionUpdate: "available_commands_update", availableCommands: [{ name: "c", description: "" }] });
  record.count({ sessionUpdate: "config_option_update", configOptions: [choice("mode", "a")] });
  record.count(undefined);
  expect(record.metadata).toMatchObject({ mode: "two", eventCount: 4 });
  expect([record.commands.length, record.options.length]).toEqual([1, 1]);
});
