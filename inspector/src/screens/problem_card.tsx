// What failed, where it failed: its cause, what to do about it, what was written, and the ways on. Stays until it is solved.
import type { ComponentChildren } from "preact";
import type { Problem } from "../state/problem.js";
import "./problem_card.css";

export interface ProblemCardProps {
  /** What did not happen, where the cause alone does not tell. */
  readonly title?: string;
  readonly problem: Problem & { readonly command?: string; readonly stderr?: string };
  readonly onRetry?: (() => void) | undefined;
  readonly onClose?: (() => void) | undefined;
  /** More buttons. */
  readonly children?: ComponentChildren;
}

export function ProblemCard({ title, problem, onRetry, onClose, children }: ProblemCardProps) {
  const { message, hint, command, stderr } = problem;
  return (
    <div role="alert" class="problem problem-card">
      <p>
        {title !== undefined && <b>{title}:</b>} {message}
      </p>
      {hint !== undefined && <p class="quiet">{hint}</p>}
      {command !== undefined && (
        <p class="quiet">
          Command: <code>{command}</code>
        </p>
      )}
      {stderr !== undefined && (
        <pre tabIndex={0} aria-label="What it wrote">
          {stderr}
        </pre>
      )}
      {(onRetry || onClose || children) && (
        <div class="buttons">
          {onRetry && (
            <button type="button" class="button" onClick={onRetry}>
              Retry
            </button>
          )}
          {children}
          {onClose && (
            <button type="button" class="button" onClick={onClose}>
              Close message
            </button>
          )}
        </div>
      )}
    </div>
  );
}
