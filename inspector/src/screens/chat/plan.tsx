// The agent's plan, pinned under the title.
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../../parts/icon.js";
import { usePhone } from "../../parts/use_media.js";
import type { PlanEntries } from "../../state/blocks.js";

// Brings the step that is done now into the middle of the list, which alone is scrolled; also when a card that asks takes its room.
function useShownStep(now: number, isCurrent: boolean) {
  const ref = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const list = ref.current;
    const step = list?.children[now] as HTMLElement | undefined;
    if (!list || !step) return;
    const sizes = new ResizeObserver(() => (list.scrollTop = step.offsetTop - list.clientHeight / 2));
    sizes.observe(list);
    return () => sizes.disconnect();
  }, [now, isCurrent]);
  return ref;
}

export function Plan({ entries, isCurrent }: { entries: PlanEntries; isCurrent: boolean }) {
  const list = useShownStep(
    entries.findIndex(({ status }) => status === "in_progress"),
    isCurrent,
  );
  const isPhone = usePhone();
  if (entries.length === 0) return null;
  const done = entries.filter(({ status }) => status === "completed").length;
  const isOpen = isCurrent && !(isPhone && done === entries.length); // there is little room for what is over
  return (
    <section class="plan" aria-label="Plan">
      <details key={String(isOpen)} open={isOpen}>
        <summary>
          <Icon name="plan" /> Plan <b>{`${done}/${entries.length}`}</b>
        </summary>
        <ul ref={list} tabIndex={0} aria-label="Steps">
          {entries.map(({ content, status }, index) => (
            <li key={index} data-status={status}>
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
