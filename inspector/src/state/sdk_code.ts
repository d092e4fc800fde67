// A program for the TypeScript packages that does again what a line of the Trace shows. The token is named, never written. What the
// packages have a call for is that call; everything else goes through the transport as it is.
import type { CurlTarget } from "./curl.js";
import type { TraceRow } from "./trace.js";
import { fieldsOf, wordOf, type Fields } from "./trace_fields.js";

export function sdkCodeOf(row: TraceRow, target: CurlTarget, cwd = "/"): string {
  const { entry, kind, method } = row;
  if (entry.from !== "client") return reading(row, target);
  const message = fieldsOf(entry.message);
  if (kind === "request" || kind === "notification") {
    const params = fieldsOf(message["params"]);
    const call = callOf(method ?? "", params, target, cwd);
    return call ?? raw(kind, method ?? "", message["params"], target);
  }
  const outcome = fieldsOf(fieldsOf(message["result"])["outcome"]);
  const optionId = wordOf(outcome["optionId"]);
  if (method === "session/request_permission" && optionId !== undefined && row.sessionId !== undefined)
    return inSession(target, row.sessionId, cwd, [
      "for await (const event of session.events()) {",
      '  if (event.type !== "permission" || !event.open) continue;',
      `  await event.choose(${quoted(optionId)});`,
      "  break;",
      "}",
    ]);
  return answering(message, target);
}

function callOf(method: string, params: Fields, target: CurlTarget, cwd: string): string | undefined {
  const sessionId = wordOf(params["sessionId"]);
  const [modeId, modelId, configId] = [params["modeId"], params["modelId"], params["configId"]].map(wordOf);
  const value = params["value"];
  if (method === "session/new" && target.agent !== undefined) {
    const servers = Array.isArray(params["mcpServers"]) && params["mcpServers"].length > 0;
    const options = { agent: target.agent, serverId: target.serverId, cwd: wordOf(params["cwd"]) ?? cwd };
    const all = servers ? { ...options, mcpServers: params["mcpServers"] } : options;
    return program(target, [
      `const session = await agent.createSession(${written(all)});`,
      "console.log(session.agentSessionId);",
    ]);
  }
  if (sessionId === undefined || target.agent === undefined) return undefined;
  const session = (...lines: string[]) => inSession(target, sessionId, cwd, lines);
  if (method === "session/prompt" && Array.isArray(params["prompt"]))
    return session(
      `const turn = session.prompt(${promptOf(params["prompt"])});`,
      'for await (const event of turn) if (event.type === "text") console.log(event.text);',
      "console.log((await turn).stopReason);",
    );
  if (method === "session/cancel") return session("await session.cancel();");
  if (method === "session/set_mode" && modeId !== undefined) return session(`await session.setMode(${quoted(modeId)});`);
  if (method === "session/set_model" && modelId !== undefined) return session(`await session.setModel(${quoted(modelId)});`);
  if (method === "session/set_config_option" && configId !== undefined && /string|boolean/.test(typeof value))
    return session(`await session.setOption(${quoted(configId)}, ${written(value)});`);
  if (method === "session/close") return session("await session.close();");
  return undefined;
}

function promptOf(parts: readonly unknown[]): string {
  const only = parts.length === 1 ? fieldsOf(parts[0]) : {};
  return only["type"] === "text" && Object.keys(only).length === 2 ? written(only["text"]) : written(parts);
}

function program(target: CurlTarget, lines: readonly string[]): string {
  return [
    'import { SandboxAgent } from "sandbox-agent";',
    "",
    `const agent = await SandboxAgent.connect(${place(target)});`,
    ...lines,
    "await agent.leave(); // the process goes on",
    "",
  ].join("\n");
}

function inSession(target: CurlTarget, sessionId: string, cwd: string, lines: readonly string[]): string {
  const handle = { agent: target.agent ?? "", serverId: target.serverId, sessionId, cwd };
  return program(target, [`const session = await agent.attachSession(${written(handle)});`, ...lines]);
}

function raw(kind: "request" | "notification", method: string, params: unknown, target: CurlTarget): string {
  const given = `${quoted(method)}, ${written(params ?? {})}`;
  return [
    'import { AcpHttpClient } from "acp-http-client";',
    "",
    `const client = new AcpHttpClient(${place(target, `serverId: ${quoted(target.serverId)}`)});`,
    kind === "request" ? `console.log(await client.request(${given}));` : `await client.notify(${given});`,
    "client.detach(); // the process goes on",
    "",
  ].join("\n");
}

function answering({ id, result, error }: Fields, target: CurlTarget): string {
  const answer = error === undefined ? { result: result ?? null } : { error };
  return [
    'import { AcpHttpStream } from "acp-http-client";',
    "",
    `const stream = new AcpHttpStream(${place(target, `serverId: ${quoted(target.serverId)}`)});`,
    `await stream.writable.getWriter().write(${written({ jsonrpc: "2.0", id: id ?? null, ...answer })});`,
    "stream.close(); // the process goes on",
    "",
  ].join("\n");
}

function reading({ entry, kind }: TraceRow, target: CurlTarget): string {
  const first = kind === "gap" ? Number(fieldsOf(entry.message)["from"]) : entry.eventId;
  const position = first > 1 ? `, lastEventId: ${first - 1}` : "";
  return [
    'import { acpHttpEvents } from "acp-http-client";',
    "",
    `const from = ${place(target, `serverId: ${quoted(target.serverId)}${position}`)};`,
    "for await (const event of acpHttpEvents(from)) {",
    '  if (event.type !== "message") continue;',
    "  console.log(event.id, event.message);",
    "  break;",
    "}",
    "",
  ].join("\n");
}

function place({ baseUrl, hasToken }: CurlTarget, more?: string): string {
  const token = hasToken ? ", token: process.env.SANDBOX_AGENT_TOKEN!" : "";
  return `{ baseUrl: ${quoted(baseUrl)}${token}${more === undefined ? "" : `, ${more}`} }`;
}

const quoted = (text: string) => JSON.stringify(text);

/** A value as TypeScript writes it: on one line when it is short. */
function written(value: unknown): string {
  const names = (json: string) => json.replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
  const long = names(JSON.stringify(value, null, 2));
  const short = long.replace(/\n\s*/g, " ");
  return short.length <= 80 ? short : long;
}
