// Puts an agent where the daemon finds it. The folder is kept between runs, so only the first one downloads.
import { execFile } from "node:child_process";
import { access, chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const nameOf = (spec) => spec.slice(0, spec.lastIndexOf("@"));

export async function install(agent, recipe, dataFolder) {
  const processes = path.join(dataFolder, "sandbox-agent/bin/agent_processes");
  const launcher = path.join(processes, `${agent}-acp`);
  if (await access(launcher).then(() => true, () => false)) return;
  const tree = path.join(processes, agent);
  await mkdir(tree, { recursive: true });
  const packages = [recipe.package, recipe.native, recipe.node].filter(Boolean);
  await run("npm", ["install", "--prefix", tree, "--no-audit", "--no-fund", ...packages], { timeout: 200_000 });
  const manifest = JSON.parse(await readFile(path.join(tree, "node_modules", nameOf(recipe.package), "package.json"), "utf8"));
  const [bin] = typeof manifest.bin === "string" ? [nameOf(recipe.package).split("/").at(-1)] : Object.keys(manifest.bin);
  const words = [path.join(tree, "node_modules/.bin", bin), ...(recipe.args ?? [])];
  const script = `#!/bin/sh\nPATH="${tree}/node_modules/.bin:$PATH"\nexport PATH\nexec ${words.join(" ")}\n`;
  await writeFile(launcher, script);
  await chmod(launcher, 0o755);
}
