// What goes with a message: commands, files that are mentioned, pictures and texts; and what becomes of it when it has to wait.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "./events.mjs";
import { check, useBrowser } from "./stage.mjs";
import { TalkPage } from "./talk_page.mjs";

useBrowser();

const plain = fileURLToPath(new URL("plain_agent.mjs", import.meta.url));
const withPlain = { flags: ["--agent", `plain=${process.execPath} ${plain}`] };
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const picture = { name: "dot.png", type: "image/png", base64: dot };
const text = (name, words) => ({ name, type: "text/plain", base64: Buffer.from(words).toString("base64") });

async function makeFiles({ work }, ...names) {
  for (const name of names) {
    await mkdir(path.dirname(path.join(work, name)), { recursive: true });
    await writeFile(path.join(work, name), `${name}\n`);
  }
}

async function beginPlain(ui) {
  await ui.open();
  await ui.keyboard.press("n");
  await ui.newSession.getByRole("radio", { checked: true }).and(ui.raw.locator(":focus")).waitFor();
  await ui.choose(/plain/);
  await ui.newSession.getByRole("button", { name: "Start", disabled: false }).waitFor();
  await ui.keyboard.press("Enter");
  await ui.composing();
}

describe("composer", { concurrency: 2 }, () => {
  check("B11 the agent's commands appear under /, and one is taken by keys", async ({ ui }) => {
    await ui.begin();
    const hint = (log) => getComputedStyle(log, "::before").content;
    assert.match(await ui.conversation.evaluate(hint), /^"Write a message, or/);
    await ui.keyboard.type("/pl");
    const commands = ui.raw.getByRole("listbox", { name: "Commands" });
    await commands.getByRole("option", { name: /^\/plan/, selected: true }).waitFor();
    await ui.message.fill("/");
    const ground = (option) => option.evaluate((shown) => getComputedStyle(shown).backgroundColor);
    const [chosen, other] = [commands.getByRole("option", { selected: true }), commands.getByRole("option").nth(2)];
    await other.hover();
    assert.notEqual(await ground(other), await ground(chosen), "what is under the pointer is not what Enter takes");
    await ui.message.fill("/pl");
    await commands.getByRole("option", { name: /^\/plan/, selected: true }).waitFor();
    await ui.keyboard.press("Tab");
    await eventually(async () => assert.match(await ui.draft(), /^\/plan ?$/));
    await ui.keyboard.press("Enter");
    await ui.ended("done");
    assert.equal(await ui.conversation.evaluate(hint), "none");
  });

  check("B11b @ finds a file in a nested folder, by keys, and the message links it", async (stage) => {
    const { ui, daemon } = stage;
    await makeFiles(daemon, "README.md", "src/deep/er/needle file.ts", "src/other.ts", ".git/needle", "node_modules/needle/x.ts");
    await ui.begin();
    const talk = new TalkPage(ui);
    await ui.keyboard.type("look at @nedl");
    await talk.files.getByRole("option", { name: "src/deep/er/needle file.ts", selected: true }).waitFor();
    await ui.raw.getByText("Looking …").waitFor({ state: "hidden" });
    assert.equal(await talk.files.getByRole("option").count(), 1, "what lies in .git and node_modules is not offered");
    await ui.keyboard.press("Backspace");
    await ui.keyboard.press("Escape");
    await talk.files.waitFor({ state: "detached" });
    await ui.keyboard.type("l");
    await talk.files.getByRole("option", { selected: true }).waitFor();
    await ui.keyboard.press("Enter");
    await talk.holds("look at @src/deep/er/needle file.ts ");
    await ui.keyboard.type("and @zzz");
    await ui.raw.getByText("No file matches.").waitFor();
    await ui.keyboard.press("Escape");
    await ui.keyboard.press("Enter");
    await ui.ended("done");
    assert.deepEqual(await talk.prompts(), [
      [
        { type: "text", text: "look at @src/deep/er/needle file.ts and @zzz" },
        {
          type: "resource_link",
          uri: `file://${daemon.work}/src/deep/er/needle%20file.ts`,
          name: "src/deep/er/needle file.ts",
        },
      ],
    ]);
    await ui.blocks("user").getByText("file://", { exact: false }).waitFor();
    await ui.keyboard.type("@");
    await talk.files.getByRole("option", { name: "README.md", selected: true }).waitFor();
    await talk.files.getByRole("option", { name: "src/other.ts" }).waitFor();
    await ui.keyboard.press("ArrowDown");
    await talk.files.getByRole("option", { name: "src/other.ts", selected: true }).waitFor();
  });

  check("B11c a large folder is looked at in part, and that is said", async ({ ui, daemon }) => {
    const names = Array.from({ length: 2_100 }, (_, at) => `many/${at}.txt`);
    await makeFiles(daemon, "top.txt", ...names);
    await ui.begin();
    await ui.keyboard.type("@");
    await ui.raw.getByText("Only the first 2,000 entries were looked at.").waitFor();
    await new TalkPage(ui).files.getByRole("option", { name: "top.txt", selected: true }).waitFor();
  });

  check("B11d pictures and texts are attached by paste, drop and choice, and are sent as the agent takes them", async (stage) => {
    const { ui } = stage;
    await ui.begin();
    const talk = new TalkPage(ui);
    await talk.paste(picture);
    await talk.attachments.getByText("dot.png").waitFor();
    await talk.drop(text("notes.txt", "remember the milk"));
    await talk.attachments.getByText("notes.txt").waitFor();
    const chooser = ui.raw.waitForEvent("filechooser");
    await ui.button("Attach").click();
    await (await chooser).setFiles({ name: "data.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0, 255, 1]) });
    await ui.raw.getByRole("alert").filter({ hasText: /data\.bin: this is neither a text nor a picture/ }).waitFor();
    assert.equal(await talk.attachments.getByRole("listitem").count(), 2);
    await talk.paste(picture);
    await talk.attachments.getByRole("listitem").nth(2).getByRole("button", { name: "Remove dot.png" }).click();
    await talk.attachments.getByRole("listitem").nth(2).waitFor({ state: "detached" });
    await ui.message.focus();
    await talk.keeps("notes.txt");
    await ui.reload();
    await talk.attachments.getByRole("listitem").filter({ hasText: "notes.txt" }).filter({ hasText: "17 B" }).waitFor();
    await ui.message.focus();
    await ui.ask("what is this?");
    assert.deepEqual(await talk.prompts(), [
      [
        { type: "text", text: "what is this?" },
        { type: "image", mimeType: "image/png", data: dot },
        { type: "resource", resource: { uri: "attachment:notes.txt", mimeType: "text/plain", text: "remember the milk" } },
      ],
    ]);
    await talk.attachments.waitFor({ state: "detached" });
    await ui.blocks("user").getByRole("img", { name: "A picture you sent" }).waitFor();
    await ui.blocks("user").getByText("notes.txt", { exact: true }).waitFor();
  });

  check("B11h a message waits for what is still being read, and is not sent without what could not be", async (stage) => {
    const { ui } = stage;
    await ui.begin();
    const talk = new TalkPage(ui);
    let letGo;
    const isLetGo = new Promise((resolve) => (letGo = resolve));
    await ui.raw.route(/attachment_reading/, async (route) => {
      await isLetGo;
      await route.continue();
    });
    await ui.keyboard.type("what is this?");
    await talk.paste(text("notes.txt", "remember the milk"));
    await ui.raw.getByText("Reading …", { exact: true }).waitFor();
    await ui.keyboard.press("Enter");
    await ui.raw.getByText("Reading …, then it is sent.").waitFor();
    assert.equal(await ui.draft(), "what is this?");
    letGo();
    await ui.ended("done");
    const [sent, ...others] = await talk.prompts();
    assert.deepEqual(others, []);
    assert.deepEqual(sent.map(({ type }) => type), ["text", "resource"]);
    await talk.holds("");
    await ui.keyboard.type("and this?");
    await ui.message.evaluate((field) => {
      const data = new DataTransfer();
      const file = new File(["x"], "broken.txt", { type: "text/plain" });
      file.arrayBuffer = () => new Promise((_, reject) => (globalThis.breakFile = () => reject(new Error("it is gone"))));
      data.items.add(file);
      const paste = new ClipboardEvent("paste", { bubbles: true, cancelable: true });
      Object.defineProperty(paste, "clipboardData", { value: { files: [file], types: ["Files"] } });
      field.dispatchEvent(paste);
    });
    await ui.keyboard.press("Enter");
    await ui.raw.waitForFunction(() => globalThis.breakFile);
    await ui.raw.evaluate(() => globalThis.breakFile());
    const why = ui.raw.getByRole("alert").filter({ hasText: "broken.txt could not be read: it is gone" });
    await why.filter({ hasText: "The message was not sent." }).waitFor();
    assert.equal((await talk.prompts()).length, 1);
    assert.equal(await ui.draft(), "and this?");
  });

  check("B11e an agent that takes no pictures and no files says so, and is still told of files by @", withPlain, async (stage) => {
    const { ui, daemon } = stage;
    await makeFiles(daemon, "a.txt");
    await beginPlain(ui);
    const talk = new TalkPage(ui);
    await talk.paste(picture);
    await ui.raw.getByRole("alert").filter({ hasText: "dot.png: this agent does not take pictures." }).waitFor();
    await ui.button("Attach").click();
    await ui.raw.getByRole("alert").filter({ hasText: "This agent does not take files: mention a file" }).waitFor();
    assert.equal(await talk.attachments.count(), 0);
    await ui.message.focus();
    await ui.keyboard.type("see @a");
    await talk.files.getByRole("option", { name: "a.txt", selected: true }).waitFor();
    await ui.keyboard.press("Enter");
    await ui.keyboard.press("Enter");
    await ui.hears("Heard: text, resource_link");
  });

  const small = { flags: ["--max-envelope-bytes", "30000"] };
  check("B11f a message that was not taken comes back with all that went with it", small, async (stage) => {
    const { ui, daemon } = stage;
    ui.complaints.allow(/413/);
    await makeFiles(daemon, "a.txt");
    await ui.begin();
    const talk = new TalkPage(ui);
    await talk.paste(text("long.txt", "x".repeat(40_000)));
    await talk.attachments.getByText("long.txt").waitFor();
    await ui.keyboard.type("see @a");
    await talk.files.getByRole("option", { selected: true }).waitFor();
    await ui.keyboard.press("Enter");
    await ui.keyboard.press("Enter");
    await ui.raw.getByRole("alert").filter({ hasText: "Not sent" }).waitFor();
    await talk.holds("see @a.txt ");
    await talk.attachments.getByRole("button", { name: "Remove long.txt" }).click();
    await ui.message.focus();
    await ui.keyboard.press("Enter");
    await ui.ended("done");
    const [sent, ...others] = await talk.prompts();
    assert.deepEqual(others, []);
    assert.deepEqual(sent.map(({ type }) => type), ["text", "resource_link"]);
  });

  check("B11g a large attachment does not outlive a reload, and that is said; a queue with it is held", async (stage) => {
    const { ui } = stage;
    await ui.begin();
    const talk = new TalkPage(ui);
    await ui.say("/permission");
    await ui.permission.waitFor();
    await talk.paste(text("long.txt", "x".repeat(400_000)));
    await talk.attachments.getByText("long.txt").waitFor();
    await ui.say("with a text");
    await ui.queue.getByText("with a text · with long.txt").waitFor();
    await talk.keeps("with a text");
    await ui.reload();
    await ui.raw.getByText("Too large to be kept over the reload, so attach again: long.txt.").waitFor();
    await ui.permission.getByRole("button", { name: /Reject/ }).click();
    await ui.ended("done");
    await ui.raw.getByText("Held, because an attachment was lost.").waitFor();
    assert.equal((await talk.prompts()).length, 1);
  });

  check("B13c a queued message that is edited keeps its place, and waits while it is edited", async ({ ui }) => {
    await ui.begin();
    const talk = new TalkPage(ui);
    await ui.say("/permission"); // it runs until it is answered
    await ui.permission.waitFor();
    for (const words of ["the first", "the second"]) await ui.say(words);
    await ui.queue.getByRole("listitem").nth(1).waitFor();
    await ui.keyboard.type("half a sen");
    await ui.queue.getByRole("listitem").first().getByRole("button", { name: "Edit queued message" }).click();
    await ui.queue.getByRole("listitem").first().getByText("being edited").waitFor();
    await talk.holds("the first");
    await ui.permission.getByRole("button", { name: /Allow once/ }).click();
    await ui.ended("done");
    assert.equal((await talk.prompts()).length, 1, "it waits, and so does what is behind it");
    await ui.message.fill("the FIRST");
    await ui.keyboard.press("Enter");
    await ui.ended("done", 3);
    assert.deepEqual((await talk.prompts()).slice(1).map(([block]) => block.text), ["the FIRST", "the second"]);
    await talk.holds("half a sen");
  });

  check("B7b Changes has counts, turns, the way to Files, and a patch that git applies", withPlain, async (stage) => {
    const { ui, daemon } = stage;
    await ui.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: stage.origin });
    await beginPlain(ui);
    const talk = new TalkPage(ui);
    await ui.openDetails("Changes");
    await ui.details.getByText(/No file was changed in this session/).waitFor();
    await ui.message.focus();
    await ui.ask("nothing yet");
    await ui.ask("/part");
    const file = talk.changed.getByRole("listitem").filter({ hasText: "part.txt" });
    await file.getByText("1 lines added, 1 removed").waitFor({ state: "attached" });
    const turn = ui.details.getByRole("combobox", { name: "Turn" });
    await eventually(async () => assert.deepEqual(await turn.getByRole("option").allInnerTexts(), ["all", "2"]));
    await turn.selectOption("2");
    await ui.saysBriefly("Copied", () => ui.button("Copy patch").click());
    const patch = await ui.raw.evaluate(() => navigator.clipboard.readText());
    const target = path.join(daemon.work, "part.txt");
    const after = await readFile(target, "utf8");
    await writeFile(target, after.replace("changed", "line 20"));
    execFileSync("git", ["apply", "-"], { cwd: daemon.work, input: patch, stdio: "pipe" });
    assert.equal(await readFile(target, "utf8"), after);
    const link = file.getByRole("link", { name: "Open in Files" });
    assert.equal(await link.getAttribute("href"), `/ui/files?path=${target}`);
  });
});
