// The Trace: filters, search, pairs, schema, files that are replayed, envelopes by hand, the page's own requests.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "node:test";
import { fileURLToPath } from "node:url";
import { check, useBrowser } from "./stage.mjs";
import { TracePage } from "./trace_page.mjs";

useBrowser();

const agentFile = fileURLToPath(new URL("odd_agent.mjs", import.meta.url));
const odd = { flags: ["--agent", `odd=${process.execPath} ${agentFile}`] };

describe("trace", { concurrency: 2 }, () => {
  check("B29 filters and words pick messages, and a request is joined with its answer", async ({ ui, daemon }) => {
    await ui.begin();
    await ui.ask("/edit");
    await ui.ask("/error", "failed");
    const messages = await daemon.messages(ui.serverId);
    const trace = new TracePage(ui);
    await trace.open();
    await ui.traceCounts(messages.length);
    const shown = async (matches) => {
      const expected = messages.filter(matches).map(({ seq }) => seq);
      assert.ok(expected.length > 0 && expected.length < messages.length, "the filter must do something");
      await trace.shows(expected.length);
      assert.deepEqual(
        (await ui.traceRows()).map(({ seq }) => seq),
        expected,
      );
      await trace.clear();
    };
    const isRequest = ({ message }) => message.method !== undefined && message.id !== undefined;

    await trace.choose("Direction", "client");
    await shown(({ from }) => from === "client");
    await trace.choose("Kind", "request");
    await shown(isRequest);
    await trace.choose("Method", "session/update");
    await shown(({ message }) => message.method === "session/update");
    await ui.button("Errors only").click();
    await shown(({ message }) => message.error !== undefined);
    const second = messages.findIndex(({ message }) => JSON.stringify(message.params?.prompt ?? "").includes("/error"));
    await ui.raw.getByRole("button", { name: /^This turn/ }).click();
    await shown(({ seq }) => messages.findIndex((one) => one.seq === seq) >= second);

    await ui.keyboard.press("f");
    await trace.search.and(ui.raw.locator(":focus")).waitFor();
    await ui.keyboard.type("GREETING.py");
    const holds = ({ message }) => JSON.stringify(message).toLowerCase().includes("greeting.py");
    await trace.shows(messages.filter(holds).length);
    await ui.trace.locator("mark").first().waitFor();
    await ui.raw.getByText(`${messages.filter(holds).length} of ${messages.length} messages`).waitFor();
    await trace.choose("Direction", "daemon");
    await ui.raw.getByText("No message fits the filter.").waitFor();
    await trace.clear();
    await trace.shows(messages.length);

    const prompt = messages[second];
    const answer = messages.find(({ from, message }) => from === "agent" && message.id === prompt.message.id);
    await trace.row(prompt.seq).hover();
    await trace.row(answer.seq).and(ui.raw.locator("[data-pair]")).waitFor();
    await trace.row(prompt.seq).click();
    await trace.envelope.getByRole("button", { name: "Go to its answer" }).click();
    await trace.envelope.getByRole("heading", { name: `${answer.seq} session/prompt` }).waitFor();
    await trace.row(prompt.seq).and(ui.raw.locator("[data-pair]")).waitFor();
  });

  check("B29b an exported file, opened again, has the same rows and the same conversation, and sends nothing", async (stage) => {
    const { ui, daemon, context } = stage;
    await ui.begin();
    await ui.ask("/edit");
    const said = await ui.said();
    const { serverId } = ui;
    const trace = new TracePage(ui);
    await trace.open();
    const live = await trace.rowsInFull((await daemon.messages(serverId)).length);

    const file = await trace.saves("Export");
    assert.match(file.name, /^ui-mock.*\.ndjson$/);
    const [head, ...lines] = (await readFile(file.path, "utf8")).trimEnd().split("\n").map(JSON.parse);
    assert.deepEqual([head.sandboxAgentTrace, head.serverId, head.agent], [1, serverId, "mock"]);
    assert.equal(lines.length, live.length);
    await ui.button("Errors only").waitFor();
    await trace.choose("Kind", "request");
    const part = await trace.saves("Export shown");
    const requests = live.filter(({ kind }) => kind === "request").length;
    assert.equal((await readFile(part.path, "utf8")).trimEnd().split("\n").length, requests + 1);

    const before = (await daemon.instance(serverId)).lastEventId;
    const posts = [];
    context.on("request", (request) => request.method() !== "GET" && posts.push(request.url()));
    await trace.openFile(file.path);
    await trace.replayed.waitFor();
    await ui.raw.locator(`[data-played="${live.length}"]`).waitFor();
    assert.deepEqual(await trace.rowsInFull(live.length), live);
    await ui.saysTheSame(said);
    for (const name of ["Send", "Retry", "Restart", "Send envelope"]) assert.equal(await ui.button(name).count(), 0, name);

    // Played again: from the beginning, and faster; the slider goes anywhere.
    const position = ui.raw.getByRole("slider", { name: "Position" });
    await position.fill("3");
    await trace.shows(3);
    await ui.button("16×").click();
    await ui.button("Play").click();
    await ui.raw.locator(`[data-played="${live.length}"]`).waitFor();
    await ui.button("Play").waitFor();
    await ui.saysTheSame(said);
    assert.deepEqual(posts, []);
    assert.equal((await daemon.instance(serverId)).lastEventId, before);

    await ui.reload();
    await ui.raw.getByText("The file is not kept: open it again").waitFor();
    const cut = ui.raw.getByText("The turn is not finished in this file.");
    await trace.dropFile("cut.ndjson", [head, ...lines.slice(0, -1)].map((line) => `${JSON.stringify(line)}\n`).join(""));
    await cut.waitFor();
    await trace.dropFile("part.ndjson", await readFile(part.path, "utf8"));
    await trace.replayed.waitFor();
    await trace.shows(requests);
  });

  check("B29g an address names a file where the daemon runs: a reload replays it again", async ({ ui, daemon }) => {
    const trace = new TracePage(ui);
    const line = (seq) => `{"seq":${seq},"direction":"agent","envelope":{"jsonrpc":"2.0","method":"_x/y","params":{}}}\n`;
    const file = join(daemon.home, "two words.ndjson");
    ui.complaints.allow(/404/);
    await ui.open(`/ui/replay?file=${encodeURIComponent(file)}`);
    await ui.raw.getByRole("alert").filter({ hasText: "two words.ndjson cannot be replayed." }).waitFor();
    await writeFile(file, line(1) + line(2));
    await ui.button("Retry").click();
    await trace.replayed.waitFor();
    await trace.shows(2);
    await writeFile(file, line(1));
    await ui.reload();
    await trace.replayed.waitFor();
    await trace.shows(1);
    await trace.dropFile("other.ndjson", line(1) + line(2) + line(3));
    await trace.shows(3);
    assert.equal(new URL(ui.raw.url()).search, "");
    await ui.raw.goBack();
    await trace.shows(1);
  });

  check("B29c a file that is none, or is broken, is said to be, where it was opened", async ({ ui }) => {
    await ui.open("/ui/trace");
    const trace = new TracePage(ui);
    const says = async (name, text, words) => {
      await trace.dropFile(name, text);
      await ui.raw.getByRole("alert").filter({ hasText: words }).waitFor();
    };
    const head = '{"sandboxAgentTrace":1,"serverId":"x"}\n';
    await says("notes.txt", "hello", "This is no trace file");
    await says("cut.ndjson", `${head}{"seq":1,"direction":"agent","env`, "Line 2 is broken");
    const line = (seq) => `{"seq":${seq},"direction":"agent","envelope":{"jsonrpc":"2.0","method":"_x/y","params":{}}}\n`;
    await trace.dropFile("good.ndjson", head + line(1) + '{"gap":{"from":2,"to":4}}\n' + line(5));
    await trace.replayed.waitFor();
    await trace.shows(3);
    assert.deepEqual(await ui.traceRows(), [
      { seq: "1", from: "agent" },
      { seq: "4", from: "daemon" },
      { seq: "5", from: "agent" },
    ]);
  });

  check("B29d the schema says which messages keep to the protocol", odd, async ({ ui, daemon }) => {
    const headers = { "content-type": "application/json" };
    const post = async (message) => {
      const body = JSON.stringify({ jsonrpc: "2.0", ...message });
      assert.equal((await daemon.ask("POST", "/v1/acp/odd-1?agent=odd", { headers, body })).status, 200);
    };
    await post({ id: "a", method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } });
    await post({ id: "b", method: "_mine/do", params: {} });
    const trace = new TracePage(ui);
    await trace.open("odd-1");
    await ui.traceCounts(6);
    await trace.row("0.1").click();
    await trace.schemaSays(/^Schema: valid/);
    await trace.row("1").click();
    await trace.schemaSays(/^Schema: not valid: result is a string, must be an object/);
    await trace.row("2").click();
    await trace.schemaSays(/^Schema: not valid: params\.update\.content\.text is a number, must be a string/);
    await trace.row("3").click();
    await trace.schemaSays(/^Schema: not valid:\s+is no request, answer or notification/);
    assert.deepEqual(await trace.envelope.getByRole("treeitem").allInnerTexts(), ["42"]);
    await ui.trace.getByText("_mine/do", { exact: true }).click();
    await trace.schemaSays(/^Schema: no schema for _mine\/do/);
  });

  check("B29e an envelope by hand is checked, sent, and seen with its answer; what is refused is said", async (stage) => {
    const { ui, daemon, context, origin, complaints } = stage;
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    await ui.begin();
    const { serverId } = ui;
    const trace = new TracePage(ui);
    await trace.open();
    await ui.traceCounts((await daemon.messages(serverId)).length); // the box is written for the session that was heard of
    await ui.button("Send envelope").click();
    const text = trace.sendBox.getByRole("textbox", { name: "Envelope to send" });
    const send = trace.sendBox.getByRole("button", { name: "Send", exact: true });
    const written = await text.inputValue();
    assert.equal(JSON.parse(written).method, "session/prompt");
    await text.fill(written.replace('"jsonrpc": "2.0",', '"jsonrpc": "2.0"'));
    await trace.sendBox.getByText("No JSON at 3:3").waitFor();
    assert.equal(await send.getAttribute("aria-disabled"), "true");
    await text.fill(written.replace(/"by-hand-[^"]*"/, "7"));
    await trace.sendBox.getByText("Give a request a text as id").waitFor();

    await text.fill(written.replace("Hello", "/plan"));
    let letGo;
    const held = new Promise((resolve) => (letGo = resolve));
    const posts = /\/v1\/acp\//;
    await ui.raw.route(posts, (route) => held.then(() => route.continue()));
    await send.click();
    await text.fill(written.replace("Hello", "written meanwhile"));
    letGo();
    await trace.sendBox.getByText("Sent. It is in the Trace.").waitFor();
    await ui.raw.unroute(posts);
    const next = JSON.parse(await text.inputValue());
    assert.equal(next.params.prompt[0].text, "written meanwhile");
    assert.notEqual(next.id, JSON.parse(written).id);
    const { id } = JSON.parse(written);
    const { request, answer } = await untilAnswered(stage, serverId, id);
    await trace.row(answer.seq).click();
    await trace.envelope.getByRole("heading", { name: `${answer.seq} session/prompt` }).waitFor();
    await trace.envelope.getByRole("button", { name: "Go to its request" }).click();
    await trace.envelope.getByRole("heading", { name: `${request.seq} session/prompt` }).waitFor();
    await ui.saysBriefly("Copied", () => trace.envelope.getByRole("button", { name: "Copy as SDK code" }).click());
    const code = await ui.raw.evaluate(() => navigator.clipboard.readText());
    assert.match(code, /await SandboxAgent\.connect\(/);
    assert.match(code, /session\.prompt\("\/plan"\)/);

    complaints.allow(/ 4\d\d|status of 4\d\d/);
    await daemon.ask("DELETE", `/v1/acp/${serverId}`);
    await send.click();
    await trace.sendBox.getByRole("alert").filter({ hasText: /\w/ }).waitFor();
  });

  check(
    "B29f the table stands while paused and counts what comes; the page's requests can be seen, without the token",
    {
      token: "very-secret-word",
    },
    async ({ ui, daemon }) => {
      await ui.raw.goto(`${ui.stage.origin}/ui/#token=very-secret-word`);
      await ui.daemonState.filter({ hasText: /^\W*healthy/ }).waitFor();
      await ui.startSession();
      await ui.ask("/markdown");
      await ui.openDetails("Trace");
      await ui.details.getByRole("button", { name: "Pause" }).click();
      const count = (await daemon.messages(ui.serverId)).length;
      await ui.message.focus();
      await ui.ask("/plan");
      const fresh = (await daemon.messages(ui.serverId)).length - count;
      await ui.details.locator(`[data-fresh="${fresh}"]`).waitFor();
      await ui.details.getByRole("button", { name: "Follow" }).click();
      await ui.details.locator("[data-fresh]").waitFor({ state: "detached" });

      await ui.details.getByRole("button", { name: "Filter", exact: true }).click();
      await ui.details.getByRole("button", { name: "HTTP" }).click();
      const search = ui.details.getByRole("searchbox", { name: "Search in messages" });
      await search.fill("POST");
      const posts = ui.trace.locator("[data-http]").filter({ hasText: /POST 202/ });
      await posts.first().click();
      const pane = ui.raw.getByRole("region", { name: "HTTP request" });
      await pane.getByText(`POST /v1/acp/${ui.serverId}`).first().waitFor();
      assert.doesNotMatch(await ui.raw.content(), /very-secret-word/);
    },
  );
});

async function untilAnswered({ daemon, patience }, serverId, id) {
  for (const end = performance.now() + patience; performance.now() < end;) {
    const messages = await daemon.messages(serverId);
    const [request, answer] = ["client", "agent"].map((speaker) =>
      messages.find(({ from, message }) => from === speaker && message.id === id),
    );
    if (answer) return { request, answer };
  }
  throw new Error(`nobody answered ${id}`);
}
