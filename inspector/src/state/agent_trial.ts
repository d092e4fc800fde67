// A test of an agent: a process of its own is started, asked to initialize, and ended. What it answered, or why it did not.
import { fieldsOf, listOf, numberOf, textOf } from "./json_rpc.js";

export interface Answered {
  readonly protocolVersion?: number;
  readonly name?: string;
  readonly version?: string;
  readonly capabilities: readonly Capability[];
  /** The names of its ways to sign in. */
  readonly signIn: readonly string[];
}

export interface Capability {
  readonly name: string;
  readonly value: string;
}

export interface TrialFailure {
  readonly message: string;
  readonly hint?: string;
  readonly stderr?: string;
}

export type TrialStep = "start" | "initialize" | "end";

export interface Trial {
  readonly serverId: string;
  readonly state: "working" | "answered" | "failed" | "cancelled";
  readonly step: TrialStep;
  readonly startedAt: number;
  /** When it ended, and how long it took until the answer. */
  readonly at?: number;
  readonly tookMs?: number;
  readonly answered?: Answered;
  readonly failure?: TrialFailure;
  /** The process could not be ended: why. */
  readonly left?: string;
}

/** What to do about a failed test, and what became of its process: only what is known. */
export function hintOf({ failure, left }: Trial): string | undefined {
  if (failure?.hint !== undefined || left !== undefined) return failure?.hint;
  return `Its process was ended.${failure?.stderr === undefined ? "" : " What it wrote to its error output says more."}`;
}

/** What an agent said to "initialize"; undefined when that is no answer. */
export function answeredOf(result: unknown): Answered | undefined {
  const { protocolVersion, agentInfo, agentCapabilities, authMethods } = fieldsOf(result);
  if (numberOf(protocolVersion) === undefined && fieldsOf(result)["agentCapabilities"] === undefined) return undefined;
  const info = fieldsOf(agentInfo);
  const [name, version, protocol] = [
    textOf(info["title"]) ?? textOf(info["name"]),
    textOf(info["version"]),
    numberOf(protocolVersion),
  ];
  return {
    ...(protocol !== undefined && { protocolVersion: protocol }),
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    capabilities: capabilitiesIn(fieldsOf(agentCapabilities)),
    signIn: listOf(authMethods)
      .map(fieldsOf)
      .flatMap((method) => textOf(method["name"]) ?? textOf(method["id"]) ?? []),
  };
}

const deepest = 3;

// Each leaf with its way from the top; an empty object stands for "yes".
function capabilitiesIn(fields: Record<string, unknown>, above = "", depth = 1): Capability[] {
  return Object.entries(fields).flatMap(([key, value]): Capability[] => {
    if (key === "_meta") return [];
    const name = above === "" ? shortened(key) : `${above}.${key}`;
    const inner = fieldsOf(value);
    if (Object.keys(inner).length > 0 && depth < deepest) return capabilitiesIn(inner, name, depth + 1);
    return [{ name, value: wordOf(value) }];
  });
}

const shortened = (key: string) => key.replace(/Capabilities$/, "");

function wordOf(value: unknown): string {
  if (value === true) return "yes";
  if (value === false || value === null) return "no";
  if (typeof value === "object" && Object.keys(value as object).length === 0) return "yes";
  return typeof value === "string" ? value : JSON.stringify(value);
}
