import { expect, test } from "vitest";
import { mostRecords, outcomeWord, withAnswer, type HttpRecord } from "./http_record.js";

/** Asks and is answered. */
function asked(records: HttpRecord[], id: number, path: string, status = 200, method = "GET"): HttpRecord[] {
  const record = { id, method, path, at: id, times: 1 };
  return withAnswer([...records, record], { ...record, status, ms: 1 });
}

test("a question that is asked again and again is one record, one with another outcome is not", () => {
  let records: HttpRecord[] = [];
  for (let id = 1; id <= 9; ++id) records = asked(records, id, id % 5 === 0 ? "/v1/health" : "/v1/acp");
  expect(records.map(({ path, times }) => [path, times])).toEqual([
    ["/v1/acp", 8],
    ["/v1/health", 1],
  ]);
  records = asked(records, 10, "/v1/acp", 0);
  expect(records.map(outcomeWord)).toEqual(["200 · 8 times", "200", "no answer"]);
});

test("what changes something is always a record of its own", () => {
  const records = asked(asked([], 1, "/v1/acp/x", 202, "POST"), 2, "/v1/acp/x", 202, "POST");
  expect(records).toHaveLength(2);
});

test("the last ones are kept", () => {
  let records: HttpRecord[] = [];
  for (let id = 1; id <= mostRecords + 5; ++id) records = asked(records, id, "/", 200, "POST");
  expect([records.length, records[0]!.id]).toEqual([mostRecords, 6]);
});
