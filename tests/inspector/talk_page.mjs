// What one does beside the conversation: files for a message, sessions and their actions, what was changed; and another client of
// the same daemon.
import assert from "node:assert/strict";
import { eventually } from "./events.mjs";

export class TalkPage {
  constructor(ui) {
    Object.assign(this, { ui, raw: ui.raw });
    this.files = ui.raw.getByRole("listbox", { name: "Files" });
    this.attachments = ui.raw.getByRole("list", { name: "Attachments" });
    this.changed = ui.raw.getByRole("list", { name: "Changed files" });
  }

  // Until the composer holds exactly this.
  holds(text) {
    return eventually(async () => assert.equal(await this.ui.draft(), text));
  }

  // Until the browser keeps these words of what is being written over a reload, or no longer does.
  async keeps(words, expected = true) {
    const isSo = ([words, expected]) => (localStorage.getItem("sandbox-agent.composers") ?? "").includes(words) === expected;
    await this.raw.waitForFunction(isSo, [words, expected]);
  }

  // As if the clipboard had them: [{ name, type, base64 }].
  async paste(...files) {
    await this.#give("paste", files);
  }

  async drop(...files) {
    await this.#give("drop", files);
  }

  async #give(kind, files) {
    await this.ui.message.evaluate(
      (field, { kind, files }) => {
        const data = new DataTransfer();
        for (const { name, type, base64 } of files) {
          const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
          data.items.add(new File([bytes], name, { type }));
        }
        const init = { bubbles: true, cancelable: true };
        if (kind === "paste") field.dispatchEvent(new ClipboardEvent("paste", { ...init, clipboardData: data }));
        else field.closest("form").dispatchEvent(new DragEvent("drop", { ...init, dataTransfer: data }));
      },
      { kind, files },
    );
  }

  // The prompts that were sent in the session that is shown.
  async prompts() {
    const messages = await this.ui.stage.daemon.messages(this.ui.serverId);
    return messages.filter(({ message }) => message.method === "session/prompt").map(({ message }) => message.params.prompt);
  }

  session(title) {
    return this.ui.sessions.getByRole("listitem").filter({ hasText: title });
  }

  group(name) {
    return this.ui.sessions.locator("section").filter({ has: this.raw.getByRole("heading", { name }) });
  }

  async act(title, action) {
    await this.ui.button(`Actions for ${title}`).click();
    await this.raw.getByRole("menu", { name: `Actions for ${title}` }).getByRole("menuitem", { name: action, exact: true }).click();
  }

  async confirm(question, verb) {
    const dialog = this.raw.getByRole("dialog", { name: question });
    await dialog.getByRole("button", { name: verb, exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  }
}

// A program that uses the daemon, without any page.
export class Elsewhere {
  #nextId = 1;

  constructor(daemon, serverId) {
    Object.assign(this, { daemon, serverId });
  }

  async begin(agent = "demo") {
    await this.#ask("initialize", { protocolVersion: 1, clientInfo: { name: "a program", version: "1" } }, `?agent=${agent}`);
    const { result } = await this.#ask("session/new", { cwd: this.daemon.work, mcpServers: [] });
    this.sessionId = result.sessionId;
    return this;
  }

  // Does not wait for the answer.
  async prompt(text) {
    const params = { sessionId: this.sessionId, prompt: [{ type: "text", text }] };
    await this.#ask("session/prompt", params, "", { prefer: "respond-async" });
  }

  // The turn of a session that a page began.
  async cancel(sessionId) {
    await this.#say({ method: "session/cancel", params: { sessionId } });
  }

  #ask(method, params, query = "", headers = {}) {
    return this.#say({ id: `else-${this.#nextId++}`, method, params }, query, headers);
  }

  async #say(message, query = "", headers = {}) {
    const target = `/v1/acp/${this.serverId}${query}`;
    const json = JSON.stringify({ jsonrpc: "2.0", ...message });
    const options = { headers: { "content-type": "application/json", ...headers }, body: json };
    const { status, body } = await this.daemon.ask("POST", target, options);
    assert.ok(status < 300, `${message.method}: ${status} ${body}`);
    return body.length > 0 ? JSON.parse(body) : undefined;
  }
}
