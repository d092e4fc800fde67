// The Config screen as somebody meets it, and what the folder's files hold then.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { eventually } from "./events.mjs";

export class ConfigPage {
  // kind: "mcp" or "skills"
  constructor(ui, kind = "mcp") {
    Object.assign(this, { ui, kind, raw: ui.raw });
    this.folder = ui.stage.daemon.work;
    this.file = path.join(this.folder, ".sandbox-agent/config", `${kind}.json`);
    this.names = this.raw.getByRole("list", { name: kind === "mcp" ? "MCP servers" : "skills" }).getByRole("button");
    this.json = this.raw.getByRole("textbox", { name: "JSON", exact: true });
    this.leaving = this.raw.getByRole("dialog", { name: "Unsaved changes" });
  }

  open() {
    return this.ui.open(`/ui/config/${this.kind}?folder=${encodeURIComponent(this.folder)}`);
  }

  button(name) {
    return this.raw.getByRole("main").getByRole("button", { name, exact: true });
  }

  field(name) {
    return this.raw.getByRole("main").getByLabel(name, { exact: true });
  }

  // Into the field of that name, which has the focus by itself.
  async type(name, text) {
    await this.field(name).and(this.raw.locator(":focus")).waitFor();
    await this.ui.keyboard.type(text);
  }

  // Until the field of that name holds exactly this.
  holds(name, value) {
    return eventually(async () => assert.equal(await this.field(name).inputValue(), value));
  }

  // As by hand; whoever leaves now is asked.
  async change(name, value) {
    await this.field(name).fill(value);
    await this.isGuarded();
  }

  // Until the page would keep the browser from closing it.
  async isGuarded() {
    await this.raw.waitForFunction(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
  }

  editor(title) {
    return this.raw.getByRole("region", { name: title, exact: true });
  }

  // The entry of that name, opened.
  async choose(name) {
    await this.names.filter({ hasText: name }).click();
    await this.editor(name).waitFor();
  }

  view(name) {
    return this.raw.getByRole("tab", { name, exact: true }).click();
  }

  async save(name) {
    await this.button("Save").click();
    await this.said(`Saved “${name}”.`);
  }

  said(sentence) {
    return this.raw.getByRole("status").filter({ hasText: sentence }).waitFor();
  }

  // The line that is marked, by the number in front of it.
  badLine(number) {
    return this.raw.locator("[data-bad]").and(this.raw.getByText(`! ${number}`, { exact: true })).waitFor();
  }

  async written() {
    return JSON.parse(await readFile(this.file, "utf8"));
  }

  async write(text) {
    await mkdir(path.dirname(this.file), { recursive: true });
    await writeFile(this.file, text);
  }
}
