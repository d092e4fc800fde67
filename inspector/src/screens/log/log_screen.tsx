// Log: how the daemon is and what it has done, as GET /v1/status says; what can be told of the machine, the agents and this page; and a
// report of it to copy.
import { version as pageVersion } from "sandbox-agent/daemon";
import { useApp, useAppState } from "../../lib/context.js";
import { CopyButton } from "../../parts/copy_button.js";
import { reportText, type DaemonStatus, type PageFacts } from "../../state/report.js";
import { countWords, flagOf, limitWords, timeWords } from "../../state/report_words.js";
import { sizeWords } from "../../state/size_words.js";
import { Checks } from "./checks.js";
import { Facts, type Fact } from "./facts.js";
import { keepsData } from "./page_facts.js";
import { Processes } from "./processes.js";
import { useStatus } from "./use_status.js";
import "./log.css";

export function LogScreen() {
  const { status, failure, retry } = useStatus();
  return (
    <div class="log">
      <h1>Log</h1>
      <p class="quiet">
        How this daemon is, and what it has done since it was started. The numbers are asked for every two seconds.
      </p>
      {failure && (
        <div class="problem log-problem" role="alert">
          <p>
            {status ? "These numbers are not the newest: " : ""}
            {failure.message}
          </p>
          {failure.hint !== undefined && <p class="quiet">{failure.hint}</p>}
          <button type="button" class="button" onClick={retry}>
            Retry
          </button>
        </div>
      )}
      {!status && !failure && <p class="quiet">Loading …</p>}
      {status && <Report status={status} />}
    </div>
  );
}

function Report({ status }: { status: DaemonStatus }) {
  const app = useApp();
  const agents = useAppState((state) => state.agents);
  const stream = useAppState(({ shown }) => shown?.stream);
  const word = useAppState(({ daemon }) => daemon.word);
  const page: PageFacts = {
    version: pageVersion,
    origin: location.origin,
    browser: navigator.userAgent,
    keeps: keepsData(),
    stream,
  };
  const inputs = { status, agents: agents.state === "ready" ? agents.value : undefined, page, word };
  return (
    <>
      <Checks
        inputs={inputs}
        failure={agents.state === "failed" ? agents.message : undefined}
        onRetry={() => void app.loadAgents()}
      >
        <CopyButton label="Copy report" text={() => reportText(inputs)} />
      </Checks>
      <div class="log-cards">
        <Facts title="Daemon" facts={daemonFacts(status, page)} />
        <Facts title="Now" facts={counted("current", status.current, nowNames)} />
        <Facts title="Since the start" facts={counted("counters", status.counters, counterNames)} />
        <Facts title="Memory" facts={memoryFacts(status)} />
        <Facts title="Machine" facts={machineFacts(status)} />
        <Facts title="This page" facts={pageFacts(page)} />
        <Processes />
        <Facts title="Limits" facts={limitFacts(status)} isWide />
      </div>
    </>
  );
}

const daemonFacts = ({ version, uptimeMs, directory, pid, build }: DaemonStatus, { origin }: PageFacts): Fact[] => [
  ["version", "Version", version],
  ["uptimeMs", "Up for", timeWords(uptimeMs)],
  ["origin", "Address", origin],
  ["directory", "Directory", directory || "gone"],
  ["pid", "Process id", String(pid)],
  ["build", "Build", `${build.type}, ${build.linkage}, ${build.compiler}`],
];

const nowNames = {
  instances: "Processes of agents",
  pendingRequests: "Requests agents have not answered",
  readers: "Open event streams",
  connections: "Open connections",
};

const counterNames = {
  requests: "HTTP requests",
  connections: "Connections",
  bytes: "Bytes sent",
  bytesReceived: "Bytes received",
  instances: "Processes started",
  events: "Messages of agents",
  readers: "Event streams opened",
  deliveries: "Events handed out",
  gaps: "Times a reader missed some",
};

const counted = <Name extends string>(of: string, values: Record<Name, number>, names: Record<Name, string>): Fact[] =>
  (Object.entries(names) as [Name, string][]).map(([name, words]) => [
    `${of}.${name}`,
    words,
    name.startsWith("bytes") ? sizeWords(values[name]) : countWords(values[name]),
  ]);

const memoryFacts = ({ memory: { rssBytes, peakRssBytes, ringBytes, threads } }: DaemonStatus): Fact[] => [
  ["memory.rssBytes", "Resident", sizeWords(rssBytes)],
  ["memory.peakRssBytes", "The most it ever was", sizeWords(peakRssBytes)],
  ["memory.ringBytes", "Messages kept for readers", sizeWords(ringBytes)],
  ["memory.threads", "Threads", countWords(threads)],
];

function machineFacts({ platform: { system, kernel, machine, processors, descriptorLimit, features } }: DaemonStatus): Fact[] {
  const named = (isThere: boolean) =>
    Object.keys(features)
      .filter((name) => features[name] === isThere)
      .join(", ") || "none";
  return [
    ["platform.system", "System", `${system} ${kernel}, ${machine}`],
    ["platform.processors", "Processors", String(processors)],
    ["platform.descriptorLimit", "Most open descriptors", countWords(descriptorLimit)],
    ["platform.features", "Features found", named(true)],
    ["platform.missing", "Features not found", named(false)],
  ];
}

const pageFacts = ({ version, browser, keeps, stream }: PageFacts): Fact[] => [
  ["page.version", "Version", version],
  ["page.stream", "Stream", stream ?? "none: no session is shown"],
  ["page.storage", "Browser storage", keeps ? "available" : "not available"],
  ["page.browser", "Browser", browser],
];

const limitFacts = ({ limits }: DaemonStatus): Fact[] =>
  Object.entries(limits).map(([name, value]) => [`limits.${name}`, flagOf(name), limitWords(name, value)]);
