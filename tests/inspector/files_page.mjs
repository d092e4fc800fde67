// The Files screen as somebody meets it: by roles and names.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

export class FilesPage {
  constructor(ui) {
    Object.assign(this, { ui, raw: ui.raw });
    this.tree = ui.raw.getByRole("tree", { name: "Files" });
    this.filter = ui.raw.getByRole("searchbox", { name: "Filter names" });
    this.said = ui.raw.getByRole("status", { name: "Files", exact: true });
    this.path = ui.raw.getByRole("navigation", { name: "Path" });
    this.problem = ui.raw.getByRole("main").getByRole("alert");
    this.dialog = ui.raw.getByRole("dialog");
  }

  async open(path) {
    await this.ui.open(`/ui/files${path === undefined ? "" : `?path=${encodeURIComponent(path)}`}`);
    await this.tree.waitFor();
  }

  // A file or folder in the tree, by the beginning of its name.
  row(name) {
    return this.tree.getByRole("treeitem", { name: new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")} ?(,|$)`) });
  }

  async choose(name) {
    await this.row(name).click();
    await this.shown(name);
  }

  // What the pane is about.
  async shown(name) {
    await this.raw.getByRole("heading", { level: 2, name, exact: true }).waitFor();
  }

  // The address names it, and the screen has heard of that.
  async at(path) {
    await this.raw.waitForURL((url) => url.searchParams.get("path") === path);
    await this.raw.waitForFunction((path) => {
      const here = document.querySelector('nav[aria-label="Path"] a[aria-current="page"]');
      return here !== null && new URL(here.href).searchParams.get("path") === path;
    }, path);
  }

  content(name) {
    return this.raw.getByRole("group", { name: `Content of ${name}` });
  }

  editor(name) {
    return this.raw.getByRole("textbox", { name: `Text of ${name}` });
  }

  async make(kind, name) {
    await this.ui.button(`New ${kind}`).click();
    await this.raw.getByRole("textbox", { name: "Name" }).fill(name);
    await this.raw.keyboard.press("Enter");
    await this.dialog.waitFor({ state: "hidden" });
  }

  // Files as the browser gives them when they are dropped from the desktop.
  async drop(...files) {
    const data = await this.raw.evaluateHandle((all) => {
      const carried = new DataTransfer();
      for (const { name, text } of all) carried.items.add(new File([text], name));
      return carried;
    }, files);
    await this.tree.dispatchEvent("dragover", { dataTransfer: data });
    await this.raw.getByText(/^Drop to upload to/).waitFor();
    await this.tree.dispatchEvent("drop", { dataTransfer: data });
  }

  // By the button: [{ name, text }]
  async upload(...files) {
    const asked = this.raw.waitForEvent("filechooser");
    await this.ui.button("Upload files").click();
    await (await asked).setFiles(files.map(({ name, text }) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) })));
  }

  // The bytes that the browser keeps.
  async download() {
    const began = this.raw.waitForEvent("download");
    await this.ui.button("Download").click();
    const download = await began;
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  }

  async names() {
    return (await this.tree.getByRole("treeitem").allTextContents()).map((name) => name.split(",")[0]);
  }

  // All that are in the page, when they are so.
  async shows(expected) {
    let names;
    for (const end = performance.now() + this.ui.stage.patience; performance.now() < end; ) {
      names = await this.names();
      if (JSON.stringify(names) === JSON.stringify(expected)) return;
    }
    assert.deepEqual(names, expected);
  }

  async hasFocus(locator, what) {
    await locator.and(this.raw.locator(":focus")).waitFor().catch(() => assert.fail(`${what} has no focus`));
  }

  // The keys are on this row.
  async isActive(name) {
    await this.raw.waitForFunction((name) => {
      const tree = document.querySelector('[role="tree"][aria-label="Files"]');
      const row = document.getElementById(tree.getAttribute("aria-activedescendant"));
      return row?.textContent.split(",")[0] === name;
    }, name);
  }
}
