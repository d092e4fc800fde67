// docs/guide/security-model.md names a test for everything it promises: each of them must be there, under that name.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const page = "docs/guide/security-model.md";

// The rows of the tables whose last column says who tests it: {line, attack, tests: [{file, name}]}.
export function rowsIn(markdown) {
  const rows = [];
  let inTable = false;
  markdown.split("\n").forEach((text, at) => {
    const cells = text.startsWith("|") ? text.slice(1, -1).split(/(?<!\\)[|]/).map((cell) => cell.trim()) : [];
    if (cells.length === 0) inTable = false;
    else if (cells.at(-1) === "tested by") inTable = true;
    else if (inTable && !/^-+$/.test(cells[0])) {
      const tests = [...cells.at(-1).matchAll(/`([^`]+)`: "([^"]+)"/g)].map(([, file, name]) => ({ file, name }));
      rows.push({ line: at + 1, attack: cells[0], tests });
    }
  });
  return rows;
}

// Whether a file has a test of this name that is run: a case of doctest, or one of Node's (the inspector calls them checks) whose
// variable parts are written as "…".
export function hasTest(text, name) {
  const code = text.replaceAll(/^\s*\/\/.*$/gm, "").replaceAll(/^.*\b(?:doctest::)?skip\b.*$/gm, "");
  const names = [...code.matchAll(/(?:TEST_CASE|\btest|\bcheck)\(\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)/g)].map((found) => found[1] ?? found[2]);
  return names.some((found) => found.replaceAll(/[$][{][^}]*[}]/g, "…").replaceAll('\\"', "'") === name);
}

const rows = rowsIn(readFileSync(path.join(repository, page), "utf8"));

test("the page has a table, and every row of it names a test", () => {
  assert.ok(rows.length > 30, `${rows.length} rows`);
  for (const { line, attack, tests } of rows) assert.ok(tests.length > 0, `${page}:${line}: ${attack}`);
});

test("every test that the page names is there", () => {
  const missing = rows.flatMap(({ line, tests }) =>
    tests.filter(({ file, name }) => {
      const place = path.join(repository, file);
      return !existsSync(place) || !hasTest(readFileSync(place, "utf8"), name);
    }).map(({ file, name }) => `${page}:${line}: ${file}: "${name}"`),
  );
  assert.deepEqual(missing, []);
});

test("a test that is not there, or has another name, is noticed", () => {
  const [row] = rowsIn('| attack | what happens | tested by |\n|---|---|---|\n| a | b | `x.cc`: "one" `y.mjs`: "two" |\n');
  assert.deepEqual(row.tests, [{ file: "x.cc", name: "one" }, { file: "y.mjs", name: "two" }]);
  assert.ok(hasTest('TEST_CASE("one") {', "one"));
  assert.ok(hasTest("  test(`a ${what} is refused`, async", "a … is refused"));
  assert.ok(!hasTest('TEST_CASE("one more") {', "one"));
  assert.ok(!hasTest('  // test("one")', "one"));
  assert.ok(!hasTest('TEST_CASE("one" * doctest::skip()) {', "one"));
  assert.ok(!hasTest('test("one", { skip: true }, () => {', "one"));
});
