import { describe, expect, it } from "vitest";
import { InTurn } from "./in_turn.js";

describe("work in turn", () => {
  it("begins when what was asked for before under its name has ended, however it ended", async () => {
    const line = new InTurn();
    const steps: string[] = [];
    let finish = () => {};
    const first = line.run("a", async () => {
      steps.push("first begins");
      await new Promise<void>((resolve) => (finish = resolve));
      steps.push("first fails");
      throw new Error("failed");
    });
    const second = line.run("a", async () => void steps.push("second"));
    await line.run("b", async () => void steps.push("other"));
    finish();
    await expect(first).rejects.toThrow("failed");
    await second;
    expect(steps).toEqual(["first begins", "other", "first fails", "second"]);
    expect(await line.run("a", async () => 7)).toBe(7);
  });
});
