// The palette: one field that finds every action, session, section, agent and file. Arrows choose, Enter runs, Esc closes.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { entriesOf, type PaletteEntry } from "../../lib/palette_entries.js";
import { Icon } from "../../parts/icon.js";
import { find } from "../../state/palette.js";
import { PaletteRow } from "./palette_row.js";
import { useFiles } from "./use_files.js";
import "./palette.css";

const most = { unasked: 6, asked: 10 }; // of a group

export function Palette() {
  const app = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  const meant = useRef<PaletteEntry>(undefined); // what was chosen
  const [query, setQuery] = useState("");
  const [chosen, choose] = useState(0);
  const files = useFiles(query);
  const agents = useAppState((state) => state.agents);
  const instances = useAppState((state) => state.instances);
  const entries = useMemo(() => entriesOf(app, files.found), [files.found, agents, instances]);
  const groups = useMemo(() => find(entries, query, query.trim() === "" ? most.unasked : most.asked), [entries, query]);
  const hits = groups.flatMap((group) => group.hits);
  const active = hits[Math.min(chosen, hits.length - 1)];
  const idOf = (entry: PaletteEntry) => `palette-${entries.indexOf(entry)}`;

  useLayoutEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current!;
    shown.showModal();
    return () => {
      shown.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      meant.current?.run(app); // the focus is where it was, and nothing lies over the page
    };
  }, []);
  useEffect(() => {
    if (agents.state !== "ready") void app.loadAgents();
  }, []);
  useEffect(() => {
    if (active) document.getElementById(idOf(active.entry))?.scrollIntoView({ block: "nearest" });
  });

  const close = () => app.closeDialog();
  const run = (entry: PaletteEntry) => {
    meant.current = entry;
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = steps[event.key];
    if (step !== undefined && hits.length > 0) {
      const next = Math.min(chosen, hits.length - 1) + step;
      choose(Math.abs(step) === 1 ? (next + hits.length) % hits.length : Math.min(hits.length - 1, Math.max(0, next)));
    } else if (event.key === "Enter" && active) run(active.entry);
    else if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) close();
    else return;
    event.preventDefault();
  };
  const write = (text: string) => {
    setQuery(text);
    choose(0);
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <div class="palette-head">
        <Icon name="search" />
        <input
          class="palette-field"
          role="combobox"
          aria-label="Search"
          aria-expanded={hits.length > 0}
          aria-controls="palette-list"
          aria-autocomplete="list"
          aria-activedescendant={active && idOf(active.entry)}
          placeholder="Search actions, sessions, agents, files"
          autoComplete="off"
          spellcheck={false}
          autoFocus
          value={query}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <button type="button" class="icon-button" aria-label="Close" title="Close (Esc)" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Found" tabIndex={-1}>
        {groups.map(({ name, hits, left }) => (
          <div key={name} role="group" aria-label={name}>
            <div class="palette-group" aria-hidden="true">
              {name}
              {left > 0 && <span>{left} more</span>}
            </div>
            {hits.map(({ entry, marks }) => (
              <PaletteRow
                key={idOf(entry)}
                id={idOf(entry)}
                entry={entry}
                marks={marks}
                isActive={entry === active?.entry}
                onChoose={() => run(entry)}
              />
            ))}
          </div>
        ))}
      </div>
      <div class="palette-foot quiet">
        <span role="status">
          {hits.length === 0 ? "Nothing matches." : files.isLooking ? "Looking for files …" : ""}
          {hits.length > 0 && ` ${files.said}`}
          {files.failure !== undefined && `Files could not be listed: ${files.failure}`}
        </span>
        {hits.length === 0 && (
          <button type="button" class="button" onClick={() => write("")}>
            Clear filter
          </button>
        )}
        {files.failure !== undefined && (
          <button type="button" class="button" onClick={files.lookAgain}>
            Retry
          </button>
        )}
      </div>
    </dialog>
  );
}
