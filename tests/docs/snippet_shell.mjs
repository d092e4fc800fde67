// The bash that runs a document's snippets, seen from outside: which one is running, which ones passed, what they wrote.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { processesWith } from "../install/disk.mjs";
import { timeScale, until } from "../install/waiting.mjs";

const script = fileURLToPath(new URL("snippets.sh", import.meta.url));
const ctrlC = /\s+# Ctrl-C ends it\s*$/;
const usualPort = "127.0.0.1:2468";

// A failure whose place is in the document, not here.
export const complaint = (text) => Object.assign(new Error(text), { stack: `${text}\n` });

// Why this snippet cannot be run here; empty when it can.
export function objection(text) {
  if (/\b2468\b/.test(text.replaceAll(usualPort, "")))
    return `write the usual port as ${usualPort}: another is put there for the run`;
  if (/# Ctrl-C/i.test(text.split("\n").filter((line) => !ctrlC.test(line)).join("\n")))
    return "a command that stays in the foreground ends its line with exactly: # Ctrl-C ends it";
  return "";
}

export const withPort = (text, port) => text.replaceAll(usualPort, `127.0.0.1:${port}`);

// The text as it is run. Its lines have the numbers they have in the document. A program lies beside it.
export function runnable({ language, name, line, text }, port) {
  if (language === "ts") return `snippets_program "${name}.mjs"\n`;
  const lines = withPort(text, port).split("\n");
  lines.forEach((content, last) => {
    if (!ctrlC.test(content)) return;
    let first = last;
    while (first > 0 && lines[first - 1].endsWith("\\")) first--;
    lines[last] = content.replace(ctrlC, "");
    lines[first] = `rm -f "$snippets_folder/foreground"; set -m; ( ${lines[first]}`;
    lines[last] += ` ) >"$snippets_folder/foreground" 2>&1 & snippets_interrupt`;
  });
  return "\n".repeat(line) + lines.join("\n") + "\n";
}

export class SnippetShell {
  // Starts at once. `blocks`: [{name, language, line, text}].
  constructor(stage, repository, blocks) {
    this.stage = stage;
    this.folder = stage.snippets;
    for (const block of blocks) writeFileSync(path.join(this.folder, block.name), runnable(block, stage.port));
    const words = [script, repository, this.folder, ...blocks.map(({ name }) => name)];
    // Without a terminal; it ends with us.
    const options = { cwd: stage.project, env: stage.environment, detached: true, stdio: ["ignore", "inherit", "inherit"] };
    this.child = spawn("/usr/bin/setpriv", ["--pdeathsig", "KILL", "/bin/bash", ...words], options);
    this.child.once("exit", (code, signal) => (this.how = code ?? signal));
  }

  passed(name) {
    const list = path.join(this.folder, "passed");
    return existsSync(list) && readFileSync(list, "utf8").split("\n").includes(name);
  }

  output(name) {
    const file = path.join(this.folder, `${name}.out`);
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  }

  // Waits until this snippet, whose turn it is, has ended; an error with its output when not well. Then the shell has ended.
  async ended(name, milliseconds) {
    let why;
    try {
      await until("it ended", () => this.how !== undefined || this.passed(name), milliseconds);
      if (this.passed(name)) return;
      why = `the snippet ended the shell with ${this.how}`;
    } catch {
      this.stage.kill();
      why = `the snippet did not end within ${milliseconds * timeScale} ms`;
    }
    throw complaint(`${name}: ${why}\n${this.output(name).trimEnd().slice(-6000)}`);
  }

  // A program that has ended has ended whatever it started; the rest is named and ended.
  async leftNothing(name) {
    const left = () => processesWith(`SNIPPETS_PROGRAM=${path.join(this.folder, name)}.mjs\0`);
    await until("nothing runs", () => left().length === 0, 3000).catch(() => {
      const list = left().map(({ pid, command }) => `\n  ${pid} ${command}`);
      this.stage.kill(left());
      throw complaint(`${name}: the program left running:${list.join("")}`);
    });
  }
}
