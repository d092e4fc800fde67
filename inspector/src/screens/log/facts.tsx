// A card of names and values.
import { useId } from "preact/hooks";

/** What it is in the status, its name, its value in words. */
export type Fact = readonly [id: string, name: string, words: string];

export function Facts({ title, facts, isWide }: { title: string; facts: readonly Fact[]; isWide?: boolean }) {
  const id = useId();
  return (
    <section class={isWide ? "log-card log-wide" : "log-card"} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <dl class="log-facts">
        {facts.map(([id, name, words]) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd data-fact={id}>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
