// An entry as the fields of a form, and back. A form can hold what an entry cannot, such as two variables of one name while somebody
// writes; what cannot be an entry is a fault with the path of its field. What the form does not show is kept as it was.
import { canonical, isFields, type Fields, type ShapeFault } from "./config_shape.js";
import type { ConfigKind } from "./route.js";

export interface Pair {
  readonly name: string;
  readonly value: string;
}

export interface McpForm {
  readonly kind: "mcp";
  readonly type: "local" | "remote";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly Pair[];
  readonly cwd: string;
  readonly url: string;
  readonly transport: "" | "http" | "sse";
  readonly headers: readonly Pair[];
  readonly envHeaders: readonly Pair[];
  readonly bearerTokenEnvVar: string;
  readonly oauth: "" | "on" | "off" | "client";
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  readonly enabled: boolean;
  readonly timeoutMs: string;
}

export interface SourceForm {
  readonly type: string;
  readonly source: string;
  readonly skills: readonly string[];
  readonly ref: string;
  readonly subpath: string;
}

export interface SkillsForm {
  readonly kind: "skills";
  readonly sources: readonly SourceForm[];
}

export type EntryForm = McpForm | SkillsForm;

export const newSource: SourceForm = { type: "github", source: "", skills: [], ref: "", subpath: "" };

/** What a new entry begins with. */
export const newEntry: Readonly<Record<ConfigKind, Fields>> = {
  mcp: { type: "local", command: "" },
  skills: { sources: [{ type: "github", source: "" }] },
};

/** Of an entry whose shape is right. */
export function formOf(kind: ConfigKind, value: Fields): EntryForm {
  const entry = canonical(kind, value);
  if (kind === "skills") return { kind, sources: (entry.sources as readonly Fields[]).map(sourceOf) };
  const command = [entry.command ?? ""].flat() as string[];
  const oauth = isFields(entry.oauth) ? entry.oauth : {};
  return {
    kind,
    type: entry.type === "remote" ? "remote" : "local",
    command: command[0] ?? "",
    args: [...command.slice(1), ...texts(entry.args)],
    env: pairs(entry.env),
    cwd: text(entry.cwd),
    url: text(entry.url),
    transport: text(entry.transport) as McpForm["transport"],
    headers: pairs(entry.headers),
    envHeaders: pairs(entry.envHeaders),
    bearerTokenEnvVar: text(entry.bearerTokenEnvVar),
    oauth: isFields(entry.oauth) ? "client" : entry.oauth === true ? "on" : entry.oauth === false ? "off" : "",
    clientId: text(oauth.clientId),
    clientSecret: text(oauth.clientSecret),
    scope: text(oauth.scope),
    enabled: entry.enabled !== false,
    timeoutMs: typeof entry.timeoutMs === "number" ? String(entry.timeoutMs) : "",
  };
}

/** For a command that seems to have arguments in it. A path may have spaces: whether it is there tells. */
export const argumentsHint = (command: string): string =>
  /\s/.test(command.trim()) ? "Arguments go below, one per line." : "";

export type FormRead = { readonly value: Fields } | { readonly fault: ShapeFault };

/** The entry that a form says; `before` is the one it was made from. */
export function valueOf(form: EntryForm, before: Fields): FormRead {
  const fault = form.kind === "mcp" ? mcpFault(form) : undefined;
  return fault ? { fault } : { value: uncheckedValueOf(form, before) };
}

/** The same, whether it can be an entry or not yet. */
export function uncheckedValueOf(form: EntryForm, before: Fields): Fields {
  if (form.kind === "skills") {
    const old = Array.isArray(before.sources) ? (before.sources as readonly Fields[]) : [];
    const sources = form.sources.map((source, at) => changed(isFields(old[at]) ? old[at] : {}, sourceMembers(source)));
    return changed(before, { sources });
  }
  const base = canonical("mcp", before);
  return changed(base, form.type === "local" ? localMembers(form, base) : remoteMembers(form, base));
}

// --- to the form ---

const text = (value: unknown) => (typeof value === "string" ? value : "");
const texts = (value: unknown) => (Array.isArray(value) ? (value as string[]) : []);
const pairs = (value: unknown): Pair[] =>
  isFields(value) ? Object.entries(value).map(([name, value]) => ({ name, value: text(value) })) : [];

const sourceOf = (source: Fields): SourceForm => ({
  type: text(source.type),
  source: text(source.source),
  skills: texts(source.skills),
  ref: text(source.ref),
  subpath: text(source.subpath),
});

// --- from the form; undefined: the member is left out ---

const filled = <T>(list: readonly T[], isFilled: (item: T) => boolean) => {
  const kept = list.filter(isFilled);
  return kept.length > 0 ? kept : undefined;
};
const mapOf = (list: readonly Pair[]) => {
  const named = filled(list, ({ name, value }) => name !== "" || value !== "");
  return named && Object.fromEntries(named.map(({ name, value }) => [name, value]));
};
const orNone = (value: string) => (value === "" ? undefined : value);

function localMembers(form: McpForm, base: Fields): Fields {
  const { command, env, cwd } = form;
  const args = filled(form.args, (arg) => arg !== "" || texts(base.args).includes(""));
  const spelled = Array.isArray(base.command) ? { command: [command, ...(args ?? [])], args: undefined } : { command, args };
  return { type: "local", ...spelled, env: mapOf(env), cwd: orNone(cwd), ...remotely, ...both(form, base) };
}

function remoteMembers(form: McpForm, base: Fields): Fields {
  const { url, transport, headers, envHeaders, bearerTokenEnvVar } = form;
  const members = { headers: mapOf(headers), envHeaders: mapOf(envHeaders), bearerTokenEnvVar: orNone(bearerTokenEnvVar) };
  return {
    type: "remote",
    url,
    transport: orNone(transport),
    ...members,
    oauth: oauthOf(form),
    ...locally,
    ...both(form, base),
  };
}

const none = undefined;
const locally = { command: none, args: none, env: none, cwd: none };
const remotely = { url: none, transport: none, headers: none, envHeaders: none, bearerTokenEnvVar: none, oauth: none };

const both = ({ enabled, timeoutMs }: McpForm, base: Fields): Fields => ({
  enabled: enabled && typeof base.enabled !== "boolean" ? undefined : enabled,
  timeoutMs: timeoutMs.trim() === "" ? undefined : isCount(timeoutMs) ? Number(timeoutMs) : timeoutMs,
});

function oauthOf({ oauth, clientId, clientSecret, scope }: McpForm): unknown {
  if (oauth === "") return undefined;
  if (oauth !== "client") return oauth === "on";
  return changed({}, { clientId: orNone(clientId), clientSecret: orNone(clientSecret), scope: orNone(scope) });
}

const sourceMembers = ({ type, source, skills, ref, subpath }: SourceForm): Fields => ({
  type,
  source,
  skills: filled(skills, (name) => name !== ""),
  ref: orNone(ref),
  subpath: orNone(subpath),
});

function changed(before: Fields, members: Fields): Fields {
  const all = Object.entries({ ...before, ...members });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== null));
}

// --- what cannot be an entry ---

function mcpFault({ type, command, url, timeoutMs, env, headers, envHeaders }: McpForm): ShapeFault | undefined {
  if (type === "local" && command.trim() === "") return { field: "command", detail: "Name the program that is to be started." };
  if (type === "remote" && url.trim() === "") return { field: "url", detail: "Write the address of the server." };
  if (!isCount(timeoutMs)) return { field: "timeoutMs", detail: "Write a whole number of milliseconds, or nothing." };
  return type === "local" ? pairsFault("env", env) : (pairsFault("headers", headers) ?? pairsFault("envHeaders", envHeaders));
}

const isCount = (text: string) => /^\d*$/.test(text.trim()) && Number.isSafeInteger(Number(text));

function pairsFault(field: string, list: readonly Pair[]): ShapeFault | undefined {
  const names = new Set<string>();
  for (const [at, { name, value }] of list.entries()) {
    if (name === "" && value === "") continue; // left out
    if (name.trim() === "") return { field: `${field}[${at}]`, detail: "Give this value a name, or remove it." };
    if (names.has(name)) return { field: `${field}[${at}]`, detail: `“${name}” is here twice; remove one.` };
    names.add(name);
  }
  return undefined;
}
