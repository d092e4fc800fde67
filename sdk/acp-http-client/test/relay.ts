// A TCP relay in front of a server. cut() breaks every connection that goes through it, in both directions, wherever it is;
// mute() lets them stand, but nothing comes through any more, as when a network has gone.
import net, { type AddressInfo } from "node:net";

export class Relay {
  cuts = 0;
  readonly #sockets = new Set<net.Socket>();
  readonly #server: net.Server;

  private constructor(port: number) {
    this.#server = net.createServer((near) => {
      const far = net.connect(port, "127.0.0.1");
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => {
          this.#sockets.delete(socket);
          near.destroy();
          far.destroy();
        });
      }
      near.pipe(far).pipe(near);
    });
  }

  static async to(port: number): Promise<Relay> {
    const relay = new Relay(port);
    await new Promise<void>((resolve) => relay.#server.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.#sockets.size / 2;
  }

  cut(): void {
    ++this.cuts;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  mute(): void {
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
