// What can be told of the daemon and of this page from here: the checks of `sandbox-agent doctor` that the API has the answers to, in its
// words, and all of it as a text for somebody who helps. Nothing secret is in it: no token, no values of variables.
import type { AgentInfo, Daemon } from "sandbox-agent/daemon";
import type { DaemonWord } from "./daemon_state.js";
import { flagOf, limitWords, timeWords } from "./report_words.js";
import { sizeWords } from "./size_words.js";

export type DaemonStatus = Awaited<ReturnType<Daemon["status"]>>;

export interface Check {
  readonly name: string;
  readonly state: "ok" | "warning" | "error";
  readonly text: string;
  /** What to do about it. */
  readonly fix?: string;
}

/** What the page knows of itself. */
export interface PageFacts {
  readonly version: string;
  readonly origin: string;
  readonly browser: string;
  /** Whether the browser keeps anything over reloads. */
  readonly keeps: boolean;
  /** Of the process that is shown; undefined: none is. */
  readonly stream?: string | undefined;
}

export interface ReportInputs {
  readonly status: DaemonStatus;
  /** Undefined: not known (yet). */
  readonly agents: readonly AgentInfo[] | undefined;
  readonly page: PageFacts;
  /** How the daemon is now; the status may be older. */
  readonly word: DaemonWord;
}

export function checksOf({ status, agents, page, word }: ReportInputs): Check[] {
  return [
    daemonCheck(status, page, word),
    binaryCheck(status),
    gapCheck(status),
    ...kernelChecks(status.platform.features),
    storageCheck(page),
    ...agentChecks(agents ?? []),
  ];
}

export function tally(checks: readonly Check[]): string {
  const count = (state: Check["state"]) => checks.filter((check) => check.state === state).length;
  return `${checks.length} checks: ${count("ok")} fine, ${count("warning")} warnings, ${count("error")} errors`;
}

/** For a support ticket. */
export function reportText(inputs: ReportInputs): string {
  const { status, page } = inputs;
  const { build, counters, current, memory, platform } = status;
  const marks = { ok: "ok     ", warning: "warning", error: "error  " };
  const checks = checksOf(inputs);
  const facts = (values: Readonly<Record<string, number>>, words = String as (value: number, name: string) => string) =>
    Object.entries(values).map(([name, value]) => `  ${name} ${words(value, name)}`);
  return [
    `sandbox-agent ${status.version}, up ${timeWords(status.uptimeMs)}, at ${page.origin}`,
    `built ${build.type} by ${build.compiler}, ${build.linkage}; pid ${status.pid}, in ${status.directory}`,
    `${platform.system} ${platform.kernel} on ${platform.machine}, ${platform.processors} processors, ${platform.descriptorLimit} descriptors`,
    `inspector ${page.version} in ${page.browser}`,
    `storage ${page.keeps ? "available" : "not available"}, stream ${page.stream ?? "none"}`,
    "",
    tally(checks),
    ...checks.flatMap(({ name, state, text, fix }) => [
      `  ${marks[state]} ${name}: ${text}`,
      ...(fix !== undefined && state !== "ok" ? [`          ${fix}`] : []),
    ]),
    ...(inputs.agents ? [] : ["  agents: not known"]),
    "",
    "now",
    ...facts(current),
    "since the start",
    ...facts(counters),
    "memory",
    ...facts(memory, (value, name) => (name === "threads" ? String(value) : sizeWords(value))),
    "limits",
    ...Object.entries(status.limits).map(([name, value]) => `  ${flagOf(name)} ${limitWords(name, value)}`),
    "",
  ].join("\n");
}

function daemonCheck({ version }: DaemonStatus, page: PageFacts, word: DaemonWord): Check {
  const bad = (state: "warning" | "error", text: string, fix: string): Check => ({ name: "daemon", state, text, fix });
  if (word === "unreachable")
    return bad(
      "error",
      `${page.origin} cannot be reached; what follows is what it said last`,
      "Check that it runs, and start it",
    );
  if (word === "token needed" || word === "token wrong")
    return bad("error", `${page.origin} wants a token; what follows is what it said last`, "Give the page the daemon's token");
  if (word === "slow") return bad("warning", `${page.origin} answers slowly`, "Look at the load of its machine");
  if (version === page.version) return { name: "daemon", state: "ok", text: `${page.origin} is healthy, version ${version}` };
  return bad("warning", `${page.origin} is version ${version}, this page is ${page.version}`, "Reload the page");
}

function binaryCheck({ version, build, platform: { system, kernel, machine } }: DaemonStatus): Check {
  const linked = build.linkage === "static" ? "statically linked" : "dynamically linked";
  return { name: "binary", state: "ok", text: `sandbox-agent ${version}, ${linked}; ${system} ${kernel} on ${machine}` };
}

function gapCheck({ counters: { gaps } }: DaemonStatus): Check {
  if (gaps === 0) return { name: "events", state: "ok", text: "No reader has missed any" };
  const text = `Readers were told ${gaps === 1 ? "once" : `${gaps} times`} that they missed some`;
  return { name: "events", state: "warning", text, fix: "Start the daemon with a larger --ring-bytes, or read faster" };
}

const kernel: readonly (readonly [name: string, feature: string, there: string, absent: string, fix: string])[] = [
  [
    "inotify",
    "inotify",
    "Available",
    "Not available: agents that watch files may miss changes",
    "sysctl fs.inotify.max_user_instances=512",
  ],
  ["pty", "pty", "Terminals can be made", "No terminal can be made", "mount -t devpts devpts /dev/pts"],
  [
    "landlock",
    "landlock",
    "Available",
    "Not available",
    "Use Linux 5.13 or newer with landlock among its security modules, if you want agents confined",
  ],
  [
    "openat2",
    "openat2",
    "Available",
    "Not available: paths are followed step by step instead, which is slower",
    "Use Linux 5.6 or newer, or let the container's seccomp profile pass openat2",
  ],
];

function kernelChecks(features: Readonly<Record<string, boolean>>): Check[] {
  return kernel
    .filter(([, feature]) => feature in features)
    .map(([name, feature, there, absent, fix]) =>
      features[feature] ? { name, state: "ok", text: there } : { name, state: "warning", text: absent, fix },
    );
}

function storageCheck({ keeps }: PageFacts): Check {
  if (keeps) return { name: "browser storage", state: "ok", text: "Available" };
  const text = "Not available: sessions, drafts and the theme are forgotten when the page is closed";
  return { name: "browser storage", state: "warning", text, fix: "Leave the private window, or allow this site to keep data" };
}

// Those that are not there are fine, and said together.
function agentChecks(agents: readonly AgentInfo[]): Check[] {
  const [there, absent] = [agents.filter(({ installed }) => installed), agents.filter(({ installed }) => !installed)];
  if (absent.length === 0) return there.map(agentCheck);
  const names = absent.map(({ id }) => id).join(", ");
  return [...there.map(agentCheck), { name: "other agents", state: "ok", text: `Not installed: ${names}` }];
}

function agentCheck({ id, version, credentials, credentialsPlace, install, instructions }: AgentInfo): Check {
  const name = `agent ${id}`;
  const text = [
    version === undefined ? "" : `Version ${version}. `,
    install.source === "builtin" ? "Built in" : "Installed",
    credentials === "found" && credentialsPlace !== undefined ? `; key found in ${credentialsPlace}` : "",
    credentials === "missing" ? "; no key found" : "",
  ].join("");
  if (credentials !== "missing") return { name, state: "ok", text };
  const lines = instructions.trim().split("\n");
  return { name, state: "warning", text, fix: lines.find((line) => line.startsWith("Set ")) ?? lines.join(" ") };
}
