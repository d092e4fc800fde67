// Many updates: all delivered, in order, before the turn settles, whether one reads or only awaits. Nothing is kept for nobody.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import "./guards.js";
import { inBothModes, patientWithReaders, Place } from "./place.js";
import { floodText } from "./waiting.js";

inBothModes(
  "a flood",
  (place) => {
    test.each([5_000, 100_000])("of %i updates is read in order and complete before the turn settles", async (count) => {
      const session = await (await place().open()).createSession({ agent: "mock", cwd: "/" });
      const turn = session.prompt(`/flood ${count}`);
      let seen = 0;
      let inOrder = true;
      let seenAtTheEnd = -1;
      void turn.settled.then(() => (seenAtTheEnd = seen));
      for await (const event of turn) if (event.type === "text") inOrder &&= event.text === `token ${++seen} `;
      const { text } = await turn;
      expect(inOrder).toBe(true);
      expect(seen).toBe(count);
      expect(seenAtTheEnd).toBe(count);
      expect(text === floodText(count)).toBe(true);
    });

    test.each([5_000, 100_000])("of %i updates that is only awaited is complete", async (count) => {
      const session = await (await place().open()).createSession({ agent: "mock", cwd: "/" });
      const { text } = await session.prompt(`/flood ${count}`);
      expect(text === floodText(count)).toBe(true);
      expect(session.metadata.eventCount).toBeGreaterThanOrEqual(count);
    });
  },
  patientWithReaders,
);

test("a turn that is only awaited keeps no events", async () => {
  const place = await Place.make("server", patientWithReaders);
  try {
    const script = fileURLToPath(new URL("awaited_flood.mjs", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script, JSON.stringify(place.access)]);
    const { keptBytes } = JSON.parse(stdout) as { keptBytes: number };
    expect(keptBytes).toBeLessThan(8_000_000); // the events of 30,000 updates are more than 20 MB
  } finally {
    await place.stop();
  }
});
