// How the page is built: one small start, everything else on demand, no inline script or style, and the packages of sdk/ from
// their sources.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const place = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// src/boot.js must run before the first paint, so it is no module, and Vite leaves such scripts alone: this gives it a hashed
// name like everything else, and leaves it to start the program.
function bootScript(): Plugin {
  let file = "";
  return {
    name: "boot-script",
    apply: "build",
    buildStart() {
      file = this.emitFile({ type: "asset", name: "boot.js", source: readFileSync(place("src/boot.js")) });
    },
    generateBundle: {
      order: "post", // the page is there
      handler(_options, bundle) {
        const page = bundle["index.html"];
        if (page?.type !== "asset") return this.error("There is no index.html.");
        const before = String(page.source);
        page.source = before
          .replace("/src/boot.js", `/ui/${this.getFileName(file)}`)
          .replace(/<script type="module" crossorigin src="([^"]+)"><\/script>/, '<meta name="program" content="$1" />');
        if (!page.source.includes('name="program"') || page.source.includes("/src/boot.js"))
          this.error("index.html is not as expected.");
      },
    },
  };
}

export default defineConfig({
  root: place("."),
  base: "/ui/",
  logLevel: "warn",
  plugins: [bootScript()],
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
      // The page uses the transport without the official SDK's connection, so nothing of that package is needed.
      treeshake: { moduleSideEffects: (id) => !id.includes("@agentclientprotocol") && !id.includes("/sdk/") },
    },
  },
});
