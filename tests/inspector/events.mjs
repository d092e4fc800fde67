// What comes in its own time: the messages of an instance as the daemon tells them, read until the given number came and nothing
// more follows; and what a page shows at last.
import http from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "../contract/daemon.mjs";

const quiet = 50; // ms without another event: clients' messages behind the last number are there, too
const patience = 10_000 * Number(process.env.SA_TIME_SCALE ?? 1);

// What `look` answers when nothing it asserts is wrong any more: a page draws a frame or more after it knows. What was wrong last is
// thrown in the end.
export async function eventually(look) {
  const end = performance.now() + patience;
  for (let ms = 10; ; ms = Math.min(2 * ms, 500))
    try {
      return await look();
    } catch (error) {
      if (error.code !== "ERR_ASSERTION" || performance.now() > end) throw error;
      await pause(ms); // looking costs the page time
    }
}

// Answers { from, seq, message }: seq is "12" for the agent's twelfth, "12.1" for the first a client said behind it.
export function eventsIn({ port, options: { token } = {} }, target, last) {
  return new Promise((resolve, reject) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { accept: "text/event-stream", ...authorization };
    const request = http.get({ host: "127.0.0.1", port, path: target, headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`GET ${target}: ${response.statusCode}`));
      const events = [];
      let [text, number, nth, timer, pieces] = ["", 0, 0, undefined, 0];
      const done = () => {
        request.destroy();
        resolve(events);
      };
      // A daemon that had no time to tell more answers nobody else before it did.
      const doneWhenQuiet = () => {
        timer = setTimeout(async () => {
          const before = pieces;
          await ask({ port }, "GET", "/v1/health", { headers: authorization, withToken: false }).catch(reject);
          await new Promise(setImmediate);
          if (pieces === before) done();
        }, quiet);
      };
      const hear = (block) => {
        const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: ?(.*)/s)));
        if (fields.event === "gap") return reject(new Error(`the daemon lost messages: ${fields.data}`));
        if (fields.data === undefined) return; // a heartbeat
        const isAgent = fields.event === "message";
        if (isAgent) [number, nth] = [Number(fields.id), 0];
        else ++nth;
        const seq = isAgent ? String(number) : `${number}.${nth}`;
        events.push({ from: isAgent ? "agent" : "client", seq, message: JSON.parse(fields.data) });
      };
      response.setEncoding("utf8").on("data", (piece) => {
        const blocks = (text + piece).split("\n\n");
        text = blocks.pop();
        blocks.forEach(hear);
        ++pieces;
        clearTimeout(timer);
        if (number >= last) doneWhenQuiet();
      });
      response.on("end", done);
      if (last === 0) doneWhenQuiet();
    });
    request.on("error", reject);
  });
}
