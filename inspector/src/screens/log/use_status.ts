// The daemon's status, asked for again and again while somebody looks. What was known stays when it cannot be asked for.
import { useEffect, useState } from "preact/hooks";
import type { SandboxAgentError } from "sandbox-agent/daemon";
import { useApp } from "../../lib/context.js";
import type { DaemonStatus } from "../../state/report.js";

const everyMs = 2_000;
const giveUpMs = 5_000;

export interface StatusNow {
  readonly status?: DaemonStatus;
  readonly failure?: SandboxAgentError;
  readonly retry: () => void;
}

export function useStatus(): StatusNow {
  const app = useApp();
  const [now, setNow] = useState<Omit<StatusNow, "retry">>({});
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const ask = async () => {
      if (!document.hidden) {
        try {
          const status = await app.daemon.status({ signal: AbortSignal.timeout(giveUpMs) });
          if (!isOver) setNow({ status });
        } catch (error) {
          if (!isOver) setNow((before) => ({ ...before, failure: error as SandboxAgentError }));
        }
      }
      if (!isOver) timer = setTimeout(() => void ask(), everyMs);
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [tries]);
  return { ...now, retry: () => setTries(tries + 1) };
}
