// usage: node table.test.mjs <sandbox-agent binary>
// Holds the product's table of ACP methods (src/client/acp_methods.cc) against the published schema, in both directions.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";

const binary = process.argv[2];
assert.ok(binary, "usage: node table.test.mjs <sandbox-agent binary>");
const table = JSON.parse(execFileSync(binary, ["reference", "acp-methods"], { encoding: "utf8", timeout: 10_000 }));

const schemaFile = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
const definitions = JSON.parse(readFileSync(schemaFile, "utf8")).$defs;
const shapes = new Map(table.shapes.map((shape) => [shape.name, shape]));

// --- what the schema asks for ---

const nameIn = (reference) => reference.split("/").pop();
const alternatives = (schema) => schema.oneOf ?? schema.anyOf ?? [];

// A definition, and those it is made of; the first has a name when the schema only refers to it.
function named(schema) {
  if (schema?.$ref) return nameIn(schema.$ref);
  return schema?.allOf?.length === 1 && !schema.properties ? named(schema.allOf[0]) : undefined;
}
const resolved = (schema) => (schema?.$ref ? definitions[nameIn(schema.$ref)] : schema);

// Every member each valid value has -> the schemas it may have.
function requiredOf(schema) {
  schema = resolved(schema);
  const required = new Map();
  const add = (name, schemas) => required.set(name, [...(required.get(name) ?? []), ...schemas]);
  for (const name of schema.required ?? []) add(name, schema.properties?.[name] ? [schema.properties[name]] : []);
  for (const part of schema.allOf ?? []) for (const [name, schemas] of requiredOf(part)) add(name, schemas);
  const choices = alternatives(schema).map(requiredOf);
  for (const name of choices[0]?.keys() ?? []) {
    if (choices.every((choice) => choice.has(name))) add(name, choices.flatMap((choice) => choice.get(name)));
  }
  return required;
}

function typesOf(schema) {
  schema = resolved(schema);
  if (schema.type) return [schema.type].flat();
  if (schema.allOf) return schema.allOf.flatMap(typesOf);
  return alternatives(schema).flatMap(typesOf);
}

function typeOf(schemas) {
  const types = [...new Set(schemas.flatMap(typesOf))].sort();
  if (types.join() === "integer,null,string") return "id";
  return types.length === 1 ? types[0] : "any";
}

// A closed list of words; undefined when any other string may stand there.
function wordsOf(schema) {
  const words = alternatives(schema).map(({ const: word }) => word);
  return words.length > 0 && words.every((word) => typeof word === "string") ? words : undefined;
}

// --- what the table says of it ---

function checkMembers(rows, schema, where, without = undefined) {
  const required = requiredOf(schema);
  required.delete(without);
  assert.deepEqual(rows.map(({ name }) => name).sort(), [...required.keys()].sort(), `required members of ${where}`);
  for (const { name, type, of } of rows) {
    const schemas = required.get(name);
    assert.equal(type, typeOf(schemas), `the type of ${where}.${name}`);
    if (!of) continue;
    assert.ok(shapes.has(of), `${where}.${name} is of ${of}, which is not in the table`);
    const [{ items }] = schemas;
    assert.equal(of, named(type === "array" ? items : schemas[0]), `what ${where}.${name} is made of`);
  }
}

const typeFor = (method, role) =>
  Object.entries(definitions).find(([name, schema]) => schema["x-method"] === method && name.endsWith(role))?.[0];

test("the table has every method of the schema, and no other", () => {
  const known = new Set(Object.values(definitions).map((schema) => schema["x-method"]).filter(Boolean));
  assert.deepEqual(table.methods.map(({ name }) => name).sort(), [...known].sort());
  assert.equal(table.protocolVersion, 1);
});

for (const { name, caller, form, params, result } of table.methods) {
  test(`${name} is what the schema says`, () => {
    const asked = typeFor(name, form === "request" ? "Request" : "Notification");
    assert.ok(asked, `the schema has no ${form} ${name}`);
    const side = definitions[asked]["x-side"];
    assert.equal(caller, { agent: "client", client: "agent", protocol: "either" }[side], "who calls it");
    checkMembers(params, definitions[asked], asked);
    const answer = typeFor(name, "Response");
    assert.equal(answer !== undefined, form === "request", "whether it is answered");
    if (answer) checkMembers(result, definitions[answer], answer);
  });
}

for (const { name, members, tag, kinds, words } of table.shapes) {
  test(`the value ${name} is what the schema says`, () => {
    const schema = definitions[name];
    assert.ok(schema, `the schema has no ${name}`);
    if (words.length > 0) return assert.deepEqual(words.sort(), wordsOf(schema)?.sort());
    checkMembers(members, { ...schema, oneOf: undefined, anyOf: undefined }, name);
    assert.equal(tag, schema.discriminator?.propertyName ?? "");
    const choices = new Map(alternatives(schema).map((choice) => [choice.properties[tag].const, choice]));
    assert.deepEqual(kinds.map(({ word }) => word).sort(), [...choices.keys()].sort(), "its kinds");
    for (const kind of kinds) checkMembers(kind.members, choices.get(kind.word), `${name} ${kind.word}`, tag);
  });
}

test("every value of the table is one that a method reaches", () => {
  const lists = [
    ...table.methods.flatMap(({ params, result }) => [params, result]),
    ...table.shapes.flatMap(({ members, kinds }) => [members, ...kinds.map((kind) => kind.members)]),
  ];
  const reached = new Set(lists.flat().map(({ of }) => of).filter(Boolean));
  assert.deepEqual([...reached].sort(), [...shapes.keys()].sort());
});
