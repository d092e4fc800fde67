// Stands between a client and a daemon and cuts every connection when told to.
import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";

export class Relay {
  readonly url: string;
  cuts = 0;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;

  private constructor(server: Server, sockets: Set<Socket>) {
    this.#server = server;
    this.#sockets = sockets;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async to(baseUrl: string): Promise<Relay> {
    const sockets = new Set<Socket>();
    const port = Number(new URL(baseUrl).port);
    const server = createServer((near) => {
      const far = connect(port, "127.0.0.1");
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => {
          sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Relay(server, sockets);
  }

  cut(): void {
    ++this.cuts;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }
}
