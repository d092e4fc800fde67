// What is done at the worst moment: leaving in the middle, two tabs, keys pressed twice.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

const prompts = ({ from, message }) => from === "client" && message.method === "session/prompt";

describe("worst moments", { concurrency: 2 }, () => {
  check("W1 a turn that is left while it runs goes on, and its prompt is not put back", async ({ ui, daemon }) => {
    await ui.begin();
    const { place } = ui;
    await ui.say("/slow 30");
    await ui.hears("step 1 of 30");
    await ui.startSessionByButton();
    await ui.raw.goBack();
    await ui.raw.waitForURL((url) => url.pathname === place);
    await ui.ended("done");
    assert.equal(await ui.draft(), "");
    assert.equal(await ui.raw.getByText("Not sent").count(), 0);
    assert.equal((await daemon.messages(ui.serverId)).filter(prompts).length, 1);
  });

  check("W2 what is queued is sent while the Trace is looked at", async ({ ui, daemon }) => {
    await ui.begin();
    const { serverId } = ui;
    await ui.say("/slow 10");
    await ui.hears("step 1 of 10");
    await ui.say("the next");
    await ui.queue.getByRole("listitem").waitFor();
    await ui.raw.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Trace" }).click();
    await ui.trace.waitFor();
    for (let sent = 0; sent < 2; ) sent = (await daemon.messages(serverId)).filter(prompts).length;
  });
});
