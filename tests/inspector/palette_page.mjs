// The palette, as somebody meets it.
export class PalettePage {
  constructor(ui) {
    this.ui = ui;
    this.dialog = ui.raw.getByRole("dialog", { name: "Search" });
    this.field = this.dialog.getByRole("combobox", { name: "Search" });
    this.chosen = this.dialog.getByRole("option", { selected: true });
  }

  async open() {
    await this.ui.keyboard.press("Control+k");
    await this.field.and(this.ui.raw.locator(":focus")).waitFor();
  }

  option(name) {
    return this.dialog.getByRole("option", { name });
  }

  group(name) {
    return this.dialog.getByRole("group", { name, exact: true });
  }

  // Writes it, and runs the best of what was found, which must be so.
  async run(words, name) {
    await this.open();
    await this.ui.keyboard.type(words);
    await this.chosen.filter({ hasText: name }).waitFor();
    await this.ui.keyboard.press("Enter");
    await this.dialog.waitFor({ state: "detached" });
  }
}
