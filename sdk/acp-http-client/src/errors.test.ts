import { expect, test } from "vitest";
import { AcpHttpError, errorOf } from "./errors.js";

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });

test("the code is the last part of the problem's type", async () => {
  for (const type of [
    "urn:example:error:not_found",
    "https://example.org/errors/not_found",
    "https://example.org/errors#not_found",
  ]) {
    expect(await errorOf(answer(404, { type }))).toMatchObject({ code: "not_found", status: 404 });
  }
});

test("without a telling type the code is the status", async () => {
  for (const body of ["", "<html>", "[]", "null", {}, { type: "about:blank" }, { type: 5 }, { type: "https://example.org/" }]) {
    expect((await errorOf(answer(418, body))).code).toBe("http_418");
  }
});

test("the message is the detail, else the title, else the status", async () => {
  expect((await errorOf(answer(400, { detail: "Say which.", title: "Bad" }))).message).toBe("Say which.");
  expect((await errorOf(answer(400, { title: "Bad", detail: 4 }))).message).toBe("Bad");
  expect((await errorOf(answer(400, "x"))).message).toBe("The server answered 400");
});

test("the problem is kept whole", async () => {
  const problem = { type: "urn:e:unsupported_agent", agent: "clod", suggestions: ["claude"] };
  expect((await errorOf(answer(400, problem))).problem).toEqual(problem);
});

test("Retry-After is read when it is in seconds", async () => {
  const retry = async (value: string) => (await errorOf(answer(503, "", { "Retry-After": value }))).retryAfterMs;
  expect(await retry("2")).toBe(2_000);
  expect(await retry("Thu, 01 Jan 1970 00:00:00 GMT")).toBeUndefined();
  expect(await retry("soon")).toBeUndefined();
  expect(await retry("-5")).toBeUndefined();
  expect((await errorOf(answer(503, ""))).retryAfterMs).toBeUndefined();
});

test("it is an Error with a name and a cause", () => {
  const cause = new Error("x");
  const error = new AcpHttpError("No.", { code: "closed", cause });
  expect(error).toBeInstanceOf(Error);
  expect(`${error}`).toBe("AcpHttpError: No.");
  expect(error.cause).toBe(cause);
  expect("cause" in new AcpHttpError("No.", { code: "closed" })).toBe(false);
});
