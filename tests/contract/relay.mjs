// A TCP relay on loopback in front of a daemon. cut() breaks every connection that goes through it, in both directions, wherever it
// is; mute() lets them stand, but nothing comes through any more, as when a network has gone. It counts connections.
import { once } from "node:events";
import net from "node:net";

export class Relay {
  cuts = 0;
  // The most connections that were open at once.
  most = 0;
  #sockets = new Set();
  #server;

  constructor(port) {
    this.#server = net.createServer((near) => {
      const far = net.connect(port, "127.0.0.1");
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on("error", () => {}); // "close" follows
        socket.on("close", () => {
          this.#sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      this.most = Math.max(this.most, this.connections);
      near.pipe(far).pipe(near);
    });
  }

  static async to(url) {
    const relay = new Relay(Number(new URL(url).port));
    await once(relay.#server.listen(0, "127.0.0.1"), "listening");
    return relay;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  get connections() {
    return Math.ceil(this.#sockets.size / 2);
  }

  // How many there were.
  cut() {
    ++this.cuts;
    const { connections } = this;
    for (const socket of this.#sockets) socket.resetAndDestroy();
    return connections;
  }

  mute() {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async stop() {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.cut();
    await closed;
  }
}
