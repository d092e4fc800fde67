// Every row of the route table, held to what follows from it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ask, startDaemon } from "./daemon.mjs";
import { operationsOf, targetOf } from "./operations.mjs";
import { assertProblem } from "./problem.mjs";
import { recipes, scenery } from "./recipes.mjs";

const daemon = await startDaemon();
after(() => daemon.stop());

const document = JSON.parse((await ask(daemon, "GET", "/v1/openapi.json")).body);
const { limits } = JSON.parse((await ask(daemon, "GET", "/v1/status")).body);
const operations = operationsOf(document);
const ajv = new Ajv2020({ strict: false });
ajv.addSchema(document, "api");
const validateProblem = ajv.getSchema("api#/components/schemas/Problem");

before(async () => {
  for (const { method, target, body } of scenery) {
    const made = await ask(daemon, method, target, { headers: { "content-type": "application/json" }, body });
    assert.ok(made.status < 300, made.body);
  }
});

for (const operation of operations) {
  const recipe = recipes[operation.name];
  const target = targetOf(operation, recipe);
  const typed = operation.bodyType ? { "content-type": operation.bodyType } : {};
  const call = async ({ headers = {}, ...rest } = {}) => {
    if (recipe.first) await ask(daemon, recipe.first.method, recipe.first.target);
    return ask(daemon, operation.method, rest.target ?? target, {
      headers: { ...typed, ...headers },
      body: recipe.body,
      head: recipe.head,
      ...rest,
    });
  };
  const refuses = async (status, code, options) => {
    const problem = assertProblem(await call({ head: false, ...options }), status, code, validateProblem);
    assert.deepEqual(undocumentedFields(problem, document.components.schemas.Problem), []);
    assert.ok(operation.errorCodes.includes(code), `${code} is not in the document`);
    return problem;
  };

  describe(`${operation.method} ${operation.path}`, () => {
    test("succeeds as documented", async () => {
      const response = await call();
      const answer = operation.answers.find((candidate) => candidate.status === response.status);
      assert.ok(answer, `${response.status} is not a documented answer: ${response.body}`);
      assert.equal(response.headers["content-type"]?.split(";")[0], answer.type);
      if (answer.type === "application/json") {
        const validate = ajv.compile(rooted(answer.schema));
        const value = JSON.parse(response.body);
        assert.ok(validate(value), JSON.stringify(validate.errors));
        assert.deepEqual(undocumentedFields(value, answer.schema), []);
      }
      for (const name of Object.keys(answer.headers))
        if (name.startsWith("Acp-")) assert.ok(response.headers[name.toLowerCase()], `${name} is missing`);
    });

    test("asks for the token, or does without", async () => {
      if (operation.isOpen) {
        const response = await call({ withToken: false });
        assert.ok(response.status < 400, `${response.status}`);
        return;
      }
      const challenge = { withToken: false, head: false };
      assert.equal((await call(challenge)).headers["www-authenticate"], "Bearer");
      await refuses(401, "token_missing", { withToken: false });
      for (const wrong of ["Bearer x", "Bearer contract-token2", "Token contract-toke"])
        await refuses(401, "token_invalid", { withToken: false, headers: { authorization: wrong } });
      for (const none of ["Basic Y29udHJhY3QtdG9rZW4=", "Bearer ", "contract-token"])
        await refuses(401, "token_missing", { withToken: false, headers: { authorization: none } });
      for (const right of ["Token contract-token", "bEARER contract-token"]) {
        const response = await call({ withToken: false, headers: { authorization: right } });
        assert.ok(response.status < 400, `${response.status} for ${right}`);
      }
    });

    test("answers other methods with 405 and says which there are", async () => {
      const methods = operations.filter(({ path }) => path === operation.path).map(({ method }) => method);
      const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
      for (const method of ["PATCH", "PUT", "DELETE", "POST", "BREW"].filter((name) => !methods.includes(name))) {
        const response = await ask(daemon, method, target);
        assertProblem(response, 405, "method_not_allowed", validateProblem);
        assert.deepEqual(response.headers.allow.split(", ").sort(), [...allowed, "OPTIONS"].sort());
        if (!operation.isOpen) assert.equal((await ask(daemon, method, target, { withToken: false })).status, 401);
      }
      const options = await ask(daemon, "OPTIONS", target, { withToken: false });
      assert.equal(options.status, 204);
      assert.deepEqual(options.headers.allow.split(", ").sort(), [...allowed, "OPTIONS"].sort());
    });

    testWhen(operation.method === "GET", "HEAD is GET without the body", async () => {
      const get = await call({ head: true });
      const head = await ask(daemon, "HEAD", target);
      assert.equal(head.status, get.status);
      assert.equal(head.body, "");
      assert.deepEqual(Object.keys(head.headers).sort(), Object.keys(get.headers).sort());
      assert.equal(head.headers["content-type"], get.headers["content-type"]);
    });

    test("answers only to its own host and origin", async () => {
      await refuses(403, "forbidden", { headers: { host: "evil.example" } });
      for (const origin of ["https://evil.example", "null", `http://127.0.0.1:${daemon.port + 1}`])
        await refuses(403, "forbidden", { headers: { origin } });
      const same = await call({ headers: { origin: `http://127.0.0.1:${daemon.port}` } });
      assert.ok(same.status < 400, `${same.status}`);
      assert.equal(same.headers["access-control-allow-origin"], undefined, "CORS is off by default");
    });

    testWhen(operation.errorCodes.includes("not_acceptable"), "minds the Accept header", async () => {
      await refuses(406, "not_acceptable", { headers: { accept: "image/png" } });
      for (const answer of operation.answers.filter(({ type }) => type))
        await refuses(406, "not_acceptable", { headers: { accept: `*/*, ${answer.type};q=0` } });
      for (const accept of ["*/*", `${operation.answers[0].type}`, `image/png, ${operation.answers[0].type};q=0.1`]) {
        const response = await call({ headers: { accept } });
        assert.ok(response.status < 400, `${response.status} for ${accept}`);
      }
    });

    testWhen(operation.bodyType === "application/json", "takes JSON as JSON only", async () => {
      for (const type of ["text/plain", "application/json-patch+json", "application/x-www-form-urlencoded", "json"])
        await refuses(415, "unsupported_media_type", { headers: { "content-type": type } });
      const untyped = await ask(daemon, operation.method, target, { body: recipe.body });
      assertProblem(untyped, 415, "unsupported_media_type", validateProblem);
      const parameters = await call({ headers: { "content-type": "Application/JSON; charset=utf-8" } });
      assert.ok(parameters.status < 400, `${parameters.status}`);
      for (const body of ["{", "[]x", "\u0000", '{"a":1}}']) await refuses(400, "invalid_request", { body });
      if (operation.bodyRequired) return void (await refuses(400, "invalid_request", { body: "" }));
      const without = await ask(daemon, operation.method, target);
      assert.ok(without.status < 400, `${without.status} without a body`);
    });

    testWhen(operation.bodyLimit, "bounds its body", async () => {
      const limit = limits[operation.bodyLimit];
      const filled = (size) => recipe.body.padEnd(size, " ");
      assert.equal((await refuses(413, "payload_too_large", { body: filled(limit + 1) })).limit, limit);
      const chunked = { headers: { "transfer-encoding": "chunked" }, body: filled(limit + 1) };
      assert.equal((await refuses(413, "payload_too_large", chunked)).limit, limit);
      const full = await call({ body: filled(limit) });
      assert.ok(full.status < 400, `${full.status}: ${full.body}`);
    });

    testWhen(operation.path.includes("{"), "refuses malformed escapes in its path", async () => {
      for (const path of ["%", "%z1", "a%2"]) {
        await refuses(400, "invalid_request", { target: targetOf(operation, recipe, { path }) });
      }
    });

    for (const parameter of operation.parameters.filter((each) => each.in === "query"))
      test(`checks its query parameter '${parameter.name}'`, async () => {
        const { name } = parameter;
        const withRaw = (start, raw) => `${start}${start.includes("?") ? "&" : "?"}${raw}`;
        const malformed = withRaw(targetOf(operation, recipe, { without: [name] }), `${name}=%zz`);
        assert.equal((await refuses(400, "invalid_request", { target: malformed })).field, name);
        if (parameter.schema.enum)
          assert.equal(
            (await refuses(400, "invalid_request", { target: targetOf(operation, recipe, { query: { [name]: "other" } }) })).field,
            name,
          );
        if (parameter.schema.type === "boolean")
          for (const value of ["yes", "1", "True", ""])
            await refuses(400, "invalid_request", { target: targetOf(operation, recipe, { query: { [name]: value } }) });
        if (parameter.required)
          for (const changes of [{ without: [name] }, { query: { [name]: parameter.schema.minLength ? "" : " " } }])
            assert.equal((await refuses(400, "invalid_request", { target: targetOf(operation, recipe, changes) })).field, name);
        const unknown = await call({ target: withRaw(target, "no-such-parameter=%zz") });
        assert.ok(unknown.status < 400, "unknown parameters are ignored");
      });
  });
}

function testWhen(applies, name, body) {
  if (applies) test(name, body);
}

// A schema of the document, usable on its own.
function rooted(schema) {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components'));
}

// Fields of an answer that its schema does not name.
function undocumentedFields(value, schema, path = "") {
  if (schema.$ref) schema = document.components.schemas[schema.$ref.split("/").at(-1)];
  if (schema.oneOf)
    return schema.oneOf.map((each) => undocumentedFields(value, each, path)).reduce((a, b) => (b.length < a.length ? b : a));
  if (schema.items && Array.isArray(value)) return value.flatMap((item) => undocumentedFields(item, schema.items, `${path}[]`));
  if (!schema.properties) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name in schema.properties ? undocumentedFields(inner, schema.properties[name], `${path}.${name}`) : [`${path}.${name}`],
  );
}
