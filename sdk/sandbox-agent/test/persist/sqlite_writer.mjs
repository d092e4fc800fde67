// Another process, with the built package: records a stream into the session "a" of a SQLite file, as a client does that has seen nothing
// of what others stored. Says "ready", waits for a line, then says after each batch how far it is. Words: file, events, most at a time
import { once } from "node:events";
import { SQLiteSessionPersistDriver } from "../../dist/persist/sqlite.js";

const [file, ...numbers] = process.argv.slice(2);
const [count, most] = numbers.map(Number);
const driver = await SQLiteSessionPersistDriver.open(file);
process.stdout.write("ready\n");
await once(process.stdin, "data");
for (let at = 1; at <= count; ) {
  const length = Math.min(count - at + 1, 1 + Math.floor(Math.random() * most));
  const events = Array.from({ length }, (_, of) => ({ eventId: at + of, nth: 0, from: "agent", at: at + of, json: `{"id":${at + of}}` }));
  if (!(await driver.appendEvents("a", { epoch: 1, events, upTo: events.at(-1) }))) throw new Error("the store refused");
  at += length;
  process.stdout.write(`${at - 1}\n`);
}
await driver.close();
process.exit(0);
