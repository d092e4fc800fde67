// Writes docs/reference/performance.md and its pictures from the figures of the benchmark.
// usage: node scripts/bench-page.mjs FIGURES.json FOLDER     FIGURES: from sandbox_bench --json
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { placeText, plotOf } from "./bench-plot.mjs";

const repository = fileURLToPath(new URL("..", import.meta.url));
const [figuresFile, folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node scripts/bench-page.mjs FIGURES.json FOLDER");
  process.exit(2);
}
const figures = JSON.parse(readFileSync(figuresFile, "utf8"));
const peer = JSON.parse(readFileSync(path.join(repository, "bench/peer/package-lock.json"), "utf8"));
const [peerName, peerVersion] = Object.entries(peer.packages)
  .filter(([place]) => place)
  .map(([place, { version }]) => [place.replace("node_modules/", ""), version])[0];

// What the page says about each measure, in the order of the page. Every measure must be named here.
const againstFloors = [
  {
    title: "Requests",
    groups: ["posts", "one-connection", "instances", "health"],
    text: `The floor of a POST is \`epoll_proxy\`: the least that puts agents behind HTTP, with no checks, no log and no streams. The floor
of \`/v1/health\` answers every request with the same 49 bytes. Behind both is the same agent, which answers a line with a line.`,
  },
  {
    title: "Event streams",
    groups: ["events", "fan-out", "replay"],
    text: `The agent says events of 200 bytes as fast as it can; every reader must see every event, and not one more. The floor is
\`epoll_fan_out\`: one log in one piece of memory, sent to all readers with the send buffers that the daemon gives its streams. It knows no ring,
no filters, no back-pressure and no chunks. A replay is what a reader gets that comes when the ring is full: 16,384 events. The limits
are on linear growth: from 50 readers on, a delivery may cost at most a fifth more than it grows in the floor.`,
  },
  {
    title: "Message size",
    groups: ["large", "sizes"],
    text: `One request at a time; its text goes to the agent and comes back with the answer. "All parties" is client, daemon and agent together:
what one saves by copying another must not pay. The floors are the pipe alone (the client writes to the agent and reads from it) and
\`epoll_proxy\`.`,
  },
  {
    title: "Many instances",
    groups: ["growing-instances"],
    text: `1 to 200 instances with a client each, as products have them: what a request costs as a multiple of one client of one instance.
Then 200 connections, spread over 1 to 200 instances. The more instances, the fewer lines go to each at a time, and the more pipes and
processes the kernel has to serve; the proxy has the same agents and shows how much of the growth that is. The limit there is on the
daemon's growth divided by the proxy's. For the last row the bytes that all rings together may hold were set to 8 MiB, so that every
message pushes an old one out; for the others a ring had 64 messages, and was full after the warm-up.`,
  },
  {
    title: "A ring that fills",
    groups: ["ring-fill"],
    text: `A new instance in each round. What an event without a reader and a POST cost when nothing was said before, and when half a ring,
one, two, five and twenty rings (of 16,384 messages) were. What falls below the first figure holds, too.`,
  },
  {
    title: "At rest",
    groups: ["memory", "idle"],
    text: `Resident memory as the kernel counts it (\`smaps_rollup\`). Idle cost is taken over 15 seconds, the time after which a silent stream
carries a heartbeat: each of the 100 streams got one.`,
  },
  {
    title: "Start, installs, commands",
    groups: ["start", "installed", "commands"],
    text: `From \`fork\` to the first 200 on \`/v1/health\`. \`run\` is measured with the built-in demo agent, in a home of its own.`,
  },
  {
    title: "Files",
    groups: ["download", "upload", "archive", "listing"],
    text: `Time counts here, on all cores, because worker threads are the point. The floors are a blocking loop with \`sendfile\`, one with \`recv\`
and \`write\`, and \`tar -x\`. While a server works somebody asks for its health every 2 ms. A large file had ${figures.fileMiB} MiB.`,
  },
];
const besidePeer = ["peer-start", "peer-posts", "peer-posts-one-core", "peer-throughput", "peer-events", "peer-memory", "peer-idle"];

const digits = (value) => (value === 0 ? "0" : value.toFixed(value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0));
const withUnit = (value, unit) => (value === null ? "" : `${digits(value)}${unit ? ` ${unit}` : ""}`);

function rowLine(row) {
  const sign = row.against === "peer" ? "≥" : "≤";
  const limit = row.limit === null ? "" : `${sign} ${withUnit(row.limit, row.limitOn === "ratio" ? "×" : row.unit)}`;
  const verdict = row.holds === null ? "" : row.holds ? "yes" : "**no**";
  return `| ${row.measure} | ${withUnit(row.other, row.unit)} | ${withUnit(row.daemon, row.unit)} | ${withUnit(row.ratio, "×")} | ${limit} | ${verdict} |`;
}

function table(head, rows) {
  return [head, "|---|--:|--:|--:|--:|---|", ...rows.map(rowLine)].join("\n");
}

function curvePart(curve) {
  const head = `| ${curve.along} | ${curve.series.map(({ name }) => name).join(" | ")} |`;
  const rule = `|--:|${curve.series.map(() => "--:").join("|")}|`;
  const lines = curve.places.map(
    (place, at) =>
      `| ${placeText(place, curve.along)} | ${curve.series.map(({ values }) => withUnit(values[at], curve.unit)).join(" | ")} |`,
  );
  return `![${curve.title}, by ${curve.along}](performance/${curve.name}.svg)\n\n${[head, rule, ...lines].join("\n")}`;
}

function floorPart({ title, text, groups }) {
  const rows = figures.rows.filter(({ group }) => groups.includes(group));
  const curves = figures.curves.filter(({ group }) => groups.includes(group));
  if (rows.length === 0) return [];
  return [`## ${title}`, text, table("| | floor | daemon | ratio | limit | holds |", rows), ...curves.map(curvePart)];
}

// What the other server needs less of, in the same table.
function betterThere(rows) {
  const better = rows.filter(({ ratio, daemon, other }) => (ratio === null ? other < daemon : ratio < 1));
  if (better.length === 0) return "In none of these rows did it need less, or do more, than the daemon.";
  return [
    "It needed less, or did more, than the daemon here:",
    "",
    ...better.map(({ measure, other, daemon, unit }) => `- ${measure}: ${withUnit(other, unit)}, the daemon ${withUnit(daemon, unit)}`),
  ].join("\n");
}

function lostThere(rows) {
  const lost = rows.filter(({ measure, other }) => measure.endsWith(": delivered") && other < 100);
  if (lost.length === 0) return "Every event reached every reader in this run.";
  return [
    "Readers read as fast as they could, and the daemon delivered everything. Of the published server they got:",
    "",
    ...lost.map(({ measure, other, unit }) => `- ${measure.replace(": delivered", "")}: ${withUnit(other, unit)}`),
    "",
    "The numbers of the events show where some are missing; nothing else in the stream says so.",
  ].join("\n");
}

function peerPart() {
  const rows = figures.rows.filter(({ group }) => besidePeer.includes(group));
  if (rows.length === 0) return [];
  return [
    "## Beside the published server",
    `\`${peerName}\` ${peerVersion} serves the same contract. Both programs were started with the same words (\`server --no-token
--no-telemetry --host 127.0.0.1 --port N\`), the same environment and the same agent in the place where both look for one
(\`$XDG_DATA_HOME/sandbox-agent/bin/agent_processes/mock-acp\`), and got the same requests, in turns: daemon, peer, daemon, peer. As it
comes, the published server notes every request in a log file, which the daemon does not; "its log off" is with \`RUST_LOG=error\`. It
reads each message and writes it anew; the daemon passes the bytes on. CPU time is that of all threads. "Daemon better by" is how many
times less the daemon takes, or how many times more where more is better; the limits are on that. A delivery is an event that reached
a reader; what was lost does not count.`,
    table("| | published server | daemon | daemon better by | limit | holds |", rows),
    "### What it does better",
    betterThere(rows),
    `It has no process between itself and an agent; the daemon has a supervisor for each, which is most of what its instance holds. It works
with several threads, where the daemon has one loop.`,
    "### What it loses",
    lostThere(rows),
  ];
}

function verdict() {
  const limited = figures.rows.filter(({ holds }) => holds !== null);
  const broken = limited.filter(({ holds }) => !holds);
  if (broken.length === 0) return `All ${limited.length} limits hold.`;
  return `Of ${limited.length} limits ${broken.length} ${broken.length === 1 ? "does" : "do"} not hold:\n\n${broken.map(({ measure }) => `- ${measure}`).join("\n")}`;
}

function page() {
  const { processor, cores, memoryMiB, kernel, compiler } = figures.machine;
  return [
    "# Performance",
    "<!-- written by `make performance` -->",
    `What the daemon costs, measured against floors of the same run and beside the published server. A floor is a small program that does
the least that could be called the same; [bench/README.md](../../bench/README.md) describes each of them and the method. ${verdict()}`,
    "## How it was measured",
    `- Machine: ${processor}, ${cores} cores, ${(memoryMiB / 1024).toFixed(1)} GiB of memory, Linux ${kernel.match(/^\d+\.\d+/)?.[0] ?? kernel}; static release build, ${compiler}.
- CPU time as the kernel counts it for the server's process (all threads, system calls included), not throughput: it hardly notices
  what else the machine does.
- Floor and daemon take turns: ${figures.rounds} rounds of ${figures.burstMs} ms (curves: shorter) after a warm-up. A column shows the median of the rounds, the
  ratio is the median of the rounds' ratios, so that columns need not divide to it. A multiple of a server's own cost is one lower quartile
  of the rounds over another. Limits are on the ratio where there is a floor.
- Load generator, server and agents share one core, but for files and where it says otherwise.
- Every answer is checked: a 200, complete, with the id of its request; every reader must see every event, and not one more.
- \`make performance\` takes all figures anew and writes this page.`,
    ...againstFloors.flatMap(floorPart),
    ...peerPart(),
  ].join("\n\n");
}

const known = [...againstFloors.flatMap(({ groups }) => groups), ...besidePeer];
const unknown = [...figures.rows, ...figures.curves].map(({ group }) => group).filter((group) => !known.includes(group));
if (unknown.length > 0) throw new Error(`say on the page what these measure: ${[...new Set(unknown)].join(", ")}`);

const pictures = path.join(folder, "performance");
mkdirSync(pictures, { recursive: true });
for (const name of readdirSync(pictures)) if (name.endsWith(".svg")) rmSync(path.join(pictures, name));
for (const curve of figures.curves) writeFileSync(path.join(pictures, `${curve.name}.svg`), plotOf(curve));
writeFileSync(path.join(folder, "performance.md"), `${page()}\n`);
console.log(`${path.join(folder, "performance.md")}: ${figures.rows.length} figures, ${figures.curves.length} curves`);
