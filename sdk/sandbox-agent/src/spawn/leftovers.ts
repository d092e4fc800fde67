// Sees to it that no daemon outlives this process (Node). Two means, none of which touches how the application handles signals:
// an "exit" listener, and per daemon a shell that waits for the end of a pipe we hold, which comes however we end, SIGKILL too.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";

const shell = "/bin/sh";
const running = new Set<ChildProcess>();

/**
 * Whether there is a shell to watch. Then a daemon gets a process group of its own: Ctrl-C is the application's business, and
 * the shell ends the daemon if the application ends. Without one the daemon stays in our group and gets the terminal's signals.
 */
export function canWatch(): boolean {
  return process.platform !== "win32" && existsSync(shell);
}

/** From now until `daemon` exits. */
export function endWithUs(daemon: ChildProcess): void {
  if (running.size === 0) process.on("exit", endAll);
  running.add(daemon);
  const watcher = canWatch() ? watch(daemon) : undefined;
  daemon.once("exit", () => {
    watcher?.kill("SIGKILL"); // first of all: the daemon's pid may soon be somebody else's
    running.delete(daemon);
    if (running.size === 0) process.off("exit", endAll);
  });
}

function endAll(): void {
  for (const daemon of running) daemon.kill("SIGTERM");
}

function watch(daemon: ChildProcess): ChildProcess {
  const watcher = spawn(shell, ["-c", 'read -r _; kill -TERM "$1"', shell, String(daemon.pid)], {
    cwd: "/",
    env: {},
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watcher.on("error", () => undefined); // the "exit" listener remains
  watcher.stdin.on("error", () => undefined);
  watcher.unref();
  unref(watcher.stdin);
  return watcher;
}

/** Pipes of children are sockets, though their type does not say so. */
export function unref(pipe: unknown): void {
  (pipe as { unref?: () => void } | null)?.unref?.();
}
