// The event stream of an install: read to its end, or watched while it comes.
import http from "node:http";
import { token } from "../contract/daemon.mjs";

// {events, next(matches), ended, hangUp()}; each event is {event, data}. next() waits for the first event that matches.
export async function installEvents(daemon, id, body = {}) {
  const events = [];
  let wake = () => {};
  let over = false;
  const request = http.request({
    port: daemon.port,
    host: "127.0.0.1",
    method: "POST",
    path: `/v1/agents/${id}/install`,
    agent: false,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "text/event-stream" },
  });
  const response = await new Promise((resolve, reject) => {
    request.on("response", resolve).on("error", reject).end(JSON.stringify(body));
  });
  const ended = new Promise((resolve) => {
    const end = () => {
      over = true;
      wake();
      resolve(events);
    };
    response.on("end", end).on("error", end).on("close", end);
  });
  let rest = "";
  response.setEncoding("utf8").on("data", (text) => {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop();
    events.push(...blocks.filter((block) => block.startsWith("event:")).map(eventOf));
    wake();
  });
  return {
    status: response.statusCode,
    headers: response.headers,
    events,
    ended,
    async next(matches) {
      for (;;) {
        const found = events.find(matches);
        if (found) return found;
        if (over) throw new Error(`the stream ended: ${JSON.stringify(events)}`);
        await new Promise((resolve) => (wake = resolve));
      }
    },
    hangUp: () => request.destroy(),
  };
}

function eventOf(block) {
  const field = (name) => block.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  return { event: field("event"), data: JSON.parse(field("data")) };
}
