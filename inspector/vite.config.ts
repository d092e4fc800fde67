// How the page is built: one small start, everything else on demand, no inline script or style, and the packages of sdk/ from
// their sources.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const place = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// What is needed before the first paint, src/boot.js and src/boot.css, is no part of the program: this gives both hashed names like
// everything else, and leaves it to boot.js to load the program and its styles.
function boot(): Plugin {
  let script = "";
  let styles = "";
  return {
    name: "boot",
    apply: "build",
    buildStart() {
      const emit = (name: string, source: string) => this.emitFile({ type: "asset", name, source });
      const sources = ["src/styles/tokens.css", "src/boot.css"].map((file) => readFileSync(place(file), "utf8"));
      script = emit("boot.js", readFileSync(place("src/boot.js"), "utf8"));
      styles = emit("boot.css", sources.join("").replace(/@import .*/, ""));
    },
    generateBundle: {
      order: "post", // the page is there
      handler(_options, bundle) {
        const page = bundle["index.html"];
        if (page?.type !== "asset") return this.error("There is no index.html.");
        const before = String(page.source);
        page.source = before
          .replace("/src/boot.js", `/ui/${this.getFileName(script)}`)
          .replace("/src/boot.css", `/ui/${this.getFileName(styles)}`)
          .replace(/<script type="module" crossorigin src="([^"]+)"><\/script>/, '<meta name="program" content="$1" />')
          .replace(/<link rel="stylesheet" crossorigin href="([^"]+)">/, '<meta name="styles" content="$1" />');
        const isWhole = page.source.includes('name="program"') && page.source.includes('name="styles"');
        if (!isWhole || page.source.includes("/src/boot.")) this.error("index.html is not as expected.");
      },
    },
  };
}

// The schema of the protocol's version that is spoken, without its prose: virtual:acp-schema.
function protocolSchema(): Plugin {
  const name = "virtual:acp-schema";
  const prose = new Set(["description", "title", "default", "x-docs-ignore"]);
  const isNamed = (key: string) => key === "properties" || key === "$defs"; // what is in there are names, not words of the schema
  const bare = (value: unknown, areNames = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => bare(item));
    if (typeof value !== "object" || value === null) return value;
    const kept = Object.entries(value).filter(([key]) => areNames || !prose.has(key));
    return Object.fromEntries(kept.map(([key, item]) => [key, bare(item, !areNames && isNamed(key))]));
  };
  return {
    name: "protocol-schema",
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const file = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
      const { $defs } = JSON.parse(readFileSync(file, "utf8")) as { $defs: unknown };
      return `export const schema = JSON.parse(${JSON.stringify(JSON.stringify({ $defs: bare($defs, true) }))});`;
    },
  };
}

export default defineConfig({
  root: place("."),
  base: "/ui/",
  logLevel: "warn",
  plugins: [boot(), protocolSchema()],
  resolve: {
    alias: [
      { find: /^acp-http-client$/, replacement: place("../sdk/acp-http-client/src/index.ts") },
      { find: /^sandbox-agent\/daemon$/, replacement: place("../sdk/sandbox-agent/src/daemon.ts") },
      { find: /^sandbox-agent\/transcript$/, replacement: place("../sdk/sandbox-agent/src/transcript/index.ts") },
    ],
  },
  build: {
    target: "es2022",
    outDir: place("../build/inspector/page"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // All that the start needs in one file: small ones compress worse, and each is a question of its own.
      output: { codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] } },
      // The page uses the transport without the official SDK's connection, so nothing of that package is needed.
      treeshake: { moduleSideEffects: (id) => !id.includes("@agentclientprotocol") && !id.includes("/sdk/") },
    },
  },
});
