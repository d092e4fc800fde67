// Lays out every package as it is published and packs it. Versions come from the command line, and manifests are made here: names that
// npm may not know yet stay out of the workspace and its lock file. The same inputs give the same bytes.
// usage: node scripts/npm-pack.mjs <version> <folder for the tarballs> <arch=binary> …     arch: as Node calls it
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const [version, results, ...binaries] = process.argv.slice(2);
const architectures = { x64: "x86-64", arm64: "64-bit ARM" };
const platformPackage = (arch) => `@sandbox-agent/cli-linux-${arch}`;
const stage = mkdtempSync(path.join(os.tmpdir(), "npm-pack-"));

const shared = {
  version,
  license: "Apache-2.0",
  repository: { type: "git", directory: "npm" },
  keywords: ["acp", "agent", "ai", "coding-agent", "sandbox"],
};
const command = { bin: { "sandbox-agent": "bin/sandbox-agent.js" } };

// A folder that holds the package.
function layOut(manifest, fill) {
  const folder = path.join(stage, manifest.name);
  mkdirSync(path.join(folder, "bin"), { recursive: true });
  fill(folder);
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync("LICENSE", path.join(folder, "LICENSE"));
  return folder;
}

function platform(arch, binary) {
  const name = platformPackage(arch);
  const description = `The program sandbox-agent for Linux on ${architectures[arch]}: one static binary.`;
  return layOut({ name, description, ...shared, os: ["linux"], cpu: [arch], files: ["bin", "NOTICES.txt"] }, (folder) => {
    copyFileSync(binary, path.join(folder, "bin/sandbox-agent"));
    chmodSync(path.join(folder, "bin/sandbox-agent"), 0o755);
    const notices = path.join(path.dirname(binary), "NOTICES.txt"); // beside a binary that is to be published
    if (existsSync(notices)) copyFileSync(notices, path.join(folder, "NOTICES.txt"));
    writeFileSync(path.join(folder, "README.md"), `# ${name}\n\n${description} The package \`@sandbox-agent/cli\` runs it.\n`);
  });
}

function launcher() {
  const manifest = {
    name: "@sandbox-agent/cli",
    description: "The command sandbox-agent: coding agents behind one HTTP API.",
    ...shared,
    type: "module",
    engines: { node: ">=20" },
    ...command,
    files: ["bin"],
    optionalDependencies: Object.fromEntries(Object.keys(architectures).map((arch) => [platformPackage(arch), version])),
  };
  return layOut(manifest, (folder) => cpSync("npm/cli", folder, { recursive: true }));
}

// A package of sdk/, whose manifest says everything; to the one that can start a daemon the command is added.
function typescript(name) {
  const manifest = JSON.parse(readFileSync(`sdk/${name}/package.json`, "utf8"));
  const hasCommand = name === "sandbox-agent";
  const more = { ...command, files: [...manifest.files, "bin"], dependencies: { ...manifest.dependencies, "@sandbox-agent/cli": version } };
  return layOut({ ...manifest, ...(hasCommand ? more : {}) }, (folder) => {
    for (const part of ["dist", "README.md"]) cpSync(`sdk/${name}/${part}`, path.join(folder, part), { recursive: true });
    if (hasCommand) cpSync("npm/sandbox-agent", folder, { recursive: true });
  });
}

try {
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const given = binaries.map((pair) => pair.split("="));
  const unknown = given.find(([arch, binary]) => !(arch in architectures) || !binary);
  if (unknown) throw new Error(`${unknown.join("=")}: give ${Object.keys(architectures).join(" or ")}, =, and a binary`);
  const folders = [...given.map(([arch, binary]) => platform(arch, binary)), launcher(), ...["acp-http-client", "sandbox-agent"].map(typescript)];
  const words = ["pack", "--ignore-scripts", "--offline", "--json", "--loglevel=error", "--pack-destination", path.resolve(results)];
  const packed = JSON.parse(execFileSync("npm", [...words, ...folders], { encoding: "utf8", env: { ...process.env, npm_config_update_notifier: "false" } }));
  for (const { filename, size } of packed) console.log(`${path.join(results, filename)} (${size} bytes)`);
} finally {
  rmSync(stage, { recursive: true });
}
