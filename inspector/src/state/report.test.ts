import type { AgentInfo } from "sandbox-agent/daemon";
import { expect, test } from "vitest";
import { checksOf, reportText, tally, type DaemonStatus, type PageFacts } from "./report.js";
import { flagOf, limitWords, timeWords } from "./report_words.js";

const status: DaemonStatus = {
  version: "1.2.3",
  build: { type: "Release", compiler: "clang 19", linkage: "static" },
  pid: 42,
  directory: "/project",
  uptimeMs: 3_723_000,
  counters: {
    connections: 1,
    requests: 2,
    bytes: 3,
    bytesReceived: 4,
    instances: 5,
    events: 6,
    readers: 7,
    deliveries: 8,
    gaps: 0,
  },
  current: { connections: 1, instances: 1, readers: 1, pendingRequests: 0 },
  memory: { rssBytes: 5 * 2 ** 20, peakRssBytes: 6 * 2 ** 20, ringBytes: 512, threads: 1 },
  limits: { ringBytes: 33_554_432, requestTimeoutMs: 0 },
  platform: {
    system: "Linux",
    kernel: "6.1",
    machine: "x86_64",
    processors: 2,
    descriptorLimit: 1024,
    features: { inotify: true, pty: true, openat2: true, landlock: true },
  },
};
const page: PageFacts = {
  version: "1.2.3",
  origin: "http://127.0.0.1:2468",
  browser: "A browser",
  keeps: true,
  stream: "live",
};
const word = "healthy";
const agent = (change: Partial<AgentInfo>): AgentInfo => ({
  id: "claude",
  name: "Claude",
  aliases: [],
  installed: true,
  credentialsAvailable: true,
  credentials: "found",
  credentialsPlace: "ANTHROPIC_API_KEY",
  capabilities: {},
  install: { source: "registry", registry: "listed", artifacts: [], verified: true },
  instructions: "Install it.\nSet ANTHROPIC_API_KEY or sign in.\n",
  ...change,
});
const find = (name: string, inputs: Parameters<typeof checksOf>[0]) => checksOf(inputs).find((check) => check.name === name);

test("when all is well every check is ok, and the words are the doctor's", () => {
  const checks = checksOf({ status, agents: [agent({})], page, word });
  expect(checks.every(({ state }) => state === "ok")).toBe(true);
  expect(checks[0]).toMatchObject({ name: "daemon", text: "http://127.0.0.1:2468 is healthy, version 1.2.3" });
  expect(tally(checks)).toBe("9 checks: 9 fine, 0 warnings, 0 errors");
});

test("each thing that is wrong says what to do", () => {
  expect(find("daemon", { status, agents: [], page: { ...page, version: "1.0.0" }, word })).toMatchObject({
    fix: "Reload the page",
  });
  const lossy = { ...status, counters: { ...status.counters, gaps: 2 } };
  expect(find("events", { status: lossy, agents: [], page, word })).toMatchObject({
    state: "warning",
    text: "Readers were told 2 times that they missed some",
  });
  const old = { ...status, platform: { ...status.platform, features: { openat2: false } } };
  expect(find("openat2", { status: old, agents: [], page, word })?.fix).toMatch(/Linux 5\.6/);
  expect(find("inotify", { status: old, agents: [], page, word })).toBeUndefined();
  expect(find("browser storage", { status, agents: [], page: { ...page, keeps: false }, word })?.state).toBe("warning");
});

test("an agent without its key is a warning; those that are not installed are fine and said together", () => {
  const agents = [
    agent({ credentials: "missing" }),
    agent({ id: "codex", installed: false }),
    agent({ id: "gemini", installed: false }),
  ];
  expect(find("agent claude", { status, agents, page, word })).toEqual({
    name: "agent claude",
    state: "warning",
    text: "Installed; no key found",
    fix: "Set ANTHROPIC_API_KEY or sign in.",
  });
  expect(find("other agents", { status, agents, page, word })?.text).toBe("Not installed: codex, gemini");
});

test("the report has the numbers, and the name of a key's place but nothing of the key", () => {
  const text = reportText({ status, agents: [agent({ version: "0.9" })], page, word });
  expect(text).toContain("sandbox-agent 1.2.3, up 1 h 2 min, at http://127.0.0.1:2468");
  expect(text).toContain("agent claude: Version 0.9. Installed; key found in ANTHROPIC_API_KEY");
  expect(text).toContain("  requests 2\n");
  expect(text).toContain("  rssBytes 5.2 MB\n");
  expect(text).toContain("  --ring-bytes 34 MB\n  --request-timeout-ms none\n");
  expect(reportText({ status, agents: undefined, page, word })).toContain("agents: not known");
});

test("numbers in words", () => {
  expect([0, 250, 1_000, 1_500, 61_000, 3_600_000, 90_061_000].map(timeWords)).toEqual([
    "0 s",
    "250 ms",
    "1 s",
    "1.5 s",
    "1 min 1 s",
    "1 h",
    "1 d 1 h",
  ]);
  expect([limitWords("maxFileBytes", 0), limitWords("maxConnections", 18_976)]).toEqual(["none", "18,976"]);
  expect(flagOf("ringBytes")).toBe("--ring-bytes");
});

test("a daemon that does not answer is not called healthy, whatever it said last", () => {
  const daemon = (now: "unreachable" | "token wrong" | "slow") => find("daemon", { status, agents: [], page, word: now });
  expect(daemon("unreachable")).toMatchObject({ state: "error", text: expect.stringContaining("cannot be reached") as string });
  expect(daemon("token wrong")?.state).toBe("error");
  expect(daemon("slow")?.state).toBe("warning");
  expect(tally(checksOf({ status, agents: [], page, word: "unreachable" }))).toContain("1 errors");
});
