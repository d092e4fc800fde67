import fc from "fast-check";
import { expect, test } from "vitest";
import { hrefOf, routeOf, type Route } from "./route.js";

const at = (href: string) => routeOf(new URL(href, "http://localhost"));

test.each<[string, Route]>([
  ["/ui/", { screen: "chat" }],
  ["/ui", { screen: "chat" }],
  ["/ui/s/a", { screen: "chat", serverId: "a" }],
  ["/ui/s/a/b", { screen: "chat", serverId: "a", sessionId: "b" }],
  ["/ui/s/a/b?turn=3", { screen: "chat", serverId: "a", sessionId: "b", turn: 3 }],
  ["/ui/s/a%2Fb/c%20d", { screen: "chat", serverId: "a/b", sessionId: "c d" }],
  ["/ui/trace", { screen: "trace" }],
  ["/ui/trace/a#12", { screen: "trace", serverId: "a", seq: "12" }],
  ["/ui/trace/a#12.3", { screen: "trace", serverId: "a", seq: "12.3" }],
  ["/ui/agents", { screen: "agents" }],
  ["/ui/agents/claude", { screen: "agents", agent: "claude" }],
  ["/ui/files", { screen: "files" }],
  ["/ui/files?path=/a/b%20c", { screen: "files", path: "/a/b c" }],
  ["/ui/config", { screen: "config" }],
  ["/ui/config/skills?folder=/a", { screen: "config", kind: "skills", folder: "/a" }],
  ["/ui/log", { screen: "log" }],
  ["/ui/replay", { screen: "replay" }],
  ["/ui/replay?file=/a%20b/c.ndjson", { screen: "replay", file: "/a b/c.ndjson" }],
])("%s is an address", (href, route) => {
  expect(at(href)).toEqual(route);
});

test.each(["?turn=", "?turn=0", "?turn=-1", "?turn=1.5", "?turn=x", "?other=1"])("a turn %s is none", (search) => {
  expect(at(`/ui/s/a/b${search}`)).toEqual({ screen: "chat", serverId: "a", sessionId: "b" });
});

test("a place in the Trace that cannot be is none", () => {
  expect(at("/ui/trace/a#row")).toEqual({ screen: "trace", serverId: "a" });
});

test.each([
  "/ui/nothing",
  "/ui/s",
  "/ui/s/a/b/c",
  "/ui/trace/a/b",
  "/ui/s/%E0%A4%A",
  "/uis/a",
  "/ui/log/a",
  "/ui/config/x",
  "/ui/agents/a/b",
])("%s is unknown, and stays what it is", (path) => {
  expect(at(path)).toEqual({ screen: "unknown", path });
  expect(hrefOf(at(path))).toBe(path);
});

test("every link leads to what it was made for", () => {
  const name = fc.string({ minLength: 1, unit: "grapheme" }).filter((word) => word !== "." && word !== "..");
  const turn = fc.integer({ min: 1, max: 1e6 });
  const seq = fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `${a}.${b}`);
  const route: fc.Arbitrary<Route> = fc.oneof(
    fc.record(
      { screen: fc.constant("chat" as const), serverId: name, sessionId: name, turn },
      { requiredKeys: ["screen", "serverId"] },
    ),
    fc.record({ screen: fc.constant("trace" as const), serverId: name, seq }, { requiredKeys: ["screen"] }),
    fc.constantFrom({ screen: "chat" as const }, { screen: "log" as const }),
    fc.record({ screen: fc.constant("replay" as const), file: name }, { requiredKeys: ["screen"] }),
    fc.record({ screen: fc.constant("agents" as const), agent: name }, { requiredKeys: ["screen"] }),
    fc.record({ screen: fc.constant("files" as const), path: name }, { requiredKeys: ["screen"] }),
    fc.record(
      { screen: fc.constant("config" as const), kind: fc.constantFrom("mcp" as const, "skills" as const), folder: name },
      { requiredKeys: ["screen"] },
    ),
  );
  fc.assert(fc.property(route, (there) => void expect(at(hrefOf(there))).toEqual(there)));
});

test("a name with half a character in it has a link too", () => {
  expect(at(hrefOf({ screen: "chat", serverId: "a\ud800b" }))).toEqual({ screen: "chat", serverId: "a\ufffdb" });
});

test("no address throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), fc.string(), (pathname, search, hash) => {
      expect(typeof hrefOf(routeOf({ pathname, search, hash }))).toBe("string");
    }),
  );
});
