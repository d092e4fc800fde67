// What the guides say that people see is what the program says: every message in such a column of their tables is in the sources.
// And what the command line says in other words is what the daemon says.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const pages = ["docs/guide/agents.md", "docs/guide/troubleshooting.md"];
const columns = ["You see", "What it says"];

test("the messages that the guides explain are those of the program", () => {
  const said = saidBySources();
  const pieces = pages.flatMap(piecesOf);
  assert.ok(pieces.length > 60, `only ${pieces.length} pieces were found: have the tables changed their form?`);
  assert.deepEqual(pieces.filter(({ piece }) => !isSaid(said, piece)), []);
});

test("the advice that the command line translates is the daemon's", () => {
  const source = readFileSync(path.join(repository, "src/cli/advice.cc"), "utf8");
  const phrases = [...source.matchAll(/\{"([^"]+)",\s*"[^"]+"\}/g)].map(([, overHttp]) => overHttp);
  assert.ok(phrases.length > 5, `only ${phrases.length} phrases were found: has the table changed its form?`);
  const said = saidBySources((name) => !name.startsWith("cli/"));
  assert.deepEqual(phrases.filter((phrase) => !said.includes(phrase)), []);
});

// Whole, or put together from two.
function isSaid(said, piece) {
  if (said.includes(piece)) return true;
  return [...piece.matchAll(/ /g)].some(({ index }) => said.includes(piece.slice(0, index)) && said.includes(piece.slice(index + 1)));
}

// [{page, line, piece}]: code in the columns of messages, without what "…" stands for. A single word is a name, not a message.
function piecesOf(page) {
  let column = -1;
  return readFileSync(path.join(repository, page), "utf8").split("\n").flatMap((text, at) => {
    const cells = text.split("|").map((cell) => cell.trim());
    if (cells.length < 3) column = -1;
    else if (column < 0) column = cells.findIndex((cell) => columns.includes(cell));
    const code = [...(cells[column] ?? "").matchAll(/`([^`]+)`/g)].map(([, message]) => message);
    const pieces = code.flatMap((message) => message.split("…")).map((piece) => piece.trim().replace(/[.]$/, ""));
    return pieces.filter((piece) => piece.includes(" ")).map((piece) => ({ page, line: at + 1, piece }));
  });
}

// All texts of the program and the SDK; literals that go over several lines are joined.
function saidBySources(isMeant = () => true) {
  const sources = ["src", "sdk/sandbox-agent/src"].flatMap((folder) =>
    readdirSync(path.join(repository, folder), { recursive: true })
      .filter((name) => /[.](cc|h|ts)$/.test(name) && !/[._]test[.]/.test(name) && isMeant(name))
      .map((name) => readFileSync(path.join(repository, folder, name), "utf8")),
  );
  return sources.join("\n").replaceAll(/"\s*\n\s*"/g, "");
}
