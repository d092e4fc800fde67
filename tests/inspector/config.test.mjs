// Config: MCP servers and skills of a folder, by form and by JSON; what is on the disk each time.
import assert from "node:assert/strict";
import { describe } from "node:test";
import { ConfigPage } from "./config_page.mjs";
import { gate } from "./gate.mjs";
import { check, useBrowser } from "./stage.mjs";

useBrowser();

describe("config", { concurrency: 2 }, () => {
  check("B33 an MCP server is added by its form, mended as JSON, found after a reload, and deleted", async ({ ui, daemon }) => {
    const config = new ConfigPage(ui);
    await config.open();
    await ui.raw.getByText("No MCP servers for this folder yet.").waitFor();
    await config.button("Add MCP server").click();
    await config.type("Name", "files");
    await config.button("Save").click();
    const command = config.field("Command");
    await command.and(ui.raw.locator(":focus")).waitFor();
    assert.equal(await command.getAttribute("aria-invalid"), "true");
    await command.fill(`${daemon.work}/server`);
    await config.button("Look for it").click();
    await config.said(`There is no ${daemon.work}/server where the daemon runs.`);
    await config.button("Add argument").click();
    await config.type("Argument 1", "--all");
    await config.button("Add variable").click();
    await config.type("Name of variable 1", "KEY");
    const value = config.field("Value of KEY");
    await value.fill("a secret");
    assert.equal(await value.getAttribute("type"), "password");
    await config.button("Show value of KEY").click();
    await value.and(ui.raw.locator("[type=text]")).waitFor();
    await config.save("files");
    const entry = { type: "local", command: `${daemon.work}/server`, args: ["--all"], env: { KEY: "a secret" } };
    assert.deepEqual(await config.written(), { files: entry });

    await config.choose("files");
    await config.view("JSON");
    const text = await config.json.inputValue();
    assert.deepEqual(JSON.parse(text), entry);
    const broken = text.replace('"command"', '"timeoutMs": 5000\n  "command"');
    await config.json.fill(broken);
    const where = ui.raw.getByText("Line 4, column 3: A comma or the closing } is missing before this.");
    await where.waitFor();
    await config.badLine(4);
    assert.equal(await ui.raw.locator(".json-edit-lines li").count(), broken.split("\n").length, "what is there is numbered");
    assert.equal(await config.json.getAttribute("aria-invalid"), "true");
    await config.button("Save").click();
    await config.json.and(ui.raw.locator(":focus")).waitFor();
    const caret = await config.json.evaluate((area) => area.selectionStart);
    assert.equal(caret, broken.indexOf('"command"'), "who wants to save is led there");
    assert.deepEqual(await config.written(), { files: entry }, "nothing wrong is written");
    await config.json.fill(text.replace('"command"', '"timeoutMs": 5000,\n  "command"'));
    await where.waitFor({ state: "hidden" });
    await config.save("files");
    assert.deepEqual(await config.written(), { files: { ...entry, timeoutMs: 5000 } });

    await ui.reload();
    await config.choose("files");
    await config.holds("Time limit (ms)", "5000");
    assert.equal(await config.field("Value of KEY").getAttribute("type"), "password");
    await config.button("Delete").click();
    const dialog = ui.raw.getByRole("dialog", { name: "Delete “files”?" });
    await dialog.getByRole("button", { name: "Keep it" }).click();
    await config.button("Delete").click();
    await dialog.getByRole("button", { name: "Delete it" }).click();
    await config.said("Deleted “files”.");
    await config.names.first().waitFor({ state: "detached" });
    assert.deepEqual(await config.written(), {});
    await ui.raw.getByRole("link", { name: config.file }).waitFor();
  });

  check("B33b a remote server keeps what the form does not touch; what the daemon refuses is said at its line", async (stage) => {
    const { ui, complaints } = stage;
    const config = new ConfigPage(ui);
    await config.write(JSON.stringify({ far: { type: "sse", url: "https://far.example/", headers: { A: "1" }, enabled: false } }));
    await config.open();
    await config.choose("far");
    await config.holds("Transport", "sse");
    await config.field("URL").fill("https://nearer.example/");
    await config.field("Variable with the bearer token").fill("TOKEN");
    await config.save("far");
    const entry = { type: "remote", transport: "sse", url: "https://nearer.example/", headers: { A: "1" }, enabled: false, bearerTokenEnvVar: "TOKEN" };
    assert.deepEqual(await config.written(), { far: entry });

    await config.choose("far");
    await config.view("JSON");
    complaints.allow(/422/);
    await config.json.fill('{\n  "type": "http",\n  "url": " ",\n  "transport": "sse",\n  "colour": "red"\n}');
    await ui.raw.getByText("The daemon does not know colour, and does not keep it.").waitFor();
    await config.button("Save").click();
    await ui.raw.getByText(/^Line 3, column 10: 'url' must name a server; it is blank\.$/).waitFor();
    await config.badLine(3);
    await config.json.fill('{\n  "type": "http",\n  "url": "u",\n  "headers": {"A": 1}\n}');
    await config.view("Form");
    await ui.raw.getByText(/^Line 4, column 20: 'headers\.A' must be a string\.$/).waitFor();
    await config.json.waitFor(); // the form cannot show it
    assert.deepEqual(await config.written(), { far: entry });
    await config.json.fill('{"type": "http", "url": "u"}');
    await config.view("Form");
    await config.holds("URL", "u");
    await config.save("far");
    assert.deepEqual(await config.written(), { far: { type: "remote", url: "u", transport: "http" } });
  });

  check("B33c a set of skills is added, edited and deleted the same way", async ({ ui }) => {
    const config = new ConfigPage(ui, "skills");
    await config.open();
    await config.button("Add set of skills").click();
    await config.type("Name", "review");
    await config.field("Source").fill("owner/skills");
    await config.button("Add skill").click();
    await config.type("Skill 1", "tidy");
    await config.save("review");
    const source = { type: "github", source: "owner/skills", skills: ["tidy"] };
    assert.deepEqual(await config.written(), { review: { sources: [source] } });
    await ui.reload();
    await config.choose("review");
    await config.view("JSON");
    await config.json.fill('{"sources": [\n  {"type": "local"}\n]}');
    await ui.raw.getByText("Line 2, column 3: 'sources[0].source' must be there.").waitFor();
    await config.json.fill('{"sources": [\n  {"type": "local", "source": "/skills", "ref": "main"}\n]}');
    await config.save("review");
    assert.deepEqual(await config.written(), { review: { sources: [{ type: "local", source: "/skills", ref: "main" }] } });
    await config.button("Delete").click();
    await ui.raw.getByRole("dialog").getByRole("button", { name: "Delete it" }).click();
    await config.said("Deleted “review”.");
    assert.deepEqual(await config.written(), {});
    await config.button("Add set of skills").click();
    await config.button("Add source").click();
    await config.button("Remove source 2").waitFor(); // what is looked at in the end
  });

  check("B33d what is not saved is not lost by accident", async ({ ui, daemon, complaints }) => {
    const config = new ConfigPage(ui);
    await config.write(JSON.stringify({ one: { type: "local", command: "a" }, two: { type: "local", command: "b" } }));
    await ui.open();
    await ui.raw.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Config" }).click();
    await config.choose("one");
    await config.change("Command", "changed");
    const stay = async () => {
      await config.leaving.getByRole("button", { name: "Keep editing" }).click();
      await config.leaving.waitFor({ state: "detached" });
    };
    await ui.raw.getByRole("navigation", { name: "Sections" }).getByRole("link", { name: "Chat" }).click();
    await stay();
    await config.names.filter({ hasText: "two" }).click();
    await stay();
    await ui.raw.getByRole("tab", { name: "Skills" }).click();
    await stay();
    await ui.raw.getByRole("heading", { level: 1 }).click();
    await Promise.all(["g", "l"].map((key) => ui.keyboard.press(key))); // the first counts for a moment only
    await stay();
    await ui.raw.evaluate(() => history.back());
    await stay();
    await ui.raw.waitForURL(/\/ui\/config/);
    complaints.allow(/a dialog/);
    const asked = ui.raw.waitForEvent("dialog");
    await ui.raw.evaluate(() => setTimeout(() => location.reload()));
    assert.equal((await asked).type(), "beforeunload");
    await config.holds("Command", "changed");
    assert.deepEqual((await config.written()).one.command, "a");

    await config.write(JSON.stringify({ one: { type: "local", command: "elsewhere" } }));
    await config.button("Save").click();
    await ui.raw.getByRole("alert").filter({ hasText: "Somebody changed it in the file meanwhile" }).waitFor();
    assert.equal((await config.written()).one.command, "elsewhere");
    await config.save("one");
    assert.equal((await config.written()).one.command, "changed");
    await config.choose("one");
    await config.change("Command", "thrown away");
    await ui.raw.getByRole("tab", { name: "Skills" }).click();
    await config.leaving.getByRole("button", { name: "Discard changes" }).click();
    await ui.raw.getByText("No skills for this folder yet.").waitFor();
    assert.equal(new URL(ui.raw.url()).pathname, "/ui/config/skills");
    assert.equal(new URL(ui.raw.url()).searchParams.get("folder"), daemon.work);
  });

  check("B33i what is written while it is saved stays, and can be saved on leaving", async ({ ui }) => {
    const config = new ConfigPage(ui);
    await config.write(JSON.stringify({ one: { type: "local", command: "a" }, two: { type: "local", command: "b" } }));
    await config.open();
    await config.choose("one");
    await config.field("Command").fill("first");
    const held = gate();
    await ui.raw.route(/\/config\/mcp\?/, async (request) => {
      if (request.request().method() === "GET") await held.passed;
      await request.continue();
    });
    await config.button("Save").click();
    await config.button("Saving …").waitFor();
    await config.field("Command").fill("second");
    held.open();
    await config.said("Saved “one”.");
    await config.button("Save").waitFor();
    await config.holds("Command", "second");
    assert.equal((await config.written()).one.command, "first");
    await ui.raw.getByText("Unsaved changes").waitFor();
    await config.isGuarded();
    await config.names.filter({ hasText: "two" }).click();
    await config.leaving.getByRole("button", { name: "Save and leave" }).click();
    await config.editor("two").waitFor();
    assert.equal((await config.written()).one.command, "second");
    await config.change("Command", "");
    await ui.raw.getByRole("tab", { name: "Skills" }).click();
    await config.leaving.getByRole("button", { name: "Save and leave" }).click();
    await config.field("Command").and(ui.raw.locator(":focus")).waitFor(); // what cannot be saved is not left
    assert.equal((await config.written()).two.command, "b");
  });

  check("B33e a file that is broken on the disk says so in the daemon's words, and is never written", async (stage) => {
    const { ui, complaints } = stage;
    const config = new ConfigPage(ui);
    complaints.allow(/409/);
    await config.write('{\n  "a": {"type": "local"\n}');
    await config.open();
    const alert = ui.raw.getByRole("alert").filter({ hasText: `Repair or remove '${config.file}': it is not JSON.` });
    await alert.waitFor();
    await alert.getByText("It goes wrong at line 3, column 2.").waitFor();
    assert.match(await alert.getByRole("link").getAttribute("href"), /^\/ui\/files\?path=\/.*\/mcp\.json$/);
    await config.write('{"a": {"type": "local", "command": 7}}');
    await alert.getByRole("button", { name: "Retry" }).click();
    await config.names.filter({ hasText: "a" }).click();
    await ui.raw.getByText(/has an entry 'a' of a wrong shape/).waitFor();
    await config.json.fill('{"type": "local", "command": "seven"}');
    await config.save("a");
    assert.deepEqual(await config.written(), { a: { type: "local", command: "seven" } });
  });
});
