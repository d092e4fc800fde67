// A port of 127.0.0.1 on which nobody listens, and which the kernel gives to nobody who does not name it: it is long until its turn.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import net from "node:net";

export async function freePort() {
  const [firstGiven] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s+/).map(Number);
  const least = 10_000;
  for (;;) {
    const port = randomInt(least, Math.max(firstGiven, least + 10_000));
    const server = net.createServer().listen(port, "127.0.0.1");
    const free = await once(server, "listening").then(() => true, () => false);
    if (!free) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
