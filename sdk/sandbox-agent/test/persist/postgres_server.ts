// A PostgreSQL server of the tests' own: Debian's, in a temporary folder, reached by a socket in it and nothing else. It refuses to
// be root, so root runs it as "postgres" or "nobody". It ends with this process, however that ends.
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const home = "/usr/lib/postgresql";
const timeScale = Number(process.env.SA_TIME_SCALE ?? 1);

export interface PostgresServer {
  /** For `pg`. */
  readonly access: { host: string; user: string; database: string };
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPrograms();
  const folder = mkdtempSync(path.join(os.tmpdir(), "persist-postgres-"));
  const whom: { uid?: number; gid?: number } = process.getuid?.() === 0 ? otherThanRoot() : {};
  if (whom.uid !== undefined && whom.gid !== undefined) chownSync(folder, whom.uid, whom.gid);
  const data = path.join(folder, "data");
  const options = { ...whom, cwd: folder, env: { PATH: process.env.PATH, HOME: folder, LC_ALL: "C" } };
  try {
    const words = ["--pgdata", data, "--username", "tests", "--auth", "trust", "--encoding", "UTF8", "--no-sync"];
    await promisify(execFile)(path.join(programs, "initdb"), words, options);
    const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "fsync=off", "max_connections=60"];
    const postgres = [path.join(programs, "postgres"), "-D", data, ...settings.flatMap((setting) => ["-c", setting])];
    const child = spawn("setpriv", ["--pdeathsig", "INT", ...postgres], { ...options, stdio: ["ignore", "ignore", "pipe"] });
    const kill = () => void child.kill("SIGKILL"); // its children end with it
    const leave = () => {
      kill();
      rmSync(folder, { recursive: true, force: true });
    };
    process.once("exit", leave);
    const exited = once(child, "exit");
    const stop = async () => {
      child.kill("SIGTERM"); // waits for clients that are about to go
      const timer = setTimeout(kill, 5000 * timeScale);
      await exited;
      clearTimeout(timer);
      process.off("exit", leave);
      rmSync(folder, { recursive: true, force: true });
    };
    let said = "";
    const ready = new Promise<void>((resolve) => {
      child.stderr.on("data", (text) => (said += String(text)).includes("ready to accept connections") && resolve());
    });
    const ended = exited.then(() => Promise.reject(new Error(`postgres ended: ${said}`)));
    ended.catch(() => {});
    await Promise.race([ready, ended]);
    return { access: { host: folder, user: "tests", database: "postgres" }, stop };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function findPrograms(): string {
  const versions = existsSync(home) ? readdirSync(home).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => path.join(home, version, "bin")).find((bin) => existsSync(path.join(bin, "initdb")));
  if (!found) throw new Error(`no PostgreSQL in ${home}: run scripts/setup, which installs Debian's postgresql`);
  return found;
}

function otherThanRoot(): { uid: number; gid: number } {
  for (const name of ["postgres", "nobody"])
    try {
      const [uid, gid] = ["-u", "-g"].map((what) =>
        Number(execFileSync("id", [what, name], { stdio: ["ignore", "pipe", "ignore"] })),
      );
      return { uid: uid as number, gid: gid as number };
    } catch {
      // there is no such user
    }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody"');
}
