// A session that is being started, step by step. What fails stays on the screen, with its cause and a way on.
import { useEffect, useState } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { Icon, type IconName } from "../../parts/icon.js";
import { onDemand } from "../../parts/on_demand.js";
import type { Starting, Step } from "../../state/starting.js";

const icons: Record<Step["state"], IconName> = {
  waiting: "clock",
  working: "spinner",
  done: "check",
  skipped: "check",
  failed: "cross",
};

const signInKey = onDemand(() => import("../sign_in_key.js"));

export function Progress({ starting }: { starting: Starting }) {
  const app = useApp();
  const { failure, agent, cwd } = starting;
  const shown = useAppState((state) => state.shown);
  const SignInKey = signInKey.use(failure?.signIn === true)?.SignInKey;
  const methods = shown?.view.introduction?.authMethods ?? [];
  return (
    <div class="form">
      <p>
        Starting <b>{agent}</b> in <code>{cwd}</code>
      </p>
      <ol class="steps" aria-label="Steps">
        {starting.steps.map((step) => (
          <li key={step.name} data-state={step.state}>
            <Icon name={icons[step.state]} />
            <span class="steps-name">{step.name}</span>
            <span class="quiet">{step.state === "skipped" ? "not needed" : (step.note ?? step.state)}</span>
            <Elapsed step={step} />
          </li>
        ))}
      </ol>
      {failure && (
        <div class="problem" role="alert">
          <p>
            <b>{failure.signIn ? "The agent wants you to sign in" : `The step “${failure.step}” failed`}:</b> {failure.message}
          </p>
          {failure.hint !== undefined && <p class="quiet">{failure.hint}</p>}
          {SignInKey && (
            <p class="quiet">
              <SignInKey agent={agent} isOnly={methods.length === 0} />
            </p>
          )}
          {failure.stderr !== undefined && <pre tabIndex={0}>{failure.stderr}</pre>}
          {failure.signIn &&
            methods.map(({ id, name, description }) => (
              <button key={id} type="button" class="button" title={description} onClick={() => void app.signInToStart(id)}>
                {name}
              </button>
            ))}
        </div>
      )}
      <div class="form-end">
        <button type="button" class="button" onClick={() => app.closeDialog()}>
          {failure ? "Close" : "Cancel"}
        </button>
        {failure && (
          <button type="button" class="button button-main" autoFocus onClick={() => app.retryStart()}>
            Retry
          </button>
        )}
      </div>
    </div>
  );
}

function Elapsed({ step: { startedAt, tookMs, state } }: { step: Step }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (state !== "working") return undefined;
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, [state]);
  const ms = tookMs ?? (startedAt === undefined ? undefined : now - startedAt);
  return (
    <span class="steps-time">
      {ms === undefined ? "" : ms < 1000 ? `${Math.max(0, ms)} ms` : `${(ms / 1000).toFixed(1)} s`}
    </span>
  );
}
