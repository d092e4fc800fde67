// The agent's plan, pinned under the title.
import { Icon } from "../../parts/icon.js";
import type { PlanEntries } from "../../state/blocks.js";

// Into the middle of the list, which alone is scrolled.
const show = (step: HTMLElement | null) => {
  const list = step?.parentElement;
  if (list) list.scrollTop = step.offsetTop - list.clientHeight / 2;
};

export function Plan({ entries, isCurrent }: { entries: PlanEntries; isCurrent: boolean }) {
  if (entries.length === 0) return null;
  const done = entries.filter(({ status }) => status === "completed").length;
  return (
    <section class="plan" aria-label="Plan">
      <details key={String(isCurrent)} open={isCurrent}>
        <summary>
          <Icon name="plan" /> Plan <b>{`${done}/${entries.length}`}</b>
        </summary>
        <ul tabIndex={0} aria-label="Steps">
          {entries.map(({ content, status }, index) => (
            <li key={index} data-status={status} ref={status === "in_progress" ? show : null}>
              <Icon name={status === "completed" ? "check" : status === "in_progress" ? "spinner" : "clock"} />
              <span>{content}</span>
              <span class="visually-hidden">{`, ${(status ?? "pending").replace("_", " ")}`}</span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
