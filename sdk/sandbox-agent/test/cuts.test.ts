// A relay that cuts all connections: nothing is lost, nothing comes twice, and everything settles.
import { describe, expect, test } from "vitest";
import "./guards.js";
import { inPlace } from "./place.js";
import { Relay } from "../../../tests/contract/relay.mjs";
import { failureOf, firstOf, floodText, isText, read, textOf } from "./waiting.js";
import type { ClientEvent } from "../src/index.js";

describe("cuts:", () => {
  inPlace("server", (place) => {
    test("the events survive a relay that cuts all connections", async () => {
      const relay = await Relay.to(place().daemon.baseUrl);
      try {
        const session = await (await place().open({ baseUrl: relay.url })).createSession({ agent: "mock", cwd: "/" });
        let cuts = 0;
        const reading = read(session.events(), (event) => {
          if (event.type === "text" && ++cuts % 3 === 0) relay.cut();
          return isText("step 9 of 9")(event);
        });
        const { text } = await session.prompt("/slow 9");
        expect(textOf(await reading)).toBe(text);
      } finally {
        await relay.stop();
      }
    });

    test("twenty cuts during a turn lose nothing, double nothing, and the turn settles", async () => {
      const relay = await Relay.to(place().daemon.baseUrl);
      try {
        const session = await (await place().open({ baseUrl: relay.url })).createSession({ agent: "mock", cwd: "/" });
        const turn = session.prompt("/slow 20");
        let text = "";
        for await (const event of turn) {
          if (event.type !== "text") continue;
          text += event.text;
          relay.cut();
        }
        const result = await turn;
        expect(result.stopReason).toBe("end_turn");
        expect(text).toBe(Array.from({ length: 20 }, (_, step) => `step ${step + 1} of 20\n`).join(""));
        expect(result.text).toBe(text);
        expect(relay.cuts).toBeGreaterThanOrEqual(20);
      } finally {
        await relay.stop();
      }
    });

    test("cuts during a flood lose nothing", async () => {
      const relay = await Relay.to(place().daemon.baseUrl);
      try {
        const session = await (await place().open({ baseUrl: relay.url })).createSession({ agent: "mock", cwd: "/" });
        const turn = session.prompt("/flood 15000");
        let seen = 0;
        for await (const event of turn) if (event.type === "text" && ++seen % 1000 === 0) relay.cut();
        const { text } = await turn;
        expect(seen).toBe(15_000);
        expect(text === floodText(15_000)).toBe(true);
      } finally {
        await relay.stop();
      }
    });

    test("a cancel during a cut arrives, and the states tell of the cut", async () => {
      const relay = await Relay.to(place().daemon.baseUrl);
      try {
        const states: string[] = [];
        const onEvent = (event: ClientEvent) => event.type === "state" && states.push(event.state);
        const session = await (await place().open({ baseUrl: relay.url, onEvent })).createSession({ agent: "mock", cwd: "/" });
        const turn = session.prompt("/slow 1000");
        await firstOf(turn, "text");
        relay.cut();
        await turn.cancel();
        expect((await turn).stopReason).toBe("cancelled");
        expect(states.slice(0, 4)).toEqual(["connecting", "open", "reconnecting", "open"]);
      } finally {
        await relay.stop();
      }
    });

    test("a cut while a permission is open leaves it open", async () => {
      const relay = await Relay.to(place().daemon.baseUrl);
      try {
        const session = await (await place().open({ baseUrl: relay.url })).createSession({ agent: "mock", cwd: "/" });
        const turn = session.prompt("/permission");
        const asked = await firstOf(turn, "permission");
        relay.cut();
        await asked.allow();
        expect((await turn).text).toContain("You chose: Allow once.");
      } finally {
        await relay.stop();
      }
    });

    test("a daemon that ends in the middle of a turn rejects it after giveUpAfterMs", async () => {
      const relay = await Relay.to(place().daemon.baseUrl);
      const agent = await place().open({ baseUrl: relay.url, giveUpAfterMs: 2_000 });
      const session = await agent.createSession({ agent: "mock", cwd: "/" });
      const turn = session.prompt("/slow 1000");
      await firstOf(turn, "text");
      await relay.stop();
      expect(await failureOf(turn)).toMatchObject({ code: "connection_lost" });
      expect(session.turn?.over).toBe(true);
      for (const { serverId } of await place().servers()) {
        const { baseUrl, token } = place().access;
        await fetch(`${baseUrl}/v1/acp/${serverId}`, { method: "DELETE", headers: { authorization: `Bearer ${token}` } });
      }
    });
  });
});
