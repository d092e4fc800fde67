// Checked by the compiler, never run: what the types of the built package promise to the people who use them.
import {
  AgentExitedError,
  AgentNotFoundError,
  SandboxAgent,
  SandboxAgentClient,
  SandboxAgentError,
  spawnSandboxAgent,
  type ClientEvent,
  type PermissionEvent,
  type Session,
  type SessionEvent,
  type SessionHandle,
  type SessionMetadata,
  type Turn,
  type TurnEvent,
  type TurnResult,
} from "sandbox-agent";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<_Claim extends true>(): void {}
function never(value: never): never {
  throw new Error(String(value));
}

// A turn is both an iterable and a promise.
export function turnIsBoth(turn: Turn): AsyncIterable<TurnEvent> & PromiseLike<TurnResult> {
  holds<Same<Awaited<Turn>, TurnResult>>();
  return turn;
}

// The union is exactly these, and a switch over them needs no default.
holds<
  Same<
    TurnEvent["type"],
    "text" | "thought" | "tool" | "plan" | "permission" | "question" | "mode" | "commands" | "usage" | "raw" | "error"
  >
>();
holds<Same<Exclude<SessionEvent["type"], TurnEvent["type"]>, "gap" | "exited">>();

export function words(event: TurnEvent): string {
  const { json, id }: { json: string; id: number } = event.raw;
  switch (event.type) {
    case "text":
    case "thought":
      return event.text;
    case "tool":
      return `${event.title} ${event.status}`;
    case "plan":
      return event.entries.map(({ content, status }) => `${status} ${content}`).join();
    case "permission":
      return event.options.map(({ name }) => name).join();
    case "question":
      return event.message;
    case "mode":
      return event.modeId;
    case "commands":
      return event.commands.map(({ name }) => name).join();
    case "usage":
      return `${event.used / event.size} ${event.cost?.currency ?? ""}`;
    case "raw":
      return `${id} ${json}`;
    case "error":
      return `${event.error.code} ${event.error.hint ?? ""}`;
    default:
      return never(event);
  }
}

export function forgetful(event: TurnEvent): string {
  switch (event.type) {
    case "text":
      return event.text;
    default:
      // @ts-expect-error one kind is not enough
      return never(event);
  }
}

export function lifecycle(event: ClientEvent): string {
  switch (event.type) {
    case "update":
      return event.sessionId;
    case "session_ended":
      return event.reason;
    case "agent_exited":
      return String(event.exitCode ?? event.signal);
    case "unparsed":
      return event.text;
    case "gap":
      return `${event.from} ${event.to}`;
    case "state":
      return event.state;
    case "error":
      return event.error.message;
    default:
      return never(event);
  }
}

export async function tenLines(): Promise<void> {
  await using agent = await SandboxAgent.start();
  const session: Session = await agent.createSession({ agent: "mock", cwd: "." });
  const turn = session.prompt("Add a --version flag");
  for await (const e of turn) {
    if (e.type === "text") holds<Same<typeof e.text, string>>();
    if (e.type === "permission") await e.allow("once");
    if (e.type === "tool") void [e.title, e.status];
    // @ts-expect-error only text and thoughts have text
    void e.text;
  }
  const { text, stopReason, usage, changes } = await turn;
  void [text.length, stopReason === "cancelled", usage?.used, changes[0]?.path];
  // @ts-expect-error no such reason
  void (stopReason === "bored");
}

export async function optionsAreChecked(agent: SandboxAgent, session: Session, permission: PermissionEvent): Promise<void> {
  // @ts-expect-error which agent?
  await agent.createSession({ cwd: "." });
  // @ts-expect-error no such option
  await agent.createSession({ agent: "mock", folder: "." });
  // @ts-expect-error a prompt is words or content
  session.prompt(42);
  // @ts-expect-error no such content
  session.prompt([{ type: "smell", text: "x" }]);
  session.prompt([{ type: "text", text: "x" }], { signal: AbortSignal.timeout(1), cancelGraceMs: 1 });
  // @ts-expect-error not like this
  await permission.allow("twice");
  // @ts-expect-error a daemon is somewhere
  await SandboxAgent.connect({});
  // @ts-expect-error a number
  await SandboxAgent.start({ spawn: { port: "9000" } });
  await SandboxAgent.start({ spawn: { host: "::1", port: 9000, token: "t", binaryPath: "b", timeoutMs: 1, log: "inherit" } });
  await SandboxAgent.start({ spawn: true });
  await SandboxAgent.start({ spawn: false, baseUrl: "http://127.0.0.1:1" });
  // @ts-expect-error which agent?
  new SandboxAgentClient({ baseUrl: "http://127.0.0.1:1" });
  const spawned = await spawnSandboxAgent({ log: (line: string) => void line });
  holds<Same<typeof spawned.baseUrl | typeof spawned.token, string>>();
  await spawned.dispose();
}

export async function handlersAreTyped(baseUrl: string): Promise<void> {
  await SandboxAgent.connect({
    baseUrl,
    onPermission: async ({ options, tool }, signal) => {
      if (signal.aborted || tool.kind === "delete") return null;
      return { optionId: options[0]!.optionId };
    },
    onQuestion: ({ message }) => (message === "" ? { action: "decline" } : { action: "accept", content: { colour: "red" } }),
    readTextFile: ({ path, line }) => `${path} ${line ?? 1}`,
    writeTextFile: async ({ content }) => void content,
    onEvent: (event) => void lifecycle(event),
  });
  await SandboxAgent.connect({ baseUrl, onPermission: async () => null });
  // @ts-expect-error an option or nothing
  await SandboxAgent.connect({ baseUrl, onPermission: () => "allow" });
}

export async function coreIsTyped(client: SandboxAgentClient): Promise<void> {
  const { sessionId, options, modes } = await client.newSession({ cwd: "/", metadata: { title: "t", own: { any: 1 } } });
  void [options.length, modes?.currentModeId];
  const { sessions, nextCursor } = await client.listSessions({ cwd: "/" });
  const metadata: SessionMetadata | undefined = sessions[0]?.metadata;
  holds<Same<typeof nextCursor, string | undefined>>();
  if (metadata) {
    const { agent, createdAt, updatedAt, ended, eventCount, model } = metadata;
    const { variant, requestedSessionId, permissionMode, skills, agentVersionRequested } = metadata;
    holds<Same<typeof ended, boolean | undefined>>();
    holds<Same<typeof eventCount, number | undefined>>();
    void [agent, createdAt, updatedAt, model, variant, requestedSessionId, permissionMode, skills, agentVersionRequested];
  }
  const { models, current } = await client.listModels({ sessionId });
  void [models[0]?.modelId, current];
  // @ts-expect-error words are for sessions; the core takes content
  await client.prompt({ sessionId, prompt: "hello" });
  const stop: () => void = client.onEvent(() => {});
  stop();
}

export function errorsAreTyped(error: unknown): void {
  if (error instanceof AgentExitedError) void [error.exitCode?.toFixed(), error.signal, error.stderr];
  if (error instanceof AgentNotFoundError) void error.suggestions.join();
  if (error instanceof SandboxAgentError) {
    holds<Same<typeof error.code, string>>();
    void [error.status, error.hint, error.cause];
  }
}

export function handleIsPlainData(session: Session, agent: SandboxAgent): Promise<Session> {
  const handle = JSON.parse(JSON.stringify(session.handle)) as SessionHandle;
  return agent.attachSession(handle);
}

// @ts-expect-error internal
export type Hidden = SandboxAgentClient["lifecycle"];
// @ts-expect-error internal
export type HiddenToo = Session["resume"];
