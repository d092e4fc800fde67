// Title, agent, folder, and the pickers of what the session offers.
import { useApp, useAppState } from "../../lib/context.js";
import { Icon } from "../../parts/icon.js";
import { sessionKey, type Shown } from "../../state/app.js";
import { approvalWords, type Approvals } from "../../state/approvals.js";
import type { Conversation } from "../../state/conversation.js";
import type { Option } from "../../state/settings.js";
import { StreamWordView } from "./stream_word.js";

export function Head({ session, shown }: { session: Conversation; shown: Shown }) {
  const app = useApp();
  const isSideOpen = useAppState(({ side }) => side.open);
  const approvals = useAppState((state) => state.approvals[sessionKey(shown.serverId, session.sessionId)] ?? "ask");
  const title = useAppState(() => app.notes.titleOf(shown.serverId, session));
  const { settings } = session;
  const { introduction } = shown.view;
  const agent = introduction?.agentName ?? app.notes.agentOf(shown.serverId) ?? "";
  const canChange = shown.stream !== "ended" && shown.stream !== "gone";
  return (
    <div class="head">
      <div class="head-words">
        <h1 title={title}>{title}</h1>
        <p class="quiet">
          {agent}
          {introduction?.agentVersion !== undefined && ` ${introduction.agentVersion}`}
          {settings.cwd !== undefined && ` · ${settings.cwd}`}
          {settings.usage && ` · ${usageWord(settings.usage)}`}
          {session.isUnknown &&
            settings.options.length === 0 &&
            " · The beginning of this session was dropped, so what it offers is not known."}
        </p>
      </div>
      <div class="head-tools">
        {settings.options.map((option) => (
          <Picker
            key={`${option.how} ${option.id}`}
            option={option}
            isDisabled={!canChange}
            onChoose={(value) => void app.turns.choose(session, option, value)}
          />
        ))}
        <label class="picker">
          <span>Permissions</span>
          <select
            aria-label="Permissions"
            value={approvals}
            disabled={!canChange}
            onChange={(event) => app.approve(session, event.currentTarget.value as Approvals)}
          >
            {approvalWords.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="head-end">
        <StreamWordView shown={shown} />
        <button
          type="button"
          class="icon-button"
          aria-label="Details"
          title="Details (.)"
          aria-pressed={isSideOpen}
          onClick={() => app.side(!isSideOpen)}
        >
          <Icon name="panel" />
        </button>
      </div>
      {settings.refusal !== undefined && (
        <p class="bad head-refusal" role="alert">
          {settings.refusal}
        </p>
      )}
    </div>
  );
}

interface PickerProps {
  readonly option: Option;
  readonly isDisabled: boolean;
  readonly onChoose: (value: string) => void;
}

function Picker({ option: { name, current, wanted, choices }, isDisabled, onChoose }: PickerProps) {
  const value = wanted ?? current;
  const isStrange = !choices.some((choice) => choice.value === value);
  return (
    <label class="picker">
      <span>{name}</span>
      <select
        aria-label={name}
        value={value}
        disabled={isDisabled}
        aria-busy={wanted !== undefined}
        title={choices.find((choice) => choice.value === value)?.description}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {isStrange && <option value={value}>{value}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} title={choice.description}>
            {choice.name}
          </option>
        ))}
      </select>
    </label>
  );
}

function usageWord({ used, size, cost }: { used: number; size?: number; cost?: string }): string {
  const tokens = size === undefined ? `${thousands(used)} tokens` : `${thousands(used)} of ${thousands(size)} tokens`;
  return cost === undefined || /^0[.0]*\b/.test(cost) ? tokens : `${tokens} · ${cost}`;
}

const thousands = (count: number) => (count < 10_000 ? String(count) : `${Math.round(count / 1000)} k`);
