// Sessions in IndexedDB: the cases of every driver, and functions for tests that need more than one page.
import { IndexedDbSessionPersistDriver } from "sandbox-agent/persist/indexeddb";
import { cases, type Store } from "../../../sdk/sandbox-agent/test/persist/conformance.js";
import {
  batchOf,
  equal,
  failure,
  logOf,
  record,
  sample,
  storedAs,
  streamOf,
} from "../../../sdk/sandbox-agent/test/persist/samples.js";

let databases = 0;

function databaseStore(): Store {
  const databaseName = `case ${++databases}`;
  const drivers: IndexedDbSessionPersistDriver[] = [];
  return {
    connect: async () => {
      const driver = new IndexedDbSessionPersistDriver({ databaseName });
      drivers.push(driver);
      return driver;
    },
    end: async () => {
      await Promise.all(drivers.map((driver) => driver.close()));
      await changeDatabase(() => indexedDB.deleteDatabase(databaseName));
    },
  };
}

export const names = () => Object.keys(cases);

export async function runCase(name: string): Promise<void> {
  const store = databaseStore();
  try {
    await cases[name]?.(store);
  } finally {
    await store.end();
  }
}

const shared = () => new IndexedDbSessionPersistDriver({ databaseName: "shared" });

export async function makeShared(): Promise<void> {
  await shared().createSession(sample("a"));
}

/** Records the stream into the database that the tabs share. */
export async function recordShared(count: number): Promise<void> {
  const driver = shared();
  await record(driver, "a", streamOf(count), 20);
  await driver.close();
}

export async function checkShared(count: number): Promise<void> {
  const driver = shared();
  equal(await logOf(driver, "a"), storedAs(streamOf(count)), "the log");
  await driver.close();
}

/** Which of the contenders in this tab moved the session to the next epoch. */
export async function contend(epoch: number): Promise<number> {
  const driver = shared();
  const moves = Array.from({ length: 5 }, () => driver.updateSession("a", { epoch: epoch + 1 }, epoch));
  const won = (await Promise.all(moves)).filter(Boolean).length;
  await driver.close();
  return won;
}

let kept: IndexedDbSessionPersistDriver | undefined;

/** A driver that keeps its connection; the number of sessions. */
export async function keepOpen(): Promise<number> {
  kept ??= new IndexedDbSessionPersistDriver({ databaseName: "moved" });
  return (await kept.listSessions()).sessions.length;
}

export async function makeKept(id: string): Promise<void> {
  await keepOpen();
  await kept?.createSession(sample(id));
}

/** As a recorder does: what fails is tried again. */
export async function tryMaking(id: string): Promise<void> {
  for (let attempt = 1; ; ++attempt)
    try {
      return await makeKept(id);
    } catch (error) {
      if (attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 * attempt));
    }
}

/** What a newer page does. Resolves when the database has the version: nobody stood in the way. */
export async function upgradeTo(version: number): Promise<void> {
  await changeDatabase(() => indexedDB.open("moved", version));
}

export async function failureOfKept(): Promise<{ code: unknown; message: string; hint: unknown }> {
  const { code, message, hint } = await failure(keepOpen());
  return { code, message, hint };
}

/** What whoever cleans up does. */
export async function deleteKept(): Promise<void> {
  await changeDatabase(() => indexedDB.deleteDatabase("moved"));
}

/** A driver of the next version finds a page that has this one open and does not give way; then it does. */
export async function meetStubborn(): Promise<{ code: unknown; message: string; sessions: number }> {
  const databaseName = "stubborn";
  const first = new IndexedDbSessionPersistDriver({ databaseName });
  await first.createSession(sample("a"));
  await first.close();
  const stubborn = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(databaseName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error as DOMException);
  });
  const open = (name: string) => {
    const request = indexedDB.open(name, 2);
    Object.defineProperty(request, "onupgradeneeded", { set: () => {} }); // nothing to change
    return request;
  };
  const next = new IndexedDbSessionPersistDriver({ databaseName, indexedDB: { open } as unknown as IDBFactory });
  const { code, message } = await failure(next.listSessions());
  stubborn.close();
  const { sessions } = await next.listSessions();
  await next.close();
  return { code, message, sessions: sessions.length };
}

/** A write that fails in the middle, and one on a driver that was closed. */
export async function failInTheMiddle(): Promise<unknown[]> {
  const driver = new IndexedDbSessionPersistDriver({ databaseName: "failing" });
  await driver.createSession(sample("a"));
  await driver.appendEvents("a", batchOf(streamOf(10)));
  const before = await driver.getSession("a");
  const events = streamOf(100).map((event, at) => (at === 60 ? { ...event, json: (() => {}) as unknown as string } : event));
  const { name } = await failure(driver.appendEvents("a", batchOf(events)));
  equal(await driver.getSession("a"), before);
  equal(await logOf(driver, "a"), storedAs(streamOf(10)));
  await driver.close();
  const { code } = await failure(driver.getSession("a"));
  const none = new IndexedDbSessionPersistDriver({ indexedDB: null as unknown as IDBFactory });
  return [name, code, (await failure(none.getSession("a"))).code];
}

/** Events per second, appended and read. */
export async function rates(count: number): Promise<{ append: number; list: number }> {
  const driver = new IndexedDbSessionPersistDriver({ databaseName: "large" });
  await driver.createSession(sample("a"));
  const stream = streamOf(count);
  const begun = performance.now();
  for (let at = 0; at < count; at += 1000) await driver.appendEvents("a", batchOf(stream.slice(at, at + 1000)));
  const appended = performance.now();
  equal((await logOf(driver, "a")).length, count);
  const read = performance.now();
  await driver.close();
  return { append: (count * 1000) / (appended - begun), list: (count * 1000) / (read - appended) };
}

function changeDatabase(begin: () => IDBOpenDBRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = begin();
    request.onsuccess = () => {
      (request.result as IDBDatabase | undefined)?.close();
      resolve();
    };
    request.onerror = () => reject(request.error as DOMException);
    request.onblocked = () => reject(new Error("somebody keeps the database open"));
  });
}
