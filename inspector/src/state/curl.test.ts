/// <reference types="node" />
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { curlOf, quoted } from "./curl.js";
import { InstanceLog, type LogEntry } from "./log.js";

const target = { baseUrl: "http://127.0.0.1:2468", serverId: "web-1", agent: "mock", hasToken: true };

/** What a shell would give to curl: its arguments, then its input. */
function run(command: string): { words: string[]; input: string } {
  const curl = `curl() { printf '%s\\0' "$@"; printf '\\001'; [[ " $* " == *' @- '* ]] && cat; return 0; }\n`;
  const output = execFileSync("bash", [], {
    input: curl + command,
    encoding: "utf8",
    env: { SANDBOX_AGENT_TOKEN: 'a secret\'s "word"' },
  });
  const [words = "", input = ""] = output.split("\u0001");
  return { words: words.split("\0").slice(0, -1), input };
}

function sent(json: string): LogEntry {
  return new InstanceLog().client(undefined, json);
}

test("a client's message is sent again byte by byte, with the token from the environment", () => {
  const json = `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"text":"it's $HOME \`id\` \\\\ \\n! é"}}`;
  const command = curlOf(sent(json), target);
  expect(command).not.toContain("secret");
  expect(run(command).words).toEqual([
    ...["-X", "POST", "http://127.0.0.1:2468/v1/acp/web-1?agent=mock"],
    ...["-H", `Authorization: Bearer a secret's "word"`],
    ...["-H", "Content-Type: application/json", "--data-raw", json],
  ]);
});

test("without a token there is no such header, and ids are spelled as URLs need them", () => {
  const command = curlOf(sent("{}"), { baseUrl: "http://[::1]:2468/", serverId: "it's a/b?", hasToken: false });
  expect(run(command).words).toEqual([
    ...["-X", "POST", "-g", "http://[::1]:2468/v1/acp/it's%20a%2Fb%3F"],
    ...["-H", "Content-Type: application/json", "--data-raw", "{}"],
  ]);
});

test("an agent's message is read again from the stream, from the number before it", () => {
  const log = new InstanceLog();
  const stream = ["-N", "http://127.0.0.1:2468/v1/acp/web-1", "-H", "Accept: text/event-stream"];
  const open = { ...target, hasToken: false };
  expect(run(curlOf(log.agent(1, {}, "{}"), open)).words).toEqual(stream);
  expect(run(curlOf(log.agent(12, {}, "{}"), open)).words).toEqual([...stream, "-H", "Last-Event-ID: 11"]);
  expect(run(curlOf(log.gap({ from: 20, to: 29 }), open)).words).toEqual([...stream, "-H", "Last-Event-ID: 19"]);
  expect(run(curlOf(log.gap({ reason: "unknown_position" }), open)).words).toEqual(stream);
});

test("a message too long for an argument comes by standard input", () => {
  const json = `{"text":"${"ENVELOPE it's $HOME ".repeat(8000)}"}`;
  const { words, input } = run(curlOf(sent(json), target));
  expect(words.slice(-2)).toEqual(["--data-binary", "@-"]);
  expect(input).toBe(`${json}\n`);
});

test("whatever the text is, the shell sees it as one word", () => {
  const text = fc.string({ unit: fc.constantFrom("'", '"', "\\", "$", "`", "\n", " ", "!", "a", "é", "*", "~", "{") });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 30 }), (texts) => {
      expect(run(`curl ${texts.map(quoted).join(" ")}`).words).toEqual(texts);
    }),
    { numRuns: 30 },
  );
});
