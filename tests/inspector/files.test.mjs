// Files: tree, viewer, editor, and all that can be done with files. What the page says is compared with the disk.
import assert from "node:assert/strict";
import { mkdir, readFile, readdir, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe } from "node:test";
import { FilesPage } from "./files_page.mjs";
import { gate } from "./gate.mjs";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

const isThere = (file) => stat(file).then(() => true, () => false);

describe("files", { concurrency: 2 }, () => {
  check("B32 files are made, edited, uploaded, moved, downloaded and deleted, as the disk says", async ({ ui, daemon }) => {
    const { work } = daemon;
    const files = new FilesPage(ui);
    await files.open();
    await files.at(work);

    await files.make("folder", "notes");
    await files.at(path.join(work, "notes"));
    assert.ok((await stat(path.join(work, "notes"))).isDirectory());
    await files.make("file", "plan.md");
    await files.hasFocus(files.editor("plan.md"), "the editor");
    await ui.keyboard.type("# Plan\n\n- one\n");
    await ui.raw.getByText("not saved").waitFor();
    await ui.keyboard.press("Control+s");
    await ui.raw.getByText("saved", { exact: true }).waitFor();
    assert.equal(await readFile(path.join(work, "notes/plan.md"), "utf8"), "# Plan\n\n- one\n");
    await files.row("plan.md").getByText("14 B").waitFor();
    await ui.button("Close editor").click();
    await files.content("plan.md").getByText("# Plan").waitFor();

    await files.choose("notes");
    await files.drop({ name: "größe.txt", text: "dropped 1" }, { name: "two.txt", text: "dropped 2" });
    await files.row("two.txt").waitFor();
    await files.upload({ name: "three.txt", text: "chosen" });
    await files.row("three.txt").waitFor();
    assert.deepEqual((await readdir(path.join(work, "notes"))).sort(), ["größe.txt", "plan.md", "three.txt", "two.txt"]);
    assert.equal(await readFile(path.join(work, "notes/größe.txt"), "utf8"), "dropped 1");
    assert.equal(await readFile(path.join(work, "notes/three.txt"), "utf8"), "chosen");

    await files.upload({ name: "two.txt", text: "again" }, { name: "four.txt", text: "new" });
    await ui.raw.getByRole("dialog", { name: "Replace two.txt?" }).waitFor();
    assert.equal(await readFile(path.join(work, "notes/two.txt"), "utf8"), "dropped 2", "asked first");
    await ui.button("Upload only the other one").click();
    await files.row("four.txt").waitFor();
    assert.equal(await readFile(path.join(work, "notes/two.txt"), "utf8"), "dropped 2");
    await files.upload({ name: "two.txt", text: "again" });
    await ui.button("Replace").click();
    await files.said.filter({ hasText: "Uploaded two.txt" }).waitFor();
    assert.equal(await readFile(path.join(work, "notes/two.txt"), "utf8"), "again");

    await files.choose("two.txt");
    await ui.button("Rename or move").click();
    await ui.raw.getByRole("textbox", { name: "New path" }).fill(path.join(work, "deep/er/moved.txt"));
    await ui.keyboard.press("Enter");
    await files.at(path.join(work, "deep/er/moved.txt"));
    await files.row("moved.txt").waitFor();
    await files.row("two.txt").waitFor({ state: "hidden" });
    await files.hasFocus(files.tree, "the tree");
    assert.equal(await readFile(path.join(work, "deep/er/moved.txt"), "utf8"), "again");
    assert.equal(await isThere(path.join(work, "notes/two.txt")), false);
    const { name, bytes } = await files.download();
    assert.deepEqual([name, bytes.toString()], ["moved.txt", "again"]);

    await ui.button("Delete").click();
    await ui.raw.getByRole("dialog", { name: "Delete moved.txt?" }).getByRole("button", { name: "Delete" }).click();
    await files.at(path.join(work, "deep/er"));
    await files.hasFocus(files.tree, "the tree");
    assert.equal(await isThere(path.join(work, "deep/er/moved.txt")), false);
    await files.choose("notes");
    await ui.button("Delete").click();
    await ui.raw.getByText("with everything in it").waitFor();
    await ui.button("Delete folder").click();
    await files.row("notes").waitFor({ state: "hidden" });
    assert.deepEqual(await readdir(work), ["deep"]);
    await files.shows(["project", "deep", "er", "Nothing in it"]); // what was open stays open
  });

  check("B32b a file that changed meanwhile is not overwritten without a word, and nothing unsaved is left so", async (stage) => {
    const { ui, daemon, complaints } = stage;
    const file = path.join(daemon.work, "a.txt");
    await writeFile(file, "one\r\ntwo\r\n");
    await writeFile(path.join(daemon.work, "b.txt"), "other");
    complaints.allow(/412/, /a dialog/);
    const files = new FilesPage(ui);
    await files.open(daemon.work);
    await files.choose("a.txt");
    await ui.button("Edit").click();
    const editor = files.editor("a.txt");
    await editor.fill("one\ntwo\nmine\n");
    await writeFile(file, "one\r\ntheirs\r\n");
    await ui.keyboard.press("Control+s");
    await files.problem.filter({ hasText: "changed since it was opened" }).waitFor();
    assert.equal(await readFile(file, "utf8"), "one\r\ntheirs\r\n");
    await ui.button("Show what is there now").click();
    const diff = ui.raw.getByRole("figure", { name: `Changes in ${file}` });
    await diff.locator("del").filter({ hasText: "theirs" }).waitFor();
    await diff.locator("ins").filter({ hasText: "mine" }).waitFor();

    await writeFile(file, "third");
    await ui.button("Overwrite").click();
    await diff.waitFor({ state: "hidden" });
    await files.problem.filter({ hasText: "changed since it was opened" }).waitFor();
    assert.equal(await readFile(file, "utf8"), "third", "only over what was shown");
    await ui.button("Overwrite").click();
    await ui.raw.getByText("saved", { exact: true }).waitFor();
    assert.equal(await readFile(file, "utf8"), "one\r\ntwo\r\nmine\r\n", "line ends as they were");

    await editor.press("End");
    await ui.keyboard.type("more");
    await files.row("b.txt").click();
    const leave = ui.raw.getByRole("dialog", { name: "Unsaved changes" });
    await leave.getByRole("button", { name: "Keep editing" }).click();
    await files.at(file);
    assert.match(await editor.inputValue(), /more/);
    await ui.raw.evaluate(() => history.back());
    await leave.waitFor();
    await ui.keyboard.press("Escape");
    await files.at(file);
    const asked = ui.raw.waitForEvent("dialog");
    await ui.raw.evaluate(() => void setTimeout(() => location.reload()));
    assert.equal((await asked).type(), "beforeunload");
    await files.row("b.txt").click();
    await leave.getByRole("button", { name: "Save and leave" }).click();
    await files.shown("b.txt");
    assert.match(await readFile(file, "utf8"), /more/);
    await ui.button("Edit").click();
    await files.editor("b.txt").fill("dropped");
    await ui.button("Close editor").click();
    await leave.getByRole("button", { name: "Discard changes" }).click();
    await files.content("b.txt").getByText("other").waitFor();
    assert.equal(await readFile(path.join(daemon.work, "b.txt"), "utf8"), "other");
  });

  check("B32f Back goes on where it was meant to after its question, and stays where it was without", async ({ ui, daemon }) => {
    const [a, b] = ["a.txt", "b.txt"].map((name) => path.join(daemon.work, name));
    for (const file of [a, b]) await writeFile(file, "text");
    const files = new FilesPage(ui);
    await files.open(daemon.work);
    await files.choose("a.txt");
    await files.choose("b.txt");
    await ui.button("Edit").click();
    await files.editor("b.txt").fill("changed");
    await ui.raw.getByText("not saved").waitFor();
    const back = () => ui.raw.evaluate(() => history.back());
    const leave = ui.raw.getByRole("dialog", { name: "Unsaved changes" });
    await back();
    await leave.getByRole("button", { name: "Keep editing" }).click();
    await files.at(b);
    assert.equal(await files.editor("b.txt").inputValue(), "changed");
    await back();
    await leave.getByRole("button", { name: "Discard changes" }).click();
    await files.at(a);
    await files.shown("a.txt");
    await ui.raw.evaluate(() => history.forward());
    await files.shown("b.txt");
    await ui.button("Edit").click();
    await files.editor("b.txt").fill("kept");
    await ui.raw.getByText("not saved").waitFor();
    await back();
    await leave.getByRole("button", { name: "Save and leave" }).click();
    await files.shown("a.txt");
    assert.equal(await readFile(b, "utf8"), "kept");
    await back();
    await files.at(daemon.work);
    await files.shown(path.basename(daemon.work));
  });

  check("B32g what is left cannot be edited while the next is read", async ({ ui, daemon }) => {
    for (const name of ["a.txt", "b.txt"]) await writeFile(path.join(daemon.work, name), "text");
    const files = new FilesPage(ui);
    await files.open(daemon.work);
    await files.choose("a.txt");
    const held = gate();
    await ui.raw.route(/\/fs\/stat\?.*b\.txt/, async (request) => {
      await held.passed;
      await request.continue();
    });
    await files.row("b.txt").click();
    await files.at(path.join(daemon.work, "b.txt"));
    const { x, y, width, height } = await ui.button("Edit").boundingBox();
    await ui.raw.mouse.click(x + width / 2, y + height / 2);
    await ui.button("Edit").press("Enter");
    await files.content("a.txt").getByText("text").waitFor();
    assert.equal(await files.editor("a.txt").count(), 0);
    assert.equal(await ui.button("New file").getAttribute("aria-disabled"), "true", "where it would be made is not known");
    held.open();
    await files.shown("b.txt");
    await ui.button("Edit").click();
    await files.hasFocus(files.editor("b.txt"), "the editor");
  });

  check("B32h an upload goes on when Files is left, and is found again: to be cancelled, or why it failed", async (stage) => {
    const { ui, daemon, complaints } = stage;
    complaints.allow(/507/, /a dialog/);
    const files = new FilesPage(ui);
    await files.open(daemon.work);
    const isPut = (name) => new RegExp(`/fs/file\\?.*${name}`);
    const held = gate();
    const problem = { type: "urn:sandbox-agent:error:internal", code: "internal", title: "Full", status: 507, detail: "The disk is full." };
    await ui.raw.route(isPut("one"), async (request) => {
      await held.passed;
      await request.fulfill({ status: 507, contentType: "application/problem+json", body: JSON.stringify(problem) });
    });
    await files.upload({ name: "one.txt", text: "1" });
    await ui.raw.getByText(/^Uploading one\.txt to /).waitFor();
    await files.upload({ name: "two.txt", text: "2" });
    await ui.raw.getByText(/^Waiting to upload two\.txt to /).waitFor();
    const section = (name) => ui.raw.getByRole("navigation", { name: "Sections" }).getByRole("link", { name }).click();
    await section("Log");
    await ui.raw.getByRole("heading", { level: 1, name: "Log" }).waitFor();
    const asked = ui.raw.waitForEvent("dialog");
    await ui.raw.evaluate(() => void setTimeout(() => location.reload()));
    assert.equal((await asked).type(), "beforeunload");
    await section("Files");
    await ui.raw.getByText(/^Uploading one\.txt to /).waitFor();
    await section("Log");
    const answered = ui.raw.waitForResponse(isPut("two"));
    held.open();
    await answered;
    await section("Files");
    await files.row("two.txt").waitFor();
    await files.problem.filter({ hasText: "one.txt was not uploaded: The disk is full." }).waitFor();
    await ui.raw.unrouteAll();
    await ui.button("Retry").click();
    await files.row("one.txt").waitFor();
    await files.problem.filter({ hasText: "one.txt" }).waitFor({ state: "hidden" });

    await ui.raw.route(isPut("three"), () => {}); // nobody answers
    await files.upload({ name: "three.txt", text: "3" });
    await ui.raw.getByText(/^Uploading three\.txt to /).waitFor();
    await section("Log");
    await section("Files");
    await files.row("two.txt").waitFor();
    await ui.button("Cancel").click();
    await files.said.filter({ hasText: "The upload of three.txt was cancelled." }).waitFor();
    assert.deepEqual((await readdir(daemon.work)).sort(), ["one.txt", "two.txt"]);
  });

  check("B32c what fails says why where it failed, and nothing at a path leads to what is there", async (stage) => {
    const { ui, daemon, complaints } = stage;
    const { work } = daemon;
    await writeFile(path.join(work, "a.txt"), "text");
    complaints.allow(/40[0349]|412/);
    const files = new FilesPage(ui);
    await files.open(path.join(work, "gone/deeper/x.txt"));
    await ui.raw.getByRole("heading", { name: "There is nothing at this path" }).waitFor();
    await files.problem.getByRole("link", { name: `Go to ${work}` }).click();
    await files.at(work);

    await ui.button("New folder").click();
    const name = ui.raw.getByRole("textbox", { name: "Name" });
    await name.fill("x".repeat(300));
    await ui.keyboard.press("Enter");
    await files.dialog.getByRole("alert").filter({ hasText: /too long/i }).waitFor();
    await name.fill("a.txt/below");
    await ui.keyboard.press("Enter");
    await files.dialog.getByRole("alert").filter({ hasNotText: /too long/i }).waitFor();
    assert.deepEqual(await readdir(work), ["a.txt"]);
    await ui.keyboard.press("Escape");
    await ui.button("New file").click();
    await name.fill("a.txt");
    await ui.keyboard.press("Enter");
    await files.dialog.getByRole("alert").waitFor();
    assert.equal(await readFile(path.join(work, "a.txt"), "utf8"), "text");
    await ui.keyboard.press("Escape");

    await files.choose("a.txt");
    await mkdir(path.join(work, "taken"));
    await ui.button("Rename or move").click();
    await ui.raw.getByRole("textbox", { name: "New path" }).fill("taken");
    await ui.keyboard.press("Enter");
    await ui.button("Replace what is there").click();
    await files.at(path.join(work, "taken"));
    assert.equal(await readFile(path.join(work, "taken"), "utf8"), "text");

    await ui.button("Edit path").click();
    await ui.raw.getByRole("textbox", { name: "Path" }).fill(path.join(work, "taken/below"));
    await ui.keyboard.press("Enter");
    await files.problem.waitFor();
    await ui.raw.goBack();
    await files.shown("taken");
  });

  check("B32d the tree is walked by keys, filtered, and quick with thousands of names; what is no text is shown as what it is", async (stage) => {
    const { ui, daemon } = stage;
    const { work } = daemon;
    await mkdir(path.join(work, "many"));
    await Promise.all(Array.from({ length: 3000 }, (_, at) => writeFile(path.join(work, "many", `f${at}`), "")));
    await mkdir(path.join(work, "inner"));
    await writeFile(path.join(work, "inner", "in.ts"), "const a: number = 1;\n");
    await writeFile(path.join(work, ".hidden"), "h");
    await symlink("inner", path.join(work, "link"));
    const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    await writeFile(path.join(work, "dot.png"), Buffer.from(dot, "base64"));
    await writeFile(path.join(work, "odd.bin"), Buffer.from([0, 255, 65, 66]));
    await writeFile(path.join(work, "large.txt"), "0123456789 abcdefgh\n".repeat(150_000));
    await writeFile(path.join(work, "long.txt"), Array.from({ length: 20_000 }, (_, at) => `line ${at + 1}`).join("\n"));
    const files = new FilesPage(ui);
    await files.open();
    await files.row(".hidden").waitFor();
    assert.deepEqual((await files.names()).slice(0, 4), ["project", "inner", "many", ".hidden"]);
    await files.tree.focus();
    for (const key of ["Home", "ArrowDown", "ArrowRight"]) await ui.keyboard.press(key);
    await files.row("in.ts").waitFor();
    await ui.keyboard.press("ArrowRight");
    await files.isActive("in.ts");
    await ui.keyboard.press("Enter");
    await files.at(path.join(work, "inner/in.ts"));
    await files.content("in.ts").locator(".code-keyword").first().waitFor();
    await files.hasFocus(files.tree, "the tree");
    for (const key of ["ArrowLeft", "ArrowLeft"]) await ui.keyboard.press(key);
    await files.row("in.ts").waitFor({ state: "hidden" });
    await ui.keyboard.press("ArrowDown");
    await ui.keyboard.press("ArrowRight");
    await files.row("f0").waitFor();
    assert.ok((await files.names()).length < 100, "only what is in sight exists");
    await ui.keyboard.press("End");
    await files.row("odd.bin").waitFor();
    await files.filter.fill("F2999");
    await files.row("f2999").waitFor();
    await files.shows(["project", "many", "f2999"]);
    await files.filter.fill("nobody");
    await ui.button("Clear filter").click();
    await files.tree.press("Home");
    await files.tree.press("ArrowDown");
    await files.tree.press("ArrowDown");
    await files.tree.press("ArrowLeft");

    await files.tree.getByRole("treeitem", { name: /^link ?, link to inner/ }).waitFor();
    await files.choose("dot.png");
    await ui.raw.getByText("1 × 1").waitFor();
    await files.choose("odd.bin");
    await ui.raw.getByRole("group", { name: "Bytes" }).filter({ hasText: /00 ff 41 42\s*··AB/ }).waitFor();
    await files.choose("large.txt");
    await ui.raw.getByText(/Too large to show whole \(3 MB\)/).waitFor();
    assert.equal((await files.download()).bytes.length, 3_000_000);
    await files.choose("long.txt");
    await ui.raw.getByText("20,000 lines").waitFor();
    assert.ok((await ui.raw.locator("*").count()) < 3000);
    await files.content("long.txt").press("Control+End");
    await ui.raw.getByText("line 20000").waitFor();
    await files.row("link").click();
    await files.at(path.join(work, "link"));
    await files.row("in.ts").waitFor();
  });

  check("B32e on a phone the file takes the place of the tree; beside a conversation there is the tree of its folder", async (stage) => {
    const { ui, daemon } = stage;
    await writeFile(path.join(daemon.work, "a.txt"), "text");
    const files = new FilesPage(ui);
    await ui.begin();
    await ui.openDetails("Files");
    await files.row("a.txt").click();
    await files.shown("a.txt");
    await ui.raw.setViewportSize({ width: 320, height: 700 });
    await files.tree.waitFor({ state: "hidden" });
    await files.content("a.txt").getByText("text").waitFor();
    await ui.raw.getByRole("link", { name: "Back to folder" }).waitFor();
    const fits = () =>
      ui.raw.waitForFunction(() => {
        const main = document.querySelector("main");
        return main.scrollWidth <= main.clientWidth && main.clientWidth <= 320;
      });
    await fits();
    await ui.raw.getByRole("link", { name: "Back to folder" }).click();
    await files.hasFocus(files.tree, "the tree");
    await fits();
    await ui.button("New folder").waitFor();
    await files.row("a.txt").click();
    await files.hasFocus(ui.raw.getByRole("heading", { name: "a.txt" }), "the name of the file");
  });

  const touched = { viewport: { width: 390, height: 844 }, profile: { hasTouch: true, isMobile: true } };
  check("B32i for fingers the way to a folder is one line of text, and its steps are large enough", touched, async ({ ui, daemon }) => {
    const folder = path.join(daemon.work, "in", "it");
    await mkdir(folder, { recursive: true });
    await ui.open(`/ui/files?path=${encodeURIComponent(folder)}`);
    const steps = ui.raw.getByRole("navigation", { name: "Path" }).getByRole("listitem");
    await steps.last().filter({ hasText: "it" }).waitFor();
    const heights = await steps.evaluateAll((items) =>
      items.map((item) => [item.offsetHeight, item.querySelector("a").offsetHeight].map(Math.round)),
    );
    for (const [item, link] of heights) assert.deepEqual([link >= 44, item], [true, link], "the slash is beside its name");
  });
});
