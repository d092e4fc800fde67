// A session that is being started: its steps, how far it is, and what went wrong.
import type { InstallProgress } from "sandbox-agent/daemon";

export const stepNames = ["install", "start", "initialize", "session"] as const;
export type StepName = (typeof stepNames)[number];

export interface Step {
  readonly name: StepName;
  readonly state: "waiting" | "working" | "done" | "skipped" | "failed";
  readonly startedAt?: number;
  readonly tookMs?: number;
  readonly note?: string;
}

export interface StartFailure {
  readonly step: StepName;
  readonly message: string;
  readonly hint?: string;
  readonly stderr?: string;
  /** The agent wants a login. */
  readonly signIn?: boolean;
}

export interface Starting {
  readonly agent: string;
  readonly cwd: string;
  readonly steps: readonly Step[];
  readonly failure?: StartFailure;
  readonly over: boolean;
}

export type StartNews =
  | { readonly type: "began"; readonly step: StepName; readonly at: number }
  | { readonly type: "skipped"; readonly step: StepName }
  | { readonly type: "progress"; readonly progress: InstallProgress }
  | { readonly type: "remark"; readonly text: string }
  | { readonly type: "failed"; readonly failure: StartFailure; readonly at: number }
  | { readonly type: "over"; readonly at: number };

export function startingOf(agent: string, cwd: string): Starting {
  return { agent, cwd, steps: stepNames.map((name) => ({ name, state: "waiting" })), over: false };
}

export function startingAfter(starting: Starting, news: StartNews): Starting {
  const change = (isMeant: (step: Step) => boolean, to: (step: Step) => Step) =>
    starting.steps.map((step) => (isMeant(step) ? to(step) : step));
  const isWorking = ({ state }: Step) => state === "working";
  const ended = (state: "done" | "failed", at: number) =>
    change(isWorking, ({ note: _, ...step }) => ({ ...step, state, tookMs: at - (step.startedAt ?? at) }));
  switch (news.type) {
    case "began": {
      const steps = ended("done", news.at);
      const { failure: _, ...rest } = starting; // it goes on after a login
      return {
        ...rest,
        over: false,
        steps: steps.map((step) => (step.name === news.step ? { ...step, state: "working", startedAt: news.at } : step)),
      };
    }
    case "skipped":
      return {
        ...starting,
        steps: change(
          ({ name }) => name === news.step,
          (step) => ({ ...step, state: "skipped" }),
        ),
      };
    case "progress":
      return { ...starting, steps: change(isWorking, (step) => ({ ...step, note: progressWord(news.progress) })) };
    case "remark":
      return { ...starting, steps: change(isWorking, (step) => ({ ...step, note: news.text })) };
    case "failed":
      return { ...starting, steps: ended("failed", news.at), failure: news.failure, over: true };
    case "over":
      return { ...starting, steps: ended("done", news.at), over: true };
  }
}

function progressWord({ phase, bytes, total }: InstallProgress): string {
  if (bytes === undefined) return phase;
  const size = (count: number) => `${(count / 1e6).toFixed(1)} MB`;
  return total === undefined || total === 0
    ? `${phase} ${size(bytes)}`
    : `${phase} ${Math.floor((100 * bytes) / total)} %, ${size(bytes)} of ${size(total)}`;
}
