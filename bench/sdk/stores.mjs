// What it costs to store and to read a log of 100,000 messages, per driver and size of the batches. Each takes its turn in this process,
// with the built package. Prints a Markdown table. usage: node bench/sdk/stores.mjs [postgres connection string]
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { InMemorySessionPersistDriver } from "sandbox-agent/persist/memory";
import { PostgresSessionPersistDriver } from "sandbox-agent/persist/postgres";
import { SQLiteSessionPersistDriver } from "sandbox-agent/persist/sqlite";

const [connectionString] = process.argv.slice(2);
const batches = [1000, 100, 10];
const folder = mkdtempSync(path.join(os.tmpdir(), "bench-stores-"));
const stores = {
  memory: async () => new InMemorySessionPersistDriver(),
  SQLite: async () => SQLiteSessionPersistDriver.open(path.join(folder, `${performance.now()}.db`)),
};
if (connectionString) {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ connectionString });
  stores.PostgreSQL = async () => Object.assign(new PostgresSessionPersistDriver(pool), { close: () => pool.end() });
}

const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "some \"quoted\" words\n" } };
const json = JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "x".repeat(36), update } });
const now = Date.now();
const eventsOf = (from, length) => Array.from({ length }, (_, at) => ({ eventId: from + at + 1, nth: 0, from: "agent", at: now, json }));
const rate = (count, begun) => Math.round(count / ((performance.now() - begun) / 1000)).toLocaleString("en");

async function appendRate(driver, id, batch) {
  const count = 100 * batch;
  const places = { epoch: 1, state: "ready", baseUrl: "", serverId: "s", instanceId: "i", last: { eventId: 0, nth: 0 } };
  await driver.createSession({ id, agent: "mock", cwd: "/", createdAt: now, updatedAt: now, ...places });
  const begun = performance.now();
  for (let at = 0; at < count; at += batch) {
    const events = eventsOf(at, batch);
    if (!(await driver.appendEvents(id, { epoch: 1, events, upTo: events.at(-1) }))) throw new Error("the store refused");
  }
  return rate(count, begun);
}

async function listRate(driver, id) {
  const begun = performance.now();
  let read = 0;
  for (let found = -1; found !== 0; read += found) found = (await driver.listEvents(id, { offset: read, limit: 1000 })).events.length;
  return rate(read, begun);
}

console.log(`Messages of ${json.length} bytes, per second.\n`);
console.log(`| Store | ${batches.map((batch) => `appended by ${batch}`).join(" | ")} | read by 1000 |`);
console.log(`|---|${"--:|".repeat(batches.length + 1)}`);
for (const [name, open] of Object.entries(stores)) {
  const driver = await open();
  const id = (batch) => `bench ${now} ${batch}`;
  const appended = [];
  for (const batch of batches) appended.push(await appendRate(driver, id(batch), batch));
  console.log(`| ${name} | ${appended.join(" | ")} | ${await listRate(driver, id(1000))} |`);
  for (const batch of batches) await driver.deleteSession(id(batch));
  await driver.close?.();
}
rmSync(folder, { recursive: true });
