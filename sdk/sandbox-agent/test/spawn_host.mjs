// A Node process with a daemon, which ends in the way its first argument says. The second is the module that starts daemons.
const [what, module] = process.argv.slice(2);
const { spawnSandboxAgent } = await import(module);
const daemon = await spawnSandboxAgent();
await new Promise((resolve) => process.send(daemon.pid, resolve));
if (what === "wait") process.on("message", () => undefined); // which keeps Node alive
else process.disconnect();
if (what === "exit") process.exit(7);
if (what === "throw") throw new Error("uncaught on purpose");
if (what === "dispose") await daemon.dispose();
