// A program that runs for a long time holds no more than it uses.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import "../guards.js";
import { firstOf, until } from "../waiting.js";
import { inLand, type Land } from "./land.js";

const readers = async (land: Land, serverId: string) => (await land.server(serverId))?.readers;

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

describe("one program", () => {
  inLand((land) => {
    test("that restores a session again and again has one connection for it", async () => {
      const id = "again and again";
      const first = await land().open();
      await first.createSession({ agent: "both", cwd: "/", id, serverId: id });
      const client = await land().open();
      const session = await client.restoreSession({ id });
      for (let time = 0; time < 5; ++time) expect(await client.restoreSession({ id })).toBe(session);
      expect(await readers(land(), id)).toBe(2);
      const own = await first.restoreSession({ id });
      expect(own.restored).toBe("attached");
      expect((await own.prompt("hello")).text).toBe("you said: hello");
      expect(await readers(land(), id)).toBe(2);
    });

    test("that restores a session with a turn has the turn, and later one session again", async () => {
      const id = "with a turn";
      const client = await land().open();
      const session = await client.createSession({ agent: "both", cwd: "/", id });
      const { words, release } = land().hold();
      const turn = session.prompt(words);
      await firstOf(turn, "text");
      const other = await client.restoreSession({ id });
      await firstOf(other.turn!, "text");
      await release();
      expect((await other.turn!).text).toBe((await turn).text);
      expect(await client.restoreSession({ id })).toBe(other);
    });

    test.each([
      ["of this process", undefined, 0],
      ["of a process with a chosen name", "chosen", 1], // for those that are created there
    ])("lets go of the connection when it closes a session %s, and ends the process in the end", async (_, chosen, left) => {
      const id = `closed again and again, ${chosen}`;
      const first = await land().open();
      const { serverId } = await first.createSession({ agent: "both", cwd: "/", id, serverId: chosen });
      await first.leave();
      const client = await land().open();
      for (let time = 0; time < 3; ++time) {
        const session = await client.restoreSession({ id });
        expect(session.serverId).toBe(serverId);
        expect((await session.prompt("hello")).text).toBe("you said: hello");
        await session.close();
      }
      await until(async () => (await readers(land(), serverId)) === left, "no more readers than needed");
      await client.dispose();
      expect(await land().server(serverId)).toBeUndefined();
    });

    test("has nothing of a session whose process it stopped", async () => {
      const client = await land().open();
      const stopped = async (serverId: string) => {
        const session = await client.createSession({ agent: "mock", cwd: "/", serverId });
        await session.stopAgent();
        return new WeakRef(session.options); // which its client has, too
      };
      const options = [await stopped("one"), await stopped("two"), await stopped("three")];
      await until(() => (gc(), options.every((each) => each.deref() === undefined)), "its end");
    });
  });
});
