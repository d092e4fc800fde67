// An install that is under way or was: its steps, how far it is, how fast, and how it ended.
import type { InstallProgress } from "sandbox-agent/daemon";

const speedWindowMs = 3_000; // speed is of the last seconds
const leastWindowMs = 300; // of less than this nothing can be said

export interface InstallWish {
  readonly reinstall?: boolean;
  readonly agentVersion?: string;
  readonly agentProcessVersion?: string;
}

export interface InstallStep {
  readonly phase: string;
  readonly at: number;
  readonly tookMs?: number;
}

export interface InstallFailure {
  readonly message: string;
  readonly hint?: string;
  /** What was run, and the end of what it wrote. */
  readonly command?: string;
  readonly stderr?: string;
  readonly isOffline: boolean;
}

export interface Install {
  readonly wish: InstallWish;
  /** The agent was installed before: calling it off would remove that too. */
  readonly replaces: boolean;
  readonly state: "working" | "cancelling" | "done" | "cancelled" | "failed";
  readonly startedAt: number;
  readonly tookMs?: number;
  readonly steps: readonly InstallStep[];
  readonly bytes?: number;
  readonly total?: number;
  readonly samples: readonly { readonly at: number; readonly bytes: number }[];
  /** There was nothing to do. */
  readonly wasThere?: boolean;
  readonly version?: string;
  readonly failure?: InstallFailure;
}

export type InstallNews =
  | { readonly type: "progress"; readonly progress: InstallProgress; readonly at: number }
  | { readonly type: "cancelling" }
  | { readonly type: "not cancelled"; readonly failure: InstallFailure }
  | { readonly type: "cancelled"; readonly at: number }
  | { readonly type: "done"; readonly wasThere: boolean; readonly version: string | undefined; readonly at: number }
  | { readonly type: "failed"; readonly failure: InstallFailure; readonly at: number };

export function installOf(wish: InstallWish, replaces: boolean, at: number): Install {
  return { wish, replaces, state: "working", startedAt: at, steps: [], samples: [] };
}

export function installAfter(install: Install, news: InstallNews): Install {
  const { bytes: _, total: __, failure: ___, ...rest } = install;
  const over = (at: number) => ({ ...rest, samples: [], steps: ended(install.steps, at), tookMs: at - install.startedAt });
  switch (news.type) {
    case "progress":
      return progressed(install, news.progress, news.at);
    case "cancelling":
      return { ...install, state: "cancelling" };
    case "not cancelled":
      return install.state === "cancelling" ? { ...install, state: "working", failure: news.failure } : install;
    case "cancelled":
      return { ...over(news.at), state: "cancelled" };
    case "done":
      return {
        ...over(news.at),
        state: "done",
        wasThere: news.wasThere,
        ...(news.version !== undefined && { version: news.version }),
      };
    case "failed":
      return { ...over(news.at), state: "failed", failure: news.failure };
  }
}

function progressed(install: Install, { phase, bytes, total }: InstallProgress, at: number): Install {
  const { bytes: _, total: __, ...rest } = install;
  const isNext = install.steps.at(-1)?.phase !== phase;
  const steps = isNext ? [...ended(install.steps, at), { phase, at }] : install.steps;
  const recent = isNext ? [] : install.samples.filter((sample) => at - sample.at <= speedWindowMs);
  return {
    ...rest,
    steps,
    samples: bytes === undefined ? [] : [...recent, { at, bytes }],
    ...(bytes !== undefined && { bytes }),
    ...(total !== undefined && total > 0 && { total }),
  };
}

function ended(steps: readonly InstallStep[], at: number): readonly InstallStep[] {
  return steps.map((step) => (step.tookMs === undefined ? { ...step, tookMs: at - step.at } : step));
}

export const isUnderWay = (install: Install | undefined): boolean =>
  install?.state === "working" || install?.state === "cancelling";

export function percentOf({ bytes, total }: Install): number | undefined {
  return bytes === undefined || total === undefined ? undefined : Math.min(100, Math.floor((100 * bytes) / total));
}

/** Bytes per second; undefined while nothing can be said. */
export function speedOf({ samples }: Install): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < leastWindowMs) return undefined;
  return (1000 * (last.bytes - first.bytes)) / (last.at - first.at);
}

const phases: Record<string, string> = {
  waiting: "waiting for another install",
  registry: "asking the registry",
  npm: "npm installs",
  uv: "uv installs",
};

export const phaseWord = (phase: string): string => phases[phase] ?? phase;

/** For lists: where it is, or that it failed; nothing, when it is over and all is well. */
export function installWord(install: Install): string | undefined {
  if (install.state === "failed") return install.failure?.isOffline ? "failed, offline" : "failed";
  if (install.state === "cancelling") return "cancelling";
  if (install.state !== "working") return undefined;
  const percent = percentOf(install);
  const phase = install.steps.at(-1)?.phase;
  return (phase === undefined ? "installing" : phaseWord(phase)) + (percent === undefined ? "" : ` ${percent} %`);
}

const offline =
  /could not be reached|could not connect|cannot be resolved|could not resolve|no such host|network is unreachable|connection refused|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT/i;

/** Whether it failed because something on the network did not answer. */
export const soundsOffline = (...texts: (string | undefined)[]) =>
  texts.some((text) => text !== undefined && offline.test(text));

/** "120 ms", "3.4 s". */
export const timeWord = (ms: number): string =>
  ms < 1000 ? `${Math.max(0, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;
