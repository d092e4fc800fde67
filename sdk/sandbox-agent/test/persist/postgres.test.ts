// The driver for PostgreSQL, with a real server: what all drivers promise; many pools at once; what cannot be used.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresSessionPersistDriver, type PostgresSessionPersistOptions } from "../../src/persist/postgres.js";
import "../guards.js";
import type { Store } from "./conformance.js";
import { startPostgres, type PostgresServer } from "./postgres_server.js";
import { runCases } from "./run_cases.js";
import { batchOf, failure, logOf, record, sample, storedAs, streamOf } from "./samples.js";

const timeScale = Number(process.env.SA_TIME_SCALE ?? 1);
let server: PostgresServer;
let pool: pg.Pool;
let stores = 0;
const newSchema = () => `store_${++stores}`;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ ...server.access, max: 8 });
}, 60_000 * timeScale);
afterAll(async () => {
  await pool?.end();
  await server?.stop();
});

/** Each connection is a pool or a client of its own. */
function serverStore(open: () => Promise<pg.Pool | pg.Client>, options: PostgresSessionPersistOptions): Store {
  const opened: (pg.Pool | pg.Client)[] = [];
  return {
    connect: async () => {
      const database = await open();
      opened.push(database);
      return new PostgresSessionPersistDriver(database, options);
    },
    end: async () => void (await Promise.all(opened.map((database) => database.end()))),
  };
}

describe("sessions in PostgreSQL, over pools:", () => {
  runCases(async () => serverStore(async () => new pg.Pool({ ...server.access, max: 3 }), { schema: newSchema() }));
});

describe("sessions in PostgreSQL, over clients:", () => {
  const open = async () => {
    const client = new pg.Client(server.access);
    await client.connect();
    return client;
  };
  runCases(async () => serverStore(open, { tablePrefix: `${newSchema()}_` }));
});

describe("PostgreSQL", () => {
  it("has the tables of the first use, when many begin at the same moment", async () => {
    for (let round = 0; round < 5; ++round) {
      const schema = newSchema();
      const drivers = Array.from({ length: 8 }, () => new PostgresSessionPersistDriver(pool, { schema }));
      const made = await Promise.all(drivers.map((driver, at) => driver.createSession(sample(`s${at}`))));
      expect(made.filter(Boolean)).toHaveLength(8);
      expect((await pool.query(`SELECT version FROM ${schema}.sandbox_agent_version`)).rows).toEqual([{ version: 1 }]);
    }
  });

  it("has one log without holes when many pools record the same stream", { timeout: 30_000 * timeScale }, async () => {
    const schema = newSchema();
    const pools = Array.from({ length: 6 }, () => new pg.Pool({ ...server.access, max: 4 }));
    const drivers = pools.map((each) => new PostgresSessionPersistDriver(each, { schema }));
    await drivers[0]?.createSession(sample("a"));
    const stream = streamOf(4000);
    await Promise.all([...drivers, ...drivers].map((driver) => record(driver, "a", stream, 25)));
    const driver = new PostgresSessionPersistDriver(pool, { schema });
    expect(await logOf(driver, "a")).toEqual(storedAs(stream));
    expect(await driver.getSession("a")).toMatchObject({ eventCount: 4000, last: { eventId: stream.at(-1)?.eventId } });
    await Promise.all(pools.map((each) => each.end()));
  });

  it("keeps no event of an epoch that ended while the append waited", async () => {
    const schema = newSchema();
    const driver = new PostgresSessionPersistDriver(pool, { schema });
    await driver.createSession(sample("a"));
    const client = await pool.connect();
    await client.query(`BEGIN; UPDATE ${schema}.sandbox_agent_sessions SET epoch = 2`);
    const appending = driver.appendEvents("a", batchOf(streamOf(5)));
    const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1";
    while ((await pool.query(waiting, [`%${schema}%`])).rows.length === 0);
    await client.query("COMMIT");
    client.release();
    expect(await appending).toBe(false);
    expect(await driver.listEvents("a")).toEqual({ events: [], total: 0 });
  });

  it("keeps no event of a session that was deleted while it was appended to", async () => {
    const schema = newSchema();
    const driver = new PostgresSessionPersistDriver(pool, { schema });
    const stream = streamOf(300);
    for (let round = 0; round < 10; ++round) {
      await driver.createSession(sample("a"));
      const appending = record(driver, "a", stream, 30).catch(() => {});
      await driver.deleteSession("a");
      await appending;
    }
    expect((await pool.query(`SELECT count(*)::int AS left FROM ${schema}.sandbox_agent_events`)).rows).toEqual([{ left: 0 }]);
  });

  it("that fails in the middle of a write keeps nothing of it, and rejects with its own error", async () => {
    const schema = newSchema();
    const driver = new PostgresSessionPersistDriver(pool, { schema });
    await driver.createSession(sample("a"));
    await driver.appendEvents("a", batchOf(streamOf(10)));
    const before = await driver.getSession("a");
    await pool.query(`ALTER TABLE ${schema}.sandbox_agent_events ADD CONSTRAINT small CHECK (idx < 50)`);
    expect(await failure(driver.appendEvents("a", batchOf(streamOf(100))))).toMatchObject({ code: "23514" });
    expect(await driver.getSession("a")).toEqual(before);
    expect((await driver.listEvents("a")).events).toEqual(storedAs(streamOf(10)));
    await pool.query(`DROP SCHEMA ${schema} CASCADE`);
    await failure(driver.appendEvents("a", batchOf(streamOf(100))));
  });

  it("has to be something that can be queried", () => {
    const address = "postgres://127.0.0.1/sessions" as unknown as pg.Pool;
    expect(() => new PostgresSessionPersistDriver(address)).toThrow(
      expect.objectContaining({ code: "invalid_option" }) as Error,
    );
  });

  it("that cannot be reached at first is used when it can", async () => {
    let reachable = false;
    const query = async (text: string, values?: unknown[]) => {
      if (!reachable) throw new Error("not reachable");
      return pool.query(text, values);
    };
    const driver = new PostgresSessionPersistDriver({ query }, { schema: newSchema() });
    expect((await failure(driver.getSession("a"))).message).toBe("not reachable");
    reachable = true;
    expect(await driver.createSession(sample("a"))).toBeDefined();
  });

  it("with tables of a newer version is refused with a sentence", async () => {
    const schema = newSchema();
    await new PostgresSessionPersistDriver(pool, { schema }).createSession(sample("a"));
    await pool.query(`UPDATE ${schema}.sandbox_agent_version SET version = 2`);
    const error = await failure(new PostgresSessionPersistDriver(pool, { schema }).getSession("a"));
    expect(error).toMatchObject({ name: "SandboxAgentError", code: "persist_too_new" });
    expect(error.message).toMatch(/newer sandbox-agent: their tables have version 2/);
  });

  it("needs no right to make tables when they are there, and no name that could be something else", async () => {
    const schema = newSchema();
    await new PostgresSessionPersistDriver(pool, { schema }).createSession(sample("a"));
    await pool.query(`CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA ${schema} TO reader;
      GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO reader`);
    const client = new pg.Client({ ...server.access, user: "reader" });
    await client.connect();
    const driver = new PostgresSessionPersistDriver(client, { schema });
    expect((await driver.getSession("a"))?.id).toBe("a");
    expect(await failure(driver.deleteSession("a"))).toMatchObject({ code: "42501" });
    await client.end();
    expect(await new PostgresSessionPersistDriver(pool, { schema: "user" }).createSession(sample("a"))).toBeDefined();
    for (const wrong of ["", "a.b", 'a"b', "A", "a".repeat(41)])
      expect(() => new PostgresSessionPersistDriver(pool, { tablePrefix: wrong }), wrong).toThrow(/^tablePrefix: /);
  });

  it("takes and gives 100,000 events in pages", { timeout: 60_000 * timeScale }, async () => {
    const driver = new PostgresSessionPersistDriver(pool, { schema: newSchema() });
    await driver.createSession(sample("a"));
    const stream = streamOf(100_000);
    const begun = performance.now();
    for (let at = 0; at < stream.length; at += 1000) await driver.appendEvents("a", batchOf(stream.slice(at, at + 1000)));
    expect(stream.length / ((performance.now() - begun) / 1000)).toBeGreaterThan(2_000 / timeScale);
    expect((await logOf(driver, "a")).length).toBe(100_000);
  });
});
