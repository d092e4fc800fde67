// How the page is built: one small start, everything else on demand, no inline script or style, and the packages of sdk/ from
// their sources.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const place = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  root: place("."),
  base: "/ui/",
  logLevel: "warn",
  resolve: {
    alias: [
      { find: /^acp-http-client$/, replacement: place("../sdk/acp-http-client/src/index.ts") },
      { find: /^sandbox-agent\/daemon$/, replacement: place("../sdk/sandbox-agent/src/daemon.ts") },
      { find: /^sandbox-agent\/transcript$/, replacement: place("../sdk/sandbox-agent/src/transcript/index.ts") },
    ],
  },
  build: {
    target: "es2022",
    outDir: place("dist"),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The page uses the transport without the official SDK's connection, so nothing of that package is needed.
      treeshake: { moduleSideEffects: (id) => !id.includes("@agentclientprotocol") && !id.includes("/sdk/") },
    },
  },
});
