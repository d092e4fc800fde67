// What is in a config file: names to choose from, the entry that is edited, and where the file is.
import { useRef, useState } from "preact/hooks";
import type { ConfigEntries, Listing } from "../../lib/config_entries.js";
import { Icon } from "../../parts/icon.js";
import { canonical, type Fields } from "../../state/config_shape.js";
import type { ConfigKind } from "../../state/route.js";
import { RouteLink } from "../route_link.js";
import { LeaveQuestion, useLeaveGuard } from "./leave.js";
import { OpenEntry } from "./open_entry.js";
import { words } from "./words.js";

interface ChosenProps {
  readonly store: ConfigEntries;
  readonly kind: ConfigKind;
  readonly listing: Extract<Listing, { state: "ready" }>;
  readonly onChanged: () => Promise<void>;
}

interface Choice {
  /** Of the editor: it stays while a new one gets its name. */
  readonly key: number;
  /** Undefined: a new one. */
  readonly name: string | undefined;
}

export function Chosen({ store, kind, listing: { entries, isThere }, onChanged }: ChosenProps) {
  const [choice, setChoice] = useState<Choice>();
  const [said, setSaid] = useState("");
  const add = useRef<HTMLButtonElement>(null);
  const guard = useLeaveGuard();
  const names = Object.keys(entries);
  const choose = (name: string | undefined) =>
    guard.leave(() => {
      setSaid("");
      setChoice((before) => ({ key: (before?.key ?? 0) + 1, name }));
    });
  const saved = async (name: string) => {
    await onChanged();
    setChoice((before) => before && { ...before, name });
    setSaid(`Saved “${name}”.`);
  };
  const removed = async (name: string) => {
    await onChanged();
    setChoice(undefined);
    setSaid(`Deleted “${name}”.`);
    add.current?.focus();
  };
  return (
    <div class="config-body">
      <div class="config-list">
        <button ref={add} type="button" class="button" onClick={() => choose(undefined)}>
          <Icon name="new" /> Add {words[kind].one}
        </button>
        {names.length === 0 && <p class="quiet">No {words[kind].many} for this folder yet.</p>}
        <ul aria-label={words[kind].many}>
          {names.map((name) => (
            <li key={name}>
              <button
                type="button"
                class="config-name"
                aria-current={choice?.name === name ? "true" : undefined}
                onClick={() => choose(name)}
              >
                <b>{name}</b>
                <span class="quiet">{aboutEntry(kind, entries[name]!)}</span>
              </button>
            </li>
          ))}
        </ul>
        <p class="quiet config-file">
          {isThere ? "Kept in " : "Will be kept in "}
          {isThere ? <RouteLink route={{ screen: "files", path: store.path }}>{store.path}</RouteLink> : store.path}
        </p>
        <p class="quiet" role="status">
          {said}
        </p>
      </div>
      {choice && (
        <OpenEntry
          key={choice.key}
          store={store}
          kind={kind}
          name={choice.name}
          raw={choice.name === undefined ? undefined : entries[choice.name]}
          guard={guard}
          onTouched={() => setSaid("")}
          onSaved={saved}
          onRemoved={removed}
          onClose={() =>
            guard.leave(() => {
              setChoice(undefined);
              add.current?.focus();
            })
          }
        />
      )}
      <LeaveQuestion guard={guard} />
    </div>
  );
}

// The program, the address, or the places.
function aboutEntry(kind: ConfigKind, entry: Fields): string {
  const { command, args, url, sources, enabled } = canonical(kind, entry);
  const off = enabled === false ? " · off" : "";
  if (kind === "mcp") return `${[command ?? url ?? "", args ?? []].flat(2).join(" ")}${off}`;
  const places = Array.isArray(sources) ? (sources as readonly Fields[]).map((place) => String(place?.source ?? "")) : [];
  return places.join(", ") || "no source";
}
