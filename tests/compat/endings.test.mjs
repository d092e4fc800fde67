// How it ends: disposing takes its agent along, quickly; an agent that dies is told.
import assert from "node:assert/strict";
import { test } from "node:test";
import { timeScale, until } from "../install/waiting.mjs";
import { listen, makeScene, words } from "./scene.mjs";

// Disposes the client after what `play` does with its session; an agent that ends with its input must not keep it waiting.
async function disposesQuickly(scene, play) {
  let took = Infinity; // the best of three at most: others use the machine too
  for (let played = 0; took >= 500 * timeScale && played < 3; ++played) {
    const client = await scene.connect();
    await play(await client.createSession({ agent: "mock", cwd: scene.project }));
    assert.equal(scene.agents().length, 1);
    const begin = performance.now();
    await client.dispose();
    took = Math.min(took, performance.now() - begin);
    assert.deepEqual(scene.agents(), [], "it is gone when dispose returns");
    await until("only the daemon runs", () => scene.processes().length === 1); // the agent's supervisor is on its way out
  }
  assert.ok(took < 500 * timeScale, `it took ${took} ms`);
}

test("dispose takes less than 500 ms, and nothing of the agent runs afterwards", async (t) => {
  const scene = await makeScene(t);
  await disposesQuickly(scene, (session) => session.prompt(words("hello")));
  const other = await scene.connect();
  assert.deepEqual(await other.listAcpServers(), { servers: [] });
});

for (const [what, prompt, sign] of [
  ["a turn that goes on", "/slow 1000", "step 2 of 1000"],
  ["a turn that never ends", "/hang", "I will never answer this"],
]) {
  test(`dispose in the middle of ${what} is as quick`, async (t) => {
    const scene = await makeScene(t, { complaint: /^ACP write error: AcpHttpError: Agent process exited/ });
    await disposesQuickly(scene, async (session) => {
      const heard = listen(session);
      void session.prompt(words(prompt));
      await heard.hears(sign);
    });
  });
}

test("dispose while a question is open cancels it first", async (t) => {
  const scene = await makeScene(t, { complaint: /^ACP write error: / });
  await disposesQuickly(scene, async (session) => {
    let request;
    session.onPermissionRequest((asked) => (request = asked));
    void session.prompt(words("/permission"));
    await until("the question came", () => request);
  });
});

test("one client's dispose leaves the other's agent alone", async (t) => {
  const scene = await makeScene(t);
  const [leaves, stays] = await Promise.all([scene.connect(), scene.connect()]);
  await leaves.createSession({ agent: "mock", cwd: scene.project });
  const session = await stays.createSession({ agent: "mock", cwd: scene.project });
  assert.equal(scene.agents().length, 2);
  await leaves.dispose();
  assert.equal(scene.agents().length, 1);
  assert.equal((await session.prompt(words("still there?"))).stopReason, "end_turn");
});

test("an agent that dies in the middle of a turn ends the program with the problem", async (t) => {
  const scene = await makeScene(t);
  const { code, output, errors } = await scene.run("gone_agent.mjs");
  assert.equal(code, 1, errors);
  assert.match(errors, /^ACP write error: AcpHttpError: Agent process exited/m);
  assert.match(errors, /type: 'urn:sandbox-agent:error:agent_process_exited'[^]*exitCode: 3/);
  assert.equal(output, "asked\n", "0.4.2 lets such a failure escape instead of rejecting the call");
});
