import { expect, it } from "vitest";
import * as elsewhere from "./elsewhere.js";
import * as node from "./node.js";

it("refuses with a typed error that names the other way", async () => {
  await expect(elsewhere.spawnSandboxAgent()).rejects.toMatchObject({
    name: "SandboxAgentError",
    code: "spawn_unsupported",
    hint: expect.stringContaining("connect"),
  });
});

it("has the same exports as the one for Node", () => {
  expect(Object.keys(elsewhere)).toEqual(Object.keys(node));
});
