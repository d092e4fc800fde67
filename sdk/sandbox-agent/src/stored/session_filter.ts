// Which messages of an agent's process belong to which session. One process serves many; requests and answers of both sides are
// matched by id, and the two sides count their ids apart.
type Message = {
  id?: unknown;
  method?: string;
  params?: { sessionId?: unknown; requestId?: unknown } | null;
  result?: { sessionId?: unknown } | null;
};

/**
 * Whose a message is: a session's; "all": it is about the whole process; undefined: nobody's. `opener` is the same for the request
 * that begins a session, whose id is not known yet, and for its answer.
 */
export type Owner = { readonly sessionId?: string; readonly opener?: string } | "all" | undefined;

const openers = new Set(["session/new", "session/fork"]);
const opening = Symbol("a session that begins");
const mostOpen = 4_096; // requests of one side: those that were never answered are forgotten

type Requests = Map<string, string | typeof opening>;

export class SessionFilter {
  readonly #ofClient: Requests = new Map(); // requests that wait for an answer, by id: their sessions
  readonly #ofAgent: Requests = new Map();

  ownerOf(from: "agent" | "client", message: unknown): Owner {
    const { id, method, params, result } = (message ?? {}) as Message;
    const mine: Requests = from === "agent" ? this.#ofAgent : this.#ofClient;
    if (method === undefined) return this.#answered(from, id, result?.sessionId);
    if (from === "client" && openers.has(method)) {
      keep(this.#ofClient, keyOf(id), opening);
      return { opener: keyOf(id) };
    }
    const asked = params?.sessionId ?? this.#asked(params?.requestId, mine);
    if (typeof asked !== "string") return from === "agent" ? "all" : undefined;
    if (id !== undefined) keep(mine, keyOf(id), asked);
    return { sessionId: asked };
  }

  /** A client's request that was made before this began to listen. */
  expect(id: unknown, sessionId: string): void {
    this.#ofClient.set(keyOf(id), sessionId);
  }

  // An answer belongs to the side that asked.
  #answered(from: "agent" | "client", id: unknown, made: unknown): Owner {
    const theirs: Requests = from === "agent" ? this.#ofClient : this.#ofAgent;
    const asked = theirs.get(keyOf(id));
    theirs.delete(keyOf(id));
    if (asked !== opening) return asked === undefined ? undefined : { sessionId: asked };
    return { opener: keyOf(id), ...(typeof made === "string" && { sessionId: made }) };
  }

  // A request about another request, such as its withdrawal.
  #asked(requestId: unknown, mine: Requests): string | undefined {
    if (requestId === undefined) return undefined;
    const asked = mine.get(keyOf(requestId)) ?? this.#ofClient.get(keyOf(requestId));
    return asked === opening ? undefined : asked;
  }
}

function keep(requests: Requests, key: string, owner: string | typeof opening): void {
  requests.delete(key);
  requests.set(key, owner);
  if (requests.size > mostOpen) requests.delete(requests.keys().next().value!);
}

function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? "";
}
