// A project of somebody who did `npm install sandbox-agent`: packages as they are published, a registry that has them and what they
// depend on, a home, and nothing else. At the end nothing of it may run.
import { execFile, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { binary } from "../contract/daemon.mjs";
import { processesWith } from "../install/disk.mjs";
import { bytes, json, startServer } from "../install/registry_server.mjs";
import { until, within } from "../install/waiting.mjs";

export const repository = fileURLToPath(new URL("../..", import.meta.url));
export const version = execFileSync(path.join(repository, "scripts/version"), { encoding: "utf8" }).trim();
const dependencies = ["@agentclientprotocol/sdk", "zod"]; // what the SDK needs of others

export async function makeProject() {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "packages-")));
  const project = new Project(folder);
  try {
    for (const name of ["home", "project", "packed", "others"]) mkdirSync(path.join(folder, name));
    writeFileSync(project.at("package.json"), "{}\n");
    pack(project);
    project.registry = await startServer();
    project.env.npm_config_registry = project.registry.url;
    project.manifests = project.tarballs().map((tarball) => publish(project.registry, tarball));
    return project;
  } catch (error) {
    await project.end();
    throw error;
  }
}

class Project {
  constructor(folder) {
    Object.assign(this, { folder, home: path.join(folder, "home") });
    this.env = {
      PATH: process.env.PATH,
      HOME: this.home,
      LANG: "C.UTF-8",
      npm_config_update_notifier: "false",
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_fetch_retries: "0",
    };
  }

  at(...names) {
    return path.join(this.folder, "project", ...names);
  }

  tarballs() {
    const inFolder = (name) => readdirSync(path.join(this.folder, name)).map((file) => path.join(this.folder, name, file));
    return ["packed", "others"].flatMap(inFolder);
  }

  // A command in the project, to its end: {code, signal, stdout, stderr}.
  run(program, ...words) {
    const options = { cwd: this.at(), env: this.env, timeout: 60_000 };
    return new Promise((resolve) => {
      const child = execFile(program, words, options, (error, stdout, stderr) =>
        resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr }));
      child.stdin.end();
    });
  }

  // The same, while it runs: {child, said(), end()}. said() is all it wrote so far; end() waits for {code, signal}, not for long.
  start(program, ...words) {
    const child = spawn(program, words, { cwd: this.at(), env: this.env, stdio: "pipe" });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (text += part));
    const ended = new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal })));
    return { child, said: () => text, end: () => within(10_000, `the end of ${words.join(" ")}`, ended) };
  }

  processes() {
    return processesWith(`HOME=${this.home}`);
  }

  async end() {
    try {
      await until("nothing of the project runs", () => this.processes().length === 0);
    } catch (error) {
      const left = this.processes();
      for (const { pid } of left) process.kill(pid, "SIGKILL");
      throw new Error(`${error.message}: ${JSON.stringify(left)}`);
    } finally {
      await this.registry?.stop();
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

// Ours with the binary under test, and what they need of others as it lies in node_modules.
function pack({ folder, env }) {
  const standIn = path.join(folder, "stand-in");
  writeFileSync(standIn, "not for this machine\n");
  const binaries = ["x64", "arm64"].map((arch) => `${arch}=${arch === process.arch ? path.resolve(binary) : standIn}`);
  const options = { cwd: repository, env, stdio: ["ignore", "ignore", "inherit"] };
  execFileSync(process.execPath, ["scripts/npm-pack.mjs", version, path.join(folder, "packed"), ...binaries], options);
  const words = ["pack", "--ignore-scripts", "--offline", "--loglevel=error", "--pack-destination", path.join(folder, "others")];
  execFileSync("npm", [...words, ...dependencies.map((name) => path.join(repository, "node_modules", name))], options);
}

const manifestIn = (tarball) =>
  JSON.parse(execFileSync("tar", ["--extract", "--gzip", "--to-stdout", "--file", tarball, "package/package.json"], { encoding: "utf8" }));

// What its manifest says.
function publish(registry, tarball) {
  const manifest = manifestIn(tarball);
  const body = readFileSync(tarball);
  const place = `/-/${path.basename(tarball)}`;
  const dist = { tarball: registry.url + place, integrity: `sha512-${createHash("sha512").update(body).digest("base64")}` };
  registry.put(place, bytes(body));
  registry.put(`/${manifest.name}`, json({
    name: manifest.name,
    "dist-tags": { latest: manifest.version },
    versions: { [manifest.version]: { ...manifest, dist } },
  }));
  return manifest;
}
