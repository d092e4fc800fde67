// Who holds the reins: stop, queue, errors, crashes, agents that hang or talk nonsense.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "./events.mjs";
import { PalettePage } from "./palette_page.mjs";
import { check, useBrowser } from "./stage.mjs";
import { TalkPage } from "./talk_page.mjs";

useBrowser();

const nonsense = fileURLToPath(new URL("nonsense_agent.mjs", import.meta.url));
const prompts = ({ from, message }) => from === "client" && message.method === "session/prompt";

describe("control", { concurrency: 2 }, () => {
  check("B12 Esc stops a turn: cancelled, and the agent's process lives on", async ({ ui, daemon }) => {
    await ui.begin();
    const { pid } = await daemon.instance(ui.serverId);
    await ui.say("/slow 1000");
    await ui.hears("step 2 of 1000");
    await ui.keyboard.type("a draft");
    await ui.keyboard.press("Escape");
    await ui.ended("cancelled");
    assert.equal(await ui.draft(), "a draft");
    const instance = await daemon.instance(ui.serverId);
    assert.deepEqual([instance.status, instance.pid], ["running", pid]);
    await ui.message.fill("");
    await ui.ask("still there?");
    await ui.hears('You said: "still there?"');
  });

  check("B12b the Stop button does the same", async ({ ui }) => {
    await ui.begin();
    await ui.say("/slow 1000");
    await ui.hears("step 1 of 1000");
    await ui.button("Stop").click();
    await ui.ended("cancelled");
    await ui.button("Stop").waitFor({ state: "hidden" });
    await ui.button("Send").waitFor();
  });

  check("B12c Esc that is held closes what it was pressed for, and stops no turn", async ({ ui, daemon }) => {
    await ui.begin();
    const talk = new TalkPage(ui);
    const palette = new PalettePage(ui);
    await ui.ask("the first one");
    await ui.startSessionByButton(); // of one session there is nothing to search
    await ui.say("/slow 1000");
    await ui.hears("step 1 of 1000");
    const hold = async (untilClosed) => {
      await ui.keyboard.down("Escape");
      await untilClosed();
      for (let times = 0; times < 2; ++times) await ui.keyboard.down("Escape"); // the keyboard repeats it
      await ui.keyboard.up("Escape");
    };
    await palette.open();
    await hold(() => palette.dialog.waitFor({ state: "detached" }));
    await ui.button("Actions for /slow 1000").click();
    await ui.raw.getByRole("menuitem", { name: "Rename" }).and(ui.raw.locator(":focus")).waitFor();
    await hold(() => ui.raw.getByRole("menu").waitFor({ state: "detached" }));
    const search = ui.sessions.getByRole("searchbox", { name: "Search sessions" });
    await search.fill("slow");
    await hold(() => eventually(async () => assert.equal(await search.inputValue(), "")));
    const said = async () => (await daemon.messages(ui.serverId)).length;
    const before = await said();
    await eventually(async () => assert.ok((await said()) > before + 2, "the turn goes on"));
    await ui.keyboard.press("Escape");
    await ui.ended("cancelled");
    await talk.group("Idle").getByText("/slow 1000").waitFor();
  });

  check("B13 Enter while a turn runs queues; it is sent afterwards, or removed", async ({ ui, daemon }) => {
    await ui.begin();
    await ui.say("/permission"); // it runs until it is answered
    await ui.permission.waitFor();
    for (const text of ["the second", "the third"]) {
      await ui.message.fill(text);
      await ui.keyboard.press("Enter");
    }
    await ui.queue.getByRole("listitem").nth(1).waitFor();
    const item = (text) => ui.queue.getByRole("listitem").filter({ hasText: text });
    await item("the second").waitFor();
    await item("the third").getByRole("button", { name: "Remove queued message" }).click();
    await item("the third").waitFor({ state: "detached" });
    assert.equal((await daemon.messages(ui.serverId)).filter(prompts).length, 1, "nothing is sent before its time");
    await ui.permission.getByRole("button", { name: /Allow once/ }).click();
    await ui.hears('You said: "the second"');
    await ui.ended("done", 2);
    await ui.queue.getByRole("listitem").first().waitFor({ state: "detached" });
    const sent = (await daemon.messages(ui.serverId)).filter(prompts).map(({ message }) => message.params.prompt[0].text);
    assert.deepEqual(sent, ["/permission", "the second"]);
  });

  check("B14 an error is shown with message and code where it happened, and Retry tries again", async ({ ui, daemon }) => {
    await ui.begin();
    await ui.ask("/error", "failed");
    const errors = ui.raw.getByRole("article", { name: "Error" });
    await errors.filter({ hasText: "This is the error you asked for." }).filter({ hasText: "-32603" }).waitFor();
    await ui.blocks("turn").last().getByRole("button", { name: "Retry" }).click();
    await errors.nth(1).waitFor();
    await ui.ended("failed", 2);
    const sent = (await daemon.messages(ui.serverId)).filter(prompts).map(({ message }) => message.params.prompt);
    assert.equal(sent.length, 2);
    assert.deepEqual(sent[1], sent[0]);
    await ui.message.focus();
    await ui.ask("and now?");
    await ui.hears('You said: "and now?"');
  });

  check("B15 a crash is told, with code and last words; after Restart a prompt is answered", async (stage) => {
    const { ui, daemon } = stage;
    const server = { command: "/bin/true", args: ["--version"] };
    await mkdir(path.join(daemon.work, ".sandbox-agent/config"), { recursive: true });
    await writeFile(path.join(daemon.work, ".sandbox-agent/config/mcp.json"), JSON.stringify({ tools: server }));
    const beginning = async () => (await ui.untilSaid(({ message }) => message.method === "session/new")).message.params;
    await ui.begin();
    await ui.ask("before");
    const before = await beginning();
    assert.equal(before.mcpServers[0].name, "tools");
    const card = ui.raw.getByRole("article", { name: "Agent exited" });
    await ui.keyboard.type("/crash");
    await ui.keyboard.press("Enter");
    await card.waitFor();
    await card.filter({ hasText: /exit code 7/ }).waitFor();
    await card.locator("pre").filter({ hasText: "demo agent: crashing with exit code 7, as asked" }).waitFor();
    stage.complaints.allow(/50[24]|409/); // whoever asks an agent that is gone is told so
    const ended = ui.raw.url();
    await card.getByRole("button", { name: "Restart" }).click();
    await ui.raw.waitForURL((url) => url.href !== ended);
    await ui.shows();
    await ui.streamState.filter({ hasText: "live" }).waitFor();
    await ui.say("after");
    await ui.hears('You said: "after"');
    assert.deepEqual(await beginning(), before);
  });

  check("B15b an agent that ignores cancel is ended by Force stop, which is offered after five seconds", async (stage) => {
    const { ui, daemon } = stage;
    await ui.begin();
    const { serverId } = ui;
    const { pid } = await daemon.instance(serverId);
    await ui.say("/hang");
    await ui.hears("I will never answer this");
    const stopped = performance.now(); // not after: the page counts from when it hears the key
    await ui.keyboard.press("Escape");
    await ui.raw.getByText("cancelling").first().waitFor();
    await ui.button("Force stop").waitFor();
    assert.ok(performance.now() - stopped > 4500, "not before its time");
    await ui.button("Force stop").click();
    await stage.within(3000, "the end of the process", gone(pid));
    await ui.button("Stop").waitFor({ state: "hidden" });
    await ui.raw.getByRole("article", { name: "Agent exited" }).filter({ hasText: "You stopped the agent" }).waitFor();
    const left = ui.raw.getByRole("navigation", { name: "Sessions" }).getByText(/ended/);
    await left.waitFor(); // nothing of it is asked for any more, which would be a complaint
  });

  for (const [how, why] of [["shape", "answers with what is no answer"], ["prose", "writes prose and exits"]]) {
    const flags = ["--agent", `nonsense=${process.execPath} ${nonsense} ${how}`];
    check(`B27 an agent that ${why} is one clear error after two requests at most`, { flags }, async (stage) => {
      const { ui, context } = stage;
      stage.complaints.allow(/50[24]/);
      const posts = [];
      context.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
      const words = []; // asked for
      context.on("request", (request) => request.url().endsWith("/stderr") && words.push(request.url()));
      await ui.open();
      await ui.keyboard.press("n");
      await ui.newSession.getByRole("radio", { checked: true }).and(ui.raw.locator(":focus")).waitFor();
      await ui.choose(/^nonsense/);
      await ui.newSession.getByRole("button", { name: "Start" }).click();
      const alerts = ui.raw.getByRole("alert").filter({ hasText: /\S/ });
      await alerts.first().waitFor();
      await ui.newSession.getByRole("button", { name: "Retry" }).waitFor();
      await ui.raw.waitForTimeout(1500); // what comes too late, such as another try, would come now
      assert.equal(await alerts.count(), 1);
      assert.ok((await alerts.innerText()).length > 20, "it says what happened");
      assert.ok(posts.length <= 2, posts.join("\n"));
      assert.ok(words.length <= 1, "who starts an agent asks for its words, and nobody else, for it is ended then");
    });
  }
});

// Until no such process is there any more.
async function gone(pid) {
  for (;;)
    try {
      process.kill(pid, 0);
      await new Promise((resolve) => setTimeout(resolve, 20));
    } catch {
      return;
    }
}
