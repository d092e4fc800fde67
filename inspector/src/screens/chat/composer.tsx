// Where one writes. Enter sends, or queues while the agent works; Esc stops it. The draft outlives reloads.
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { onKeyWish, wish } from "../../lib/keys.js";
import { Icon } from "../../parts/icon.js";
import { sessionKey, type Shown } from "../../state/app.js";
import { commandsFor, emptyComposer } from "../../state/composer.js";
import type { Conversation } from "../../state/conversation.js";
import { whyNoSending } from "../../state/daemon_state.js";
import type { Command } from "../../state/settings.js";
import { Commands } from "./commands.js";
import { Queue } from "./queue.js";
import { StopButton } from "./stop_button.js";

export function Composer({ session, shown }: { session: Conversation; shown: Shown }) {
  const app = useApp();
  const key = sessionKey(shown.serverId, session.sessionId);
  const { draft, queue, isHeld } = useAppState(({ composers }) => composers[key] ?? emptyComposer);
  const why = useAppState(({ daemon }) => whyNoSending(daemon)) ?? whyNot(session, shown);
  const unsent = useAppState((state) => state.unsent[key]);
  const field = useRef<HTMLTextAreaElement>(null);
  const [isListHidden, hideList] = useState(false);
  const [chosen, choose] = useState(0);
  const commands = isListHidden ? [] : commandsFor(draft, session.settings.commands);
  const active = commands[Math.min(chosen, commands.length - 1)];
  useEffect(() => {
    if (!document.querySelector("dialog[open]")) field.current?.focus();
    return onKeyWish((wanted) => {
      if (wanted === "focus composer") field.current?.focus();
    });
  }, [key]);
  const type = (text: string) => {
    app.draft(session, text);
    hideList(false);
    choose(0);
  };
  const take = ({ name, hint }: Command) => {
    type(`/${name}${hint === undefined ? "" : " "}`);
    hideList(true);
    field.current?.focus();
  };
  // The field may be ahead of what was drawn last.
  const send = () => {
    app.turns.send(session);
    wish("latest");
    if (field.current) field.current.value = app.store.state.composers[key]?.draft ?? "";
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const text = field.current?.value ?? draft;
    const offered = isListHidden && text === draft ? [] : commandsFor(text, session.settings.commands);
    const meant = offered[Math.min(text === draft ? chosen : 0, offered.length - 1)];
    if (meant && (event.key === "ArrowDown" || event.key === "ArrowUp") && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      choose((chosen + (event.key === "ArrowDown" ? 1 : offered.length - 1)) % offered.length);
    } else if (meant && event.key === "Escape") {
      event.preventDefault();
      hideList(true);
    } else if (meant && !event.shiftKey && (event.key === "Tab" || (event.key === "Enter" && text !== `/${meant.name}`))) {
      event.preventDefault();
      take(meant);
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  };
  const isRunning = session.running !== undefined;
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {unsent !== undefined && (
        <p class="bad" role="alert">
          {unsent}
        </p>
      )}
      <Queue
        queue={queue}
        onRelease={isHeld && !session.running ? () => app.turns.release(session) : undefined}
        onEdit={(id) => {
          app.store.dispatch({ type: "compose", session: key, news: { type: "edit", id } });
          field.current?.focus();
        }}
        onRemove={(id) => app.store.dispatch({ type: "compose", session: key, news: { type: "took", id } })}
      />
      {commands.length > 0 && <Commands commands={commands} active={active} onTake={take} />}
      <div class="composer-row">
        <textarea
          id="composer"
          ref={field}
          class="field composer-field"
          aria-label="Message"
          placeholder={isRunning ? "Write what comes next" : "Write a message, or / for commands"}
          rows={1}
          value={draft}
          aria-autocomplete="list"
          aria-controls={commands.length > 0 ? "commands" : undefined}
          aria-activedescendant={active ? `command-${active.name}` : undefined}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div class="composer-buttons">
          <button
            type="submit"
            class="button button-main"
            aria-disabled={(why !== undefined && !isRunning) || draft.trim() === ""}
          >
            <Icon name="send" /> {isRunning ? "Queue" : "Send"}
          </button>
          {isRunning && <StopButton session={session} serverId={shown.serverId} />}
        </div>
      </div>
      {why !== undefined && <p class="quiet composer-why">{why}</p>}
    </form>
  );
}

function whyNot(session: Conversation, { stream }: Shown): string | undefined {
  if (stream === "gone") return "This process is gone; start a new session to go on.";
  if (stream === "ended" || session.ended) return "The agent has exited; restart it to go on.";
  return stream === "connecting" ? "Connecting …" : undefined;
}
