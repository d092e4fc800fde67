// The client was killed, and then something happened: the agent finished, asked, or ended. What it said meanwhile is in its ring.
// One client had all the sessions of these tests.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import "../guards.js";
import { timeScale } from "../place.js";
import { eventsOf, firstOf, textOf, until } from "../waiting.js";
import { Land, type Part } from "./land.js";
import { logOf, messageOf, turnsIn } from "./logs.js";
import { ofProcess, type Witness } from "./witness.js";

let land: Land;
const witnesses = new Map<string, Witness>();
const holds = new Map<string, ReturnType<Land["hold"]>>();

const holding: [id: string, agent: string][] = [
  ["its process ended too, load", "load"],
  ["its process ended too, resume", "resume"],
  ["ended in the middle", "both"],
  ["finished meanwhile", "neither"],
  ["goes on", "neither"],
  ["one at a time", "neither"],
];
const others: Omit<Part, "serverId">[] = [
  { id: "cancelled later", point: "text 1", words: "/slow 1000" },
  { id: "asks, permission", point: "permission", words: "permission", agent: "neither" },
  { id: "asks, question", point: "question", words: "question", agent: "neither" },
  { id: "asks, a handler", point: "permission", words: "permission", agent: "neither" },
  { id: "answered elsewhere", point: "permission", words: "permission", agent: "neither" },
];

beforeAll(async () => {
  land = await Land.make();
  for (const [id] of holding) holds.set(id, land.hold());
  holds.set("answered before", land.hold());
  const words = holds.get("answered before")!.words.replace("hold", "permissionThenHold");
  const answered = { id: "answered before", agent: "neither", point: "text 2", words };
  const parts = holding.map(([id, agent]) => ({ id, agent, point: "text 1", words: holds.get(id)!.words }));
  const all = [...parts, answered, ...others].map((part) => ({ ...part, serverId: part.id }));
  for (const { id } of all) witnesses.set(id, land.witness(id));
  await land.playUntilKilled(...all);
}, 60_000 * timeScale);
afterEach(() => land.closeClients());
afterAll(() => land.stop());

/** The agent ends the turn of this session. */
async function finished(id: string) {
  const witness = witnesses.get(id)!;
  const { words, release } = holds.get(id)!;
  const { agentSessionId } = (await (await land.store()).getSession(id))!;
  await release();
  await witness.whenAnswered(agentSessionId!);
  return { witness, words, agentSessionId: agentSessionId! };
}

describe("while no client was there", () => {
  test.each(["load", "resume"])(
    'the agent "%s" finished its turn, and its process ended: the log is complete',
    async (offer) => {
      const id = `its process ended too, ${offer}`;
      const { witness, words, agentSessionId } = await finished(id);
      await land.killAgent(id);
      const session = await (await land.open()).restoreSession({ id });
      expect(session.restored).toBe(offer === "load" ? "loaded" : "resumed");
      expect(session.turn?.over ?? true).toBe(true);
      await session.prompt("hello");
      const log = await logOf(session);
      expect(turnsIn(log)).toEqual([
        { words, text: "first half, second half", stopReason: "end_turn" },
        { words: "hello", text: "you said: hello", stopReason: "end_turn" },
      ]);
      expect(ofProcess(log, 0)).toEqual(witness.ofSession(agentSessionId));
      expect(ofProcess(log, 0).at(-1)!.json).toContain("_adapter/agent_exited");
    },
  );

  test("the process ended in the middle of the turn: what it said is in the log, and the turn is over", async () => {
    const id = "ended in the middle";
    await land.killAgent(id);
    const session = await (await land.open()).restoreSession({ id });
    expect(session.restored).toBe("resumed");
    expect(session.turn?.over ?? true).toBe(true);
    expect((await session.prompt("hello")).text).toBe("you said: hello");
    const { words } = holds.get(id)!;
    expect(turnsIn(await logOf(session))[0]).toEqual({ words, text: "first half, ", stopReason: undefined });
  });

  test("the turn ended: its result is in the log, and a new one can begin at once", async () => {
    const id = "finished meanwhile";
    const { witness, words, agentSessionId } = await finished(id);
    const session = await (await land.open()).restoreSession({ id });
    const next = session.prompt("hello");
    expect(session.restored).toBe("attached");
    expect((await next).text).toBe("you said: hello");
    const log = await logOf(session);
    expect(turnsIn(log)[0]).toEqual({ words, text: "first half, second half", stopReason: "end_turn" });
    await witness.expectSame(log, agentSessionId);
  });

  test("the turn goes on: all its events are there, those that were logged and those that come", async () => {
    const id = "goes on";
    const session = await (await land.open()).restoreSession({ id });
    const turn = session.turn!;
    expect(turn.over).toBe(false);
    const reading = eventsOf(turn);
    await holds.get(id)!.release();
    expect(textOf(await reading)).toBe("first half, second half");
    expect(await turn).toMatchObject({ text: "first half, second half", stopReason: "end_turn" });
  });

  test("the turn goes on and is cancelled: it ends", async () => {
    const session = await (await land.open()).restoreSession({ id: "cancelled later" });
    const turn = session.turn!;
    await firstOf(turn, "text");
    await session.cancel();
    expect((await turn).stopReason).toBe("cancelled");
  });

  test("the turn goes on: another one is refused as long", async () => {
    const id = "one at a time";
    const session = await (await land.open()).restoreSession({ id });
    await expect(session.prompt("now")).rejects.toMatchObject({ code: "turn_running" });
    await holds.get(id)!.release();
    await session.turn;
    expect((await session.prompt("now")).text).toBe("you said: now");
  });

  test.each(["permission", "question"] as const)("the agent asks: the %s is open, and the answer reaches it", async (asks) => {
    const session = await (await land.open()).restoreSession({ id: `asks, ${asks}` });
    const turn = session.turn!;
    for await (const event of turn) {
      if (event.type === "permission") await event.allow();
      if (event.type === "question") await event.answer({ name: "Ada" });
    }
    expect((await turn).text).toBe(asks === "permission" ? "chosen: yes" : "answered: accept Ada");
    const log = await logOf(session);
    expect(log.filter((entry) => entry.from === "client" && !messageOf(entry).method)).toHaveLength(1);
  });

  test("the agent asks: a handler is asked too", async () => {
    const asked: string[] = [];
    const onPermission = ({ sessionId }: { sessionId: string }) => {
      asked.push(sessionId);
      return { optionId: "no" };
    };
    const session = await (await land.open({ onPermission })).restoreSession({ id: "asks, a handler" });
    expect((await session.turn!).text).toBe("chosen: no");
    expect(asked).toEqual([session.agentSessionId]);
  });

  test("the turn goes on, and its client had answered: what was asked is in the turn, and not open", async () => {
    const id = "answered before";
    const session = await (await land.open()).restoreSession({ id });
    const turn = session.turn!;
    expect(turn.over).toBe(false);
    await holds.get(id)!.release();
    const events = await eventsOf(turn);
    expect(events.filter(({ type }) => type === "permission")).toMatchObject([{ open: false }]);
    expect(textOf(events)).toBe("chosen: yesfirst half, second half");
    const log = await logOf(session);
    expect(log.filter((entry) => entry.from === "client" && !messageOf(entry).method)).toHaveLength(1);
  });

  test("somebody answered the agent, and the turn ended", async () => {
    const id = "answered elsewhere";
    const witness = witnesses.get(id)!;
    const asked = () => witness.seen.find(({ json }) => json.includes("session/request_permission"));
    await until(() => asked() !== undefined, "the question");
    const { id: requestId } = JSON.parse(asked()!.json) as { id: number };
    await land.post(id, { id: requestId, result: { outcome: { outcome: "selected", optionId: "no" } } });
    const { agentSessionId } = (await (await land.store()).getSession(id))!;
    await witness.whenAnswered(agentSessionId!);
    const session = await (await land.open()).restoreSession({ id });
    await session.prompt("hello");
    expect(turnsIn(await logOf(session))[0]).toMatchObject({ text: "chosen: no", stopReason: "end_turn" });
  });
});
