// The inspector as somebody meets it: by roles and names. Nothing here knows how the page is made.
import assert from "node:assert/strict";

export class InspectorPage {
  // raw: Playwright's page
  constructor(raw, stage, complaints) {
    Object.assign(this, { raw, stage, complaints, context: raw.context(), keyboard: raw.keyboard });
    this.daemonState = raw.getByRole("status", { name: "Daemon" });
    this.streamState = raw.getByRole("status", { name: "Stream" });
    this.sessions = raw.getByRole("navigation", { name: "Sessions" });
    this.newSession = raw.getByRole("dialog", { name: "New session" });
    this.conversation = raw.getByRole("log", { name: "Conversation" });
    this.message = raw.getByRole("textbox", { name: "Message" });
    this.plan = raw.getByRole("region", { name: "Plan" });
    this.permission = raw.getByRole("alertdialog", { name: /^Permission: / });
    this.queue = raw.getByRole("list", { name: "Queued messages" });
    this.details = raw.getByRole("complementary", { name: "Details" });
    this.trace = raw.getByRole("table", { name: "Trace" }).or(raw.getByRole("grid", { name: "Trace" }));
    this.tokenNeeded = raw.getByRole("dialog", { name: "Token needed" });
  }

  // Its whole name, or a pattern.
  button(name) {
    return this.raw.getByRole("button", { name, exact: true });
  }

  // --- places ---

  async open(place = "/ui/") {
    await this.raw.goto(this.stage.origin + place);
    await this.daemonState.filter({ hasText: /^\W*healthy/ }).waitFor();
  }

  async reload() {
    await this.raw.reload();
    await this.daemonState.filter({ hasText: /^\W*healthy/ }).waitFor();
  }

  // Opens the page and starts a session with the demo agent, by two keys.
  async begin() {
    await this.open();
    await this.startSession();
  }

  async startSession() {
    await this.keyboard.press("n");
    await this.startDefault();
  }

  // What the dialog proposes, once it has the focus.
  async startDefault() {
    await this.newSession.getByRole("radio", { checked: true }).and(this.raw.locator(":focus")).waitFor();
    await this.newSession.getByRole("button", { name: "Start", disabled: false }).waitFor();
    await this.keyboard.press("Enter");
    await this.raw.waitForURL(/\/ui\/s\/[^/]+\/[^/]+/);
    await this.composing();
  }

  // In the dialog, which is open. Enter starts it then.
  async choose(agent) {
    const radio = this.newSession.getByRole("radio", { name: agent });
    await radio.press("Space");
    await this.newSession.getByRole("radio", { name: agent, checked: true }).waitFor();
  }

  // The same when a key would be typed into the composer.
  async startSessionByButton() {
    const before = this.raw.url();
    await this.sessions.getByRole("button", { name: "New session" }).click();
    await this.startDefault();
    await this.raw.waitForURL((url) => url.href !== before);
    await this.shows();
    await this.composing();
  }

  // Until the session of this address is what is drawn: the address is another before the page is.
  async shows(place = this.place) {
    await this.sessions.locator(`a[href="${place}"][aria-current="page"]`).waitFor({ state: "attached" });
  }

  // Of the session that is shown, by its address: /ui/s/<server>/<session>.
  get place() {
    return new URL(this.raw.url()).pathname;
  }

  get serverId() {
    return decodeURIComponent(this.place.split("/")[3]);
  }

  // --- a conversation ---

  // The composer has the focus: whatever is typed goes there.
  async composing() {
    await this.message.and(this.raw.locator(":focus")).waitFor();
  }

  // Types it and sends it, when the composer has the focus. To a daemon that does not answer nothing is sent.
  async say(text) {
    await this.composing();
    await this.keyboard.type(text);
    await this.daemonState.filter({ hasText: /^\W*(healthy|restarted|slow)/ }).waitFor();
    await this.keyboard.press("Enter");
  }

  // Blocks of the conversation of one kind: user, message, tool, turn …
  blocks(kind) {
    return this.conversation.locator(`[data-block="${kind}"]`);
  }

  // The end of the nth turn that ended so: "done", "cancelled", "failed" …
  ended(word, nth = 1, options = {}) {
    return this.blocks("turn").filter({ hasText: word }).nth(nth - 1).waitFor(options);
  }

  // Until the card of a permission takes answers: at first it takes none.
  listening() {
    return this.permission.getByRole("button", { name: /^1/, disabled: false }).waitFor();
  }

  async ask(text, word = "done") {
    const blocks = this.conversation.locator("[data-block][data-turn]");
    const turns = await blocks.evaluateAll((rows) => rows.map((row) => Number(row.dataset.turn)));
    await this.say(text);
    const next = Math.max(0, ...turns) + 1; // rows far from the eye are not in the page
    await this.conversation.locator(`[data-block="turn"][data-turn="${next}"]`).filter({ hasText: word }).waitFor();
  }

  // Until the agent said it.
  hears(text) {
    return this.blocks("message").filter({ hasText: text }).last().waitFor();
  }

  // What user and agent said, without what changes with the time. What reads Markdown is there by then.
  async said() {
    await this.conversation.locator(".markdown-plain").first().waitFor({ state: "detached" });
    return this.#texts();
  }

  // The same, when it is as expected.
  async saysTheSame(expected) {
    await this.blocks("message").last().waitFor();
    let said;
    for (const end = performance.now() + this.stage.patience; performance.now() < end; ) {
      said = await this.#texts();
      if (JSON.stringify(said) === JSON.stringify(expected)) return;
      await this.raw.evaluate(() => new Promise(requestAnimationFrame));
    }
    assert.deepEqual(said, expected);
  }

  async #texts() {
    const blocks = this.conversation.locator('[data-block="user"], [data-block="message"]');
    return (await blocks.allInnerTexts()).map((text) => text.trim());
  }

  // The first message between agent and clients that is so, when it was said.
  async untilSaid(matches) {
    for (const end = performance.now() + this.stage.patience; performance.now() < end; ) {
      const found = (await this.stage.daemon.messages(this.serverId)).find(matches);
      if (found) return found;
    }
    throw new Error(`nobody said it: ${matches}`);
  }

  async draft() {
    return this.message.inputValue();
  }

  // Does it. Until these words were said, if only for a moment: whoever looks now and then may miss them.
  async saysBriefly(words, deed) {
    await this.raw.evaluate((words) => {
      globalThis.wasSaid = false;
      const isSaid = () => [...document.querySelectorAll("[role=status]")].some(({ textContent }) => textContent.includes(words));
      const look = () => (globalThis.wasSaid ||= isSaid());
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    }, words);
    await deed();
    await this.raw.waitForFunction(() => globalThis.wasSaid);
  }

  // --- the side ---

  async openDetails(tab) {
    const button = this.button("Details");
    if ((await button.getAttribute("aria-pressed")) === "false") await button.click();
    await this.details.getByRole("tab", { name: tab }).click();
    await this.details.getByRole("tab", { name: tab, selected: true }).waitFor();
  }

  // How many messages the Trace says it has, when it has that many.
  async traceCounts(expected) {
    const count = this.raw.locator("[data-count]").first();
    await count.waitFor();
    await this.raw
      .locator(`[data-count="${expected}"]`)
      .first()
      .waitFor()
      .catch(async () => assert.equal(await count.getAttribute("data-count"), String(expected)));
  }

  // The numbers of all rows of the Trace, in order. It is scrolled through, for only what is in sight exists.
  traceRows() {
    return this.trace.evaluate(async (table) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const scrolls = (node) => /auto|scroll/.test(getComputedStyle(node).overflowY) && node.scrollHeight > node.clientHeight;
      const candidates = [table, ...table.querySelectorAll("*")];
      for (let node = table.parentElement; node; node = node.parentElement) candidates.push(node);
      const pane = candidates.find(scrolls);
      const seen = new Map();
      const look = () => table.querySelectorAll("[data-seq]").forEach((row) => seen.set(row.dataset.seq, row.dataset.from));
      // While rows come, the table goes back to its end until it has heard that somebody scrolls.
      for (let tries = 0; tries === 0 || (pane?.scrollTop > 0 && tries < 100); ++tries) {
        if (pane) pane.scrollTop = 0;
        await frame();
      }
      look();
      while (pane && pane.scrollTop + pane.clientHeight < pane.scrollHeight - 1) {
        pane.scrollTop += pane.clientHeight / 2;
        await frame();
        look();
      }
      return [...seen].map(([seq, from]) => ({ seq, from }));
    });
  }

  // The Trace has every message the daemon tells of, once, in order.
  async traceIsWhole() {
    const messages = await this.stage.daemon.messages(this.serverId);
    await this.openDetails("Trace");
    await this.trace.waitFor();
    await this.traceCounts(messages.length);
    const rows = await this.traceRows();
    assert.deepEqual(rows, messages.map(({ seq, from }) => ({ seq, from })));
    return messages;
  }
}
