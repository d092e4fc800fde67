// A daemon with a token that lets the pages of one origin in.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { launchDaemon } from "../contract/daemon.mjs";

export const token = "browser-token";

export async function startDaemon(origin, ...flags) {
  const home = await mkdtemp(path.join(os.tmpdir(), "browser-"));
  const env = { PATH: process.env.PATH, HOME: home, SANDBOX_AGENT_TOKEN: token };
  const daemon = await launchDaemon(["--log-level", "off", "--cors-allow-origin", origin, ...flags], { cwd: home, env });
  return {
    url: `http://127.0.0.1:${daemon.port}`,
    home,
    stop: () => daemon.stop().finally(() => rm(home, { recursive: true })),
  };
}
