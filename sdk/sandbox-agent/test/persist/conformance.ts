// What every driver promises, as cases that need no test runner: vitest runs them for the stores that Node reaches, a page for the
// browser's.
import type { SessionPersistDriver, StoredSession } from "../../src/persist/driver.js";
import { batchOf, equal, failure, logOf, record, sample, storedAs, streamOf } from "./samples.js";

/** A store that is empty at first. */
export interface Store {
  /** Another connection to it. */
  connect(): Promise<SessionPersistDriver>;
  /** What was connected is disconnected; the store is gone. */
  end(): Promise<void>;
}

export type Cases = Record<string, (store: Store) => Promise<void>>;

const oddIds = [
  "",
  " ",
  "ü/\\'\"`%_?$1;--",
  "\0",
  "a\0b",
  "\ud800",
  "\udc00",
  "\ufffd",
  "😀",
  "__proto__",
  "A",
  "a",
  "x".repeat(1000),
];
const oddText = "\0\u0001 \ud800 \udfff 😀 \u2028 \\u0000 \" ' $1 ? {} NULL";

const turn = (id: string) => ({ id, epoch: 1 });

const rich: Partial<StoredSession> = {
  instanceId: "instance",
  agentSessionId: "named by the agent",
  turn: turn("turn 1"),
  mcpServers: [{ type: "http", name: oddText, url: "http://127.0.0.1/", headers: [] }],
  additionalDirectories: ["/a", oddText],
};

export const recordCases: Cases = {
  async "a session that was made is found, with all it was made with, under its id only"(store) {
    const driver = await store.connect();
    equal(await driver.getSession("a"), undefined);
    const expected = { ...sample("a", rich), eventCount: 0 };
    equal(await driver.createSession(sample("a", rich)), expected, "what was made");
    equal(await driver.getSession("a"), expected, "what is kept");
    equal(await driver.getSession("A"), undefined);
  },

  async "an id is taken once, also by many at the same moment"(store) {
    const drivers = [await store.connect(), await store.connect(), await store.connect()];
    const made = await Promise.all(drivers.map((driver, at) => driver.createSession(sample("a", { agent: `agent ${at}` }))));
    equal(made.filter(Boolean).length, 1, "the number of winners");
    equal(await drivers[0]?.getSession("a"), made.find(Boolean));
    equal(await drivers[1]?.createSession(sample("a")), undefined);
  },

  async "an id may have any characters"(store) {
    const driver = await store.connect();
    for (const [at, id] of oddIds.entries()) await driver.createSession(sample(id, { agent: String(at) }));
    for (const [at, id] of oddIds.entries()) {
      equal((await driver.getSession(id))?.agent, String(at), JSON.stringify(id));
      equal(await driver.appendEvents(id, batchOf(streamOf(at + 1))), true);
    }
    for (const [at, id] of oddIds.entries()) equal((await driver.listEvents(id)).total, at + 1, JSON.stringify(id));
    const { sessions } = await driver.listSessions();
    equal(sessions.map(({ id }) => id).sort(), [...oddIds].sort());
  },

  async "a change replaces the fields it names, removes those it names as undefined, and keeps the rest"(store) {
    const driver = await store.connect();
    await driver.createSession(sample("a", rich));
    await driver.appendEvents("a", batchOf(streamOf(3)));
    const before = await driver.getSession("a");
    equal(await driver.updateSession("a", { turn: turn("turn 2") }), { ...before, turn: turn("turn 2") });
    const change = {
      agentSessionId: undefined,
      mcpServers: undefined,
      cwd: oddText,
      epoch: 2,
      last: { eventId: 0, nth: 0 },
      updatedAt: 5,
    };
    const after = await driver.updateSession("a", change);
    equal(after, { ...before, ...change, turn: turn("turn 2") });
    equal(await driver.getSession("a"), after);
    const wrong = { id: "b", eventCount: 77, epoch: undefined, last: undefined } as object;
    equal(await driver.updateSession("a", wrong), after, "what is the driver's own");
    equal(await driver.updateSession("nobody", { cwd: "x" }), undefined);
    equal(await driver.getSession("nobody"), undefined);
  },

  async "a change with a condition is made while the epoch is that one; of many at the same moment one wins"(store) {
    const drivers = [await store.connect(), await store.connect(), await store.connect()];
    const [driver] = drivers as [SessionPersistDriver];
    await driver.createSession(sample("a"));
    equal(await driver.updateSession("a", { epoch: 3 }, 2), undefined);
    for (let epoch = 1; epoch <= 5; ++epoch) {
      const change = (at: number) => ({ epoch: epoch + 1, serverId: `server ${at}`, last: { eventId: 0, nth: 0 } });
      const contenders = Array.from({ length: 9 }, (_, at) => drivers[at % 3]?.updateSession("a", change(at), epoch));
      const winners = (await Promise.all(contenders)).filter(Boolean);
      equal(winners.length, 1, "the number of winners");
      equal(await driver.getSession("a"), winners[0]);
    }
  },

  async "changes of several clients to different fields are all kept"(store) {
    const drivers = [await store.connect(), await store.connect(), await store.connect(), await store.connect()];
    await drivers[0]?.createSession(sample("a"));
    const fields = ["serverId", "instanceId", "agentSessionId", "cwd"] as const;
    for (let round = 0; round < 10; ++round)
      await Promise.all(drivers.map((driver, at) => driver.updateSession("a", { [fields[at] as string]: `value ${round}` })));
    const expected = Object.fromEntries(fields.map((field) => [field, "value 9"]));
    equal(await drivers[0]?.getSession("a"), { ...sample("a"), ...expected, eventCount: 0 });
  },

  async "nobody changes what is kept by changing what was given or got"(store) {
    const driver = await store.connect();
    const given = sample("a", { additionalDirectories: ["/a"], last: { eventId: 0, nth: 0 } });
    const promise = driver.createSession(given);
    given.additionalDirectories?.push("/b");
    (given.last as { nth: number }).nth = 9;
    const made = await promise;
    made?.additionalDirectories?.push("/c");
    (await driver.getSession("a"))?.additionalDirectories?.push("/d");
    (await driver.listSessions()).sessions[0]?.additionalDirectories?.push("/e");
    equal(await driver.getSession("a"), { ...sample("a", { additionalDirectories: ["/a"] }), eventCount: 0 });
    const events = streamOf(3);
    const appending = driver.appendEvents("a", batchOf(events));
    events.splice(0, 3, ...streamOf(9).slice(6));
    await appending;
    equal(await logOf(driver, "a"), storedAs(streamOf(3)));
  },

  async "sessions are listed with the newest first; a cursor goes on where it was while others are made and deleted"(store) {
    const driver = await store.connect();
    const at = (order: number) => ({ createdAt: 1_790_000_000_000 + order });
    for (const order of [5, 1, 9, 3, 7]) await driver.createSession(sample(`s${order}`, at(order)));
    for (const id of ["c", "a", "b"]) await driver.createSession(sample(id, at(4)));
    const ids: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page === 0 || cursor !== undefined; ++page) {
      const { sessions, nextCursor } = await driver.listSessions({ limit: 3, ...(cursor === undefined ? {} : { cursor }) });
      ids.push(...sessions.map(({ id }) => id));
      cursor = nextCursor;
      if (page === 0) {
        await driver.createSession(sample("new", at(20)));
        await driver.createSession(sample("old", at(0)));
        await driver.deleteSession(ids.at(-1) as string); // where the cursor is
      }
    }
    equal(ids, ["s9", "s7", "s5", "c", "b", "a", "s3", "s1", "old"]);
    equal((await driver.listSessions({ limit: 9 })).nextCursor, undefined, "the cursor of a full last page");
    equal((await driver.listSessions()).sessions[0]?.id, "new");
    await driver.updateSession("old", at(30));
    equal((await driver.listSessions({ limit: 1 })).sessions[0]?.id, "old");
  },

  async "what cannot be asked for is refused with a sentence"(store) {
    const driver = await store.connect();
    for (const limit of [0, -1, 1.5, NaN, Infinity, "5" as unknown as number]) {
      const errors = [await failure(driver.listSessions({ limit })), await failure(driver.listEvents("a", { limit }))];
      equal(
        errors.map(({ code }) => code),
        ["invalid_option", "invalid_option"],
      );
    }
    equal((await failure(driver.listEvents("a", { offset: -1 }))).message, "offset: -1 is not a whole number from 0 on.");
    for (const cursor of ["", "x", "{}", "[1]", "null", '["a","b"]'])
      equal((await failure(driver.listSessions({ cursor }))).code, "invalid_option", cursor);
  },
};

export const logCases: Cases = {
  async "a log is read in pages as it was appended; beyond its end there is an empty page and the right total"(store) {
    const driver = await store.connect();
    const stream = streamOf(250);
    equal(await driver.listEvents("a"), { events: [], total: 0 });
    await driver.createSession(sample("a"));
    equal(await driver.listEvents("a"), { events: [], total: 0 });
    equal(await driver.appendEvents("a", batchOf(stream)), true);
    equal((await driver.listEvents("a")).events, storedAs(stream).slice(0, 100), "the first page");
    equal(await driver.listEvents("a", { offset: 249, limit: 5 }), { events: storedAs(stream).slice(249), total: 250 });
    equal(await driver.listEvents("a", { offset: 250 }), { events: [], total: 250 });
    equal(await driver.listEvents("a", { offset: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER }), {
      events: [],
      total: 250,
    });
    equal(await logOf(driver, "a", 7), storedAs(stream));
    const { last, eventCount, updatedAt } = (await driver.getSession("a")) as StoredSession;
    const end = stream[249] as (typeof stream)[number];
    equal(
      { last, eventCount, updatedAt },
      { last: { eventId: end.eventId, nth: end.nth }, eventCount: 250, updatedAt: end.at },
    );
  },

  async "only what lies behind the last place is appended, and the place never goes back"(store) {
    const driver = await store.connect();
    await driver.createSession(sample("a"));
    const stream = streamOf(40);
    const append = (from: number, to: number) => driver.appendEvents("a", batchOf(stream.slice(from, to)));
    equal(
      [await append(0, 10), await append(5, 20), await append(0, 3), await append(20, 21), await append(0, 40)],
      Array(5).fill(true),
    );
    equal(await logOf(driver, "a"), storedAs(stream));
    await driver.appendEvents("a", { epoch: 1, events: [], upTo: { eventId: 1000, nth: 3 } });
    await driver.appendEvents("a", { epoch: 1, events: [], upTo: { eventId: 1000, nth: 2 } });
    equal((await driver.getSession("a"))?.last, { eventId: 1000, nth: 3 });
    equal(await driver.appendEvents("a", batchOf([{ eventId: 1000, nth: 3, from: "client", at: 1, json: "{}" }])), true);
    equal((await driver.listEvents("a")).total, 40);
  },

  async "events of another epoch and of no session are refused, and nothing is stored"(store) {
    const driver = await store.connect();
    equal(await driver.appendEvents("a", batchOf(streamOf(3))), false);
    await driver.createSession(sample("a", { epoch: 2 }));
    const before = await driver.getSession("a");
    equal(
      [await driver.appendEvents("a", batchOf(streamOf(3), 1)), await driver.appendEvents("a", batchOf(streamOf(3), 3))],
      [false, false],
    );
    equal(await driver.getSession("a"), before);
    equal(await driver.listEvents("a"), { events: [], total: 0 });
    equal(await driver.getSession("b"), undefined);
  },

  async "a new epoch goes on in the same log, with places of its own"(store) {
    const driver = await store.connect();
    await driver.createSession(sample("a"));
    await driver.appendEvents("a", batchOf(streamOf(5)));
    await driver.updateSession("a", { epoch: 2, last: { eventId: 0, nth: 0 } }, 1);
    equal(await driver.appendEvents("a", batchOf(streamOf(9).slice(5))), false);
    equal(await driver.appendEvents("a", batchOf(streamOf(4), 2)), true);
    const second = storedAs(streamOf(4), 2).map((event) => ({ ...event, index: event.index + 5 }));
    equal(await logOf(driver, "a"), [...storedAs(streamOf(5)), ...second]);
  },

  async "text of every kind and of several megabytes comes back as it was"(store) {
    const driver = await store.connect();
    await driver.createSession(sample("a"));
    const texts = [
      JSON.stringify(oddText),
      `"${"\u0001\u2028é😀'".slice(1)}"`,
      "[ 1,\n\t2 ]",
      "null",
      `"${"äx\\u0000\\ud800".repeat(500_000)}"`,
    ];
    const events = texts.map((json, at) => ({ eventId: at + 1, nth: 0, from: "daemon" as const, at: at + 0.5, json }));
    await driver.appendEvents("a", batchOf(events));
    equal(await logOf(driver, "a"), storedAs(events));
    // Not from any wire, as UTF-8 has no such thing: then at least the meaning stays.
    await driver.appendEvents("a", batchOf([{ eventId: 100, nth: 0, from: "client", at: 0, json: '"half \ud800"' }]));
    equal(JSON.parse((await driver.listEvents("a", { offset: 5 })).events[0]?.json ?? ""), "half \ud800");
  },

  async "appends that nobody waited for are in the order of the calls"(store) {
    const driver = await store.connect();
    await driver.createSession(sample("a"));
    const stream = streamOf(200);
    const parts = Array.from({ length: 20 }, (_, at) => stream.slice(at * 10, at * 10 + 10));
    equal(await Promise.all(parts.map((part) => driver.appendEvents("a", batchOf(part)))), Array(20).fill(true));
    equal(await logOf(driver, "a"), storedAs(stream));
  },

  async "clients that record the same stream at the same time give one log without holes"(store) {
    const drivers = [await store.connect(), await store.connect(), await store.connect(), await store.connect()];
    const [driver] = drivers as [SessionPersistDriver];
    const stream = streamOf(1500);
    for (const id of ["a", "b"]) await driver.createSession(sample(id));
    await Promise.all(drivers.flatMap((each) => ["a", "b"].map((id) => record(each, id, stream, 40))));
    for (const id of ["a", "b"]) equal(await logOf(driver, id), storedAs(stream), `the log of ${id}`);
  },

  async "a reader sees a log without holes while it is written"(store) {
    const [writer, reader] = [await store.connect(), await store.connect()];
    await writer.createSession(sample("a"));
    const stream = streamOf(1000);
    let written = false;
    const writing = record(writer, "a", stream, 20).then(() => void (written = true));
    for (let before = 0; !written;) {
      const { events, total } = await reader.listEvents("a", { limit: 2000 });
      equal(events, storedAs(stream).slice(0, total), "what was read");
      if (total < before) throw new Error("the log became shorter");
      before = total;
      await new Promise((resolve) => setTimeout(resolve));
    }
    await writing;
  },

  async "a session that is deleted takes its log with it, also when others append to it"(store) {
    const [driver, other] = [await store.connect(), await store.connect()];
    await driver.deleteSession("nobody");
    for (const id of ["a", "b"]) await driver.createSession(sample(id));
    for (const id of ["a", "b"]) await driver.appendEvents(id, batchOf(streamOf(30)));
    const stream = streamOf(300);
    const appending = record(other, "a", stream, 5).catch(() => {});
    await driver.deleteSession("a");
    await appending;
    equal([await driver.getSession("a"), await driver.listEvents("a")], [undefined, { events: [], total: 0 }]);
    equal((await driver.listEvents("b")).total, 30);
    await driver.createSession(sample("a"));
    equal(await driver.listEvents("a"), { events: [], total: 0 });
    await driver.appendEvents("a", batchOf(stream));
    equal(await logOf(driver, "a"), storedAs(stream));
  },
};

export const cases: Cases = { ...recordCases, ...logCases };
