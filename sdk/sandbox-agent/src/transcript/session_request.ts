// A request for a session in the former API's form, as messages of the protocol. What the protocol has no field for is metadata.
import type { McpServer, NewSessionRequest } from "@agentclientprotocol/sdk";
import { SandboxAgentError } from "../error_classes.js";
import { fieldsOf, known, listOf, textOf } from "./json.js";

export interface CreateSessionRequest {
  agent: string;
  agentVersion?: string;
  /** Where the agent works: an absolute path on the daemon's machine. */
  directory?: string;
  mcp?: Record<string, McpServerEntry>;
  agentMode?: string;
  model?: string;
  /** Kept as metadata only. */
  variant?: string;
  permissionMode?: string;
  skills?: unknown;
  title?: string;
  /** What the client calls the session. */
  sessionId?: string;
}

export type McpServerEntry = LocalMcpServer | RemoteMcpServer;

export interface LocalMcpServer {
  type?: "local" | "stdio";
  /** The program, or the program and its arguments. */
  command: string | string[];
  args?: string[];
  env?: Record<string, string>;
  enabled?: boolean;
  [key: string]: unknown;
}

export interface RemoteMcpServer {
  type?: "remote" | "http" | "sse";
  url: string;
  headers?: Record<string, string>;
  /** The variable that has the token for `Authorization`. */
  bearerTokenEnvVar?: string;
  /** Headers whose values are in the variables named here. */
  envHeaders?: Record<string, string>;
  transport?: "http" | "sse";
  enabled?: boolean;
  [key: string]: unknown;
}

/** Variables and their values, such as `process.env`. */
export type Environment = Record<string, string | undefined>;

/** A request or notification; whoever sends it gives it an id. */
export interface ProtocolMessage {
  method: string;
  params: Record<string, unknown>;
}

/** What the answer to `session/new` says can be set. */
export interface SessionOffers {
  configOptions?: unknown;
  modes?: unknown;
}

const product = "sandboxagent.dev";
const permissionOption = /^_?(permission|approval)s?([_-]?(mode|policy|level))?$/i;

/**
 * The message that makes the session. Mode, model and permission mode are hints in it: what can be set is known by its answer only.
 * Secrets of MCP servers are taken from the environment, by default that of this process; one that is not set throws.
 */
export function newSessionMessage(
  request: CreateSessionRequest,
  environment: Environment = ownEnvironment(),
): { method: "session/new"; params: NewSessionRequest } {
  const { agent, agentVersion, directory, mcp, agentMode, model, variant, permissionMode, skills, title, sessionId } = request;
  const meta = known({
    agent,
    agentVersionRequested: agentVersion,
    agentMode,
    model,
    variant,
    permissionMode,
    skills,
    title,
    requestedSessionId: sessionId,
  });
  const params = { cwd: directory ?? "/", mcpServers: mcpServersOf(mcp ?? {}, environment), _meta: { [product]: meta } };
  return { method: "session/new", params };
}

/** What to send once the session is made, and what of the request it does not offer: that stays a hint. */
export function sessionSettings(
  request: CreateSessionRequest,
  sessionId: string,
  offers: SessionOffers,
): { messages: ProtocolMessage[]; hints: Partial<CreateSessionRequest> } {
  const { agentMode, model, permissionMode } = request;
  const settings = [
    { name: "agentMode", value: agentMode, message: (value: string) => modeMessage(value, sessionId, offers) },
    { name: "model", value: model, message: (value: string) => optionMessage(is("model"), value, sessionId, offers) },
    {
      name: "permissionMode",
      value: permissionMode,
      message: (value: string) => optionMessage(isPermission, value, sessionId, offers),
    },
  ];
  const messages: ProtocolMessage[] = [];
  const hints: Record<string, string> = {};
  for (const { name, value, message } of settings) {
    const made = value === undefined ? undefined : message(value);
    if (made) messages.push(made);
    else if (value !== undefined) hints[name] = value;
  }
  return { messages, hints };
}

/** All messages in order: with `offers`, which the answer to the first one brings, also those that follow it. */
export function createSessionMessages(
  request: CreateSessionRequest,
  offers?: SessionOffers & { sessionId: string },
  environment?: Environment,
): ProtocolMessage[] {
  const first = newSessionMessage(request, environment) as unknown as ProtocolMessage;
  return offers ? [first, ...sessionSettings(request, offers.sessionId, offers).messages] : [first];
}

/**
 * A map of servers as the protocol's list. Those that are switched off are left out, and without an environment also headers whose
 * values are in variables.
 */
export function mcpServersOf(servers: Record<string, McpServerEntry>, environment?: Environment): McpServer[] {
  return Object.entries(servers)
    .filter(([, server]) => server.enabled !== false)
    .map(([name, server]) =>
      "url" in server ? remoteOf(name, server as RemoteMcpServer, environment) : localOf(name, server as LocalMcpServer),
    );
}

function localOf(name: string, { command, args = [], env = {} }: LocalMcpServer): McpServer {
  const [program = "", ...more] = [command].flat();
  return { name, command: program, args: [...more, ...args], env: pairsOf(env) };
}

function remoteOf(name: string, server: RemoteMcpServer, environment: Environment | undefined): McpServer {
  const { type, transport, url, headers = {} } = server;
  const kind = type === "sse" || transport === "sse" ? "sse" : "http";
  const secret = environment ? secretHeaders(name, server, environment) : {};
  return { type: kind, name, url, headers: pairsOf({ ...headers, ...secret }) };
}

function secretHeaders(
  name: string,
  { bearerTokenEnvVar, envHeaders = {} }: RemoteMcpServer,
  environment: Environment,
): Record<string, string> {
  const valueOf = (variable: string) => {
    const value = environment[variable];
    if (value !== undefined) return value;
    throw new SandboxAgentError(`The MCP server "${name}" needs the variable ${variable}, which is not set.`, {
      code: "variable_not_set",
      hint: `Set ${variable} where this program runs, or give an environment that has it.`,
      data: { server: name, variable },
    });
  };
  const made = Object.entries(envHeaders).map(([header, variable]) => [header, valueOf(variable)]);
  if (bearerTokenEnvVar) made.push(["Authorization", `Bearer ${valueOf(bearerTokenEnvVar)}`]);
  return Object.fromEntries(made) as Record<string, string>;
}

// Browsers have none. Bundlers put an empty one in the place of the usual words for it.
function ownEnvironment(): Environment {
  const { process: own } = globalThis as { process?: { env?: Environment } };
  return own?.env ?? {};
}

const pairsOf = (map: Record<string, string>) => Object.entries(map).map(([name, value]) => ({ name, value }));

type Matches = (option: { id: string; category: string }) => boolean;

const is =
  (what: string): Matches =>
  ({ id, category }) =>
    category === what || (category === "" && id === what);
const isPermission: Matches = ({ id, category }) => permissionOption.test(category) || permissionOption.test(id);

function modeMessage(value: string, sessionId: string, offers: SessionOffers): ProtocolMessage | undefined {
  const option = optionMessage(is("mode"), value, sessionId, offers);
  if (option) return option;
  const modes = listOf(fieldsOf(offers.modes)["availableModes"]) ?? [];
  const isOffered = modes.some((mode) => fieldsOf(mode)["id"] === value);
  return isOffered ? { method: "session/set_mode", params: { sessionId, modeId: value } } : undefined;
}

function optionMessage(matches: Matches, value: string, sessionId: string, offers: SessionOffers): ProtocolMessage | undefined {
  for (const each of listOf(offers.configOptions) ?? []) {
    const option = fieldsOf(each);
    const [id, category] = [textOf(option["id"]), textOf(option["category"]) ?? ""];
    if (id === undefined || !matches({ id, category })) continue;
    if (valuesOf(option["options"]).includes(value))
      return { method: "session/set_config_option", params: { sessionId, configId: id, value } };
  }
  return undefined;
}

// Options may be grouped.
function valuesOf(options: unknown): unknown[] {
  return (listOf(options) ?? [])
    .map(fieldsOf)
    .flatMap((each) => ("options" in each ? valuesOf(each["options"]) : [each["value"]]));
}
