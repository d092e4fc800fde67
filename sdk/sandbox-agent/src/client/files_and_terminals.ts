// The agent's requests for files and terminals of this side, for those the user offers; and what is told the agent about the offer.
import type { ClientApp, ClientCapabilities } from "@agentclientprotocol/sdk";
import type { Handlers } from "./handlers.js";

export function serveFilesAndTerminals(app: ClientApp, handlers: Handlers): ClientApp {
  const { readTextFile, writeTextFile, terminal } = handlers;
  if (readTextFile) {
    app = app.onRequest("fs/read_text_file", async ({ params, signal }) => ({
      content: await readTextFile.call(handlers, params, signal),
    }));
  }
  if (writeTextFile) {
    app = app.onRequest("fs/write_text_file", async ({ params, signal }) => {
      await writeTextFile.call(handlers, params, signal);
      return {};
    });
  }
  if (!terminal) return app;
  return app
    .onRequest("terminal/create", ({ params }) => terminal.create(params))
    .onRequest("terminal/output", ({ params }) => terminal.output(params))
    .onRequest("terminal/wait_for_exit", ({ params }) => terminal.waitForExit(params))
    .onRequest("terminal/kill", async ({ params }) => {
      await terminal.kill(params);
      return {};
    })
    .onRequest("terminal/release", async ({ params }) => {
      await terminal.release(params);
      return {};
    });
}

export function capabilitiesOf(handlers: Handlers, questions: boolean): ClientCapabilities {
  return {
    fs: { readTextFile: handlers.readTextFile !== undefined, writeTextFile: handlers.writeTextFile !== undefined },
    terminal: handlers.terminal !== undefined,
    ...(questions || handlers.onQuestion ? { elicitation: { form: {}, url: {} } } : {}),
    session: { configOptions: { boolean: {} } },
  };
}
