// `run --continue` with agents that remember: what they tell of the past is not shown, whenever they tell it.
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { Place } from "./place.mjs";

const program = fileURLToPath(new URL("../../sdk/sandbox-agent/test/sessions/remembering_agent.mjs", import.meta.url));
const agents = ["load", "tardy", "resume", "halfway"];

let place;
before(async () => {
  place = await Place.make();
  const flags = await Promise.all(agents.map(async (agent) => {
    const folder = path.join(place.home, agent);
    await mkdir(folder);
    return ["--agent", `${agent}=${process.execPath} ${program} ${folder} ${agent}`];
  }));
  const { code, err } = await place.run(["daemon", "start", "--port", "0", ...flags.flat()]);
  assert.equal(code, 0, err);
});
after(() => place.leave());

for (const agent of agents) {
  test(`an agent that offers "${agent}" goes on`, async () => {
    const first = await place.run(["run", "--agent", agent, "talk 20"]);
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /^word 1 word 2 .*word 20\s*$/);
    // Who is "tardy" has told all when he is silent for a moment, which he also is when the machine stands still.
    let second;
    for (let tries = agent === "tardy" ? 5 : 1; tries > 0; --tries) {
      second = await place.run(["run", "--agent", agent, "--continue", "and you?"]);
      assert.equal(second.code, 0, second.err);
      if (second.out.trim() === "you said: and you?") break;
    }
    assert.equal(second.out.trim(), "you said: and you?");
    const third = await place.run(["run", "--agent", agent, "--continue", "recall"]);
    assert.match(third.out, /word 20.*you said: and you\?/, "it remembers");
  });
}
