// The driver for the memory of the process.
import { describe } from "vitest";
import { InMemorySessionPersistDriver } from "../../src/persist/memory.js";
import "../guards.js";
import { runCases } from "./run_cases.js";

describe("sessions in memory:", () => {
  runCases(async () => {
    const driver = new InMemorySessionPersistDriver();
    return { connect: async () => driver, end: async () => {} };
  });
});
