// What scripts/check-sdk checks. Runs in the root of the repository; the packages are built.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import ts from "typescript";
import { build } from "vite";

const protocol = "@agentclientprotocol/sdk";

// `imports`: the packages it may import, with what lies below them. `node`: the files that may use Node's own modules.
// `forbidden`: a word that its sources must not have. Tests are free.
// `bytes`: how big its own code may be, minified and compressed; `later`: what is loaded on demand only.
// `bundles`: the conditions under which it is bundled.
const packages = {
  "acp-http-client": {
    imports: [protocol],
    forbidden: /sandbox/i,
    bytes: 6000,
    bundles: { "Node and browser": [] },
  },
  "sandbox-agent": {
    imports: [protocol, "acp-http-client", "#spawn"],
    node: /^spawn[/](?!elsewhere[.]ts$)/,
    bytes: 20_000,
    later: 7_000,
    bundles: { Node: ["node"], browser: ["browser"] },
  },
};

function versionMistakes() {
  const [, version] = /^project\(\S+ VERSION (\S+)/m.exec(readFileSync("CMakeLists.txt", "utf8"));
  const told = "sdk/sandbox-agent/src/version.ts";
  const mistakes = readFileSync(told, "utf8").includes(`"${version}"`) ? [] : [`${told}: the project's version is ${version} (CMakeLists.txt).`];
  return mistakes.concat(Object.keys(packages).flatMap((name) => {
    const file = `sdk/${name}/package.json`;
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    const ours = Object.entries(manifest.dependencies ?? {}).filter(([dependency]) => dependency in packages);
    return [["its own version", manifest.version], ...ours]
      .filter(([, found]) => found !== version)
      .map(([what, found]) => `${file}: ${what} is ${found}, the project's is ${version} (CMakeLists.txt). Make them equal.`);
  }));
}

// `file`: relative to the package's src/.
function importMistakes(name, file, text) {
  const { imports, node, forbidden } = packages[name];
  const place = (at) => `sdk/${name}/src/${file}:${text.slice(0, at).split("\n").length}`;
  const mistakes = [];
  for (const { fileName: target, pos } of ts.preProcessFile(text, true, true).importedFiles) {
    if (/^[.]{1,2}\//.test(target)) {
      if (path.join(path.dirname(file), target).startsWith("..")) mistakes.push(`${place(pos)}: ${target} lies outside of src/.`);
    } else if (target.startsWith("node:") && node) {
      if (!node.test(file)) mistakes.push(`${place(pos)}: browsers have no ${target}; only what "#spawn" leads to under Node may import it.`);
    } else if (!imports.some((allowed) => target === allowed || target.startsWith(`${allowed}/`)))
      mistakes.push(`${place(pos)}: ${name} may import ${imports.join(", ")}; not ${target}.`);
  }
  const word = forbidden?.exec(text);
  if (word) mistakes.push(`${place(word.index)}: ${name} speaks the protocol only; "${word[0]}" belongs elsewhere.`);
  return mistakes;
}

function layeringMistakes() {
  return Object.keys(packages).flatMap((name) => {
    const folder = `sdk/${name}/src`;
    const files = readdirSync(folder, { recursive: true }).filter((file) => /(?<!\.test)\.ts$/.test(file));
    return files.flatMap((file) => importMistakes(name, file, readFileSync(path.join(folder, file), "utf8")));
  });
}

// The package's own code as a bundler would ship it: what is loaded at once, and what is loaded on demand.
async function bundle(name, conditions) {
  const { output } = await build({
    configFile: false,
    logLevel: "error",
    resolve: { conditions },
    build: {
      write: false,
      minify: true,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: {
        input: `sdk/${name}/dist/index.js`,
        external: (id) => id.startsWith("node:") || /^(@agentclientprotocol\/sdk|acp-http-client|zod)(\/|$)/.test(id),
        preserveEntrySignatures: "strict",
      },
    },
  });
  const chunks = new Map(output.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]));
  const atOnce = new Set();
  const add = (file) => {
    if (!chunks.has(file) || atOnce.has(file)) return;
    atOnce.add(file);
    chunks.get(file).imports.forEach(add);
  };
  for (const { fileName, isEntry } of chunks.values()) if (isEntry) add(fileName);
  const code = (isPart) => [...chunks.values()].filter(({ fileName }) => isPart(fileName)).map((chunk) => chunk.code).join("");
  return { atOnce: code((file) => atOnce.has(file)), later: code((file) => !atOnce.has(file)) };
}

async function sizeMistakes() {
  const mistakes = [];
  for (const [name, { bytes, later = 0, bundles }] of Object.entries(packages))
    for (const [where, conditions] of Object.entries(bundles)) {
      const code = await bundle(name, conditions).catch((error) => void mistakes.push(`${name} cannot be bundled: ${error.message}`));
      if (code === undefined) continue;
      for (const [part, text, most] of [["at once", code.atOnce, bytes], ["on demand", code.later, later]]) {
        const size = text === "" ? 0 : gzipSync(text, { level: 9 }).length;
        if (size + most > 0) console.log(`${name}, ${where}, loaded ${part}: ${size} of ${most} bytes, compressed`);
        if (size > most) mistakes.push(`${name}: what ${where} loads ${part} has ${size} bytes; ${most} are allowed. Make it smaller.`);
      }
      if (where !== "Node" && /["'`]node:/.test(code.atOnce + code.later))
        mistakes.push(`${name}: the bundle for ${where} imports a module of Node; only what "#spawn" leads to under Node may.`);
    }
  return mistakes;
}

function selfTestMistakes() {
  const cases = [
    ["allowed", "acp-http-client", "a.ts", `import { x } from "./b.js";`],
    ["allowed", "acp-http-client", "deep/a.ts", `import { x } from "../b.js";`],
    ["allowed", "acp-http-client", "a.ts", `import type { Stream } from "${protocol}";`],
    ["allowed", "acp-http-client", "a.ts", `// taken from "zod"\nconst text = 'import "zod"';`],
    ["refused", "acp-http-client", "a.ts", `import { x } from "../b.js";`],
    ["refused", "acp-http-client", "a.ts", `import { x } from "node:fs";`],
    ["refused", "acp-http-client", "a.ts", `export {\n  x,\n} from "zod";`],
    ["refused", "acp-http-client", "a.ts", `const x = await import("zod");`],
    ["refused", "acp-http-client", "a.ts", `type X = import("zod").X;`],
    ["refused", "acp-http-client", "a.ts", `// for the Sandbox`],
    ["allowed", "sandbox-agent", "a.ts", `import { x } from "#spawn";\nimport { y } from "acp-http-client";`],
    ["allowed", "sandbox-agent", "a.ts", `import { x } from "${protocol}/experimental/v2";`],
    ["allowed", "sandbox-agent", "spawn/output.ts", `import { spawn } from "node:child_process";`],
    ["refused", "sandbox-agent", "spawn/elsewhere.ts", `import { spawn } from "node:child_process";`],
    ["refused", "sandbox-agent", "a.ts", `import fs from "fs";`],
    ["refused", "sandbox-agent", "a.ts", `import "acp-http-client-other";`],
  ];
  return cases.flatMap(([verdict, name, file, text]) => {
    const found = importMistakes(name, file, text).length > 0 ? "refused" : "allowed";
    return found === verdict ? [] : [`self-test: ${name}/src/${file} with ${text} should be ${verdict}, but was ${found}.`];
  });
}

const mistakes = process.argv.includes("--self-test")
  ? selfTestMistakes()
  : [...versionMistakes(), ...layeringMistakes(), ...(await sizeMistakes())];
for (const mistake of mistakes) console.log(mistake);
process.exit(mistakes.length > 0 ? 1 : 0);
