// Against the daemon and its demo agent: floods, cuts, several clients, ends.
import { client, type AnyMessage } from "@agentclientprotocol/sdk";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { acpHttpEvents, type AcpHttpClient, type AcpHttpMessage } from "../src/index.js";
import { failureOf } from "./connected.js";
import { connected, Daemon, newSession, prompt } from "./demo_agent.js";
import { Relay } from "../../../tests/contract/relay.mjs";
import { eventually } from "./watch.js";

let daemon: Daemon;
let relay: Relay;
let clients: AcpHttpClient[];

beforeAll(async () => {
  const roomForEverything = ["--ring-messages", "1000000", "--ring-bytes", "400000000", "--total-ring-bytes", "900000000"];
  daemon = await Daemon.start("--heartbeat-ms", "200", ...roomForEverything);
});

afterAll(() => daemon.stop());

beforeEach(async () => {
  relay = await Relay.to(daemon.at().baseUrl);
  clients = [];
});

afterEach(async () => {
  await Promise.all(clients.map((it) => it.close().catch(() => {})));
  expect(await daemon.instances()).toEqual([]);
  await relay.stop();
});

async function connect(options: Parameters<typeof connected>[0] = daemon.at()): Promise<AcpHttpClient> {
  const it = await connected(options);
  clients.push(it);
  return it;
}

/** The texts of the chunks that the handler of an app gets. */
function listener() {
  const texts: string[] = [];
  const app = client().onNotification("session/update", ({ params: { update } }) => {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") texts.push(update.content.text);
  });
  return { app, texts };
}

/** The daemon has the prompt. */
const underWay = () => vi.waitFor(async () => expect(await daemon.instances()).toMatchObject([{ pendingRequests: 1 }]), 10_000);

const tokens = (count: number) => Array.from({ length: count }, (_, i) => `token ${i + 1} `);

describe("a flood", () => {
  test.each([5_000, 100_000])("of %i updates arrives whole and in order before the turn settles", async (count) => {
    const { app, texts } = listener();
    const it = await connect({ ...daemon.at(), app });
    const session = await newSession(it);
    expect(await prompt(it, session, `/flood ${count}`)).toBe("end_turn");
    expect(texts.length).toBe(count);
    expect(texts).toEqual(tokens(count));
  });

  test("ends when it is cancelled", async () => {
    const { app, texts } = listener();
    const it = await connect({ ...daemon.at(), app });
    const session = await newSession(it);
    const whole = 1_000_000;
    const turn = prompt(it, session, `/flood ${whole}`);
    await eventually(() => expect(texts.length).toBeGreaterThan(1_000));
    await it.notify("session/cancel", { sessionId: session });
    expect(await turn).toBe("cancelled");
    expect(texts.length).toBeLessThan(whole); // a good deal less, although Node reads megabytes of it before it sends anything
    expect(texts).toEqual(tokens(texts.length));
  });
});

describe("connections that are cut", () => {
  /** Cuts everything, twenty times, at moments nobody chose, while `work` goes on. */
  async function cutting(work: Promise<unknown>, longestMs: number): Promise<void> {
    let isDone = false;
    const done = () => (isDone = true);
    work.then(done, done);
    while (relay.cuts < 20) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longestMs));
      if (isDone) throw new Error(`the work was over after ${relay.cuts} cuts`);
      relay.cut();
    }
    await work;
  }

  /** What a reader gets that is not cut, up to the answer with the last id. */
  async function uncut(serverId: string, lastNumber: number): Promise<AcpHttpMessage[]> {
    const messages: AcpHttpMessage[] = [];
    for await (const event of acpHttpEvents({ ...daemon.at(), serverId })) {
      if (event.type !== "message") throw new Error("a gap");
      messages.push(event);
      if (event.id === lastNumber) break;
    }
    return messages;
  }

  test("20 times during a flood: nothing is missing, nothing doubled, the turn settles", async () => {
    const { app, texts } = listener();
    const it = await connect({ ...daemon.at(relay.url), app });
    const session = await newSession(it);
    let floods = 0;
    const turns = (async () => {
      do expect(await prompt(it, session, "/flood 60000")).toBe("end_turn");
      while (++floods && relay.cuts < 20); // more than one when the machine stands still between two cuts
    })();
    await cutting(turns, 50);
    expect(texts.length).toBe(60_000 * floods);
    expect(texts.every((text, i) => text === `token ${(i % 60_000) + 1} `)).toBe(true);
  });

  test("20 times during a turn with requests and answers under way: everything settles, the agent saw each request once", async () => {
    const seen: AcpHttpMessage[] = [];
    let asked = 0;
    const app = client().onRequest("session/request_permission", () => {
      ++asked;
      return { outcome: { outcome: "selected", optionId: "allow-once" } };
    });
    const it = await connect({ ...daemon.at(relay.url), app, onMessage: (message) => seen.push(message) });
    const [slow, asking] = [await newSession(it), await newSession(it)];
    let isOver = false;
    let slows = 0;
    const turns = (async () => {
      do expect(await prompt(it, slow, "/slow 12")).toBe("end_turn");
      while (++slows && relay.cuts < 20);
    })().finally(() => (isOver = true));
    const sessions = new Set<string>([slow, asking]);
    const made = [sessions.size];
    const others = (async () => {
      while (!isOver) {
        expect(await prompt(it, asking, "/permission")).toBe("end_turn");
        sessions.add(await newSession(it));
        made[0]!++;
      }
    })();
    await cutting(Promise.all([turns, others]), 100);
    expect(sessions.size).toBe(made[0]);
    expect(asked).toBe(made[0]! - 2);

    await eventually(() => expect(it.stream.openRequests).toEqual([]));
    const all = await uncut(it.serverId, it.stream.position!);
    expect(seen.map(({ json }) => json)).toEqual(all.map(({ json }) => json));
    expect(seen.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    const answers = all.flatMap(({ message }) => answerId(message));
    expect(new Set(answers).size).toBe(answers.length);
    expect(answers.length).toBe(1 + slows + made[0]! + (made[0]! - 2)); // initialize, the slow turns, sessions, permissions
    const steps = all.filter(({ json }) => json.includes('"text":"step '));
    expect(steps).toHaveLength(12 * slows);
  });
});

test("connections that have gone silent are made anew, and what was under way on them settles", async () => {
  const { app, texts } = listener();
  const it = await connect({ ...daemon.at(relay.url), app, silenceMs: 800 });
  const session = await newSession(it);
  const turn = prompt(it, session, "/slow 6");
  await eventually(() => expect(texts.length).toBeGreaterThan(0));
  relay.mute();
  const made = await Promise.all([newSession(it), newSession(it)]);
  expect(await turn).toBe("end_turn");
  expect(texts).toEqual(Array.from({ length: 6 }, (_, i) => `step ${i + 1} of 6\n`));
  expect(new Set([session, ...made]).size).toBe(3);
});

function answerId(message: AnyMessage): (string | number | null)[] {
  return "method" in message ? [] : [message.id];
}

test("a connection is used again: messages do not cost one each", async () => {
  const it = await connect(daemon.at(relay.url));
  const session = await newSession(it);
  for (let i = 0; i < 20; ++i) await it.notify("session/cancel", { sessionId: session });
  expect(relay.connections).toBeLessThanOrEqual(3);
});

test("two clients of one instance get their own answers, and both get every update", async () => {
  const [one, two] = [listener(), listener()];
  const first = await connect({ ...daemon.at(), app: one.app, serverId: "shared" });
  const second = await connect({ ...daemon.at(), app: two.app, serverId: "shared" });
  const [a, b] = await Promise.all([newSession(first), newSession(second)]);
  expect(a).not.toBe(b);
  const stops = await Promise.all([prompt(first, a, "/flood 500"), prompt(second, b, "/flood 500")]);
  expect(stops).toEqual(["end_turn", "end_turn"]);
  await eventually(() => expect([one.texts.length, two.texts.length]).toEqual([1_000, 1_000]));
  expect(two.texts).toEqual(one.texts);
});

describe("the end", () => {
  test("of the agent in the middle of a turn rejects the turn, with how it ended", async () => {
    let best = Infinity; // of three at most: others use the machine too
    for (let played = 0; best >= 1_500 && played < 3; ++played) {
      const it = await connect();
      const session = await newSession(it);
      const begun = performance.now();
      expect(await failureOf(prompt(it, session, "/crash 7"))).toMatchObject({
        code: "agent_process_exited",
        problem: { exitCode: 7 },
      });
      best = Math.min(best, performance.now() - begun);
    }
    expect(best).toBeLessThan(1_500);
  });

  test("by DELETE rejects what is open, and the instance is gone", async () => {
    const it = await connect();
    const turn = prompt(it, await newSession(it), "/hang");
    turn.catch(() => {});
    await underWay();
    expect(it.stream.openRequests).toHaveLength(1);
    await it.close();
    expect(await failureOf(turn)).toMatchObject({ code: "closed" });
    expect(await daemon.instances()).toEqual([]);
  });

  test("by another client's DELETE rejects what is open", async () => {
    const it = await connect({ ...daemon.at(), serverId: "shared" });
    const other = await connect({ ...daemon.at(), serverId: "shared" });
    const turn = prompt(it, await newSession(it), "/hang");
    turn.catch(() => {});
    await underWay();
    await other.close();
    expect(await failureOf(turn)).toMatchObject({ name: "AcpHttpError", code: "agent_process_exited" });
  });

  test("of the connection alone leaves the turn running; who comes later can take its answer", async () => {
    const it = await connect({ ...daemon.at(), serverId: "left" });
    const turn = prompt(it, await newSession(it), "/slow 4");
    turn.catch(() => {});
    await underWay();
    const { openRequests, position } = it.stream;
    it.detach();
    expect(await failureOf(turn)).toMatchObject({ code: "closed" });

    const later = await connect({ ...daemon.at(), serverId: "left", lastEventId: position ?? 0 });
    expect(await later.stream.adopt(String(openRequests[0]))).toMatchObject({ result: { stopReason: "end_turn" } });
  });
});

test("a wrong token and an unknown agent reject the first call with the daemon's words", async () => {
  expect(await failureOf(connected({ ...daemon.at(), token: "wrong" }))).toMatchObject({ code: "token_invalid", status: 401 });
  const unknown = { ...daemon.at(), firstQuery: { agent: "mok" } };
  expect(await failureOf(connected(unknown))).toMatchObject({ code: "unsupported_agent", problem: { agent: "mok" } });
});
