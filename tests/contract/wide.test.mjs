// What is true of all paths together, beyond the rows of the table.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { ask, startDaemon } from "./daemon.mjs";
import { assertProblem } from "./problem.mjs";

const app = "https://app.example";
const daemon = await startDaemon("-O", app);
after(() => daemon.stop());

const document = JSON.parse((await ask(daemon, "GET", "/v1/openapi.json")).body);
const validateProblem = new Ajv2020({ strict: false }).compile(document.components.schemas.Problem);

test("unknown paths are 404 for every method and need no token", async () => {
  for (const path of ["/nothing", "/v1", "/v1/", "/v1/nothing", "/v2/health", "/opencode/session", "/v1/health/", "//v1/health"])
    for (const method of ["GET", "POST", "DELETE"]) {
      const problem = assertProblem(await ask(daemon, method, path, { withToken: false }), 404, "not_found", validateProblem);
      assert.equal(problem.resource, "route");
      assert.equal(problem.id, path);
    }
});

test("OPTIONS of an unknown path is 404, unless an allowed origin's browser asks on behalf of a script", async () => {
  assertProblem(await ask(daemon, "OPTIONS", "/nothing", { withToken: false }), 404, "not_found", validateProblem);
  const headers = { origin: app, "access-control-request-method": "GET" };
  assert.equal((await ask(daemon, "OPTIONS", "/nothing", { withToken: false, headers })).status, 204);
  assert.equal((await ask(daemon, "OPTIONS", "/v1/rpc", { withToken: false })).headers.allow, "OPTIONS");
});

test("a problem about a long path does not repeat all of it", async () => {
  const answer = await ask(daemon, "GET", `/${"x".repeat(60000)}`);
  const problem = assertProblem(answer, 404, "not_found", validateProblem);
  assert.equal(problem.instance.length, 256);
  assert.ok(answer.body.length < 1000);
});

test("-A adds to the headers a browser may send, -M says which methods", async () => {
  const other = await startDaemon("-O", app, "-A", "X-Mine", "-M", "GET", "-M", "POST", "-C");
  const headers = { origin: app, "access-control-request-method": "POST" };
  const preflight = await ask(other, "OPTIONS", "/v1/health", { withToken: false, headers });
  assert.match(preflight.headers["access-control-allow-headers"], /^Authorization, Content-Type, .*, X-Mine$/);
  assert.equal(preflight.headers["access-control-allow-methods"], "GET, POST");
  assert.equal(preflight.headers["access-control-allow-credentials"], "true");
  await other.stop();
});

test("removed interfaces are 410 for every method, behind the token, and name the replacement", async () => {
  for (const path of ["/v1/rpc", "/v1/sessions", "/v1/sessions/abc", "/v1/sessions/abc/messages"])
    for (const method of ["GET", "POST", "PUT", "DELETE"]) {
      assertProblem(await ask(daemon, method, path, { withToken: false }), 401, "token_missing", validateProblem);
      const problem = assertProblem(await ask(daemon, method, path), 410, "removed", validateProblem);
      assert.equal(problem.replacement, "/v1/acp/{server_id}");
    }
});

test("the error table in the document is the whole one", () => {
  const codes = document.components.schemas.Problem.properties.type.enum.map((type) => type.split(":").at(-1));
  assert.deepEqual(
    codes.sort(),
    (
      "invalid_request unprocessable unsupported_agent token_missing token_invalid forbidden not_found agent_not_installed " +
      "method_not_allowed not_acceptable unsupported_media_type conflict config_corrupt removed precondition_failed " +
      "range_not_satisfiable request_timeout uri_too_long payload_too_large header_too_large install_failed " +
      "agent_process_exited agent_spawn_failed agent_io_failed overloaded timeout no_space internal"
    )
      .split(" ")
      .sort(),
  );
});

test("an allowed foreign origin gets its preflight before the token, and may read every answer", async () => {
  const preflight = await ask(daemon, "OPTIONS", "/v1/acp/x", {
    withToken: false,
    headers: { origin: app, "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers["access-control-allow-origin"], app);
  assert.equal(preflight.headers.vary, "Origin");
  const allowed = preflight.headers["access-control-allow-headers"].toLowerCase().split(", ");
  for (const name of "authorization content-type last-event-id accept prefer if-match if-none-match range".split(" "))
    assert.ok(allowed.includes(name), name);
  for (const [path, withToken] of [["/v1/health", true], ["/v1/health", false], ["/nothing", true], ["/", false]]) {
    const answer = await ask(daemon, "GET", path, { withToken, headers: { origin: app } });
    assert.equal(answer.headers["access-control-allow-origin"], app);
    assert.equal(answer.headers["access-control-allow-credentials"], undefined);
    const exposed = answer.headers["access-control-expose-headers"].toLowerCase().split(", ").sort();
    assert.deepEqual(exposed, [
      "acp-event-id", "acp-instance-id", "content-range", "etag", "preference-applied", "retry-after"]);
  }
  const stranger = await ask(daemon, "OPTIONS", "/v1/health", {
    withToken: false,
    headers: { origin: "https://other.example", "access-control-request-method": "GET" },
  });
  assertProblem(stranger, 403, "forbidden", validateProblem);
});

test("the counters of the status count", async () => {
  const status = async () => JSON.parse((await ask(daemon, "GET", "/v1/status")).body);
  const message = (fields) => JSON.stringify({ jsonrpc: "2.0", ...fields });
  const post = (target, body) => ask(daemon, "POST", target, { headers: { "content-type": "application/json" }, body });
  const before = await status();
  const initialize = message({ id: 1, method: "initialize", params: { protocolVersion: 1 } });
  assert.equal((await post("/v1/acp/counted?agent=mock", initialize)).status, 200);
  await ask(daemon, "GET", "/v1/acp/counted", { head: true });
  const after = await status();
  const grown = (name) => after.counters[name] - before.counters[name];
  assert.equal(grown("requests"), 3);
  assert.equal(grown("connections"), 3);
  assert.equal(grown("instances"), 1);
  assert.equal(grown("events"), 1);
  assert.equal(grown("readers"), 1);
  assert.equal(grown("gaps"), 0);
  assert.ok(grown("bytes") > 300 && grown("bytesReceived") > 300);
  assert.equal(after.current.instances, before.current.instances + 1);
  assert.equal(after.limits.maxJsonBytes, 2000);
  assert.ok(after.limits.maxConnections > 0, "what 0 came to");
  assert.ok(after.memory.rssBytes > 0 && after.memory.ringBytes > 0);
  assert.equal(after.platform.features.pidfd, true);
  assert.equal((await ask(daemon, "DELETE", "/v1/acp/counted")).status, 204);
  assert.equal((await status()).current.instances, before.current.instances);
});
