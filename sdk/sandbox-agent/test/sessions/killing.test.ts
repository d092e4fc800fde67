// The client is killed anywhere in a turn of the demo agent, the daemon stays: restoring goes on where it was, nothing is lost and
// nothing is there twice. All points are played at once, each in a process of the agent of its own.
import { afterAll, beforeAll, expect, test } from "vitest";
import "../guards.js";
import { timeScale } from "../place.js";
import { eventsOf, floodText, textOf } from "../waiting.js";
import { Land } from "./land.js";
import { expectDense, logOf, promptsIn, turnsIn } from "./logs.js";
import type { Session, SessionLogEntry, TurnEvent } from "../../src/index.js";
import { ofProcess, type Seen } from "./witness.js";

interface Point {
  point: string;
  words: string;
  text: string;
  /** The agent had been asked for a session, or not even that. */
  restored?: "created";
  /** What is certain of the turn when the client is restored. */
  turn?: "never began" | "runs" | "is over";
}

const steps = (count: number) => Array.from({ length: count }, (_, step) => `step ${step + 1} of ${count}\n`).join("");
const slow = { words: "/slow 10", text: steps(10) };
const flood = { words: "/flood 2000", text: floodText(2000) };
const tool = { words: "/tool", text: "One tool call worked, one failed. Neither was real." };
const permission = { words: "/permission", text: "You chose: Allow once. A real agent would have run the command now." };
const longest = { words: "/slow 60", text: steps(60) }; // time for three processes, while the others are played
const short = { words: "/slow 2", text: steps(2) };

const points: Point[] = [
  { point: "session/new is about to be posted", ...slow, turn: "never began", restored: "created" },
  { point: "session/new was posted", ...slow, turn: "never began", restored: "created" },
  { point: "the session was made", ...slow, turn: "never began" },
  { point: "the prompt was called", ...slow },
  { point: "session/prompt is about to be posted", ...slow, turn: "never began" },
  { point: "session/prompt was posted", ...slow },
  { point: "text 1", ...slow },
  { point: "text 1000", ...flood },
  { point: "tool in_progress", ...tool },
  { point: "permission", ...permission, turn: "runs" },
  { point: "the permission was answered", ...permission },
  { point: "the answer is about to be stored", ...short, turn: "is over" },
  { point: "the answer was stored", ...short, turn: "is over" },
  { point: "idle", ...short, turn: "is over" },
];

interface Outcome {
  restored: Session["restored"];
  /** Of session.turn: whether it ran, what was read of it, what it came to. */
  ran: boolean;
  events?: TurnEvent[];
  result?: { text: string; stopReason: string };
  failure?: unknown;
  pendingAfterRestoring: number;
  secondText: string;
  log: SessionLogEntry[];
  seen: Seen[];
  isLeft: boolean;
}

let land: Land;
let abandoned: ReturnType<typeof playAbandoned>;
let often: ReturnType<typeof playOften>;
const outcomes = new Map<string, Promise<Outcome>>();

async function readTurn(session: Session): Promise<Pick<Outcome, "ran" | "events" | "result" | "failure">> {
  const { turn } = session;
  if (!turn) return { ran: false };
  const ran = !turn.over;
  const events: TurnEvent[] = [];
  try {
    for await (const event of turn) {
      events.push(event);
      if (event.type === "permission" && event.open) await event.allow();
    }
    return { ran, events, result: await turn };
  } catch (failure) {
    return { ran, events, failure };
  }
}

async function play({ point, words }: Point): Promise<Outcome> {
  const serverId = point.replaceAll("/", " ");
  const witness = land.witness(serverId);
  await land.playUntilKilled({ point, words, id: point, serverId });
  const agent = await land.open();
  const session = await agent.restoreSession({ id: point });
  const pendingAfterRestoring = (await land.server(session.serverId))?.pendingRequests ?? 0;
  const turn = await readTurn(session);
  const { text: secondText } = await session.prompt("and on it goes");
  const log = await logOf(session);
  await witness.whenAnswered(session.agentSessionId, promptsIn(log).length);
  const seen = witness.ofSession(session.agentSessionId);
  const { restored } = session;
  await agent.dispose();
  const isLeft = (await land.server(session.serverId))?.status === "running";
  return { restored, ...turn, pendingAfterRestoring, secondText, log, seen, isLeft };
}

async function playAbandoned() {
  const id = "abandoned";
  const part = { id, agent: "load", words: "hello" };
  await land.playUntilKilled({ ...part, serverId: id, point: "idle" });
  await land.delete(id);
  await land.playUntilKilled({ ...part, restores: true, point: "session/load was posted" });
  const agent = await land.open();
  const session = await agent.restoreSession({ id });
  await session.prompt("and on it goes");
  const log = await logOf(session);
  const { restored, serverId } = session;
  await agent.dispose();
  return { restored, log, starts: land.starts("load"), serverId };
}

async function playOften() {
  const id = "again and again";
  const witness = land.witness(id);
  const part = { id, words: longest.words };
  await land.playUntilKilled({ ...part, serverId: id, point: "text 1" });
  await land.playUntilKilled({ ...part, restores: true, point: "text 4" });
  await land.playUntilKilled({ ...part, restores: true, point: "text 7" });
  const agent = await land.open();
  const session = await agent.restoreSession({ id });
  const ran = session.turn?.over === false;
  const text = textOf(session.turn ? await eventsOf(session.turn) : []);
  const log = await logOf(session);
  await witness.whenAnswered(session.agentSessionId);
  const seen = witness.ofSession(session.agentSessionId);
  await agent.dispose();
  return { ran, text, log, seen };
}

beforeAll(async () => {
  land = await Land.make();
  abandoned = playAbandoned();
  often = playOften();
  for (const playing of [abandoned, often]) playing.catch(() => {}); // its test tells
  for (const point of points) {
    const playing = play(point);
    playing.catch(() => {}); // its test tells
    outcomes.set(point.point, playing);
  }
});

afterAll(() => land.stop());

test(
  "killed while it took the session into another process: another one takes it, once the first gives no sign",
  async () => {
    const { restored, log, starts, serverId } = await abandoned;
    expect(restored).toBe("loaded");
    expect(turnsIn(log).map(({ words }) => words)).toEqual(["hello", "and on it goes"]);
    expect(log.filter(({ json }) => json.includes("you said: hello"))).toHaveLength(1);
    expect(starts, "the process the killed client started is used or ended").toBeLessThanOrEqual(3);
    expect((await land.servers()).filter(({ agent, status }) => agent === "load" && status === "running")).toEqual([]);
    expect(await land.server(serverId)).toBe(undefined);
  },
  30_000 * timeScale,
);

test(
  "killed again and again within one turn: the turn is complete, and the log is as of one",
  async () => {
    const { ran, text, log, seen } = await often;
    expect(ran).toBe(true);
    expect(text).toBe(longest.text);
    expect(turnsIn(log)).toEqual([{ words: longest.words, text, stopReason: "end_turn" }]);
    expect(ofProcess(log, 0)).toEqual(seen);
  },
  30_000 * timeScale,
);

test.each(points)(
  "killed at: $point",
  async ({ point, words, text, turn, restored: how = "attached" }) => {
    const outcome = await outcomes.get(point)!;
    const { restored, ran, events, result, failure, log, seen, secondText } = outcome;

    expect(restored).toBe(how);
    expectDense(log);
    expect(ofProcess(log, 0)).toEqual(seen);

    const begun = promptsIn(log).length === 2;
    if (turn === "never began") expect(begun).toBe(false);
    if (turn === "runs") expect(ran).toBe(true);
    if (turn === "is over") expect(ran).toBe(false);
    if (turn === "runs" || turn === "is over") expect(begun).toBe(true);
    if (begun) expect(turnsIn(log)[0]).toEqual({ words, text, stopReason: "end_turn" });
    expect(turnsIn(log).at(-1)).toEqual({ words: "and on it goes", text: secondText, stopReason: "end_turn" });
    expect(secondText).toContain("and on it goes");

    if (outcome.pendingAfterRestoring > 0) expect(ran, "the turn runs, and is there").toBe(true);
    if (ran && begun) {
      expect(failure).toBe(undefined);
      expect(result).toMatchObject({ text, stopReason: "end_turn" });
      expect(textOf(events!)).toBe(text);
    }
    if (ran && words === permission.words) expect(events!.filter(({ type }) => type === "permission")).toHaveLength(1);
    if (ran && words === tool.words) expect(events![0]).toMatchObject({ type: "tool", status: "pending" });
    expect(outcome.isLeft, "its process is left").toBe(false);
  },
  30_000 * timeScale,
);
