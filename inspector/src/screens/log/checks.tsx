// What the doctor would say, as far as it can be told from here.
import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "../../parts/icon.js";
import { checksOf, tally, type Check, type ReportInputs } from "../../state/report.js";

const icons: Record<Check["state"], IconName> = { ok: "check", warning: "warn", error: "cross" };

export interface ChecksProps {
  readonly inputs: ReportInputs;
  /** Why the agents are not known. */
  readonly failure: string | undefined;
  readonly onRetry: () => void;
  readonly children: ComponentChildren;
}

export function Checks({ inputs, failure, onRetry, children }: ChecksProps) {
  const checks = checksOf(inputs);
  return (
    <section class="log-card" aria-labelledby="log-checks">
      <div class="log-card-head">
        <h2 id="log-checks">Doctor</h2>
        <span class="quiet">{tally(checks)}</span>
        {children}
      </div>
      <ul class="log-checks">
        {checks.map(({ name, state, text, fix }) => (
          <li key={name} data-state={state}>
            <Icon name={icons[state]} />
            <span class="log-state">{state}</span>
            <b>{name}</b>
            <span>
              {text}
              {fix !== undefined && state !== "ok" && <span class="log-fix">{fix}</span>}
            </span>
          </li>
        ))}
      </ul>
      {failure !== undefined && (
        <div class="problem log-problem" role="alert">
          <p>The agents are not known: {failure}</p>
          <button type="button" class="button" onClick={onRetry}>
            Retry
          </button>
        </div>
      )}
      <p class="quiet">
        Data folder, free space, port, token files, proxy, Node.js, and whether agents answer cannot be seen from here: run{" "}
        <code>sandbox-agent doctor</code> where the daemon runs.
      </p>
    </section>
  );
}
