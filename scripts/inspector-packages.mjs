// The npm packages of which something lies in the inspector page: what Vite puts into it, asked by building it once more without writing.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { build } from "vite";

// Modules that are made while building, and whose they are.
const made = [
  [/^\0virtual:acp-schema$/, "@agentclientprotocol/sdk"],
  [/^\0vite\//, "vite"],
  [/^\0rolldown\//, "rolldown"],
];

// Where the package of a module lies; null: it is ours.
function folderOf(id) {
  const [, own] = made.find(([form]) => form.test(id)) ?? [];
  if (own) return path.resolve("node_modules", own);
  if (id.startsWith("\0")) throw new Error(`${JSON.stringify(id)} is made while building: say in scripts/inspector-packages.mjs whose it is`);
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? null;
}

// [{name, version, license, text}], by name.
export async function bundledPackages() {
  const folders = new Set();
  const collect = {
    name: "collect",
    generateBundle(_options, bundle) {
      for (const { modules = {} } of Object.values(bundle))
        for (const [id, { renderedLength }] of Object.entries(modules)) if (renderedLength > 0) folders.add(folderOf(id));
      for (const id of this.getModuleIds()) if (/[.]css(\?|$)/.test(id)) folders.add(folderOf(id));
    },
  };
  await build({ configFile: "inspector/vite.config.ts", build: { write: false, emptyOutDir: false }, plugins: [collect] });
  folders.delete(null);
  return [...folders].map(describe).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e([.-]|$)/i.test(one));
  if (typeof license !== "string") throw new Error(`${name} does not say its licence`);
  return { name, version, license, text: file && existsSync(path.join(folder, file)) ? readFileSync(path.join(folder, file), "utf8") : license };
}
