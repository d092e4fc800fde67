// Programs started as a container runtime, the kubelet or systemd would start them: confined.sh builds the place.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { binary } from "../contract/daemon.mjs";
import { until, within } from "../install/waiting.mjs";

const script = fileURLToPath(new URL("confined.sh", import.meta.url));
const underTest = path.resolve(binary);
export const address = "10.11.12.13"; // what confined.sh gives it

// Why nothing can be confined here; empty when it can.
export function obstacle() {
  if (process.getuid() !== 0) return "needs root to make namespaces and to become another user";
  try {
    execFileSync("unshare", ["--mount", "--net", "--pid", "--fork", "true"], { stdio: "ignore" });
    return "";
  } catch {
    return "this system allows no namespaces";
  }
}

// A folder for one test, gone at its end.
export function makeFolder(t) {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "deploy-")));
  chmodSync(folder, 0o755);
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

// A root with nothing in it but the binary. `place`: where that is. Returns [root, binds].
export function emptyRoot(folder, place) {
  const root = path.join(folder, "root");
  mkdirSync(root);
  return [root, [[underTest, place, "ro"]]];
}

// A root with this machine's programs and Node.js, as a Debian image would have them.
export function debianRoot(folder) {
  const [root, binds] = emptyRoot(folder, "/usr/local/bin/sandbox-agent");
  for (const name of ["bin", "sbin", "lib", "lib32", "lib64", "libx32"]) {
    if (existsSync(`/usr/${name}`)) binds.push([`/usr/${name}`, `/usr/${name}`, "ro"]);
    if (!existsSync(`/${name}`)) continue;
    if (lstatSync(`/${name}`).isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), path.join(root, name));
    else binds.push([`/${name}`, `/${name}`, "ro"]);
  }
  binds.push([realpathSync(process.execPath), "/usr/local/bin/node", "ro"]);
  return [root, binds];
}

// A folder of the host as a volume: the group may write, as the kubelet sets it, or only the user, as systemd does.
export function volume(folder, name, { user = 0, group = 65532, mode = 0o2777, content } = {}) {
  const place = path.join(folder, name);
  mkdirSync(place, { recursive: true });
  if (content) execFileSync("cp", ["--archive", `${content}/.`, place]);
  chownSync(place, user, group);
  chmodSync(place, mode);
  return place;
}

const dying = ["--pdeathsig", "KILL", "unshare", "--pid", "--fork", "--kill-child"];
const inside = ({ root, user, directory, binds, environment, command }) => [
  "--mount", "--net", "--pid", "--fork", script, root, user, directory,
  ...binds.flatMap((bind) => ["bind", ...bind]), "--", ...Object.entries(environment).map(([name, value]) => `${name}=${value}`), "--", ...command,
];

// Runs to its end; an error with its words when that is not 0.
export const runConfined = (place) => execFileSync("unshare", inside(place), { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

// A daemon in its place, where it has process number 1. The outer namespace ends with us, and everything in it.
export async function startConfined(t, place) {
  const child = spawn("/usr/bin/setpriv", [...dying, "unshare", ...inside(place)], { stdio: ["ignore", "pipe", "pipe"] });
  let words = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (words += text));
  const exited = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  let ended;
  exited.then((how) => (ended = how));
  t.after(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  await until("it says that it listens", () => ended !== undefined || words.includes("listening on"));
  if (ended !== undefined) throw new Error(`it ended at once: ${ended}\n${words}`);
  const childOf = (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));
  return new Confined({ exited, place, pid: childOf(childOf(child.pid)), words: () => words });
}

class Confined {
  constructor(parts) {
    Object.assign(this, parts);
  }

  // {status, body} of a request from within its network. `url` begins with the address that is connected to.
  ask(url, { host, token, method = "GET", message } = {}) {
    const fields = { Host: host, Authorization: token && `Bearer ${token}`, "Content-Type": message && "application/json" };
    const given = Object.entries(fields).filter(([, value]) => value).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);
    const words = ["--silent", "--globoff", "--max-time", "10", "--request", method, "--write-out", "\n%{http_code}", ...given];
    if (message) words.push("--data", JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }));
    const answer = execFileSync("nsenter", [`--target=${this.pid}`, "--net", "curl", ...words, url], { encoding: "utf8" });
    const at = answer.lastIndexOf("\n");
    return { status: Number(answer.slice(at + 1)), body: answer.slice(0, at) };
  }

  // The exit code of a program inside, as `podman exec` would start it.
  execute(command) {
    const [user, group] = this.place.user.split(":");
    const words = [`--target=${this.pid}`, "--mount", "--net", "--pid", "--root", `--setuid=${user}`, `--setgid=${group}`, ...command];
    try {
      execFileSync("nsenter", words, { env: this.place.environment, stdio: "ignore" });
      return 0;
    } catch (error) {
      return error.status ?? error.signal ?? error.code;
    }
  }

  // SIGTERM; how it ended and after how long: {how, milliseconds}.
  async stop(limit) {
    const begin = performance.now();
    process.kill(this.pid, "SIGTERM");
    const how = await within(limit, "its end", this.exited);
    return { how, milliseconds: performance.now() - begin };
  }
}
