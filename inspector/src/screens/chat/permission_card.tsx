// A permission the agent asks for. Nothing chooses before one can have read it; digits never instead of what one is writing.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { digits } from "../../lib/keys.js";
import { Diff } from "../../parts/diff.js";
import { Icon } from "../../parts/icon.js";
import type { Shown } from "../../state/app.js";
import type { PermissionBlock } from "../../state/blocks.js";
import { emptyComposer, type ComposerNews } from "../../state/composer.js";
import type { Conversation } from "../../state/conversation.js";
import { fieldsOf, textOf } from "../../state/json_rpc.js";
import { plainLines, plainly } from "../../state/plain_signs.js";
import { sessionKey } from "../../state/app.js";
import { useAskDraft } from "./ask_drafts.js";
import { callOf, placesOf, ToolPart, type Call } from "./blocks/tool_card.js";
import { useHandsFocusOn } from "./hand_focus_on.js";
import { isInSight, useComesIntoSight } from "./in_sight.js";
import { Words } from "./words.js";

const deafMs = 400;
const mostDigits = 9;
const mostInSight = 50; // characters of a title; of a longer one some have to be scrolled to, lest it hide what would be done

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
  useComesIntoSight(card);
  const [isDeaf, setDeaf] = useState(true); // what is pressed may be meant for the card before
  useEffect(() => {
    const timer = setTimeout(() => setDeaf(false), deafMs);
    return () => clearTimeout(timer);
  }, []);
  const [isSent, setSent] = useState(false);
  const [note, setNote] = useAskDraft(ask, () => "");
  const [failure, setFailure] = useState("");
  const choose = (optionId: string, kind: string) => {
    if (isDeaf || isSent) return;
    setSent(true);
    const isNoted = kind.startsWith("reject") && note.trim() !== "";
    const key = sessionKey(shown.serverId, session.sessionId);
    const compose = (news: ComposerNews) => app.store.dispatch({ type: "compose", session: key, news });
    const answered = app.turns.answer(ask, { outcome: { outcome: "selected", optionId } });
    // Behind the answer, but not when that is done: by then the agent may be too, and one may look at another session.
    const { nextId } = app.store.state.composers[key] ?? emptyComposer;
    if (isNoted) compose({ type: "next", text: note });
    answered.catch((error: Error) => {
      if (isNoted) compose({ type: "took", id: nextId });
      setSent(false);
      setFailure(`Not answered: ${error.message}`);
    });
  };
  // Nobody has read what is out of sight. What lies between the two is in sight too.
  const isSeen = (digit: number) =>
    isInSight(card.current) && isInSight(card.current?.querySelectorAll(".buttons > button")[digit - 1]);
  // From the moment it is seen: a digit is never typed instead.
  useLayoutEffect(() => {
    digits.take = (digit) => {
      const option = ask.options[digit - 1];
      if (!option || !(isDeaf || isSeen(digit))) return false;
      choose(option.option_id, option.kind);
      return true;
    };
    return () => {
      digits.take = undefined;
    };
  });
  const agent = shown.view.introduction?.agentName ?? app.notes.agentOf(shown.serverId) ?? "The agent";
  const rejecting = ask.options.find(({ kind }) => kind.startsWith("reject"));
  const others = useAppState(
    ({ instances }) => (instances.find(({ serverId }) => serverId === shown.serverId)?.readers ?? 1) - 1,
  );
  return (
    <div
      ref={card}
      class="ask"
      role="alertdialog"
      aria-label={`Permission: ${plainly(ask.action)}`}
      aria-describedby="ask-details"
    >
      <div class="ask-body" tabIndex={0} role="group" aria-label="What would be done">
        <div class="ask-head">
          <Icon name="lock" />{" "}
          <b tabIndex={ask.action.length > mostInSight ? 0 : undefined}>
            <Words text={ask.action} />
          </b>{" "}
          <span class="quiet">{place}</span>
          {others > 0 && (
            <span class="quiet ask-others">{others === 1 ? "1 other is watching" : `${others} others are watching`}</span>
          )}
        </div>
        <div id="ask-details">
          <Details ask={ask} agent={agent} cwd={session.settings.cwd} />
        </div>
      </div>
      <div class="buttons">
        {ask.options.map(({ option_id, name, kind }, index) => (
          <button
            key={option_id}
            type="button"
            class={kind === "allow_once" ? "button button-main" : "button"}
            aria-disabled={isDeaf || isSent}
            onClick={() => choose(option_id, kind)}
          >
            {index < mostDigits && <kbd>{index + 1}</kbd>} <Words text={name} />
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
function Details({ ask: { tool }, agent, cwd }: { ask: PermissionBlock; agent: string; cwd: string | undefined }) {
  const call = tool && callOf(tool);
  const places = placesOf(call);
  const parts = tool?.content ?? [];
  return (
    <>
      <p class="quiet">
        <Words text={`${short(agent)} · ${short(call?.tool_kind ?? "tool")}${cwd === undefined ? "" : ` in ${cwd}`}`} />
      </p>
      <Input input={call?.input} isTold={parts.some(({ type }) => type === "file_ref")} />
      {places.length > 0 && (
        <p class="tool-places">
          <Words text={places.join(", ")} />
        </p>
      )}
      {parts.map((part, index) =>
        part.type === "file_ref" ? (
          <Diff
            key={index}
            path={plainly(part.path)}
            oldText={linesIn(part.diff.old_text)}
            newText={plainLines(part.diff.new_text)}
          />
        ) : part.type === "tool_result" ? (
          part.output !== "" && <Plain key={index} name="Words" text={part.output} />
        ) : (
          <ToolPart key={index} part={part} />
        ),
      )}
    </>
  );
}

const short = (name: string) => name.slice(0, mostInSight);

const linesIn = (text: string | null) => (text === null ? null : plainLines(text));

// The command, and what else goes with it; anything else as it is, unless a change of a file tells it better.
function Input({ input, isTold }: { input: Call["input"]; isTold: boolean }) {
  const { command, ...rest } = fieldsOf(input);
  const said = Array.isArray(command) ? command.map(wordOf).join(" ") : textOf(command);
  const other = said === undefined ? (isTold ? undefined : input) : Object.keys(rest).length > 0 ? rest : undefined;
  return (
    <>
      {said !== undefined && <Plain name="Command" text={said} />}
      {other !== undefined && <Plain name="Input" text={wordOf(other)} />}
    </>
  );
}

const wordOf = (value: unknown) => textOf(value) ?? JSON.stringify(value, null, 2);

function Plain({ name, text }: { name: string; text: string }) {
  return (
    <pre role="group" aria-label={name}>
      <Words text={text} />
    </pre>
  );
}
