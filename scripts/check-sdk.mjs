// What scripts/check-sdk checks. Runs in the root of the repository; the packages are built.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import ts from "typescript";
import { build } from "vite";

const protocol = "@agentclientprotocol/sdk";

// `imports`: the packages it may import, with what lies below them. `node`: the files that may use Node's own modules.
// `forbidden`: a word that its sources must not have. Tests are free.
// `found`: the files that may import what only the running program knows (`import(name)`): bundlers do not follow it.
// `bytes`: how big its own code may be, minified and compressed; `later`: what is loaded on demand only.
// `bundles`: the conditions under which it is bundled. `alone`: entries that import nothing, and how big each may be.
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
    found: /^persist[/]sqlite_found[.]ts$/,
    bytes: 20_000,
    later: 8_000,
    bundles: { Node: ["node"], browser: ["browser"] },
    alone: {
      "persist/memory": 2500,
      "persist/sqlite": 4800,
      "persist/postgres": 4800,
      "persist/indexeddb": 3500,
      "transcript/index": 12_000,
    },
  },
};

function versionMistakes() {
  const [, version] = /^project\(\S+ VERSION (\S+)/m.exec(readFileSync("CMakeLists.txt", "utf8"));
  const told = "sdk/sandbox-agent/src/version.ts";
  const mistakes = readFileSync(told, "utf8").includes(`"${version}"`) ? [] : [`${told}: the project's version is ${version} (CMakeLists.txt).`];
  const locked = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
  for (const name of Object.keys(packages))
    if (locked[`sdk/${name}`].version !== version)
      mistakes.push(`package-lock.json: sdk/${name} is ${locked[`sdk/${name}`].version}, the project's version is ${version}. Run npm install.`);
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
  const { imports, node, found, forbidden } = packages[name];
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
  for (const at of namelessImports(text))
    if (!found?.test(file)) mistakes.push(`${place(at)}: this import has no fixed name; bundlers and this check cannot follow it.`);
  const word = forbidden?.exec(text);
  if (word) mistakes.push(`${place(word.index)}: ${name} speaks the protocol only; "${word[0]}" belongs elsewhere.`);
  return mistakes;
}

// Where something is imported that only the running program knows.
function namelessImports(text) {
  const places = [];
  const look = (node) => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && !ts.isStringLiteral(node.arguments[0]))
      places.push(node.getStart());
    ts.forEachChild(node, look);
  };
  look(ts.createSourceFile("it.ts", text, ts.ScriptTarget.Latest, true));
  return places;
}

function layeringMistakes() {
  return Object.keys(packages).flatMap((name) => {
    const folder = `sdk/${name}/src`;
    const files = readdirSync(folder, { recursive: true }).filter((file) => /(?<!\.test)\.ts$/.test(file));
    return files.flatMap((file) => importMistakes(name, file, readFileSync(path.join(folder, file), "utf8")));
  });
}

// The package's own code as a bundler would ship it: what is loaded at once, what is loaded on demand, and what it imports of others.
async function bundle(name, entry, conditions) {
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
        input: `sdk/${name}/dist/${entry}.js`,
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
  const imports = [...chunks.values()].flatMap((chunk) => chunk.imports).filter((file) => !chunks.has(file));
  return { atOnce: code((file) => atOnce.has(file)), later: code((file) => !atOnce.has(file)), imports };
}

async function sizeMistakes() {
  const mistakes = [];
  // What the bundle is like, if it can be made.
  async function look(what, bytes, later, bundled) {
    const made = await bundled.catch((error) => void mistakes.push(`${what}: cannot be bundled: ${error.message}`));
    if (made === undefined) return { atOnce: "", later: "", imports: [] };
    for (const [part, text, most] of [["at once", made.atOnce, bytes], ["on demand", made.later, later]]) {
      const size = text === "" ? 0 : gzipSync(text, { level: 9 }).length;
      if (size + most > 0) console.log(`${what}, loaded ${part}: ${size} of ${most} bytes, compressed`);
      if (size > most) mistakes.push(`${what}: what is loaded ${part} has ${size} bytes; ${most} are allowed. Make it smaller.`);
    }
    return made;
  }
  for (const [name, { bytes, later = 0, bundles, alone = {} }] of Object.entries(packages)) {
    for (const [where, conditions] of Object.entries(bundles)) {
      const made = await look(`${name}, ${where}`, bytes, later, bundle(name, "index", conditions));
      if (where !== "Node" && /["'`]node:/.test(made.atOnce + made.later))
        mistakes.push(`${name}: the bundle for ${where} imports a module of Node; only what "#spawn" leads to under Node may.`);
    }
    for (const [entry, most] of Object.entries(alone)) {
      const { imports } = await look(`${name}/${entry}`, most, 0, bundle(name, entry, ["browser"]));
      if (imports.length > 0) mistakes.push(`${name}/${entry} must not need other packages: ${imports.join(", ")}.`);
    }
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
    ["allowed", "sandbox-agent", "persist/sqlite_found.ts", `const x = await import(/* @vite-ignore */ name);`],
    ["refused", "sandbox-agent", "persist/sqlite_found.ts", `const x = await import("node:sqlite");`],
    ["refused", "sandbox-agent", "persist/sqlite.ts", `const x = await import(/* @vite-ignore */ name);`],
    ["refused", "sandbox-agent", "persist/sqlite.ts", `import Database from "better-sqlite3";`],
    ["refused", "sandbox-agent", "persist/sqlite.ts", `import type { Database } from "better-sqlite3";`],
    ["refused", "sandbox-agent", "persist/postgres.ts", `import type { Pool } from "pg";`],
    ["refused", "sandbox-agent", "a.ts", `const x = await import(\n  \`\${name}\`);`],
    ["allowed", "sandbox-agent", "a.ts", `// may import (in words) what it likes\nconst text = x.import(name);`],
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
