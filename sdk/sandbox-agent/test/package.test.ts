// The packages as npm ships them: packed, unpacked into a project of somebody else, type-checked and run there.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processesWith } from "../../../tests/install/disk.mjs";
import { binary } from "./http_daemon.js";
import { until } from "./waiting.js";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../../..", import.meta.url));
const names = ["acp-http-client", "sandbox-agent"];
const slow = 60_000 * Number(process.env.SA_TIME_SCALE ?? 1);

let folder: string; // the project
let program: string; // what the page on npm shows

beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "sdk-package-")));
  await Promise.all(["home", "packed"].map((name) => mkdir(path.join(folder, name))));
  await Promise.all(names.map(install));
  for (const name of ["@agentclientprotocol/sdk", "zod", "@types/node", "undici-types"]) await link(name);
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
  program = /```ts\n(.*?)```/s.exec(await readFile(placeOf("sandbox-agent", "README.md"), "utf8"))?.[1] ?? "";
  await writeFile(path.join(folder, "program.ts"), program);
}, slow);
afterAll(() => rm(folder, { recursive: true }));

// A map that a file names is there, and has the sources in it: they are not shipped. It names no place outside of the package.
async function checkMap(file: string): Promise<void> {
  const [, map] = /^\/\/# sourceMappingURL=(.*)$/m.exec(await readFile(file, "utf8")) ?? [];
  if (map === undefined) return;
  const text = await readFile(path.join(path.dirname(file), map), "utf8");
  const { sources, sourcesContent } = JSON.parse(text) as { sources: string[]; sourcesContent?: string[] };
  expect(sourcesContent?.length, file).toBe(sources.length);
  for (const source of sources) expect(source, file).toMatch(/^(\.\.\/){1,2}src\//);
}

const placeOf = (name: string, ...rest: string[]) => path.join(folder, "node_modules", name, ...rest);

async function install(name: string): Promise<void> {
  const source = path.join(repository, "sdk", name);
  const words = ["pack", "--ignore-scripts", "--offline", "--json", "--pack-destination", path.join(folder, "packed")];
  const env = { PATH: process.env.PATH, HOME: path.join(folder, "home"), npm_config_update_notifier: "false" };
  const { stdout } = await run("npm", words, { cwd: source, env });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await mkdir(placeOf(name), { recursive: true });
  await run("tar", ["-xzf", path.join(folder, "packed", filename), "-C", placeOf(name), "--strip-components=1"]);
}

async function link(name: string): Promise<void> {
  await mkdir(path.dirname(placeOf(name)), { recursive: true });
  await symlink(path.join(repository, "node_modules", name), placeOf(name));
}

function complaintsOf(options: ts.CompilerOptions, file = "program.ts"): string[] {
  const languages = ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.esnext.disposable.d.ts"];
  const all = { strict: true, target: ts.ScriptTarget.ES2022, lib: languages, types: [], noEmitOnError: true, ...options };
  const made = ts.createProgram([path.join(folder, file)], all);
  const found = [...ts.getPreEmitDiagnostics(made)];
  if (found.length === 0 && !all.noEmit) made.emit();
  return found.map(({ messageText, file }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
}

const nodenext = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
const bundler = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };

describe.each(names)("the package %s", (name) => {
  it("has what is needed, and nothing else", async () => {
    const files = (await readdir(placeOf(name), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(placeOf(name), path.join(entry.parentPath, entry.name)));
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/index.js", "dist/index.d.ts"]));
    const expected = /^(LICENSE|README\.md|package\.json|dist\/[\w/-]+(\.d\.ts|\.js|\.js\.map))$/;
    expect(files.filter((file) => !expected.test(file) || /test/.test(file))).toEqual([]);
    for (const file of files) await checkMap(placeOf(name, file));
    expect(await readFile(placeOf(name, "LICENSE"))).toEqual(await readFile(path.join(repository, "LICENSE")));
  });

  it("says what npm wants to know, and nothing of the place it was made in", async () => {
    const text = await readFile(placeOf(name, "package.json"), "utf8");
    const manifest = JSON.parse(text) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      name,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      description: expect.stringMatching(/\.$/),
      license: "Apache-2.0",
      type: "module",
      sideEffects: false,
      engines: { node: ">=20" },
      repository: { type: "git", directory: `sdk/${name}` },
      keywords: expect.arrayContaining(["agent"]),
      exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" }, "./package.json": "./package.json" },
      types: "./dist/index.d.ts",
    });
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(["private"]));
    expect(text).not.toMatch(/registry|localhost|127\.0\.0\.1|file:|link:|workspace:|\/(home|root|tmp|work)\//);
  });
});

describe("a program of somebody else", () => {
  it("type-checks as a bundler and as Node resolve modules", { timeout: slow }, () => {
    expect(program).toContain("SandboxAgent.start()");
    expect(complaintsOf({ ...bundler, types: ["node"], skipLibCheck: true, noEmit: true })).toEqual([]);
    expect(complaintsOf({ ...nodenext, types: ["node"], skipLibCheck: true, outDir: folder })).toEqual([]);
  });

  it("type-checks for a page, without Node's types, the declarations too", { timeout: slow }, async () => {
    const page = 'import { SandboxAgent } from "sandbox-agent";\nexport const agent = SandboxAgent.connect({ baseUrl: "/" });';
    await writeFile(path.join(folder, "page.ts"), page);
    const found = complaintsOf({ ...bundler, noEmit: true }, "page.ts");
    expect(found.filter((text) => !/node_modules\/(@agent|zod)/.test(text))).toEqual([]);
  });

  it("finds the secrets of MCP servers in its environment", async () => {
    const program = `
      import { newSessionMessage } from "sandbox-agent/transcript";
      const mcp = { docs: { url: "https://a", bearerTokenEnvVar: "DOCS_TOKEN" } };
      console.log(newSessionMessage({ agent: "mock", mcp }).params.mcpServers[0].headers[0].value);`;
    await writeFile(path.join(folder, "secret.js"), program);
    const env = { PATH: process.env.PATH, DOCS_TOKEN: "hidden" };
    const { stdout } = await run(process.execPath, [path.join(folder, "secret.js")], { env });
    expect(stdout).toBe("Bearer hidden\n");
  });

  it("runs, and leaves nothing running", { timeout: slow }, async () => {
    const home = path.join(folder, "home");
    const env = { PATH: process.env.PATH, HOME: home, SANDBOX_AGENT_BIN: binary };
    const { stdout, stderr } = await run(process.execPath, [path.join(folder, "program.js")], { cwd: home, env });
    expect(stdout).toMatch(/^You chose: Allow once/);
    expect(stderr).toContain("end_turn");
    await until(() => processesWith(`HOME=${home}`).length === 0, "the end of all it started");
  });
});
