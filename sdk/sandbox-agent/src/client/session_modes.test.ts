// Modes that an agent offers in one way, in the other, or in both.
import { describe, expect, it } from "vitest";
import type { SessionOption, SessionUpdate } from "./protocol.js";
import { SessionRecord } from "./session_records.js";

const optionAt = (currentValue: string): SessionOption => ({
  id: "agent",
  name: "Mode",
  category: "mode",
  type: "select",
  currentValue,
  options: [
    { value: "build", name: "Build" },
    { value: "plan", name: "Plan", description: "Changes nothing." },
  ],
});
const modes = {
  currentModeId: "build",
  availableModes: [
    { id: "build", name: "Build" },
    { id: "plan", name: "Plan" },
  ],
};

const newRecord = () => new SessionRecord("s", "mock", "/");
const told = (option: SessionOption) => ({ sessionUpdate: "config_option_update", configOptions: [option] }) as SessionUpdate;

describe("the modes of a session", () => {
  it("are those of the option where the agent offers nothing else", () => {
    const record = newRecord();
    record.offer({ configOptions: [optionAt("build")] });
    expect(record.modes).toEqual({
      currentModeId: "build",
      availableModes: [
        { id: "build", name: "Build" },
        { id: "plan", name: "Plan", description: "Changes nothing." },
      ],
    });
    record.count(told(optionAt("plan")));
    expect(record.modes?.currentModeId).toBe("plan");
    expect(record.modeChoice?.id).toBe("agent");
  });

  it("follow the option where the agent has both and tells only of the option", () => {
    const record = newRecord();
    record.offer({ modes, configOptions: [optionAt("build")] });
    expect(record.modeChoice).toBeUndefined();
    record.offer({ configOptions: [optionAt("plan")] });
    expect(record.metadata.mode).toBe("plan");
    expect(record.modes).toEqual({ ...modes, currentModeId: "plan" });
  });

  it("do not follow an option of other values", () => {
    const record = newRecord();
    record.offer({ modes: { ...modes, availableModes: modes.availableModes.slice(0, 1) }, configOptions: [optionAt("plan")] });
    expect(record.metadata.mode).toBe("build");
  });
});
