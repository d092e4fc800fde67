// The daemon dies, comes back, or only the stream breaks: the page says so, and nothing is lost that need not be.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { eventually } from "./events.mjs";
import { check, useBrowser } from "./stage.mjs";
import { gate } from "./gate.mjs";
import { StreamCutter } from "./stream_cutter.mjs";

useBrowser();

const scale = Number(process.env.SA_TIME_SCALE ?? 1);
const connections = /ERR_|Failed to (load|fetch)|network error/i;

// A conversation, then a draft, then no daemon.
async function loseDaemon({ ui, daemon, complaints }) {
  await ui.begin();
  await ui.ask("before");
  await ui.keyboard.type("a draft");
  await ui.raw.evaluate(() => (globalThis.isSamePage = true));
  complaints.allow(connections);
  await daemon.kill();
}

const unreachable = (ui) => ui.raw.getByRole("alert").filter({ hasText: /unreachable/i });

describe("connection", { concurrency: 3 }, () => {
  check("B16 when the daemon is killed a bar says so within three seconds, and the draft is kept", async (stage) => {
    const { ui } = stage;
    await loseDaemon(stage);
    await stage.within(3000, "the bar", unreachable(ui).waitFor());
    await ui.daemonState.filter({ hasText: /^\W*unreachable/ }).waitFor();
    await ui.button("Retry now").waitFor();
    assert.equal(await ui.draft(), "a draft");
    await ui.hears('You said: "before"');
    await ui.keyboard.press("Enter");
    assert.equal(await ui.draft(), "a draft", "nothing is sent to nobody");
    await ui.raw.getByRole("button", { name: /^(Send|Queue)/, disabled: true }).waitFor();
    assert.equal(await ui.blocks("user").count(), 1);
  });

  check("B16c a turn that ran when the daemon died is not said to run, nothing is queued for it, and no word of it stays", { token: "one" }, async (stage) => {
    const { ui, daemon, complaints } = stage;
    await ui.raw.goto(`${stage.origin}/ui/#token=one`);
    await ui.daemonState.filter({ hasText: /^\W*healthy/ }).waitFor();
    await ui.startSession();
    await ui.say("/slow 1000");
    await ui.hears("step 2 of 1000");
    await ui.message.fill("queued");
    await ui.keyboard.press("Enter");
    await ui.queue.getByRole("listitem").waitFor();
    complaints.allow(connections, /401|404/);
    await daemon.kill();
    await ui.keyboard.press("Escape"); // before the page knows
    await unreachable(ui).waitFor();
    await ui.raw.getByRole("status", { name: "Turn" }).filter({ hasText: /^was running$/ }).waitFor();
    await ui.sessions.getByText(/was running/).waitFor();
    await ui.message.fill("a draft");
    await ui.keyboard.press("Enter");
    assert.equal(await ui.draft(), "a draft");
    await ui.raw.getByRole("button", { name: /^Queue/, disabled: true }).waitFor();
    assert.equal(await ui.queue.getByRole("listitem").count(), 1);

    await daemon.startAgain({ token: "another" });
    await ui.tokenNeeded.getByRole("textbox").fill("another");
    await ui.keyboard.press("Enter");
    await ui.tokenNeeded.waitFor({ state: "hidden" });
    await ui.ended("interrupted");
    await ui.raw.getByText(/This process is gone/).waitFor();
    await ui.raw.getByText(/^Not stopped/).waitFor({ state: "detached" });
    assert.equal(await ui.button("Send queued").count(), 0);
    await ui.queue.getByText("queued").waitFor();
  });

  check("B16b Enter before it is known where the daemon works starts the session as soon as it is", async ({ ui }) => {
    const held = gate();
    await ui.raw.route("**/v1/fs/stat*", async (route) => {
      await held.passed;
      await route.continue();
    });
    await ui.open();
    await ui.keyboard.press("n");
    await ui.newSession.getByRole("radio", { checked: true }).and(ui.raw.locator(":focus")).waitFor();
    await ui.newSession.getByRole("button", { name: "Start", disabled: true }).waitFor();
    await ui.keyboard.press("Enter");
    held.open();
    await ui.composing();
  });

  check("B17 when it is started again the page is live within three seconds and says what was lost", async (stage) => {
    const { ui, daemon, complaints } = stage;
    await loseDaemon(stage);
    await unreachable(ui).waitFor();
    await daemon.startAgain();
    complaints.allow(/404/); // the instance is gone
    const named = { name: "Daemon restarted" };
    const lost = ui.raw.getByRole("region", named).or(ui.raw.getByRole("status", named));
    await stage.within(3000, "being live again", Promise.all([
      ui.daemonState.filter({ hasText: /^\W*(healthy|restarted)/ }).waitFor(),
      unreachable(ui).waitFor({ state: "hidden" }),
      lost.waitFor(),
    ]));
    assert.equal(await ui.raw.evaluate(() => globalThis.isSamePage), true, "without a reload");
    await lost.filter({ hasText: /lost|gone|ended/i }).waitFor();
    assert.equal(await ui.draft(), "a draft");
    await ui.hears('You said: "before"');
    const before = ui.raw.url();
    await ui.button("Restart").nth(1).waitFor(); // the stream hears that the process is gone when it tries again
    assert.equal(await ui.button("Restart").count(), 2, "one thing, one name");
    await ui.button("Restart").first().click();
    await ui.raw.waitForURL((url) => url.href !== before);
    await ui.shows();
    await ui.streamState.filter({ hasText: "live" }).waitFor();
    await ui.message.fill("after");
    await ui.message.press("Enter");
    await ui.hears('You said: "after"');
  });

  check("B18 a stream that is cut for five seconds in the middle of a turn loses and doubles nothing", async (stage) => {
    const { ui, daemon, complaints } = stage;
    const cutter = await StreamCutter.to(daemon.port);
    stage.atEnd(() => cutter.stop());
    stage.origin = cutter.origin;
    await ui.begin();
    await ui.say("/slow 40");
    await ui.hears("step 5 of 40");
    complaints.allow(connections);
    assert.equal(cutter.streams, 1, "one stream per tab");
    cutter.cut();
    await ui.streamState.filter({ hasText: /connecting/ }).waitFor();
    await ui.raw.waitForTimeout(5000);
    await eventually(() => assert.ok(cutter.refused > 0));
    cutter.mend();
    await ui.ended("done", 1, { timeout: 20_000 * scale });
    await ui.streamState.filter({ hasText: /live/ }).waitFor();
    const steps = (await ui.blocks("message").allInnerTexts()).join("\n").match(/step \d+ of 40/g);
    assert.deepEqual(steps, Array.from({ length: 40 }, (_, at) => `step ${at + 1} of 40`));
    await ui.traceIsWhole();
  });

  check("B18b what clients said last, before the stream was cut and while it was, is there once", async (stage) => {
    const { ui, daemon, complaints } = stage;
    const cutter = await StreamCutter.to(daemon.port);
    stage.atEnd(() => cutter.stop());
    stage.origin = cutter.origin;
    await ui.begin();
    await ui.say("/hang");
    await ui.hears("I will never answer this");
    const isCancel = ({ from, message }) => from === "client" && message.method === "session/cancel";
    await ui.keyboard.press("Escape");
    await ui.untilSaid(isCancel);
    await ui.traceIsWhole();
    complaints.allow(connections);
    cutter.cut();
    await ui.streamState.filter({ hasText: /connecting/ }).waitFor();
    const body = JSON.stringify({ jsonrpc: "2.0", method: "_checks/said_elsewhere" });
    await daemon.ask("POST", `/v1/acp/${ui.serverId}`, { headers: { "content-type": "application/json" }, body });
    await ui.untilSaid(({ message }) => message.method === "_checks/said_elsewhere");
    cutter.mend();
    await ui.streamState.filter({ hasText: "live" }).waitFor();
    await ui.traceIsWhole();
  });
});
