// The guides are complete: they name every event, every code and every call there is.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const place = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const read = (relative: string) => readFileSync(place(relative), "utf8");
const guide = read("../../../docs/guide/sdk.md");
const guides = ["sdk", "sessions", "transcript"].map((name) => read(`../../../docs/guide/${name}.md`)).join("\n");
const words = new Set([...guides.matchAll(/`[^`\n]+`/g)].flatMap(([code]) => code.match(/\w+/g) ?? []));
const events = guide.split("\n## Events\n")[1] ?? "";
const firsts = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, first]) => first ?? ""))];

it("has a row for every event, with every field it has", () => {
  const interfaces = read("../src/turn/turn_event.ts").split("export interface ").slice(1);
  const made = interfaces.filter((text) => text.includes("readonly type:"));
  expect(made).toHaveLength(13);
  for (const event of made) {
    const [type] = firsts(event, /readonly type: "(\w+)"/g);
    const row = events.split("\n").find((line) => line.startsWith(`| \`${type}\` |`)) ?? "";
    const body = event.slice(0, event.indexOf("\n}"));
    const fields = firsts(body, /^ {2}(?:readonly )?(\w+)[?(:]/gm).filter((field) => field !== "type");
    for (const field of fields) expect(row, `the row of ${type}`).toMatch(new RegExp(`\`${field}[?()]*\``));
  }
});

it("names every code of an error that is made here", () => {
  const all = readdirSync(place("../src"), { recursive: true, encoding: "utf8" });
  const files = all.filter((file) => /(?<!\.test)\.ts$/.test(file));
  const codes = files.flatMap((file) => firsts(read(path.join("../src", file)), /\bcode: "([a-z_]+)"/g));
  expect(codes.length).toBeGreaterThan(20);
  expect([...new Set(codes)].filter((code) => !words.has(code))).toEqual([]);
});

it.each(["sandbox_agent", "session/session", "turn/turn", "client/sandbox_agent_client", "agents", "files", "mcp", "skills"])(
  "names every call and property of %s",
  (file) => {
    const declared = read(`../dist/${file}.d.ts`).split("export declare class ")[1] ?? "";
    const members = firsts(declared, /^ {4}(?:static |readonly |get )*(\w+)[(<:]/gm);
    const notForPeople = ["constructor", "then", "catch", "finally"];
    expect(members.length).toBeGreaterThan(2);
    expect(members.filter((name) => !words.has(name) && !notForPeople.includes(name))).toEqual([]);
  },
);
