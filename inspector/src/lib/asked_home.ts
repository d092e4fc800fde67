// Where the daemon works, for a screen that has to know it: when nobody said it for a while it is asked for again, and why it is not
// said is known.
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../state/problem.js";
import { useApp } from "./context.js";
import { problemOf } from "./problem.js";

const patienceMs = 1_500;

export interface AskedHome {
  readonly problem?: Problem | undefined;
  readonly ask: () => void;
}

export function useAskedHome(): AskedHome {
  const app = useApp();
  const [problem, setProblem] = useState<Problem>();
  const ask = () => {
    setProblem(undefined);
    app.findHome().catch((error: unknown) => setProblem(problemOf(error)));
  };
  useEffect(() => {
    const timer = setTimeout(ask, patienceMs);
    return () => clearTimeout(timer);
  }, []);
  return { problem, ask };
}
