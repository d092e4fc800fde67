// The API document itself: valid OpenAPI 3.1, the same as the one checked in, complete.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { ask, startDaemon } from "./daemon.mjs";
import { operationsOf } from "./operations.mjs";
import { recipes } from "./recipes.mjs";

let daemon, served;

before(async () => {
  daemon = await startDaemon();
  served = await ask(daemon, "GET", "/v1/openapi.json");
});
after(() => daemon.stop());

async function complaintsAbout(source) {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: { "operation-2xx-response": "off" }, // a redirect has none
  });
  const problems = await lintFromString({ source, config, absoluteRef: "openapi.json" });
  return problems.map((problem) => `${problem.ruleId}: ${problem.message} (${problem.location[0]?.pointer})`);
}

test("a real validator has nothing to say about the document", async () => {
  assert.deepEqual(await complaintsAbout(served.body), []);
});

test("the validator notices a broken document", async () => {
  const broken = JSON.parse(served.body);
  broken.paths["/v1/health"].get.responses["200"].content["application/json"].schema.$ref = "#/components/schemas/Nothing";
  delete broken.paths["/v1/acp/{server_id}"].post.parameters;
  const complaints = (await complaintsAbout(JSON.stringify(broken))).join("\n");
  assert.match(complaints, /no-unresolved-refs/);
  assert.match(complaints, /path-parameters-defined/);
});

test("the served document is the one that is checked in", async () => {
  assert.equal(served.headers["content-type"], "application/json");
  assert.equal(served.body, await readFile(new URL("../../docs/reference/openapi.json", import.meta.url), "utf8"));
});

test("GET / points to the document", async () => {
  const root = await ask(daemon, "GET", "/");
  assert.equal(JSON.parse(root.body).docs, "/v1/openapi.json");
});

test("every operation has a recipe, every recipe an operation, and everything is described", () => {
  const document = JSON.parse(served.body);
  const operations = operationsOf(document);
  assert.deepEqual(operations.map((operation) => operation.name).sort(), Object.keys(recipes).sort());
  for (const operation of operations)
    for (const parameter of operation.parameters) assert.ok(parameter.description, `${operation.name}: ${parameter.name}`);
  for (const [name, schema] of Object.entries(document.components.schemas))
    for (const [field, property] of Object.entries(schema.properties ?? {}))
      assert.ok(property.description, `${name}.${field} has no description`);
});
