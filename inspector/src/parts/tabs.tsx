// Tabs: one list, one panel. Arrows, Home and End move along the list and show what they reach.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import "./tabs.css";

export interface Tab {
  readonly id: string;
  readonly name: string;
}

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly shown: string;
  readonly onShow: (id: string) => void;
  /** What the panel of the shown tab has in it. */
  readonly children: ComponentChildren;
}

let lists = 0;

export function Tabs({ label, tabs, shown, onShow, children }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const name = useRef("");
  if (name.current === "") name.current = `tabs-${++lists}`;
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === shown);
    const last = tabs.length - 1;
    const places: Record<string, number> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at <= 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const next = tabs[places[event.key] ?? -1];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onShow(next.id);
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(`${name.current}-${next.id}`)}`)?.focus();
  };
  return (
    <div class="tabs">
      <div class="tabs-list" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${name.current}-${tab.id}`}
            type="button"
            role="tab"
            class="tabs-tab"
            aria-selected={tab.id === shown}
            aria-controls={`${name.current}-panel`}
            tabIndex={tab.id === shown ? 0 : -1}
            onClick={() => onShow(tab.id)}
          >
            {tab.name}
          </button>
        ))}
      </div>
      <div
        class="tabs-panel"
        role="tabpanel"
        id={`${name.current}-panel`}
        aria-labelledby={`${name.current}-${shown}`}
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  );
}
