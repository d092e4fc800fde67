// Every reader gives every message the same place, however often its connection is cut.
import { expect, test } from "vitest";
import { Relay } from "../../../../tests/contract/relay.mjs";
import "../guards.js";
import { inPlace, timeScale } from "../place.js";
import { until } from "../waiting.js";
import { InMemorySessionPersistDriver } from "../../src/persist/memory.js";

inPlace("server", (place) => {
  test(
    "a recorder whose connection is cut again and again writes the same log as one that is left alone",
    async () => {
      const [calm, cut] = [new InMemorySessionPersistDriver(), new InMemorySessionPersistDriver()];
      const session = await (await place().open({ persist: calm })).createSession({ agent: "mock", id: "s" });
      await session.flush();
      const { events: before } = await calm.listEvents("s");
      const { eventCount, ...record } = (await calm.getSession("s"))!;
      await cut.createSession(record);
      const relay = await Relay.to(place().daemon.baseUrl);
      const agent = await place().open({ baseUrl: relay.url, token: place().daemon.token, persist: cut });
      const other = await agent.restoreSession({ id: "s" });
      expect(other.restored).toBe("attached");
      let broken = 0; // a cut that meets no connection breaks nothing
      const cutting = setInterval(() => (broken += relay.cut()), 7);
      for (let round = 0; round < 10; ++round) {
        await session.setMode(session.modes!.availableModes[round % session.modes!.availableModes.length]!.id);
        await session.setMetadata({ round });
        await session.prompt(round % 3 === 0 ? "/flood 500" : "hello");
        const turn = session.prompt("/slow 50");
        for await (const event of turn) if (event.type === "text") break;
        await turn.cancel();
        await turn;
        await until(() => broken > round, "a broken connection in each round");
      }
      clearInterval(cutting);
      const wanted = (await session.history({ limit: 100_000 })).events.slice(before.length);
      const at = ({ eventId, nth, from, json }: (typeof wanted)[number]) => `${eventId}.${nth} ${from} ${json}`;
      const last = wanted.at(-1)!;
      await until(async () => (await cut.getSession("s"))!.last.eventId >= last.eventId, "all of it", 20_000);
      const found = (await other.history({ limit: 100_000 })).events;
      expect(found.map(at)).toEqual(wanted.map(at));
      await relay.stop();
    },
    45_000 * timeScale,
  );
});
