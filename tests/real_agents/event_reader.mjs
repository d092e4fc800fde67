// Readers of an instance's stream: one that stays, and one that is cut off again and again and resumes where it was.
import assert from "node:assert/strict";
import http from "node:http";
import { within } from "./waiting.mjs";

// Cuts a byte stream into events { name, id, data }; comments (heartbeats) are none.
class EventParser {
  #rest = "";

  *take(text) {
    const blocks = (this.#rest + text).split("\n\n");
    this.#rest = blocks.pop();
    for (const block of blocks) {
      const lines = block.split("\n").filter((line) => !line.startsWith(":"));
      const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s)));
      if ("data" in fields) yield { name: fields.event, id: Number(fields.id), data: fields.data };
    }
  }
}

// What `onEvent` answers false to is the last event it sees. `ended` resolves when the stream does, whoever ended it.
export class EventReader {
  events = [];  // { id, data, message }, numbered messages of the agent in the order they came
  gaps = [];
  #watchers = new Set();

  constructor(daemon, serverId, { after, onEvent = () => true } = {}) {
    const headers = { accept: "text/event-stream", ...(after === undefined ? {} : { "last-event-id": after }) };
    const target = `/v1/acp/${encodeURIComponent(serverId)}`;
    this.ended = new Promise((resolve) => {
      this.request = http.get({ host: "127.0.0.1", port: daemon.port, path: target, headers, agent: false }, (response) => {
        this.status = response.statusCode;
        const parser = new EventParser();
        response.setEncoding("utf8");
        response.on("data", (text) => {
          for (const event of parser.take(text)) {
            if (this.request.destroyed) return;
            if (!this.#hear(event, onEvent)) this.close();
          }
        });
        response.on("close", resolve);
      });
      this.request.on("error", resolve);
    });
  }

  #hear({ name, id, data }, onEvent) {
    if (name !== "message") {
      this.gaps.push(data);
      return true;
    }
    const event = { id, data, message: JSON.parse(data) };
    this.events.push(event);
    const goOn = onEvent(event);
    for (const watcher of this.#watchers) watcher(event);
    return goOn;
  }

  // The first event, past or future, that `matches`.
  when(matches, what) {
    const past = this.events.find(matches);
    if (past) return Promise.resolve(past);
    let watcher;
    const future = new Promise((resolve, reject) => {
      watcher = (event) => matches(event) && resolve(event);
      this.#watchers.add(watcher);
      this.ended.then(() => reject(new Error(`the stream ended before ${what}`)));
    });
    return within(future, what).finally(() => this.#watchers.delete(watcher));
  }

  close() {
    this.request.destroy();
  }
}

// Reads until an event `isLast`, dropping the connection after every `every` events. Answers the events and how often it resumed.
export async function readInPieces(daemon, serverId, { after, every, isLast }) {
  const events = [];
  let resumed = -1;
  let done = false;
  while (!done) {
    ++resumed;
    let taken = 0;
    const reader = new EventReader(daemon, serverId, {
      after: events.at(-1)?.id ?? after,
      onEvent: (event) => {
        events.push(event);
        done = isLast(event);
        return !done && ++taken < every;
      },
    });
    await within(reader.ended, "a piece of the stream");
    assert.equal(reader.status, 200);
    assert.deepEqual(reader.gaps, []);
    assert.ok(taken || done, "a piece without events");
  }
  return { events, resumed };
}
