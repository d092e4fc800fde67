// What the table shows of the messages: words, who speaks, what kind, which method, errors, one turn. Where there is little room the
// button in the head opens it.
import type { RefObject } from "preact";
import { Icon } from "../../parts/icon.js";
import { conditionsOf, kindWords, withCondition, type Speaker, type TraceFilter } from "../../state/trace_filter.js";
import type { TraceKind } from "../../state/trace.js";
import "./trace_filters.css";

export interface TraceFiltersProps {
  readonly filter: TraceFilter;
  readonly onFilter: (filter: TraceFilter) => void;
  readonly isOpen: boolean;
  /** Those that occurred. */
  readonly methods: readonly string[];
  /** That of the opened message, else the last one. */
  readonly turn: { readonly sessionId: string; readonly number: number } | undefined;
  readonly isHttpOn: boolean;
  readonly onHttp: ((on: boolean) => void) | undefined;
  readonly search: RefObject<HTMLInputElement | null>;
}

const speakers: readonly (readonly [Speaker, string])[] = [
  ["agent", "From the agent"],
  ["client", "From clients"],
  ["daemon", "From the daemon"],
];

export function TraceFilters(props: TraceFiltersProps) {
  const { filter, onFilter, isOpen, methods, turn, isHttpOn, onHttp } = props;
  const set = <Name extends keyof TraceFilter>(name: Name, value: TraceFilter[Name] | "") =>
    onFilter(withCondition(filter, name, value));
  const named = filter.method !== undefined && !methods.includes(filter.method) ? [filter.method, ...methods] : methods;
  const shownTurn = filter.turn ?? turn;
  return (
    <div class={isOpen ? "trace-filters trace-filters-open" : "trace-filters"} role="search" aria-label="Filter the Trace">
      <span class="trace-search">
        <Icon name="search" />
        <input
          ref={props.search}
          type="search"
          aria-label="Search in messages"
          placeholder="Search in messages"
          title="F"
          value={filter.text ?? ""}
          onInput={(event) => set("text", event.currentTarget.value)}
        />
      </span>
      <Choice
        label="Direction"
        all="Both directions"
        value={filter.from ?? ""}
        choices={speakers}
        onChoose={(value) => set("from", value as Speaker)}
      />
      <Choice
        label="Kind"
        all="All kinds"
        value={filter.kind ?? ""}
        choices={kindWords}
        onChoose={(value) => set("kind", value as TraceKind)}
      />
      <Choice
        label="Method"
        all="All methods"
        value={filter.method ?? ""}
        choices={named.map((method) => [method, method] as const)}
        onChoose={(value) => set("method", value)}
      />
      <Toggle label="Errors only" isOn={filter.errors ?? false} onToggle={(on) => set("errors", on)} />
      <Toggle
        label="This turn"
        more={shownTurn === undefined ? "" : String(shownTurn.number)}
        isOn={filter.turn !== undefined}
        isDisabled={shownTurn === undefined}
        onToggle={(on) => set("turn", on ? shownTurn : "")}
      />
      {onHttp && <Toggle label="HTTP" isOn={isHttpOn} onToggle={onHttp} />}
      {conditionsOf(filter) > 0 && (
        <button type="button" class="trace-button trace-clear" onClick={() => onFilter({})}>
          Clear filter
        </button>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly choices: readonly (readonly [string, string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, all, value, choices, onChoose }: ChoiceProps) {
  return (
    <select
      class="trace-select"
      aria-label={label}
      value={value}
      data-set={value !== ""}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      <option value="">{all}</option>
      {choices.map(([choice, name]) => (
        <option key={choice} value={choice}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly more?: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onToggle: (on: boolean) => void;
}

function Toggle({ label, more = "", isOn, isDisabled = false, onToggle }: ToggleProps) {
  return (
    <button
      type="button"
      class="trace-button trace-toggle"
      aria-pressed={isOn}
      disabled={isDisabled}
      onClick={() => onToggle(!isOn)}
    >
      {isOn && <Icon name="check" />}
      {label}
      {more !== "" && <span class="trace-toggle-more"> {more}</span>}
    </button>
  );
}
