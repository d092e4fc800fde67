// A relay on loopback in front of a daemon: it counts the connections and can cut them.
import { once } from "node:events";
import net from "node:net";

export async function startRelay(url) {
  const port = Number(new URL(url).port);
  const open = new Set();
  let most = 0;
  const server = net.createServer((near) => {
    const far = net.connect(port, "127.0.0.1");
    open.add(near);
    most = Math.max(most, open.size);
    for (const [socket, other] of [[near, far], [far, near]]) {
      socket.on("error", () => {}); // "close" follows
      socket.on("close", () => {
        open.delete(near);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  // How many there were.
  const cut = () => {
    const sockets = [...open];
    for (const socket of sockets) socket.resetAndDestroy();
    return sockets.length;
  };
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    cut,
    // The most connections that were open at once.
    most: () => most,
    async stop() {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
