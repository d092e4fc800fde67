// A server whose every answer the test decides. Left alone it behaves: takes messages with 202, numbers what the agent says and replays it.
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface Message {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: unknown;
}

/** One POST. Nothing is answered unless one of its methods is called. */
export class Posted {
  readonly message: Message;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly #response: http.ServerResponse;

  constructor(body: string, request: http.IncomingMessage, response: http.ServerResponse) {
    this.message = JSON.parse(body) as Message;
    this.url = request.url ?? "";
    this.headers = request.headers;
    this.#response = response;
  }

  answer(status: number, body = "", headers: Record<string, string> = {}): void {
    this.#response.writeHead(status, { "Acp-Instance-Id": "one", ...headers }).end(body);
  }

  take(): void {
    this.answer(202);
  }

  refuse(status: number, code: string, extras: object = {}): void {
    const problem = { type: `urn:example:error:${code}`, title: code, status, detail: `It is ${code}.`, ...extras };
    this.answer(status, JSON.stringify(problem), { "Content-Type": "application/problem+json" });
  }

  /** The connection ends without an answer. */
  cut(): void {
    this.#response.socket?.destroy();
  }

  /** The head of an answer and the first part of its body, then the end. */
  cutInside(body: string): void {
    this.#response.writeHead(200, { "Content-Length": "1000", "Content-Type": "application/json" });
    this.#response.write(body, () => this.#response.socket?.destroy());
  }
}

/** One GET. */
export class Reading {
  readonly headers: http.IncomingHttpHeaders;
  readonly at = performance.now();
  closed = false;
  readonly #response: http.ServerResponse;

  constructor(request: http.IncomingMessage, response: http.ServerResponse) {
    this.headers = request.headers;
    this.#response = response;
    response.on("close", () => (this.closed = true));
  }

  get after(): number {
    return Number(this.headers["last-event-id"] ?? 0);
  }

  open(headers: Record<string, string> = {}): this {
    this.#response.writeHead(200, { "Content-Type": "text/event-stream", "Acp-Instance-Id": "one", ...headers });
    this.#response.flushHeaders();
    return this;
  }

  /** False: the client does not take it, for now. */
  write(text: string): boolean {
    return this.#response.write(text);
  }

  event(number: number, message: unknown): boolean {
    return this.write(`event: message\nid: ${number}\ndata: ${JSON.stringify(message)}\n\n`);
  }

  refuse(status: number, code: string, headers: Record<string, string> = {}): void {
    this.#response.writeHead(status, { "Content-Type": "application/problem+json", ...headers });
    this.#response.end(JSON.stringify({ type: `urn:example:error:${code}`, detail: `It is ${code}.`, status }));
  }

  end(): void {
    this.#response.end();
  }

  cut(): void {
    this.#response.socket?.destroy();
  }
}

export class FakeServer {
  readonly posts: Posted[] = [];
  readonly readings: Reading[] = [];
  readonly deletes: string[] = [];
  readonly log: unknown[] = []; // what the agent said, from number 1 on
  onPost: (post: Posted) => void = (post) => post.take();
  onDelete: (response: http.ServerResponse) => void = (response) => response.writeHead(204).end();
  onRead: (reading: Reading) => void = (reading) => this.replay(reading.open());
  readonly #server = http.createServer((request, response) => this.#serve(request, response));

  static async start(): Promise<FakeServer> {
    const server = new FakeServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get reading(): Reading | undefined {
    return this.readings.findLast((reading) => !reading.closed);
  }

  replay(reading: Reading): void {
    for (let number = reading.after + 1; number <= this.log.length; ++number) reading.event(number, this.log[number - 1]);
  }

  /** The agent says something. */
  say(message: unknown): void {
    this.log.push(message);
    for (const reading of this.readings) if (!reading.closed) reading.event(this.log.length, message);
  }

  update(n: number): void {
    this.say(update(n));
  }

  /** The agent answers the request of this POST. */
  reply(post: Posted, result: unknown = {}): void {
    this.say({ jsonrpc: "2.0", id: post.message.id, result });
  }

  of(method: string): Posted[] {
    return this.posts.filter(({ message }) => message.method === method);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(request: http.IncomingMessage, response: http.ServerResponse): void {
    if (request.method === "GET") {
      const reading = new Reading(request, response);
      this.readings.push(reading);
      return this.onRead(reading);
    }
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      if (request.method === "DELETE") {
        this.deletes.push(request.url ?? "");
        return this.onDelete(response);
      }
      const post = new Posted(Buffer.concat(pieces).toString(), request, response);
      this.posts.push(post);
      this.onPost(post);
    });
  }
}

export function update(n: number): Message {
  const content = { type: "text", text: `token ${n} ` };
  return {
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content } },
  };
}

export function isRequest({ message }: Posted): boolean {
  return message.method !== undefined && message.id !== undefined;
}
