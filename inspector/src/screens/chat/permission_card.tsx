// A permission the agent asks for. Digits choose, but not before one can have read it, and never instead of what one is writing.
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { digits } from "../../lib/keys.js";
import { Ansi } from "../../parts/ansi.js";
import { Diff } from "../../parts/diff.js";
import { Icon } from "../../parts/icon.js";
import type { Shown } from "../../state/app.js";
import type { PermissionBlock } from "../../state/blocks.js";
import type { Conversation } from "../../state/conversation.js";
import { fieldsOf, textOf } from "../../state/json_rpc.js";
import { sessionKey } from "../../state/app.js";
import { callOf } from "./blocks/tool_card.js";
import { useHandsFocusOn } from "./hand_focus_on.js";

const deafMs = 400;

export interface PermissionProps {
  readonly ask: PermissionBlock;
  readonly place: string;
  readonly session: Conversation;
  readonly shown: Shown;
}

export function Permission({ ask, place, session, shown }: PermissionProps) {
  const app = useApp();
  const card = useRef<HTMLDivElement>(null);
  useHandsFocusOn(card);
  const appeared = useRef(performance.now());
  const [isSent, setSent] = useState(false);
  const [note, setNote] = useState("");
  const [failure, setFailure] = useState("");
  const choose = (optionId: string, kind: string) => {
    if (isSent) return;
    setSent(true);
    const isNoted = kind.startsWith("reject") && note.trim() !== "";
    const key = sessionKey(shown.serverId, session.sessionId);
    app.turns.answer(ask, { outcome: { outcome: "selected", optionId } }).then(
      () => isNoted && app.store.dispatch({ type: "compose", session: key, news: { type: "next", text: note } }),
      (error: Error) => {
        setSent(false);
        setFailure(`Not answered: ${error.message}`);
      },
    );
  };
  useEffect(() => {
    digits.take = (digit) => {
      const option = ask.options[digit - 1];
      if (!option || performance.now() - appeared.current < deafMs) return false;
      choose(option.option_id, option.kind);
      return true;
    };
    return () => {
      digits.take = undefined;
    };
  });
  const rejecting = ask.options.find(({ kind }) => kind.startsWith("reject"));
  const others = useAppState(
    ({ instances }) => (instances.find(({ serverId }) => serverId === shown.serverId)?.readers ?? 1) - 1,
  );
  return (
    <div ref={card} class="ask" role="alertdialog" aria-label={`Permission: ${ask.action}`} aria-describedby="ask-details">
      <div class="ask-head">
        <Icon name="lock" /> <b>{ask.action}</b> <span class="quiet">{place}</span>
        {others > 0 && (
          <span class="quiet ask-others">{others === 1 ? "1 other is watching" : `${others} others are watching`}</span>
        )}
      </div>
      <div id="ask-details">
        <Details ask={ask} cwd={session.settings.cwd} />
      </div>
      <div class="buttons">
        {ask.options.map(({ option_id, name, kind }, index) => (
          <button
            key={option_id}
            type="button"
            class={kind === "allow_once" ? "button button-main" : "button"}
            aria-disabled={isSent}
            onClick={() => choose(option_id, kind)}
          >
            <kbd>{index + 1}</kbd> {name}
          </button>
        ))}
        {rejecting && (
          <input
            class="field ask-note"
            aria-label="Note with a rejection"
            placeholder="Reject, and say what to do instead"
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.isComposing) return;
              event.preventDefault();
              choose(rejecting.option_id, rejecting.kind);
            }}
          />
        )}
      </div>
      {failure !== "" && (
        <p class="bad" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}

// Exactly what would be done.
function Details({ ask: { tool }, cwd }: { ask: PermissionBlock; cwd: string | undefined }) {
  const call = tool && callOf(tool);
  const input = fieldsOf(call?.input);
  const said = Array.isArray(input["command"]) ? input["command"].map(String).join(" ") : textOf(input["command"]);
  const diffs = tool?.content.filter((part) => part.type === "file_ref") ?? [];
  return (
    <>
      <p class="quiet">
        {call?.tool_kind ?? "tool"}
        {cwd !== undefined && ` in ${cwd}`}
      </p>
      {said !== undefined && <Ansi text={said} />}
      {diffs.map((part, index) => (
        <Diff key={index} path={part.path} oldText={part.diff.old_text} newText={part.diff.new_text} />
      ))}
      {said === undefined && diffs.length === 0 && call?.input !== undefined && (
        <pre tabIndex={0}>{JSON.stringify(call.input, null, 2)}</pre>
      )}
    </>
  );
}
