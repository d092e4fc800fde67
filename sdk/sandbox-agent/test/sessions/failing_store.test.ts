// A store that fails, is slow, or cannot have everything: the turn goes on, and what happened is said.
import v8 from "node:v8";
import vm from "node:vm";
import { afterEach, describe, expect, test, vi } from "vitest";
import "../guards.js";
import { timeScale } from "../place.js";
import { failureOf, firstOf, floodText, until } from "../waiting.js";
import { gate, HeldStore } from "./held_store.js";
import { inLand } from "./land.js";
import { logOf, messageOf, turnsIn } from "./logs.js";
import type { ClientEvent } from "../../src/index.js";

const diskFull = () => Promise.reject(new Error("the disk is full"));
const codesIn = (events: ClientEvent[]) => events.flatMap((event) => (event.type === "error" ? [event.error.code] : []));
const clock: Parameters<typeof vi.useFakeTimers>[0] = { toFake: ["setTimeout", "clearTimeout", "Date", "performance"] };

/** Time flies, and what happens outside of this process happens meanwhile. */
async function passTimeUntil(condition: () => boolean): Promise<void> {
  for (const late = process.hrtime.bigint() + 10_000_000_000n; !condition() && process.hrtime.bigint() < late;) {
    await vi.advanceTimersByTimeAsync(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** What happens outside of this process happens, and no time passes meanwhile, in which a connection would grow old. */
async function withoutTimeUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

const mostWaiting = 4_096;
const mostBytes = 8 * 1024 * 1024;
const bigPiece = 100_000;

describe("a store that rejects", () => {
  afterEach(() => vi.useRealTimers());

  inLand((land) => {
    test("for a while: it is tried again, nothing is lost, and nobody hears of it", async () => {
      const persist = new HeldStore();
      const events: ClientEvent[] = [];
      const agent = await land().open({ persist, onEvent: (event) => events.push(event) });
      const witness = land().witness("rejected for a while");
      const session = await agent.createSession({ agent: "mock", cwd: "/", serverId: "rejected for a while" });
      let failures = 4;
      persist.before = () => (failures-- > 0 ? diskFull() : Promise.resolve());
      const { text } = await session.prompt("/flood 2000");
      expect(failures).toBeLessThan(0);
      expect(text).toBe(floodText(2000));
      await witness.whenAnswered(session.agentSessionId);
      await witness.expectSame(await logOf(session), session.agentSessionId);
      expect(codesIn(events)).toEqual([]);
    });

    test("after it has stored: nothing is there twice", async () => {
      const persist = new HeldStore();
      const inner = persist.appendEvents.bind(persist);
      let failures = 3;
      persist.appendEvents = async (id, batch) => {
        const stored = await inner(id, batch);
        return failures-- > 0 ? diskFull() : stored;
      };
      const session = await (await land().open({ persist })).createSession({ agent: "mock", cwd: "/" });
      await session.prompt("/flood 500");
      expect(turnsIn(await logOf(session))[0]!.text).toBe(floodText(500));
    });

    test(
      "for ever: it is given up, which is said, the turn completes, and what waited is let go",
      async () => {
        const persist = new HeldStore();
        const events: ClientEvent[] = [];
        const agent = await land().open({ persist, onEvent: (event) => events.push(event) });
        const session = await agent.createSession({ agent: "mock", cwd: "/", id: "given up", serverId: "given up" });
        await session.prompt("hello");
        const stored = (await persist.listEvents("given up")).total;
        const waited: WeakRef<object>[] = [];
        let failedFirst = 0;
        persist.before = ({ events: batch }) => {
          failedFirst ||= Date.now();
          for (const event of batch) waited.push(new WeakRef(event));
          return diskFull();
        };
        vi.useFakeTimers(clock);
        const before = session.metadata.eventCount as number;
        const settled = session.prompt("/flood 100").then();
        await withoutTimeUntil(() => (session.metadata.eventCount as number) >= before + 100);
        await passTimeUntil(() => codesIn(events).includes("persist_failed"));
        const tookMs = Date.now() - failedFirst;
        vi.useRealTimers();
        expect(codesIn(events)).toEqual(["persist_failed"]);
        expect(tookMs).toBeGreaterThanOrEqual(29_000);
        expect(tookMs).toBeLessThan(40_000);
        expect((await settled).text).toBe(floodText(100));
        expect(await failureOf(session.history())).toMatchObject({ code: "persist_failed" });
        expect(await failureOf(session.flush())).toMatchObject({ code: "persist_failed" });
        const { attempts } = persist;
        expect((await session.prompt("still here")).text).toContain("still here");
        expect(persist.attempts, "it is not tried any more").toBe(attempts);

        // An error whose stack nobody has looked at keeps what the functions in it have.
        for (const event of events) if (event.type === "error") void [event.error.stack, (event.error.cause as Error).stack];
        v8.setFlagsFromString("--expose-gc");
        const collect = vm.runInNewContext("gc") as () => void;
        await until(() => {
          collect();
          return new Set(waited.map((reference) => reference.deref())).size <= 2; // undefined, and the last, which says how far it is
        }, "what waited to be let go");

        persist.before = async () => {}; // the store has recovered: a restored session reads on from the stored place
        const restored = await (await land().open({ persist })).restoreSession({ id: "given up" });
        expect(restored.restored).toBe("attached");
        const log = await logOf(restored);
        expect(log.length).toBeGreaterThan(stored);
        expect(turnsIn(log).map(({ words }) => words)).toEqual(["hello", "/flood 100", "still here"]);
        expect(turnsIn(log)[1]!.text).toBe(floodText(100));
      },
      30_000 * timeScale,
    );

    test("dispose() of a client whose store rejects for ever ends", async () => {
      const persist = new HeldStore();
      const agent = await land().open({ persist, onEvent: () => {} });
      const session = await agent.createSession({ agent: "mock", cwd: "/", serverId: "rejected" });
      persist.before = diskFull;
      const turn = session.prompt("/slow 100");
      turn.settled.catch(() => {});
      await firstOf(turn, "text");
      vi.useFakeTimers(clock);
      let done = false;
      const disposing = agent.dispose().finally(() => (done = true));
      await withoutTimeUntil(async () => (await land().server("rejected")) === undefined);
      await passTimeUntil(() => done);
      vi.useRealTimers();
      expect(done).toBe(true);
      await disposing;
    });
  });
});

describe("a store that is slow", () => {
  inLand((land) => {
    test(
      "is waited for: the connection is read no faster, and nothing is lost",
      async () => {
        const persist = new HeldStore();
        const agent = await land().open({ persist });
        const session = await agent.createSession({ agent: "mock", cwd: "/", serverId: "slow" });
        const witness = land().witness("slow");
        const { opened, open } = gate();
        persist.before = () => opened;
        const turn = session.prompt("/flood 14000");
        const settled = turn.then();
        await until(async () => (await land().server("slow"))!.lastEventId >= 14_000, "all of it to be in the ring", 20_000);
        await until(() => witness.seen.length >= 14_000, "another reader to have all of it", 20_000);
        const heard = session.metadata.eventCount as number;
        expect(heard).toBeGreaterThan(1_000);
        expect(heard, "messages that wait, and what a read or two of the socket brought").toBeLessThan(2 * mostWaiting);
        expect(turn.over).toBe(false);
        open();
        expect((await settled).text === floodText(14_000)).toBe(true);
        await witness.expectSame(await logOf(session), session.agentSessionId);
        expect(persist.biggest).toBeLessThanOrEqual(mostWaiting);
      },
      30_000 * timeScale,
    );

    test(
      "is waited for by bytes too",
      async () => {
        const persist = new HeldStore();
        const session = await (await land().open({ persist })).createSession({ agent: "neither", cwd: "/", serverId: "big" });
        const witness = land().witness("big");
        const { opened, open } = gate();
        persist.before = () => opened;
        const turn = session.prompt(`big 200 ${bigPiece}`);
        const settled = turn.then();
        await until(() => witness.seen.length >= 200, "another reader to have all of it", 20_000);
        const heard = session.metadata.eventCount as number;
        expect(heard * bigPiece, "bytes that wait, and what a read or two of the socket brought").toBeLessThan(1.5 * mostBytes);
        open();
        expect((await settled).text.length).toBe(200 * bigPiece);
        expect(turnsIn(await logOf(session))[0]!.text.length).toBe(200 * bigPiece);
      },
      30_000 * timeScale,
    );

    test("is not taken for an agent that ignores a cancel", async () => {
      const persist = new HeldStore();
      const session = await (await land().open({ persist })).createSession({ agent: "mock", cwd: "/" });
      const turn = session.prompt("/slow 100");
      await firstOf(turn, "text");
      const { opened, open } = gate();
      let isHeld = false;
      persist.before = async ({ events }) => {
        isHeld ||= events.some(({ json }) => json.includes('"stopReason"'));
        if (isHeld) await opened;
      };
      await turn.cancel();
      await until(() => isHeld, "the agent's answer");
      await new Promise((resolve) => setTimeout(resolve, 5_500)); // longer than the agent may take
      expect(turn.over).toBe(false);
      open();
      expect((await turn).stopReason).toBe("cancelled");
    });

    test("lets the turn's promise wait, and no longer than it takes", async () => {
      const persist = new HeldStore();
      const session = await (await land().open({ persist })).createSession({ agent: "mock", cwd: "/", serverId: "awaited" });
      const witness = land().witness("awaited");
      let isStored = false;
      const { opened, open } = gate();
      persist.before = async () => {
        await opened;
        isStored = true;
      };
      const turn = session.prompt("/slow 1"); // what comes before it is stored, or waits with it
      const order: string[] = [];
      const settled = turn.then(() => order.push(isStored ? "after it was stored" : "too early"));
      await witness.whenAnswered(session.agentSessionId);
      expect(order).toEqual([]);
      open();
      await settled;
      expect(order).toEqual(["after it was stored"]);
    });
  });
});

describe("a daemon that keeps little", () => {
  inLand(
    (land) => {
      test("had to drop messages while no client was there: the log says which, and on it goes", async () => {
        const id = "with a gap";
        await land().playUntilKilled({ point: "idle", words: "hello", id, serverId: id });
        const store = await land().store();
        const { agentSessionId: sessionId, last } = (await store.getSession(id))!;
        const params = { sessionId, prompt: [{ type: "text", text: "/flood 1000" }] };
        await land().post(id, { id: "by nobody", method: "session/prompt", params });
        const session = await (await land().open()).restoreSession({ id });
        expect(session.restored).toBe("attached");
        expect((await session.prompt("hello again")).text).toContain("hello again");
        const log = await logOf(session);
        const gaps = log.filter(({ from }) => from === "daemon");
        expect(gaps).toHaveLength(1);
        const { from, to } = gaps[0]!.message as { from: number; to: number };
        expect(from).toBe(last.eventId + 1);
        const next = log.slice(gaps[0]!.index + 1).find((entry) => entry.from === "agent")!;
        expect(next.eventId).toBe(to + 1);
        const rest = log
          .slice(gaps[0]!.index)
          .map((entry) => messageOf(entry).params?.update?.content?.text ?? "")
          .join("");
        expect(rest).toContain("token 1000 ");
        expect(floodText(1000).endsWith(rest.slice(0, rest.indexOf("token 1000 ") + 11))).toBe(true);
      });

      test(
        "had to drop messages because the store was too slow: the log says which, and the turn ends",
        async () => {
          const persist = new HeldStore();
          const session = await (
            await land().open({ persist })
          ).createSession({ agent: "mock", cwd: "/", serverId: "too slow" });
          const { opened, open } = gate();
          persist.before = () => opened;
          const settled = session.prompt("/flood 80000").then();
          const isThrough = async () => (await land().server("too slow"))!.lastEventId > 80_000;
          await until(isThrough, "the agent to go on without this reader", 20_000);
          open();
          expect((await settled).stopReason).toBe("end_turn");
          const log = await logOf(session);
          let next = log.find((entry) => entry.from === "agent")!.eventId;
          for (const { from, eventId, message } of log) {
            if (from === "client") continue;
            expect(from === "agent" ? eventId : (message as { from: number }).from).toBe(next);
            next = eventId + 1;
          }
          expect(log.some(({ from }) => from === "daemon")).toBe(true);
          expect((await session.prompt("hello")).text).toContain("hello");
        },
        30_000 * timeScale,
      );

      test("had to drop the answer of the turn: the turn is over, not hanging", async () => {
        const id = "answer dropped";
        await land().playUntilKilled({ point: "permission", words: "/permission", id, serverId: id });
        const witness = land().witness(id);
        const { agentSessionId: sessionId } = (await (await land().store()).getSession(id))!;
        const asked = () => witness.seen.find(({ json }) => json.includes("session/request_permission"));
        await until(() => asked() !== undefined, "the question");
        const { id: requestId } = JSON.parse(asked()!.json) as { id: number };
        await land()
          .post(id, { id: requestId, result: { outcome: { outcome: "selected", optionId: "allow-once" } } })
          .catch(() => {});
        const idle = async () => (await land().server(id))!.pendingRequests === 0;
        await until(idle, "the end of the turn");
        const params = { sessionId, prompt: [{ type: "text", text: "/flood 1000" }] };
        await land().post(id, { id: "by nobody", method: "session/prompt", params });
        const session = await (await land().open()).restoreSession({ id });
        if (session.turn)
          await session.turn.then(
            () => {},
            () => {},
          );
        expect((await session.prompt("hello again")).text).toContain("hello again");
      });
    },
    ["--ring-messages", "64"],
  );
});
