// How the tests of both packages and of the inspector run: against the sources; only those of the packages as they are shipped need
// what is built.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const place = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const timeScale = Number(process.env.SA_TIME_SCALE ?? 1);

export default defineConfig({
  resolve: {
    alias: [
      { find: /^acp-http-client$/, replacement: place("acp-http-client/src/index.ts") },
      { find: /^sandbox-agent$/, replacement: place("sandbox-agent/src/index.ts") },
      { find: /^sandbox-agent\/(persist\/.*)$/, replacement: place("sandbox-agent/src/$1.ts") },
      { find: /^sandbox-agent\/daemon$/, replacement: place("sandbox-agent/src/daemon.ts") },
      { find: /^sandbox-agent\/transcript$/, replacement: place("sandbox-agent/src/transcript/index.ts") },
      { find: /^#spawn$/, replacement: place("sandbox-agent/src/spawn/node.ts") },
    ],
  },
  test: {
    root: place(".."),
    projects: [
      {
        extends: true,
        test: {
          name: "sdk",
          include: ["sdk/*/{src,test}/**/*.test.ts"],
          isolate: true, // a file has a process of its own: its daemons end with it, and its signals are its own
        },
      },
      { extends: true, test: { name: "inspector", include: ["inspector/src/**/*.test.ts"], isolate: false } },
    ],
    pool: "forks",
    maxWorkers: 3, // of two cores: most tests wait
    testTimeout: 15_000 * timeScale,
    hookTimeout: 15_000 * timeScale,
    teardownTimeout: 5_000 * timeScale,
    allowOnly: false, // pick with -t
    dangerouslyIgnoreUnhandledErrors: false,
    reporters: process.stdout.isTTY ? "default" : "dot", // where nobody watches, only what failed is worth its lines
  },
});
