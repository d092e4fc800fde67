// A proxy on loopback in front of a daemon that knows what an event stream is: while it is cut, streams break and no new one comes
// through, and everything else goes on as before.
import { once } from "node:events";
import http from "node:http";

const isStream = ({ method, url, headers }) =>
  method === "GET" && url.startsWith("/v1/acp/") && (headers.accept ?? "").includes("text/event-stream");

export class StreamCutter {
  // Streams that were asked for, and those that were refused because it was cut.
  asked = 0;
  refused = 0;
  #isCut = false;
  #streams = new Set();
  #server;

  constructor(port) {
    this.#server = http.createServer((near, answer) => {
      const stream = isStream(near);
      if (stream) {
        ++this.asked;
        if (this.#isCut) {
          ++this.refused;
          return near.socket.resetAndDestroy();
        }
        this.#streams.add(answer);
        answer.once("close", () => this.#streams.delete(answer));
      }
      const { method, url, headers } = near;
      const far = http.request({ host: "127.0.0.1", port, method, path: url, headers, agent: false }, (response) => {
        const { connection, ...rest } = response.headers; // that one is between the daemon and us
        answer.writeHead(response.statusCode, rest);
        answer.flushHeaders();
        response.on("data", (piece) => answer.write(piece)).on("end", () => answer.end());
        response.on("error", () => near.socket.destroy());
      });
      far.on("error", () => near.socket.destroy());
      answer.once("close", () => far.destroy());
      near.pipe(far);
    });
  }

  static async to(port) {
    const cutter = new StreamCutter(port);
    await once(cutter.#server.listen(0, "127.0.0.1"), "listening");
    return cutter;
  }

  get origin() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  get streams() {
    return this.#streams.size;
  }

  cut() {
    this.#isCut = true;
    for (const answer of this.#streams) answer.socket.resetAndDestroy();
  }

  mend() {
    this.#isCut = false;
  }

  async stop() {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
