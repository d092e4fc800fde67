// What the agent asks during a turn, and how its reader answers.
import { expect, test } from "vitest";
import "./guards.js";
import { inBothModes, timeScale } from "./place.js";
import { failureOf, firstOf, quickest, timed } from "./waiting.js";
import type { PermissionEvent } from "../src/index.js";

inBothModes("the agent asks", (place) => {
  const begin = async () => (await place().open()).createSession({ agent: "mock", cwd: "/" });

  test("permission: each answer reaches the agent, once", async () => {
    const session = await begin();
    const answer = async (how: (event: PermissionEvent) => Promise<void>) => {
      const turn = session.prompt("/permission");
      const event = await firstOf(turn, "permission");
      expect(event).toMatchObject({ title: "make clean", tool: { kind: "execute" } });
      await how(event);
      expect(await failureOf(event.allow())).toMatchObject({ code: "already_answered" });
      return (await turn).text;
    };
    expect(await answer((event) => event.deny())).toContain("You chose: Reject.");
    expect(await answer((event) => event.deny("always"))).toContain("You chose: Reject.");
    expect(await answer((event) => event.choose("allow-once"))).toContain("You chose: Allow once.");
    expect(await answer((event) => event.allow("always"))).toContain("You chose: Always allow.");
    expect((await session.prompt("/permission")).text).toContain("So I do not ask");
  });

  test("permission: a choice that is not offered is not sent, and the agent goes on waiting", async () => {
    const turn = (await begin()).prompt("/permission");
    const event = await firstOf(turn, "permission");
    expect(await failureOf(event.choose("no-such"))).toMatchObject({
      code: "no_such_option",
      hint: expect.stringContaining('"allow-once"'),
    });
    expect(event.open).toBe(true);
    await event.choose("allow-once");
    expect((await turn).text).toContain("You chose: Allow once.");
  });

  test("permission while nobody reads is refused at once", async () => {
    const session = await begin();
    const limit = 1_000 * timeScale;
    const { value, ms } = await quickest(limit, () => timed(() => session.prompt("/permission")));
    expect(value.text).toContain("The command was not run.");
    expect(ms).toBeLessThan(limit);
    const turn = session.prompt("/permission");
    for await (const event of turn) if (event.type === "permission") break; // looks, does not answer, leaves
    expect((await turn).text).toContain("The command was not run.");
  });

  test("cancel() while a permission is open answers it", async () => {
    const session = await begin();
    const turn = session.prompt("/permission");
    const event = await firstOf(turn, "permission");
    await turn.cancel();
    expect((await turn).stopReason).toBe("cancelled");
    expect(await failureOf(event.allow())).toMatchObject({ code: "already_answered" });
  });

  test("a question can be answered, declined and left", async () => {
    const session = await begin();
    const asked = async () => {
      const turn = session.prompt("/ask");
      return { turn, event: await firstOf(turn, "question") };
    };
    const first = await asked();
    expect(first.event.message).toContain("colour");
    expect(first.event.form).toMatchObject({ mode: "form", requestedSchema: { required: ["colour"] } });
    await first.event.answer({ colour: "green", note: "thin" });
    expect((await first.turn).text).toBe("Your answer: green. Your note: thin");
    const second = await asked();
    await second.event.decline();
    expect((await second.turn).text).toBe("You declined to answer.");
    const third = await asked();
    await third.event.respond({ action: "cancel" });
    expect((await third.turn).text).toBe("You closed the question.");
    expect((await session.prompt("/ask")).text).toContain("could not ask");
  });
});
