// What is true of every error body.
import assert from "node:assert/strict";

const common = ["type", "title", "status", "detail"];

// Checks that `response` is the problem `code` with `status`; returns its document.
export function assertProblem(response, status, code, validateProblem) {
  assert.equal(response.status, status, `${response.status} instead of ${status}: ${response.body}`);
  assert.equal(response.headers["content-type"], "application/problem+json");
  const document = JSON.parse(response.body);
  assert.ok(validateProblem(document), JSON.stringify(validateProblem.errors));
  for (const name of common) assert.ok(document[name], `${name} is missing`);
  assert.equal(document.type, `urn:sandbox-agent:error:${code}`);
  assert.equal(document.status, status);
  assert.match(document.detail, /^[A-Z'].*[.]$/s, "the detail is a sentence");
  assert.doesNotMatch(response.body, /contract-token/, "the token is never shown");
  return document;
}
