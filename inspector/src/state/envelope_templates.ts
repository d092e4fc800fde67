// What the box for sending begins with: the envelopes protocol authors send most, with what is known filled in.

export interface Known {
  readonly sessionId?: string | undefined;
  readonly modeId?: string | undefined;
  /** The id of a request of the agent that waits, and an answer it would take. */
  readonly asked?: { readonly id: unknown; readonly optionId?: string } | undefined;
}

export const templateNames = [
  "session/prompt",
  "session/cancel",
  "session/set_mode",
  "initialize",
  "A notification",
  "An answer",
] as const;
export type TemplateName = (typeof templateNames)[number];

/** `id`: one that nobody used yet. */
export function templateOf(name: TemplateName, { sessionId = "…", modeId = "…", asked }: Known, id: string): string {
  const request = (method: string, params: object) => ({ jsonrpc: "2.0", id, method, params });
  const envelopes: Record<TemplateName, object> = {
    "session/prompt": request("session/prompt", { sessionId, prompt: [{ type: "text", text: "Hello" }] }),
    "session/cancel": { jsonrpc: "2.0", method: "session/cancel", params: { sessionId } },
    "session/set_mode": request("session/set_mode", { sessionId, modeId }),
    initialize: request("initialize", { protocolVersion: 1, clientCapabilities: {} }),
    "A notification": { jsonrpc: "2.0", method: "_example/hello", params: { sessionId } },
    "An answer": {
      jsonrpc: "2.0",
      id: asked?.id ?? 0,
      result: { outcome: { outcome: "selected", optionId: asked?.optionId ?? "…" } },
    },
  };
  return JSON.stringify(envelopes[name], null, 2);
}
