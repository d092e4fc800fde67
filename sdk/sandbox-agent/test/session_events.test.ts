// session.events(): one stream over turns and cuts, from any point the daemon still has; and attaching to a session that runs.
import { describe, expect, test } from "vitest";
import "./guards.js";
import { Network } from "./outage.js";
import { inBothModes, inPlace, oddAgent, patientWithReaders, timeScale } from "./place.js";
import { Relay } from "../../../tests/contract/relay.mjs";
import { eventsOf, failureOf, firstOf, floodText, isText, read, textOf, until } from "./waiting.js";
import {
  SandboxAgent,
  type ClientEvent,
  type ConnectOptions,
  type ErrorEvent,
  type Session,
  type SessionHandle,
  type TurnEvent,
} from "../src/index.js";

inBothModes("the events of a session", (place) => {
  const begin = async (options = {}) => (await place().open(options)).createSession({ agent: "mock", cwd: "/" });

  test("go on over turns, and begin again after any of them", async () => {
    const session = await begin();
    const reading = read(session.events(), isText("token 7 "));
    await session.prompt("/flood 3");
    await session.prompt("/flood 7");
    const all = await reading;
    expect(textOf(all)).toBe(floodText(3) + floodText(7));
    const numbers = all.map((event) => ("raw" in event ? event.raw.id : 0));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const third = all.findIndex(isText("token 3 "));
    const rest = await read(session.events({ since: numbers[third] }), isText("token 7 "));
    expect(rest.map((event) => ("raw" in event ? event.raw.json : ""))).toEqual(
      all.slice(third + 1).map((event) => ("raw" in event ? event.raw.json : "")),
    );
  });

  test("are this session's only", async () => {
    const agent = await place().open();
    const one = await agent.createSession({ agent: "mock", cwd: "/" });
    const two = await agent.createSession({ agent: "mock", cwd: "/" });
    await two.prompt("not for you");
    await one.prompt("/flood 2");
    expect(textOf(await read(one.events(), isText("token 2 ")))).toBe(floodText(2));
  });

  test("can be stopped by a signal, quietly", async () => {
    const session = await begin();
    const abort = new AbortController();
    const reading = read(session.events({ signal: abort.signal }), () => false);
    await session.prompt("/flood 2");
    abort.abort();
    await reading;
  });

  test("end with the agent's exit", async () => {
    const session = await begin();
    const reading = read(session.events(), () => false);
    await failureOf(session.prompt("/crash 6"));
    expect((await reading).at(-1)).toMatchObject({ type: "exited", exitCode: 6 });
  });

  test("let a reader answer what the agent asks, while nobody reads the turn", async () => {
    const session = await begin();
    for (let round = 0; round < 5; ++round) {
      const reading = read(session.events({ since: session.handle.since }), (event) => {
        if (event.type === "permission") void event.allow();
        return event.type === "text";
      });
      const { text } = await session.prompt("/permission");
      expect(text).toContain("You chose: Allow once.");
      await reading;
    }
  });

  test("a reader that leaves refuses what it did not answer", async () => {
    const session = await begin();
    const reading = read(session.events({ since: session.handle.since }), (event) => event.type === "permission");
    const { text } = await session.prompt("/permission");
    await reading;
    expect(text).toContain("The command was not run.");
  });

  test("show old requests as they were, without waiting for them", async () => {
    const session = await begin();
    const turn = session.prompt("/permission");
    await (await firstOf(turn, "permission")).allow();
    await turn;
    const all = await read(session.events(), isText("A real agent"));
    const asked = all.find((event) => "raw" in event && event.raw.json.includes("session/request_permission"));
    expect(asked).toBeDefined();
    if (asked?.type === "permission") expect(await failureOf(asked.allow())).toMatchObject({ code: "already_answered" });
  });
});

describe("events that were dropped", () => {
  inPlace(
    "server",
    (place) => {
      test("are a gap, and what is left follows it", async () => {
        const session = await (await place().open()).createSession({ agent: "mock", cwd: "/" });
        await session.prompt("/flood 2000");
        const all = await read(session.events({ since: 0 }), isText("token 2000 "));
        expect(all[0]).toMatchObject({ type: "gap", from: 1, to: expect.any(Number) });
        expect(all.length).toBeLessThanOrEqual(65);
        const first = all[1] as { raw: { id: number } };
        expect(first.raw.id).toBe((all[0] as { to: number }).to + 1);
      });

      test("during a turn are told to its reader, in its result and to onEvent, and the turn settles", async () => {
        const relay = await Relay.to(place().daemon.baseUrl);
        try {
          const gaps: unknown[] = [];
          const onEvent = (event: ClientEvent) => event.type === "gap" && gaps.push(event);
          const agent = await place().open({ baseUrl: relay.url, onEvent });
          const session = await agent.createSession({ agent: "mock", cwd: "/" });
          const turn = session.prompt("/flood 100000");
          let seen = 0;
          const errors: { before: number; event: ErrorEvent }[] = [];
          for await (const event of turn) {
            if (event.type === "text" && ++seen === 10) relay.cut();
            if (event.type === "error") errors.push({ before: seen, event });
          }
          const { stopReason, lost } = await turn;
          expect(stopReason).toBe("end_turn");
          expect(gaps).toEqual([{ type: "gap", serverId: session.serverId, from: expect.any(Number), to: expect.any(Number) }]);
          const { from, to } = gaps[0] as { from: number; to: number };
          expect(seen + to - from + 1).toBe(100_000);
          const gap = { type: "gap", from, to };
          expect(lost).toEqual([gap]);
          expect(errors).toMatchObject([
            { event: { error: { code: "events_lost", data: gap }, raw: { id: to, envelope: gap } } },
          ]);
          expect(errors[0]!.before).toBeLessThan(seen); // in its place, not at the end
          expect(await session.prompt("hello")).not.toHaveProperty("lost");
        } finally {
          await relay.stop();
        }
      });
    },
    ["--ring-messages", "64", ...patientWithReaders],
  );
});

describe("events that were dropped", () => {
  inPlace(
    "server",
    (place) => {
      const patience = 20_000 * timeScale;

      // What somebody else sends to the agent, past the network of the client.
      const sayTo = async (session: Session, message: object) => {
        const response = await fetch(`${place().daemon.baseUrl}/v1/acp/${session.serverId}`, {
          method: "POST",
          headers: { authorization: `Bearer ${place().daemon.token}`, "content-type": "application/json" },
          body: JSON.stringify({ jsonrpc: "2.0", ...message }),
        });
        expect(response.status).toBe(202);
      };

      // The network is down from the word "now" until more was said than the daemon keeps.
      const missMuch = async (prompt: string, options: Partial<ConnectOptions> = {}) => {
        const network = new Network();
        const agent = await place().open({ fetch: network.fetch, ...options });
        const session = await agent.createSession({ agent: "odd", cwd: "/" });
        const turn = session.prompt(prompt);
        const events: TurnEvent[] = [];
        const reading = (async () => {
          for await (const event of turn) events.push(event);
        })();
        reading.catch(() => {});
        await until(() => textOf(events) === "now" && network.isCalm);
        network.down();
        await until(async () => (await place().servers())[0]?.readers === 0);
        await sayTo(session, { method: "go_on" });
        await until(async () => ((await place().servers())[0]?.lastEventId ?? 0) > 300);
        return { session, turn, events, network, reading };
      };
      // What the daemon answers to this is what decides; it is asked when the gap is heard, and every 5 s.
      const hasAskedTwice = (network: Network) => until(() => network.answers("/v1/acp") > 1, "a second answer", patience);

      test(
        "with what the agent asked among them: the turn is given up and can be cancelled",
        async () => {
          const { turn, events, network, session } = await missMuch("unheard 300");
          network.up();
          expect(await failureOf(turn)).toMatchObject({ code: "request_lost", hint: expect.stringContaining("cancel()") });
          const errors = events.filter((event) => event.type === "error");
          expect(errors).toMatchObject([{ error: { code: "events_lost", hint: expect.stringContaining("cancel()") } }]);
          expect(events.some(({ type }) => type === "permission")).toBe(false);
          await turn.cancel();
          await until(async () => (await place().servers())[0]?.pendingRequests === 0);
          expect((await session.prompt("mode")).stopReason).toBe("end_turn");
        },
        patience,
      );

      test(
        "with what the agent asked among them, while another client has it: the turn goes on when that one answers",
        async () => {
          const { turn, network, session } = await missMuch("unheard 300");
          const other = new AbortController();
          const stream = await fetch(`${place().daemon.baseUrl}/v1/acp/${session.serverId}`, {
            headers: { authorization: `Bearer ${place().daemon.token}`, accept: "text/event-stream" },
            signal: other.signal,
          });
          stream.text().catch(() => {}); // it reads until it is aborted
          network.up();
          await hasAskedTwice(network);
          expect(turn.over).toBe(false);
          await sayTo(session, { id: "odd-1", result: { outcome: { outcome: "selected", optionId: "yes" } } });
          expect((await turn).text).toContain('"yes"');
          other.abort();
        },
        patience,
      );

      test(
        "with what the agent asked among them, while nobody was there: the attached turn is given up",
        async () => {
          const agent = await place().open();
          const session = await agent.createSession({ agent: "odd", cwd: "/" });
          const turn = session.prompt("unheard 300");
          for await (const event of turn) if (event.type === "text" && event.text === "now") break;
          turn.catch(() => {});
          const { handle } = session;
          await agent.leave();
          await sayTo(session, { method: "go_on" });
          await until(async () => ((await place().servers())[0]?.lastEventId ?? 0) > 300);
          await using after = await SandboxAgent.connect(place().accessOf(agent));
          const again = await after.attachSession(handle);
          expect(await failureOf(again.turn!)).toMatchObject({ code: "request_lost" });
          await again.stopAgent();
        },
        patience,
      );

      test(
        "and what the agent asked was not among them: it waits for the answer",
        async () => {
          const { turn, events, network, reading } = await missMuch("heard 300", { onPermission: () => new Promise(() => {}) });
          network.up();
          await hasAskedTwice(network);
          expect(turn.over).toBe(false); // it is open here: nothing was lost
          await events.find((event) => event.type === "permission")?.allow();
          await reading;
          expect((await turn).lost).toHaveLength(1);
        },
        patience,
      );
    },
    ["--ring-messages", "64", "--agent", oddAgent],
  );
});

inBothModes("a session attached elsewhere", (place) => {
  const copied = (handle: SessionHandle) => JSON.parse(JSON.stringify(handle)) as SessionHandle;

  test("in the middle of a turn has the whole turn and its result", async () => {
    const agent = await place().open();
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    await session.prompt("hello");
    const turn = session.prompt("/slow 6");
    for await (const event of turn) if (event.type === "text" && event.text.startsWith("step 2")) break;
    const handle = copied(session.handle);
    expect(handle).toMatchObject({ agent: "mock", sessionId: session.id, turn: expect.any(String) });

    await using after = await SandboxAgent.connect(place().accessOf(agent));
    const again = await after.attachSession(handle);
    expect(again.id).toBe(session.id);
    const attached = again.turn;
    expect(attached).toBeDefined();
    const events = await eventsOf(attached!);
    const steps = [1, 2, 3, 4, 5, 6].map((step) => `step ${step} of 6\n`).join("");
    expect(textOf(events)).toBe(steps);
    expect(await attached).toMatchObject({ text: steps, stopReason: "end_turn" });
    expect(await turn).toMatchObject({ text: steps });
    expect(again.turn?.over).toBe(true);
    expect((await again.prompt("hello")).stopReason).toBe("end_turn");
    expect(again.turn).not.toBe(attached);
    await after.dispose(); // it started nothing
    expect((await session.prompt("hello")).stopReason).toBe("end_turn");
  });

  test("does not answer for those who started the agent", async () => {
    const agent = await place().open();
    const mine = await agent.createSession({ agent: "mock", cwd: "/" });
    const other = await agent.createSession({ agent: "mock", cwd: "/" });
    await using watching = await SandboxAgent.connect(place().accessOf(agent));
    const watched = await watching.attachSession(copied(mine.handle));
    const answered: string[] = [];
    for (const session of [mine, other]) {
      const turn = session.prompt("/permission");
      for await (const event of turn) {
        if (event.type !== "permission") continue;
        await until(() => (watched.metadata.eventCount ?? 0) >= (session === mine ? 2 : 0)); // the other client has seen it
        await event.deny();
      }
      answered.push((await turn).text);
    }
    for (const text of answered) expect(text).toContain("You chose: Reject.");
  });

  test("between turns goes on where it was", async () => {
    const agent = await place().open();
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    await session.prompt("/flood 3");
    const handle = copied(session.handle);
    expect(handle.turn).toBeUndefined();
    await using after = await SandboxAgent.connect(place().accessOf(agent));
    const again = await after.attachSession(handle);
    expect(again.turn).toBeUndefined();
    const reading = read(again.events({ since: handle.since }), isText("token 2 "));
    expect((await again.prompt("/flood 2")).text).toBe(floodText(2));
    expect(textOf(await reading)).toBe(floodText(2));
  });

  test("may answer a permission that was open, and the first reader learns of it", async () => {
    const agent = await place().open();
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    const turn = session.prompt("/permission");
    const asked = await firstOf(turn, "permission");
    await using after = await SandboxAgent.connect(place().accessOf(agent));
    const again = await after.attachSession(copied(session.handle));
    await (await firstOf(again.turn!, "permission")).allow();
    expect((await turn).text).toContain("You chose: Allow once.");
    expect((await again.turn!).text).toContain("You chose: Allow once.");
    expect(await failureOf(asked.deny())).toMatchObject({ code: "already_answered" });
  });

  test("may cancel the turn", async () => {
    const agent = await place().open();
    const session = await agent.createSession({ agent: "mock", cwd: "/" });
    const turn = session.prompt("/slow 1000");
    await firstOf(turn, "text");
    await using after = await SandboxAgent.connect(place().accessOf(agent));
    const attached = (await after.attachSession(copied(session.handle))).turn!;
    await attached.cancel();
    expect((await attached).stopReason).toBe("cancelled");
    expect((await turn).stopReason).toBe("cancelled");
  });

  test("that is gone is refused, and nothing is started for it", async () => {
    const agent = await place().open();
    const gone = { agent: "mock", serverId: "gone", sessionId: "demo-1", cwd: "/" };
    expect(await failureOf(agent.attachSession(gone))).toMatchObject({ status: 404 });
    await agent.dispose();
    expect(await failureOf(agent.attachSession(gone))).toMatchObject({ code: "disposed" });
  });
});
