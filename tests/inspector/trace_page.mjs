// The Trace screen as somebody meets it: the table with its filters, files, the box for sending.
import assert from "node:assert/strict";

export class TracePage {
  constructor(ui) {
    this.ui = ui;
    this.raw = ui.raw;
    this.search = this.raw.getByRole("searchbox", { name: "Search in messages" });
    this.envelope = this.raw.getByRole("region", { name: "Envelope", exact: true });
    this.sendBox = this.raw.getByRole("region", { name: "Send envelope" });
    this.replayed = this.raw.getByRole("heading", { name: /^Replay of / });
  }

  async open(serverId = this.ui.serverId) {
    await this.ui.open(`/ui/trace/${encodeURIComponent(serverId)}`);
    await this.ui.trace.waitFor();
  }

  row(seq) {
    return this.ui.trace.locator(`[data-seq="${seq}"]`);
  }

  // So many rows are shown, of all messages.
  async shows(count) {
    await this.raw.locator(`[data-shown="${count}"]`).waitFor();
    await this.ui.trace.and(this.raw.locator(`[aria-rowcount="${count + 1}"]`)).waitFor();
  }

  async choose(label, value) {
    await this.raw.getByRole("combobox", { name: label, exact: true }).selectOption(value);
  }

  async clear() {
    await this.ui.button("Clear filter").first().click();
  }

  // The file that the button saves: its name and its lines.
  async saves(button) {
    const [download] = await Promise.all([this.raw.waitForEvent("download"), this.ui.button(button).click()]);
    const path = await download.path();
    return { name: download.suggestedFilename(), path };
  }

  async openFile(file) {
    const [chooser] = await Promise.all([
      this.raw.waitForEvent("filechooser"),
      this.ui.button("Open trace file").first().click(),
    ]);
    await chooser.setFiles(file);
  }

  // As a hand does it: drags a file over the screen, which is loaded by then, and lets it go.
  async dropFile(name, text) {
    await this.ui.button("Open trace file").first().waitFor();
    const transfer = await this.raw.evaluateHandle(
      ({ name, text }) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], name));
        return transfer;
      },
      { name, text },
    );
    const target = this.raw.getByRole("main").locator("h1");
    await target.dispatchEvent("dragover", { dataTransfer: transfer });
    await this.raw.getByText("Drop a trace file to replay it").waitFor();
    await target.dispatchEvent("drop", { dataTransfer: transfer });
  }

  // Of all rows, which are so many: number, who speaks, kind, method, and the message as it was on the wire. Each is opened.
  async rowsInFull(count) {
    await this.shows(count);
    const rows = [];
    await this.ui.trace.focus();
    const first = this.ui.trace.locator('[aria-rowindex="2"][aria-selected="true"]');
    for (let tries = 0; tries < 20 && !(await first.count()); ++tries) await this.raw.keyboard.press("Home"); // too early, it is lost
    await this.raw.keyboard.press("Enter");
    await this.raw.getByRole("tab", { name: "Raw" }).click();
    await this.raw.getByRole("tab", { name: "Raw", selected: true }).waitFor();
    await this.ui.trace.focus();
    for (let before; ; await this.raw.keyboard.press("ArrowDown")) {
      const row = await this.#opened(before);
      rows.push(row);
      before = row.seq;
      if (rows.length === count) return rows;
    }
  }

  #opened(before) {
    return this.raw
      .waitForFunction((before) => {
        const row = document.querySelector('[role="grid"] [aria-selected="true"]');
        const pane = document.querySelector('section[aria-label="Envelope"]');
        const text = pane?.querySelector("pre")?.textContent;
        const isShown = row && text !== undefined && pane.querySelector("h2").textContent.startsWith(`${row.dataset.seq} `);
        if (!isShown || row.dataset.seq === before) return undefined;
        const { seq, from, kind } = row.dataset;
        return { seq, from, kind, method: row.querySelector(".trace-method")?.textContent ?? "", text };
      }, before)
      .then((handle) => handle.jsonValue());
  }

  async schemaSays(words) {
    const line = this.envelope.locator("[data-schema] > span");
    await line
      .filter({ hasText: words })
      .waitFor()
      .catch(async () => assert.match(await line.innerText(), words));
  }
}
