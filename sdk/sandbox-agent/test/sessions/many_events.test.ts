// 100,000 updates: recorded completely, restored without reading them all, read in pages; memory stays small.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import "../guards.js";
import { patientWithReaders, timeScale } from "../place.js";
import { floodText } from "../waiting.js";
import { inLand } from "./land.js";

const count = 100_000;
const script = fileURLToPath(new URL("many_events.mjs", import.meta.url));

interface Told {
  grownMb: number;
  chars: number;
  recordedMs: number;
  restored: string;
  restoredMs: number;
  pageMs: number;
  page: number;
  total: number;
  tokens: number;
  entries: number;
  inOrder: boolean;
}

inLand((land) => {
  const run = async (work: "record" | "restore"): Promise<Told> => {
    const about = { access: land().access, storeFile: land().storeFile, id: "many", count, work };
    const command = ["--max-old-space-size=64", script, JSON.stringify(about)];
    const { stdout } = await promisify(execFile)(process.execPath, command);
    return JSON.parse(stdout) as Told;
  };

  test(
    "100,000 updates are recorded, restored and read with little memory",
    async () => {
      const recorded = await run("record");
      expect(recorded.chars).toBe(floodText(count).length);
      expect(recorded.grownMb).toBeLessThan(150);
      expect(recorded.recordedMs).toBeLessThan(30_000 * timeScale);

      const restored = await run("restore");
      expect(restored).toMatchObject({ restored: "attached", page: 100, tokens: count, inOrder: true });
      expect(restored.total).toBe(restored.entries);
      expect(restored.restoredMs).toBeLessThan(10_000 * timeScale);
      expect(restored.pageMs).toBeLessThan(2_000 * timeScale);
      expect(restored.grownMb).toBeLessThan(150);
      expect(await land().servers()).toEqual([]);
    },
    60_000 * timeScale,
  );
}, patientWithReaders);
