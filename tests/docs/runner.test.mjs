// The runner itself: what it finds in documents that are wrong, and what it must carry in one that is right.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { processesWith } from "../install/disk.mjs";
import { until } from "../install/waiting.mjs";
import { checkDocument, checkText } from "./document.mjs";
import { readMarkdown } from "./markdown.mjs";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const fixture = (name) => `tests/docs/fixtures/${name}`;

// What became of each step: [{sentence, how, why}], `how` is one of passed, failed, skipped.
function notebook() {
  const notes = [];
  const step = async (sentence, body) => {
    const note = { sentence, how: "passed", why: "" };
    notes.push(note);
    const change = (how) => (why) => Object.assign(note, { how, why: String(why) });
    try {
      await body({ skip: change("skipped") });
    } catch (error) {
      change("failed")(error.message);
    }
  };
  return { notes, step };
}

const ended = (notes, ...how) => assert.deepEqual(notes.map((note) => note.how), how, JSON.stringify(notes, null, 1));

test("a failing snippet, a dead link, a dead heading and another shell's name are found, and the rest is not blamed", async () => {
  const { notes, step } = notebook();
  await checkDocument(repository, fixture("broken.md"), step);
  const [form, links, good, bad, after, end] = notes;
  ended(notes, "failed", "failed", "passed", "failed", "skipped", "passed");
  assert.match(form.why, /^tests\/docs\/fixtures\/broken[.]md:20: .*bash/);
  assert.match(links.why, /^.*:24: the link there-is-no-such-file[.]md is dead.*\n.*:24: the link #no-such-heading is dead.*$/);
  assert.match(good.sentence, /broken[.]md:5 {2}greeting=hello$/);
  assert.match(bad.why, /^broken[.]md:10: .*\nhello\n.*there-is-no-such-file.*\nline 12: exit code 2 of: ls/s);
  assert.ok(!bad.why.includes("not reached"));
  assert.match(after.why, /broken[.]md:10/);
  assert.match(end.sentence, /runs on/);
});

test("a document with a daemon, commands that Ctrl-C ends and an agent to install passes without the outside", async () => {
  const { notes, step } = notebook();
  await checkDocument(repository, fixture("lively.md"), step);
  assert.deepEqual(notes.filter(({ how }) => how !== "passed"), []);
  assert.equal(notes.length, 6);
});

const wrong = {
  "a make target that does not exist": ["make no-such-target", /no-such-target/],
  "npm": ["npm install -g something", /does not run 'npm install -g something'.*snippets[.]sh/],
  "npx of somebody else": ["npx left-pad", /does not run 'npx left-pad'/],
  "npm with a package of somebody else": ["npm install sandbox-agent left-pad", /does not run 'npm install sandbox-agent left-pad'/],
  "a download": ["curl -sS https://example.org/install | sh", /does not run 'curl https/],
  "an answer that is an error": ["sandbox-agent daemon start\ncurl -sS http://127.0.0.1:2468/v1/agents", /401|token/],
  "an exit in the middle": ["exit 0", /ended the shell with 0/],
  "a variable that nobody set": ['echo "$nobody_set_this"', /nobody_set_this: unbound/],
  "a snippet that does not end": ["echo begun; while true; do sleep 1; done", /did not end within 5000 ms\nbegun/],
  "another spelling of the port": ["curl -sS http://localhost:2468/v1/health", /write the usual port as 127[.]0[.]0[.]1:2468/],
  "another spelling of Ctrl-C": ["sandbox-agent server   # Ctrl-C stops it", /exactly: # Ctrl-C ends it/],
  "a command that ended before Ctrl-C": ["true   # Ctrl-C ends it", /ended before Ctrl-C/],
  "a command that Ctrl-C ends badly": [
    "( trap 'exit 3' INT; echo on; while true; do sleep 0.1; done )   # Ctrl-C ends it",
    /ended with 3, not with 0 or 130/,
  ],
};

for (const [what, [snippet, words]] of Object.entries(wrong))
  test(`${what} is a failure that says so`, async () => {
    const { notes, step } = notebook();
    const text = `\`\`\`sh\n${snippet}\n\`\`\`\n`;
    await checkText(repository, "wrong.md", text, step, snippet.includes("begun") ? { limit: 5000 } : {});
    ended(notes, "passed", "passed", "failed", "passed");
    assert.match(notes[2].why, words);
  });

const wrongPrograms = {
  "a program that throws": ['const text: string = "";\n\nthrow new Error(`bad ${text}`);', /Error: bad .*wrong[.]md:1[.]mts:4:7/s],
  "a rejection that nobody handles": ['void Promise.reject(new Error("stray"));', /stray/],
  "a program that ends with another code": ["process.exitCode = 3;", /ended the shell with 3/],
  "a program that does not end": ['console.log("begun");\nsetInterval(() => {}, 1000);', /did not end within 5000 ms\nbegun/],
  "a wrong type": ["\nconst number: number = await Promise.resolve('begun');", /^wrong[.]md:1: line 3: Type 'string' is not/],
  "an import of something else": ['import { test } from "vitest";\ntest;', /line 2: Cannot find module 'vitest'/],
  "another spelling of the port in a program": ['await fetch("http://localhost:2468");', /write the usual port as/],
  "a process that a program leaves behind": [
    'import { spawn } from "node:child_process";\nspawn("sleep", ["1000"], { detached: true, stdio: "ignore" }).unref();',
    /^wrong[.]md:1: the program left running:\n {2}\d+ sleep 1000$/,
  ],
};

for (const [what, [program, words]] of Object.entries(wrongPrograms))
  test(`${what} is a failure that says so`, async () => {
    const { notes, step } = notebook();
    const text = `\`\`\`ts\n${program}\n\`\`\`\n`;
    await checkText(repository, "wrong.md", text, step, program.includes("setInterval") ? { limit: 5000 } : {});
    ended(notes, "passed", "passed", "failed", "passed");
    assert.match(notes[2].why, words);
  });

test("programs use the packages, the daemon and the variables of the document; fragments are only checked", async () => {
  const { notes, step } = notebook();
  await checkDocument(repository, fixture("programs.md"), step);
  assert.deepEqual(notes.filter(({ how }) => how !== "passed"), []);
  assert.equal(notes.length, 9);
});

test("a fragment that does not fit the program above it is found at its line", async () => {
  const { notes, step } = notebook();
  const text = "```ts\nconst greeting = 'hello';\n```\n\n```ts fragment\nconst greeting: number = 1;\nmissing(greeting);\n```\n";
  await checkText(repository, "wrong.md", text, step);
  ended(notes, "passed", "passed", "passed", "failed", "passed");
  assert.equal(notes[3].why, "wrong.md:5: line 7: Cannot find name 'missing'.");
});

test("programs have one mark", () => {
  const mistakes = ["typescript", "js", "ts whatever", "ts", "ts fragment"].map((mark) =>
    readMarkdown(`\`\`\`${mark}\n\`\`\`\n`).mistakes.map(({ what }) => what).join(),
  );
  assert.match(mistakes[0], /marked typescript; programs are TypeScript, marked ts/);
  assert.match(mistakes[1], /marked js;/);
  assert.match(mistakes[2], /there are only ts and ts fragment/);
  assert.deepEqual(mistakes.slice(3), ["", ""]);
});

test("a process that a document leaves behind is named and ended", async () => {
  const { notes, step } = notebook();
  await checkText(repository, "left.md", "```sh\nsleep 1000 &\n```\n", step);
  ended(notes, "passed", "passed", "passed", "failed");
  assert.match(notes[3].why, /left running: \n {2}\d+ sleep 1000$/);
  const [pid] = /\d+/.exec(notes[3].why);
  await until("it has ended", () => !processesWith("HOME=").some((process) => process.pid === Number(pid)));
});

test("blocks are taken out of lists, by their own fence, with their line", () => {
  const list = ["1. first", "   ```sh", "   echo a", "     echo b", "   ```"];
  const { blocks, mistakes } = readMarkdown([...list, "~~~~text", "```sh", "~~~~", "````sh", "```", "````"].join("\n"));
  assert.deepEqual(blocks, [
    { language: "sh", fragment: false, line: 2, text: "echo a\n  echo b" },
    { language: "text", fragment: false, line: 6, text: "```sh" },
    { language: "sh", fragment: false, line: 9, text: "```" },
  ]);
  assert.deepEqual(mistakes, []);
  assert.match(readMarkdown("> ```sh\n> ls\n> ```\n").mistakes[0].what, /quotation/);
  assert.deepEqual(readMarkdown("a\n```sh\nls\n").mistakes, [{ line: 2, what: "the block has no end" }]);
});

test("links and anchors are found as a reader sees them", () => {
  const headings = ["# The `A` of [B](b.md)!", "## C_d – e", "## C_d – e"];
  const prose = ["[two", "lines](x.md#y) ![i](i.png)", "[ref]: r.md", '`[no](no.md)` <a id="hand"></a>', '<img src="s.png">'];
  const { links, anchors } = readMarkdown([...headings, ...prose].join("\n"));
  assert.deepEqual(links.map(({ target }) => target), ["b.md", "x.md#y", "i.png", "r.md", "s.png"]);
  assert.deepEqual(links.map(({ line }) => line), [1, 5, 5, 6, 8]);
  assert.deepEqual([...anchors], ["the-a-of-b", "c_d--e", "c_d--e-1", "hand"]);
});
