// Where an agent's messages leave the published ACP schema: each kind of deviation once, in words. They never fail a scenario;
// what fails the run is one that deviations.json does not list.
import { readFile, writeFile } from "node:fs/promises";
import { kindOf, problemsOf } from "../acp_schema/schema_check.mjs";

const listFile = new URL("deviations.json", import.meta.url);

// The same for every item of a list, and without the validator's own vocabulary.
const inWords = (problem) => problem.replace(/\/\d+(?=[/:])/g, "/*")
  .replace(/must NOT have unevaluated properties \{"unevaluatedProperty":("[^"]*")\}/, "unknown member $1");

function nameOf(message, answers) {
  if (message.method === undefined) return answers ? `answer to ${answers}` : "answer to nothing";
  const update = message.params?.update?.sessionUpdate;
  return update ? `${message.method} ${update}` : message.method;
}

function complaints(message, answers) {
  if (message.method?.startsWith("_")) return [`an extension, sent as a ${kindOf(message)}`];
  return problemsOf(message, answers).map(inWords);
}

export class Deviations {
  #seen = new Set();

  constructor(agent) {
    this.agent = agent;
  }

  // `answers`: the method of the request that this response belongs to.
  note(message, answers) {
    for (const complaint of complaints(message, answers)) this.#seen.add(`${nameOf(message, answers)}: ${complaint}`);
  }

  seen() {
    return [...this.#seen].sort();
  }
  async unlisted() {
    const listed = (await readList())[this.agent] ?? [];
    return this.seen().filter((deviation) => !listed.includes(deviation));
  }
  // What is listed stays listed: not every run sees everything.
  async accept() {
    const list = await readList();
    list[this.agent] = [...new Set([...(list[this.agent] ?? []), ...this.seen()])].sort();
    const sorted = Object.fromEntries(Object.entries(list).sort(([a], [b]) => (a < b ? -1 : 1)));
    await writeFile(listFile, JSON.stringify(sorted, undefined, 2) + "\n");
  }
}

const readList = async () => JSON.parse(await readFile(listFile, "utf8"));
