import { expect, test } from "vitest";
import type { Fields } from "./json_rpc.js";
import { changeRequest, type Option } from "./settings.js";
import { Talk } from "./talk_for_tests.js";

const modes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask", description: "Asks before it acts" },
    { id: "code", name: "Code" },
  ],
};
const models = { currentModelId: "big", availableModels: [{ modelId: "big", name: "Big" }, { modelId: "small" }] };
const select = (id: string, currentValue: string, values: string[], more: Fields = {}) => ({
  id,
  name: id.toUpperCase(),
  type: "select",
  currentValue,
  options: values.map((value) => ({ value, name: value })),
  ...more,
});
const effort = (current = "low") => select("effort", current, ["low", "high"], { category: "thought_level" });

const settingsOf = (talk: Talk) => talk.session().settings;
const optionOf = (talk: Talk, id: string) => settingsOf(talk).options.find((option) => option.id === id);
const setOption = (talk: Talk, id: number, configId: string, value: string) =>
  talk.client({ id, method: "session/set_config_option", params: { sessionId: "s", configId, value } });
const setMode = (talk: Talk, id: number, modeId: string) =>
  talk.client({ id, method: "session/set_mode", params: { sessionId: "s", modeId } });

test("a session that offers nothing has nothing to choose", () => {
  expect(settingsOf(new Talk().begin())).toEqual({ cwd: "/work", mcpServers: [], options: [], commands: [] });
  expect(settingsOf(new Talk().begin("s", { modes: null, models: null, configOptions: null })).options).toEqual([]);
  expect(settingsOf(new Talk().begin("s", { modes: {}, models: { availableModels: [] } })).options).toEqual([]);
});

test("modes and models are offered as the agent named them", () => {
  const { options } = settingsOf(new Talk().begin("s", { modes, models }));
  expect(options.map(({ name, current, how }) => [name, current, how])).toEqual([
    ["Mode", "ask", "mode"],
    ["Model", "big", "model"],
  ]);
  expect(options[0]?.choices).toEqual([
    { value: "ask", name: "Ask", description: "Asks before it acts" },
    { value: "code", name: "Code" },
  ]);
  expect(options[1]?.choices.map(({ name }) => name)).toEqual(["Big", "small"]);
});

test("options are offered in the agent's order, with the choices of their groups", () => {
  const grouped = { ...effort(), options: [{ name: "Few", options: [{ value: "low", name: "Low" }] }, { value: "high" }] };
  const { options } = settingsOf(new Talk().begin("s", { configOptions: [select("model", "a", ["a"]), grouped] }));
  expect(options.map(({ id }) => id)).toEqual(["model", "effort"]);
  expect(options[1]?.choices).toEqual([
    { value: "low", name: "Low" },
    { value: "high", name: "high" },
  ]);
});

test("an option for the mode hides the modes, whichever was heard first", () => {
  const mode = select("permission", "ask", ["ask", "code"], { category: "mode" });
  const talk = new Talk().begin("s", { modes, configOptions: [mode] });
  expect(settingsOf(talk).options.map(({ id, how }) => [id, how])).toEqual([["permission", "option"]]);
  const other = new Talk().begin("s", { modes }).update({ sessionUpdate: "config_option_update", configOptions: [mode] });
  expect(settingsOf(other).options.map(({ id, how }) => [id, how])).toEqual([["permission", "option"]]);
});

test("options of kinds the page cannot show, without a name or without choices are not shown", () => {
  const configOptions = [{ id: "x", type: "boolean", currentValue: true }, select("none", "", []), { type: "select" }, 7, null];
  expect(settingsOf(new Talk().begin("s", { configOptions })).options).toEqual([]);
});

test("what is wanted is shown until it is answered", () => {
  const talk = setOption(new Talk().begin("s", { configOptions: [effort()] }), 5, "effort", "high");
  expect(optionOf(talk, "effort")).toMatchObject({ current: "low", wanted: "high" });
  talk.agent({ id: 5, result: {} });
  expect(optionOf(talk, "effort")?.current).toBe("high");
  expect(optionOf(talk, "effort")?.wanted).toBeUndefined();
});

test("an answer that has the options again is believed, whatever was wanted", () => {
  const talk = setOption(new Talk().begin("s", { configOptions: [effort()] }), 5, "effort", "high");
  talk.agent({ id: 5, result: { configOptions: [effort("low"), select("new", "a", ["a", "b"])] } });
  expect(optionOf(talk, "effort")).toMatchObject({ current: "low" });
  expect(optionOf(talk, "effort")?.wanted).toBeUndefined();
  expect(optionOf(talk, "new")?.current).toBe("a");
});

test("a refused change leaves what was, and says why until a change works", () => {
  const talk = setOption(new Talk().begin("s", { configOptions: [effort()] }), 5, "effort", "high");
  talk.agent({ id: 5, error: { code: -32602, message: "Not on this plan." } });
  expect(optionOf(talk, "effort")).toMatchObject({ current: "low" });
  expect(optionOf(talk, "effort")?.wanted).toBeUndefined();
  expect(settingsOf(talk).refusal).toBe("Not on this plan.");
  setOption(talk, 6, "effort", "high").agent({ id: 6, result: null });
  expect(settingsOf(talk).refusal).toBeUndefined();
  expect(optionOf(talk, "effort")?.current).toBe("high");
});

test("a refusal without words has some", () => {
  const talk = setMode(new Talk().begin("s", { modes }), 5, "code").agent({ id: 5, error: null });
  expect(settingsOf(talk).refusal).toMatch(/refused/);
});

test("an update that confirms is enough, and one about something else does not undo the wish", () => {
  const configOptions = [effort(), select("model", "a", ["a", "b"])];
  const talk = setOption(new Talk().begin("s", { configOptions }), 5, "effort", "high");
  const update = (...options: unknown[]) => talk.update({ sessionUpdate: "config_option_update", configOptions: options });
  update(effort("low"), select("model", "b", ["a", "b"]));
  expect(optionOf(talk, "model")?.current).toBe("b");
  expect(optionOf(talk, "effort")).toMatchObject({ current: "low", wanted: "high" });
  update(effort("high"), select("model", "b", ["a", "b"]));
  expect(optionOf(talk, "effort")?.current).toBe("high");
  expect(optionOf(talk, "effort")?.wanted).toBeUndefined();
});

test("of two wishes the later one stays until it is answered itself", () => {
  const talk = setMode(setMode(new Talk().begin("s", { modes }), 5, "code"), 6, "ask");
  talk.agent({ id: 5, result: {} });
  expect(optionOf(talk, "mode")).toMatchObject({ current: "code", wanted: "ask" });
  talk.agent({ id: 6, result: {} });
  expect(optionOf(talk, "mode")?.current).toBe("ask");
  expect(optionOf(talk, "mode")?.wanted).toBeUndefined();
});

test("a mode the agent changes itself is shown, if it was offered", () => {
  const talk = new Talk().begin("s", { modes });
  expect(optionOf(talk.update({ sessionUpdate: "current_mode_update", currentModeId: "code" }), "mode")?.current).toBe("code");
  expect(optionOf(talk.update({ sessionUpdate: "current_mode_update", currentModeId: "?" }), "mode")?.current).toBe("code");
});

test("mode and model that another client sets the old way are shown in the options for them", () => {
  const configOptions = [
    select("permission", "ask", ["ask", "code"], { category: "mode" }),
    select("llm", "big", ["big", "small"], { category: "model" }),
  ];
  const talk = setMode(new Talk().begin("s", { configOptions }), 5, "code").agent({ id: 5, result: {} });
  talk
    .client({ id: 6, method: "session/set_model", params: { sessionId: "s", modelId: "small" } })
    .agent({ id: 6, result: {} });
  expect(settingsOf(talk).options.map(({ current }) => current)).toEqual(["code", "small"]);
});

test("an option is changed by the request it came with", () => {
  const { options } = settingsOf(new Talk().begin("s", { modes, models, configOptions: [effort()] }));
  const requests = options.map((option: Option) => changeRequest("s", option, "x"));
  expect(requests).toContainEqual({ method: "session/set_mode", params: { sessionId: "s", modeId: "x" } });
  expect(requests).toContainEqual({ method: "session/set_model", params: { sessionId: "s", modelId: "x" } });
  expect(requests).toContainEqual({
    method: "session/set_config_option",
    params: { sessionId: "s", configId: "effort", value: "x" },
  });
});

test("the list of commands is the last one that was told", () => {
  const talk = new Talk().begin();
  const tell = (...availableCommands: unknown[]) =>
    talk.update({ sessionUpdate: "available_commands_update", availableCommands });
  tell(
    { name: "plan", description: "Makes a plan", input: { hint: "of what" } },
    { name: "bare" },
    { description: "nameless" },
  );
  expect(settingsOf(talk).commands).toEqual([
    { name: "plan", description: "Makes a plan", hint: "of what" },
    { name: "bare", description: "" },
  ]);
  tell();
  expect(settingsOf(talk).commands).toEqual([]);
});

test("usage is shown as far as it was told", () => {
  const talk = new Talk().begin().update({ sessionUpdate: "usage_update", used: 10 });
  expect(settingsOf(talk).usage).toEqual({ used: 10 });
  talk.update({ sessionUpdate: "usage_update", used: 20, size: 100, cost: { amount: 0.12345, currency: "USD" } });
  expect(settingsOf(talk).usage).toEqual({ used: 20, size: 100, cost: "0.1235 USD" });
});

test("a title stays when an update has none, and goes when the agent takes it back", () => {
  const talk = new Talk().begin().update({ sessionUpdate: "session_info_update", title: " Named " });
  expect(settingsOf(talk).title).toBe("Named");
  expect(settingsOf(talk.update({ sessionUpdate: "session_info_update", updatedAt: "now" })).title).toBe("Named");
  expect(settingsOf(talk.update({ sessionUpdate: "session_info_update", title: null })).title).toBeUndefined();
});
