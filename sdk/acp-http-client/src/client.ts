// The official SDK's client connection over an AcpHttpStream, with calls that reject with typed errors.
import {
  client,
  type ClientApp,
  type ClientConnection,
  type ClientContext,
  type SendRequestOptions,
} from "@agentclientprotocol/sdk";
import { AcpHttpError } from "./errors.js";
import type { AcpHttpOptions } from "./options.js";
import { AcpHttpStream } from "./stream.js";

export interface AcpHttpClientOptions extends AcpHttpOptions {
  /** Handlers for what the agent asks: `client().onRequest(…)`. Requests without a handler are answered with -32601 at once. */
  app?: ClientApp;
}

export class AcpHttpClient {
  readonly stream: AcpHttpStream;
  readonly connection: ClientConnection;

  constructor(options: AcpHttpClientOptions) {
    this.stream = new AcpHttpStream(options);
    this.connection = (options.app ?? client()).connect(this.stream);
  }

  get serverId(): string {
    return this.stream.serverId;
  }

  /** Aborted, with the reason, when the connection is over. */
  get signal(): AbortSignal {
    return this.connection.signal;
  }

  /** A request to the agent. Rejects with AcpHttpError (transport) or the official SDK's RequestError (the agent said no). */
  readonly request: ClientContext["request"] = async (method: string, params?: unknown, options?: SendRequestOptions) => {
    try {
      return await this.connection.agent.request(method, params, options);
    } catch (error) {
      throw this.#typed(error);
    }
  };

  /** A notification to the agent. Resolves when the server has taken it; rejects with AcpHttpError, and only this call, when not. */
  readonly notify: ClientContext["notify"] = async (method: string, params?: unknown) => {
    const payload = Array.isArray(params) ? [...(params as unknown[])] : { ...(params as object | undefined) }; // one call, one object
    const sent = this.stream.watch(payload);
    try {
      await this.connection.agent.notify(method, payload);
    } catch (error) {
      throw this.#typed(error);
    }
    await sent;
  };

  /** Ends the agent process and the connection. Rejects when nobody says so in time; default: `giveUpAfterMs`. */
  close(withinMs?: number): Promise<void> {
    return this.stream.delete(withinMs);
  }

  /** Ends the connection; the agent process stays. */
  detach(): void {
    this.stream.close();
  }

  // A call after connection.close() of the official SDK fails with an error of no type.
  #typed(error: unknown): unknown {
    return transportError(error) ?? (error === this.signal.reason ? (this.stream.failure ?? error) : error);
  }
}

/** The failure of the transport behind the rejection of a call of the official SDK, if it was one. */
export function transportError(error: unknown): AcpHttpError | undefined {
  if (error instanceof AcpHttpError) return error;
  const data = (error as { data?: unknown } | null)?.data;
  return data instanceof AcpHttpError ? data : undefined;
}
