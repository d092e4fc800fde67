// What an entry of a config file may have in it: members, their shapes, other spellings. The daemon has the last word; this finds what a
// form cannot show, in the daemon's words and with its paths, and what the daemon would leave out.
import type { ConfigKind } from "./route.js";

export type Fields = Readonly<Record<string, unknown>>;

/** What is wrong, and with which member. */
export interface ShapeFault {
  readonly field: string;
  readonly detail: string;
}

type Shape = "text" | "texts" | "text or texts" | "text map" | "switch" | "number" | "oauth" | "transport" | "sources";
type Members = Readonly<Record<string, Shape>>;

const both: Members = { enabled: "switch", timeoutMs: "number" };
const local: Members = { type: "text", command: "text or texts", args: "texts", env: "text map", cwd: "text", ...both };
const remote: Members = {
  type: "text",
  url: "text",
  headers: "text map",
  bearerTokenEnvVar: "text",
  envHeaders: "text map",
  oauth: "oauth",
  transport: "transport",
  ...both,
};
const source: Members = { type: "text", source: "text", skills: "texts", ref: "text", subpath: "text" };
const oauth: Members = { clientId: "text", clientSecret: "text", scope: "text" };
const skills: Members = { sources: "sources" };

const needed: Readonly<Record<string, readonly string[]>> = { local: ["command"], remote: ["url"] };
const localWords = ["local", "stdio"];
const remoteWords = ["remote", "http", "sse"];
const otherSpellings: Readonly<Record<string, string>> = {
  environment: "env",
  timeout: "timeoutMs",
  bearer_token_env_var: "bearerTokenEnvVar",
  env_http_headers: "envHeaders",
};

/** The entry in the spelling that the daemon writes. */
export function canonical(kind: ConfigKind, entry: Fields): Fields {
  if (kind === "skills") return entry;
  const { type } = entry;
  const isRemote = remoteWords.includes(String(type));
  const spelled = Object.entries(entry).map(([name, value]) => [spelling(name, isRemote ? remote : local), value] as const);
  const transport = type === "http" || type === "sse" ? { transport: type } : {};
  const word = isRemote ? "remote" : localWords.includes(String(type)) ? "local" : type;
  return { ...Object.fromEntries(spelled), ...(type !== undefined && { type: word }), ...transport };
}

/** Why this cannot be an entry, as far as can be told here. */
export function shapeFault(kind: ConfigKind, value: unknown): ShapeFault | undefined {
  if (!isFields(value)) return { field: "body", detail: "An entry must be an object: { … }." };
  const entry = canonical(kind, value);
  if (kind === "skills") return entry.sources === undefined ? must("sources", "be there") : membersFault(entry, skills, "");
  if (entry.type !== "local" && entry.type !== "remote")
    return must("type", [...localWords, ...remoteWords].map((word) => `'${word}'`).join(" or "), "be ");
  const missing = needed[entry.type]!.find((name) => entry[name] === undefined || entry[name] === null);
  if (missing !== undefined) return must(missing, "be there");
  return membersFault(entry, entry.type === "local" ? local : remote, "");
}

/** Members that the daemon does not know and does not keep, by their paths. */
export function unknownMembers(kind: ConfigKind, value: unknown): string[] {
  if (!isFields(value)) return [];
  if (kind === "mcp") {
    const members = canonical(kind, value).type === "remote" ? remote : local;
    const inOauth = isFields(value.oauth) ? Object.keys(value.oauth).filter((name) => !(name in oauth)) : [];
    const unknown = Object.keys(value).filter((name) => !(spelling(name, members) in members));
    return [...unknown, ...inOauth.map((name) => `oauth.${name}`)];
  }
  const sources = Array.isArray(value.sources) ? value.sources : [];
  const inSources = sources.flatMap((item, at) =>
    isFields(item)
      ? Object.keys(item)
          .filter((name) => !(name in source))
          .map((name) => `sources[${at}].${name}`)
      : [],
  );
  return [...Object.keys(value).filter((name) => !(name in skills)), ...inSources];
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const spelling = (name: string, members: Members) => {
  const other = Object.hasOwn(otherSpellings, name) ? otherSpellings[name]! : name;
  return other in members ? other : name;
};

const must = (field: string, what: string, verb = ""): ShapeFault => ({ field, detail: `'${field}' must ${verb}${what}.` });

function membersFault(entry: Fields, members: Members, path: string): ShapeFault | undefined {
  for (const [name, shape] of Object.entries(members)) {
    const value = entry[name];
    if (value === undefined || value === null) continue;
    const fault = valueFault(value, shape, path === "" ? name : `${path}.${name}`);
    if (fault) return fault;
  }
  return undefined;
}

function valueFault(value: unknown, shape: Shape, path: string): ShapeFault | undefined {
  switch (shape) {
    case "text":
      return typeof value === "string" ? undefined : must(path, "be a string");
    case "switch":
      return typeof value === "boolean" ? undefined : must(path, "be true or false");
    case "number":
      return Number.isInteger(value) && (value as number) >= 0 ? undefined : must(path, "be a whole number from 0 on");
    case "transport":
      return value === "http" || value === "sse" ? undefined : must(path, "be 'http' or 'sse'");
    case "text or texts":
      if (typeof value === "string") return undefined;
      return Array.isArray(value) ? itemsFault(value, path) : must(path, "be a string or a list");
    case "texts":
      return Array.isArray(value) ? itemsFault(value, path) : must(path, "be a list");
    case "text map": {
      if (!isFields(value)) return must(path, "be an object");
      const wrong = Object.keys(value).find((name) => typeof value[name] !== "string");
      return wrong === undefined ? undefined : must(`${path}.${wrong}`, "be a string");
    }
    case "oauth":
      if (typeof value === "boolean") return undefined;
      return isFields(value) ? membersFault(value, oauth, path) : must(path, "be true or false or an object");
    case "sources":
      return Array.isArray(value) ? sourcesFault(value, path) : must(path, "be a list");
  }
}

function itemsFault(items: readonly unknown[], path: string): ShapeFault | undefined {
  const wrong = items.findIndex((item) => typeof item !== "string");
  return wrong < 0 ? undefined : must(`${path}[${wrong}]`, "be a string");
}

function sourcesFault(items: readonly unknown[], path: string): ShapeFault | undefined {
  for (const [at, item] of items.entries()) {
    const here = `${path}[${at}]`;
    if (!isFields(item)) return must(here, "be an object");
    const missing = ["type", "source"].find((name) => item[name] === undefined || item[name] === null);
    const fault = missing === undefined ? membersFault(item, source, here) : must(`${here}.${missing}`, "be there");
    if (fault) return fault;
  }
  return undefined;
}
