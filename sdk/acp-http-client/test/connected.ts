// A client of a fake server, with short waits; what it heard and the texts of the updates its handler got.
import { client } from "@agentclientprotocol/sdk";
import { AcpHttpClient, type AcpHttpClientOptions, type AcpHttpGap, type AcpHttpState } from "../src/index.js";
import type { FakeServer } from "./fake_server.js";

export class Connected {
  readonly texts: string[] = [];
  readonly gaps: AcpHttpGap[] = [];
  readonly states: AcpHttpState[] = [];
  readonly client: AcpHttpClient;

  constructor(server: Pick<FakeServer, "url">, options: Partial<AcpHttpClientOptions> = {}) {
    const app = client().onNotification("session/update", ({ params: { update } }) => {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
        this.texts.push(update.content.text);
    });
    this.client = new AcpHttpClient({
      baseUrl: server.url,
      serverId: "x",
      app,
      backoff: { firstMs: 5, mostMs: 40 },
      onGap: (gap) => this.gaps.push(gap),
      onState: (state) => this.states.push(state),
      ...options,
    });
  }

  /** A request whose outcome is looked at later. */
  request(method = "session/prompt", params: object = {}): Promise<unknown> {
    const answer = this.client.request<unknown>(method, params);
    answer.catch(() => {});
    return answer;
  }
}

/** The error a promise rejects with. */
export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => Promise.reject(new Error(`resolved with ${JSON.stringify(value)}`)),
    (error: unknown) => error,
  );
}
