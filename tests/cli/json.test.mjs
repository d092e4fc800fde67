// Every document that a command prints with --json is what docs/reference/cli.schema.json says.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test, { after, before } from "node:test";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Place, binary } from "./place.mjs";
import { files, recipes, scenery } from "./recipes.mjs";

const schema = JSON.parse(readFileSync(new URL("../../docs/reference/cli.schema.json", import.meta.url), "utf8"));
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema({ $id: "cli", $defs: schema.$defs });

// The same schema, its references seen from outside.
const fromOutside = (part) => JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', '"cli#/$defs/'));
const judge = (part) => {
  const validate = ajv.compile(fromOutside(part));
  return (document) => (validate(document) ? [] : validate.errors.map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`));
};
const failureProblems = judge(schema.failure);

let place;
before(async () => {
  place = await Place.make();
  for (const [name, text] of Object.entries(files)) await place.write(name, text);
  for (const words of scenery) {
    const { code, err } = await place.run(words);
    assert.equal(code, 0, `${words.join(" ")}: ${err}`);
  }
});
after(() => place.leave());

// The order of the recipes counts: some use what others made.
for (const [name, calls] of Object.entries(recipes)) {
  if (!(name in schema.commands)) continue;
  test(`${name} --json prints what its schema says`, async () => {
    const { kind, schema: part } = schema.commands[name];
    const problems = judge(part);
    for (const { words, input, until, codes = [0], own } of calls) {
      const where = own ? await Place.make() : place;
      const ended = await where.run([...name.split(" "), "--json", ...words], { input, until });
      if (own) await where.leave();
      const told = `${name} ${words.join(" ")}\n${ended.out}${ended.err}`;
      assert.ok(codes.includes(ended.code), `exit ${ended.code}: ${told}`);
      assert.ok(ended.out === "" || ended.out.endsWith("\n"), told);
      const documents = ended.out.split("\n").slice(0, -1).map((line) => JSON.parse(line));
      const isFailure = (document) => failureProblems(document).length === 0;
      const failed = documents.length > 0 && isFailure(documents.at(-1)) && ended.code !== 0;
      const results = failed ? documents.slice(0, -1) : documents;
      for (const document of results) assert.deepEqual(problems(document), [], `${JSON.stringify(document)} of ${told}`);
      assert.ok(documents.length > 0 || kind === "lines", `nothing was printed: ${told}`);
      if (kind === "document") assert.ok(results.length <= 1, `more than one document: ${told}`);
      if (failed) assert.equal(documents.at(-1).error.exitCode, ended.code, told);
    }
  });
}

test("every command has a recipe", () => {
  assert.deepEqual(Object.keys(schema.commands).filter((name) => !(name in recipes)), []);
});

test("every recipe is of a command", () => {
  assert.deepEqual(Object.keys(recipes).filter((name) => !(name in schema.commands)), []);
});

test("a result that cannot be written is an error, not a success", async () => {
  for (const words of ["version", "ps --json", "run hello"]) {
    const { status, stderr } = spawnSync("sh", ["-c", `exec "$0" ${words} > /dev/full`, binary], { env: place.env, cwd: place.home, input: "" });
    assert.equal(status, 1, `${words}: ${stderr}`);
    assert.match(String(stderr), /stdout cannot be written/);
  }
});
