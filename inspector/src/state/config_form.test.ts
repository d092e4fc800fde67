import { expect, test } from "vitest";
import { formOf, valueOf, type McpForm, type SkillsForm } from "./config_form.js";
import type { Fields } from "./config_shape.js";

const local = { type: "local", command: "npx", args: ["-y", "server"], env: { KEY: "secret" }, timeoutMs: 5, cwd: "/w" };
const remote = {
  type: "remote",
  url: "https://x.example/mcp",
  transport: "sse",
  headers: { A: "1" },
  envHeaders: { B: "VAR" },
  bearerTokenEnvVar: "TOKEN",
  oauth: { clientId: "me", scope: "all" },
  enabled: false,
};
const skills = { sources: [{ type: "github", source: "a/b", skills: ["x"], ref: "main", subpath: "s" }] };

const mcp = (value: Fields) => formOf("mcp", value) as McpForm;
const said = (form: McpForm | SkillsForm, before: Fields) => {
  const read = valueOf(form, before);
  return "value" in read ? read.value : read.fault;
};

test("an entry that nobody touched comes back as it was", () => {
  for (const entry of [local, remote, { type: "local", command: ["a", "b"], enabled: true }])
    expect(said(mcp(entry), entry)).toEqual(entry);
  expect(said(formOf("skills", skills), skills)).toEqual(skills);
});

test("other spellings are shown, and written as the daemon writes them", () => {
  const entry = { type: "http", url: "u", timeout: 7, bearer_token_env_var: "T", env_http_headers: { A: "V" } };
  const form = mcp(entry);
  expect(form).toMatchObject({ type: "remote", transport: "http", timeoutMs: "7", bearerTokenEnvVar: "T" });
  expect(said(form, entry)).toEqual({
    type: "remote",
    url: "u",
    transport: "http",
    timeoutMs: 7,
    bearerTokenEnvVar: "T",
    envHeaders: { A: "V" },
  });
});

test("a command that is a list stays one, with its arguments", () => {
  const entry = { type: "local", command: ["npx", "-y"], args: ["server"] };
  const form = mcp(entry);
  expect([form.command, form.args]).toEqual(["npx", ["-y", "server"]]);
  expect(said({ ...form, command: "node" }, entry)).toEqual({ type: "local", command: ["node", "-y", "server"] });
});

test("what is empty is left out, and so is what belongs to the other type", () => {
  const emptied = { ...mcp(local), args: ["", ""], env: [{ name: "", value: "" }], cwd: "", timeoutMs: " " };
  expect(said(emptied, local)).toEqual({ type: "local", command: "npx" });
  expect(said({ ...mcp(local), type: "remote", url: "u", timeoutMs: "" }, local)).toEqual({ type: "remote", url: "u" });
});

test("a server that is switched off says so, and one that is on only if it said so before", () => {
  expect(said({ ...mcp(local), enabled: false }, local)).toMatchObject({ enabled: false });
  expect(said({ ...mcp(remote), enabled: true }, remote)).toMatchObject({ enabled: true });
  expect(said(mcp(local), local)).not.toHaveProperty("enabled");
});

test("what cannot be an entry is said at its field", () => {
  expect(said({ ...mcp(local), command: " " }, local)).toMatchObject({ field: "command" });
  expect(said({ ...mcp(remote), url: "" }, remote)).toMatchObject({ field: "url" });
  expect(said({ ...mcp(local), timeoutMs: "soon" }, local)).toMatchObject({ field: "timeoutMs" });
  const twice = [
    { name: "A", value: "1" },
    { name: "A", value: "2" },
  ];
  expect(said({ ...mcp(local), env: twice }, local)).toMatchObject({ field: "env[1]" });
  expect(said({ ...mcp(remote), headers: [{ name: "", value: "x" }] }, remote)).toMatchObject({ field: "headers[0]" });
});
