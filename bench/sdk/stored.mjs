import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { SandboxAgent } from "sandbox-agent";
import { SQLiteSessionPersistDriver } from "sandbox-agent/persist/sqlite";
import { run } from "./run.mjs";

await run(async (access) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "bench-stored-"));
  const persist = await SQLiteSessionPersistDriver.open(path.join(folder, "sessions.db"));
  const agent = await SandboxAgent.connect({ ...access, persist });
  const session = await agent.createSession({ agent: "mock", cwd: "/" });
  const turn = async (words) => {
    const turn = session.prompt(words);
    let read = 0;
    for await (const event of turn) if (event.type === "text") ++read;
    await turn; // and all of it is stored
    return read;
  };
  const end = async () => {
    await agent.dispose();
    await persist.close();
    rmSync(folder, { recursive: true });
  };
  return { turn, end };
});
