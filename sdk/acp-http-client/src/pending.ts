// The requests that wait for their answers. On the wire their ids have a random prefix, so that clients of one agent process never
// take each other's answers; towards the official SDK they keep the ids it gave.
import type { AnyMessage, AnyRequest, AnyResponse, JsonRpcId } from "@agentclientprotocol/sdk";
import { AcpHttpError } from "./errors.js";
import { randomHex } from "./options.js";

interface Waiting {
  /** The id the official SDK knows it by. */
  readonly id: JsonRpcId;
  /** Takes the answer of a request that somebody else made. */
  readonly adopt?: (answer: AnyResponse | AcpHttpError) => void;
  /** The server has it. */
  taken?: boolean;
  /** Since it was sent the server has dropped events, perhaps its answer. */
  gapped?: boolean;
  /** The instance it went to, once that is known. */
  instanceId?: string | undefined;
  /** A copy of the answer that belongs behind event `after`. */
  early?: { after: number; answer: AnyResponse };
}

export class Pending {
  readonly #prefix = randomHex(4);
  readonly #waiting = new Map<JsonRpcId, Waiting>();
  #reserved = 0;

  ids(): JsonRpcId[] {
    return [...this.#waiting.keys()];
  }

  /** The message as it goes over the wire; a request waits from now on. */
  outgoing(message: AnyMessage, reserved?: string): AnyMessage {
    if (!("method" in message)) return message;
    if ("id" in message) {
      const wireId = reserved ?? this.#wireId(message.id);
      this.#waiting.set(wireId, { id: message.id });
      return { ...message, id: wireId } satisfies AnyRequest;
    }
    const params = message.params as { requestId?: JsonRpcId } | undefined;
    if (message.method !== "$/cancel_request" || params?.requestId === undefined) return message;
    const [known] = [...this.#waiting].find(([, { id }]) => id === params.requestId) ?? [];
    return { ...message, params: { ...params, requestId: known ?? this.#wireId(params.requestId) } };
  }

  /** The answer to a request made under this wire id earlier, perhaps by another process. Settles like any other. */
  adopt(wireId: string): Promise<AnyResponse> {
    return new Promise((resolve, reject) => {
      const adopt = (answer: AnyResponse | AcpHttpError) => (answer instanceof AcpHttpError ? reject(answer) : resolve(answer));
      this.#waiting.set(wireId, { id: wireId, adopt, taken: true, gapped: true });
    });
  }

  get(wireId: JsonRpcId): Waiting | undefined {
    return this.#waiting.get(wireId);
  }

  /** From now on it is uncertain whether the answers to what was sent so far can still come. */
  markGap(): void {
    for (const waiting of this.#waiting.values()) waiting.gapped = true;
  }

  /** The answer under the id the official SDK knows, once; undefined when it is not for it, or not for us at all. */
  settle(answer: AnyResponse): AnyResponse | undefined {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return undefined;
    this.#waiting.delete(answer.id);
    if (!waiting.adopt) return { ...answer, id: waiting.id };
    waiting.adopt(answer);
    return undefined;
  }

  /** Ends the wait with a failure: an answer that carries it, for the official SDK knows no other way to reject one call. */
  fail(wireId: JsonRpcId, error: AcpHttpError): AnyResponse | undefined {
    const adopt = this.#waiting.get(wireId)?.adopt;
    if (!adopt)
      return this.settle({ jsonrpc: "2.0", id: wireId, error: { code: -32603, message: error.message, data: error } });
    this.#waiting.delete(wireId);
    adopt(error);
    return undefined;
  }

  /** Copies of answers whose place in the stream has been reached. */
  ripe(position: number): AnyResponse[] {
    return [...this.#waiting.values()].flatMap(({ early }) => (early && early.after <= position ? [early.answer] : []));
  }

  /** The connection is over. */
  failAdopted(error: AcpHttpError): void {
    for (const { adopt } of this.#waiting.values()) adopt?.(error);
  }

  /** An id for a request that is made later. */
  reserve(): string {
    return this.#wireId(`r${this.#reserved++}`);
  }

  #wireId(id: JsonRpcId): string {
    return `${this.#prefix}-${typeof id === "number" ? id : JSON.stringify(id)}`;
  }
}
