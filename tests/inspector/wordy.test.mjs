// What an agent says that is longer, or runs the other way, than most: all of it is in sight, and its newest words first.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { fileURLToPath } from "node:url";
import { eventually } from "./events.mjs";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

const agent = fileURLToPath(new URL("wordy_agent.mjs", import.meta.url));
const wordy = { flags: ["--agent", `wordy=${process.execPath} ${agent}`], viewport: { width: 1280, height: 800 } };

async function beginWordy(ui) {
  await ui.open();
  await ui.keyboard.press("n");
  await ui.newSession.getByRole("radio", { checked: true }).and(ui.raw.locator(":focus")).waitFor();
  await ui.choose(/wordy/);
  await ui.newSession.getByRole("button", { name: "Start", disabled: false }).waitFor();
  await ui.keyboard.press("Enter");
  await ui.composing();
}

// Runs in the page: the last line of the output is in sight, within everything that scrolls around it.
function endIsSeen(pre) {
  const range = document.createRange();
  range.selectNodeContents(pre);
  const { bottom } = [...range.getClientRects()].at(-1);
  const around = [];
  for (let at = pre; at; at = at.parentElement) if (getComputedStyle(at).overflowY !== "visible") around.push(at);
  return around.length > 0 && around.every((scroller) => bottom <= scroller.getBoundingClientRect().bottom + 1);
}

async function isReadFromItsEnd(output) {
  await output.filter({ hasText: "red line 200" }).waitFor(); // without codes
  await output.locator("span").filter({ hasText: /^red$/ }).first().waitFor(); // in its colour
  await eventually(async () => assert.ok(await output.evaluate(endIsSeen), "the last line is in sight"));
}

describe("wordy", { concurrency: 2 }, () => {
  check("B36d long names of modes and models leave the way to Details in sight", wordy, async ({ ui }) => {
    await beginWordy(ui);
    await ui.raw.getByRole("combobox", { name: "Mode", exact: true }).waitFor();
    for (const width of [1440, 1280, 1000, 800, 390]) {
      await ui.raw.setViewportSize({ width, height: 800 });
      const inSight = [ui.button("Details"), ui.streamState, ...(await ui.raw.getByRole("combobox").all())];
      await eventually(async () => {
        for (const control of inSight) {
          const { x, width: wide } = await control.boundingBox();
          assert.ok(x >= 0 && x + wide <= width, `${control} is at ${x} to ${x + wide} of ${width}`);
        }
      });
    }
  });

  check("B11i a long command and what it does are read whole", wordy, async ({ ui }) => {
    await beginWordy(ui);
    await ui.keyboard.type("/");
    const commands = ui.raw.getByRole("listbox", { name: "Commands" });
    await commands.getByRole("option", { name: /^\/go_on_/ }).waitFor();
    const [shown, needed] = await commands.evaluate(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth]);
    assert.ok(needed <= shown, `it is ${needed} wide in ${shown}`);
  });

  check("B6b lists, quotes and tables run as their script does, and so does what is written", wordy, async ({ ui }) => {
    await beginWordy(ui);
    await ui.keyboard.type("שלום");
    const way = (locator) => locator.evaluate((node) => getComputedStyle(node).direction);
    const ways = { message: await way(ui.message) };
    await ui.keyboard.press("Enter");
    await ui.ended("done");
    const said = ui.blocks("message");
    for (const name of ["ul", "ol", "blockquote", "table"]) {
      await said.locator(name).waitFor();
      ways[name] = await way(said.locator(name));
    }
    assert.deepEqual(ways, { message: "rtl", ul: "rtl", ol: "rtl", blockquote: "rtl", table: "rtl" });
    const room = await said.locator("ul").evaluate((list) => {
      const { paddingLeft, paddingRight } = getComputedStyle(list);
      return { left: parseFloat(paddingLeft), right: parseFloat(paddingRight) };
    });
    assert.ok(room.left === 0 && room.right > 0, "its marks stand at its beginning");
  });

  check("B15c the error output is in colour, and is read from its end", wordy, async ({ ui }) => {
    await beginWordy(ui);
    await ui.openDetails("Stderr");
    await isReadFromItsEnd(ui.details.locator("pre"));
  });

  check("B15d so are the last words", wordy, async ({ ui, complaints }) => {
    await beginWordy(ui);
    complaints.allow(/50[24]|409/); // whoever asks an agent that is gone is told so
    await ui.say("/end");
    await isReadFromItsEnd(ui.raw.getByRole("article", { name: "Agent exited" }).locator("pre"));
  });
});
