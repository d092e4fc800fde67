// The messages of an instance as the daemon tells them: read until the given number came and nothing more follows at once.
import http from "node:http";

const quiet = 50; // ms without another event: clients' messages behind the last number are there, too

// Answers { from, seq, message }: seq is "12" for the agent's twelfth, "12.1" for the first a client said behind it.
export function eventsIn({ port, options: { token } = {} }, target, last) {
  return new Promise((resolve, reject) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { accept: "text/event-stream", ...authorization };
    const request = http.get({ host: "127.0.0.1", port, path: target, headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`GET ${target}: ${response.statusCode}`));
      const events = [];
      let [text, number, nth, timer] = ["", 0, 0];
      const done = () => {
        request.destroy();
        resolve(events);
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
        clearTimeout(timer);
        if (number >= last) timer = setTimeout(done, quiet);
      });
      response.on("end", done);
      if (last === 0) timer = setTimeout(done, quiet);
    });
    request.on("error", reject);
  });
}
