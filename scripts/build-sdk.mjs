// The JavaScript of one TypeScript package, sdk/<name>/dist: one small file per entry, with a map that carries the sources, so that
// debuggers and stack traces show them. Declarations are the work of tsc (scripts/build-sdk).
import path from "node:path";
import { build } from "vite";

const [name] = process.argv.slice(2);
const folder = path.resolve("sdk", name);
const entries = {
  "acp-http-client": ["index"],
  "sandbox-agent": [
    "index",
    "daemon",
    "spawn/node",
    "spawn/elsewhere",
    "persist/memory",
    "persist/sqlite",
    "persist/postgres",
    "persist/indexeddb",
    "transcript/index",
  ],
}[name];

await build({
  configFile: false,
  logLevel: "warn",
  root: folder,
  define: { "process.env": "process.env" }, // as it is: vite would put an empty one in its place
  build: {
    outDir: path.join(folder, "dist"),
    emptyOutDir: false,
    target: "es2022",
    minify: false,
    modulePreload: false,
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries(entries.map((entry) => [entry, path.join(folder, "src", `${entry}.ts`)])),
      external: (id) => !id.startsWith(".") && !path.isAbsolute(id), // other packages, Node's modules, and "#spawn"
      preserveEntrySignatures: "strict",
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "shared/[name].js",
        minify: { compress: true, mangle: { toplevel: true, keepNames: { class: true, function: false } }, codegen: { removeWhitespace: false } },
      },
    },
  },
});
