// Restoring what is odd, and at odd moments.
import { expect, test } from "vitest";
import "../guards.js";
import { InMemorySessionPersistDriver } from "../../src/persist/memory.js";
import type { SessionChange } from "../../src/persist/driver.js";
import { failureOf, until } from "../waiting.js";
import { gate } from "./held_store.js";
import { inLand } from "./land.js";

inLand((land) => {
  test.each(["goes on", "has ended"])(
    "a process whose last words are no objects, and that %s, holds up nobody",
    async (how) => {
      const id = `odd last words, it ${how}`;
      const first = await land().open();
      const session = await first.createSession({ agent: "both", cwd: "/", id, serverId: id });
      await session.prompt("scalars");
      await until(async () => (await land().server(id))?.lastEventId === 6, "three answers and the last words");
      await first.leave();
      if (how === "has ended") await land().killAgent(id);
      const restored = await (await land().open()).restoreSession({ id });
      expect(restored.restored).toBe(how === "has ended" ? "resumed" : "attached");
      expect((await restored.prompt("hello")).text).toBe("you said: hello");
    },
  );

  test("a session that cannot be restored leaves nothing behind of a process that others use", async () => {
    const first = await land().open();
    const closed = await first.createSession({ agent: "closes", cwd: "/" });
    const used = await first.createSession({ agent: "closes", cwd: "/" });
    await closed.close();
    const second = await land().open();
    expect(await failureOf(second.restoreSession({ id: closed.id }))).toMatchObject({ code: "cannot_restore" });
    await until(async () => (await land().server(used.serverId))?.readers === 1, "the reader that was there before");
    await second.dispose();
    expect((await used.prompt("hello")).text).toBe("you said: hello");
  });

  test("dispose() while a session is being restored leaves no connection behind", async () => {
    const id = "disposed of meanwhile";
    const { opened, open } = gate();
    let isMoving = false;
    class Slow extends InMemorySessionPersistDriver {
      override async updateSession(id: string, change: SessionChange, ifEpoch?: number) {
        if (change.state === "moving") {
          isMoving = true;
          await opened;
        }
        return super.updateSession(id, change, ifEpoch);
      }
    }
    const persist = new Slow();
    const first = await land().open({ persist });
    await first.createSession({ agent: "both", cwd: "/", id, serverId: id });
    await first.leave();
    await persist.updateSession(id, { agentSessionId: undefined });
    const client = await land().open({ persist });
    const failed = failureOf(client.restoreSession({ id }));
    await until(() => isMoving);
    await client.dispose();
    open();
    expect(await failed).toMatchObject({ code: "disposed" });
    await until(async () => (await land().server(id))?.readers === 0, "no connection");
    await land().delete(id);
  });
});
