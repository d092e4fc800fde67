// The driver for SQLite, with real files: what all drivers promise; several processes, one that is killed; what cannot be used.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SQLiteSessionPersistDriver } from "../../src/persist/sqlite.js";
import "../guards.js";
import type { Store } from "./conformance.js";
import { runCases } from "./run_cases.js";
import { batchOf, failure, logOf, sample, storedAs, streamOf } from "./samples.js";

const timeScale = Number(process.env.SA_TIME_SCALE ?? 1);
let folder: string;
let files = 0;
const newFile = () => path.join(folder, `${++files}.db`);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "persist-sqlite-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Each connection is a handle of its own. */
function fileStore(connect: (file: string) => Promise<SQLiteSessionPersistDriver>): Store {
  const file = newFile();
  const drivers: SQLiteSessionPersistDriver[] = [];
  return {
    connect: async () => {
      const driver = await connect(file);
      drivers.push(driver);
      return driver;
    },
    end: async () => void (await Promise.all(drivers.map((driver) => driver.close()))),
  };
}

describe("sessions in a SQLite file that the driver opened:", () => {
  runCases(async () => fileStore((file) => SQLiteSessionPersistDriver.open(file)));
});

describe("sessions in a SQLite database that was handed in, without a write-ahead log:", () => {
  const handles: { close(): unknown }[] = [];
  afterAll(() => handles.forEach((handle) => handle.close()));
  runCases(async () =>
    fileStore(async (file) => {
      const handle = new Database(file);
      handle.exec("PRAGMA synchronous = OFF"); // nothing here asks what a power cut leaves, and a slow disk would be waited for
      handles.push(handle);
      return new SQLiteSessionPersistDriver(handle);
    }),
  );
});

/** A process that records into `file` when it is told to. */
async function startWriter(file: string, count: number, most: number): Promise<ChildProcess & { written: () => number }> {
  const program = fileURLToPath(new URL("sqlite_writer.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, file, String(count), String(most)], { stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (data) => (said += String(data)));
  await once(child.stdout, "data");
  return Object.assign(child, { written: () => Number(said.trimEnd().split("\n").at(-1)) });
}

const writtenBy = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    eventId: at + 1,
    nth: 0,
    from: "agent" as const,
    at: at + 1,
    json: `{"id":${at + 1}}`,
  }));

describe("a SQLite file of several processes", () => {
  it("has one log without holes when they record the same stream", { timeout: 30_000 * timeScale }, async () => {
    const file = newFile();
    const driver = await SQLiteSessionPersistDriver.open(file);
    await driver.createSession(sample("a"));
    const writers = await Promise.all([1, 2, 3].map(() => startWriter(file, 3000, 30)));
    const ended = writers.map((writer) => once(writer, "exit"));
    for (const writer of writers) writer.stdin?.write("go\n");
    const codes = (await Promise.all(ended)).map(([code]) => code as number);
    expect(codes).toEqual([0, 0, 0]);
    expect(await logOf(driver, "a")).toEqual(storedAs(writtenBy(3000)));
    await driver.close();
  });

  it("has a log without holes, up to what was said to be stored at least, after a process was killed in the middle", async () => {
    const file = newFile();
    const driver = await SQLiteSessionPersistDriver.open(file);
    await driver.createSession(sample("a"));
    for (const enough of [1, 500, 5000]) {
      const writer = await startWriter(file, 1_000_000, 50);
      const ended = once(writer, "exit");
      writer.stdin?.write("go\n");
      while (!(writer.written() >= enough)) await once(writer.stdout!, "data");
      writer.kill("SIGKILL");
      expect((await ended)[1]).toBe("SIGKILL");
      const log = await logOf(driver, "a");
      expect(log.length).toBeGreaterThanOrEqual(writer.written());
      expect(log).toEqual(storedAs(writtenBy(log.length)));
      expect(await driver.getSession("a")).toMatchObject({ eventCount: log.length, last: { eventId: log.length, nth: 0 } });
    }
    await driver.close();
  });

  it("is written when another connection has unlocked it; the event loop goes on meanwhile", async () => {
    const file = newFile();
    const [handle, other] = [new Database(file), new Database(file)]; // of one library: two in a process do not see each other's locks
    const driver = new SQLiteSessionPersistDriver(handle);
    await driver.createSession(sample("a"));
    other.exec("BEGIN IMMEDIATE");
    let settled = false;
    const appending = driver.appendEvents("a", batchOf(streamOf(10))).then((done) => (settled = done));
    for (let turns = 0; turns < 20; ++turns) await new Promise((resolve) => setTimeout(resolve));
    expect(settled).toBe(false);
    other.exec("COMMIT");
    expect(await appending).toBe(true);

    other.exec("BEGIN IMMEDIATE");
    const hasty = new SQLiteSessionPersistDriver(handle, { busyTimeoutMs: 50 });
    expect(await failure(hasty.appendEvents("a", batchOf(streamOf(20))))).toMatchObject({ code: "SQLITE_BUSY" });
    other.exec("ROLLBACK");
    expect(await hasty.appendEvents("a", batchOf(streamOf(20)))).toBe(true);
    expect(await logOf(driver, "a")).toEqual(storedAs(streamOf(20)));
    for (const each of [handle, other]) each.close();
  });
});

describe("a SQLite database", () => {
  it("that fails in the middle of a write keeps nothing of it, and rejects with its own error", async () => {
    const handle = new Database(newFile());
    const driver = new SQLiteSessionPersistDriver(handle);
    await driver.createSession(sample("a"));
    await driver.appendEvents("a", batchOf(streamOf(10)));
    const before = await driver.getSession("a");
    handle.exec(
      "CREATE TRIGGER full BEFORE INSERT ON sandbox_agent_events WHEN NEW.idx = 70 BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    expect((await failure(driver.appendEvents("a", batchOf(streamOf(100))))).message).toMatch(/full/);
    expect(await driver.getSession("a")).toEqual(before);
    expect((await driver.listEvents("a")).events).toEqual(storedAs(streamOf(10)));
    handle.exec("DROP TRIGGER full");
    expect(await driver.appendEvents("a", batchOf(streamOf(100)))).toBe(true);
    handle.exec("DROP TABLE sandbox_agent_events");
    expect((await failure(driver.appendEvents("a", batchOf(streamOf(120))))).message).toMatch(/no such table/);
    expect((await driver.getSession("a"))?.eventCount).toBe(100);
    handle.close();
    await failure(driver.appendEvents("a", batchOf(streamOf(120))));
  });

  it("of a newer version is refused with a sentence, and left as it is", async () => {
    const file = newFile();
    const driver = await SQLiteSessionPersistDriver.open(file);
    await driver.createSession(sample("a"));
    await driver.close();
    const handle = new Database(file);
    handle.exec("UPDATE sandbox_agent_version SET version = 2; PRAGMA wal_checkpoint(TRUNCATE)");
    expect(await failure(new SQLiteSessionPersistDriver(handle).getSession("a"))).toMatchObject({ code: "persist_too_new" });
    handle.close();
    const bytes = await readFile(file);
    const error = await failure(SQLiteSessionPersistDriver.open(file));
    expect(error).toMatchObject({ name: "SandboxAgentError", code: "persist_too_new" });
    expect(error.message).toMatch(/^The sessions here were written by a newer sandbox-agent: their tables have version 2, /);
    expect(error.hint).toMatch(/^Update the package/);
    expect(await readFile(file)).toEqual(bytes);
  });

  it("stays the caller's when it was handed in, and may have several stores", async () => {
    const handle = new Database(newFile());
    handle.exec("CREATE TABLE mine (x); PRAGMA user_version = 77");
    const [one, two] = [
      new SQLiteSessionPersistDriver(handle),
      new SQLiteSessionPersistDriver(handle, { tablePrefix: "other_" }),
    ];
    await one.createSession(sample("a"));
    expect(await two.getSession("a")).toBeUndefined();
    await one.close();
    expect(handle.prepare("PRAGMA user_version").all()).toMatchObject([{ user_version: 77 }]);
    expect(await one.getSession("a")).toBeDefined();
    handle.close();
    const wrong = () => new SQLiteSessionPersistDriver(handle, { tablePrefix: "a; DROP TABLE b" });
    expect(wrong).toThrow(/^tablePrefix: /);
  });

  it("that was opened is closed once, and later calls reject; one that cannot be opened rejects", async () => {
    const driver = await SQLiteSessionPersistDriver.open(newFile());
    await driver.close();
    await driver.close();
    expect(await failure(driver.getSession("a"))).toMatchObject({ code: "persist_closed" });
    const nowhere = path.join(folder, "no", "such", "folder");
    expect(await failure(SQLiteSessionPersistDriver.open(nowhere))).toMatchObject({
      code: "persist_failed",
      message: expect.stringContaining(nowhere) as string,
    });
    const text = newFile();
    await writeFile(text, "this is no database, and it is longer than the head of one would be ".repeat(10));
    expect(await failure(SQLiteSessionPersistDriver.open(text))).toMatchObject({ code: "persist_failed" });
  });

  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const hasItsOwn = major > 22 || (major === 22 && minor >= 5);
  it.skipIf(hasItsOwn)("that nothing here can open is refused with what to install", async () => {
    const alone = path.join(folder, "alone"); // with no packages around it
    await cp(fileURLToPath(new URL("../../dist", import.meta.url)), alone, { recursive: true });
    await writeFile(path.join(alone, "package.json"), JSON.stringify({ type: "module" }));
    const program = `import { SQLiteSessionPersistDriver } from "./persist/sqlite.js";
      const told = ({ name, code, message, hint }) => console.log(JSON.stringify([name, code, message, hint]));
      SQLiteSessionPersistDriver.open("x.db").catch(told);`;
    await writeFile(path.join(alone, "program.js"), program);
    const { stdout } = await promisify(execFile)(process.execPath, ["program.js"], { cwd: alone });
    expect(JSON.parse(stdout)).toEqual([
      "SandboxAgentError",
      "persist_unsupported",
      "There is no SQLite here.",
      "Use Node 22.5 or newer, or install better-sqlite3 or libsql.",
    ]);
  });

  it(
    "takes 100,000 events at 20,000 a second at least, and gives them back in pages",
    { timeout: 60_000 * timeScale },
    async () => {
      const driver = await SQLiteSessionPersistDriver.open(newFile());
      await driver.createSession(sample("a"));
      const stream = streamOf(100_000);
      const rates: number[] = []; // of fifths: others may need the machine, too
      for (let part = 0; part < 100_000; part += 20_000) {
        const begun = performance.now();
        for (let at = part; at < part + 20_000; at += 1000)
          await driver.appendEvents("a", batchOf(stream.slice(at, at + 1000)));
        rates.push(20_000 / ((performance.now() - begun) / 1000));
      }
      expect(Math.max(...rates)).toBeGreaterThan(20_000 / timeScale);

      const before = process.memoryUsage().rss;
      const started = performance.now();
      let read = 0;
      for (let page = await driver.listEvents("a", { limit: 500 }); page.events.length > 0;) {
        expect(page.events[0]).toEqual({ ...stream[read], index: read, epoch: 1 });
        read += page.events.length;
        page = await driver.listEvents("a", { offset: read, limit: 500 });
      }
      expect(read).toBe(100_000);
      expect(read / ((performance.now() - started) / 1000)).toBeGreaterThan(20_000 / timeScale);
      expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
      await driver.close();
    },
  );
});
