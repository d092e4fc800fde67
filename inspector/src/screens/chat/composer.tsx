// Where one writes. Enter sends, or queues while the agent works; Esc stops it, or leaves an empty field. The draft outlives reloads. "/"
// offers the agent's commands, "@" the files of its folder; what is pasted or dropped is attached.
import { useEffect, useRef } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { onKeyWish, wish } from "../../lib/keys.js";
import { Icon } from "../../parts/icon.js";
import { onDemand } from "../../parts/on_demand.js";
import { sessionKey, type Shown } from "../../state/app.js";
import { emptyComposer, isEmpty, type ComposerNews } from "../../state/composer.js";
import type { Conversation } from "../../state/conversation.js";
import { whyNoSending } from "../../state/daemon_state.js";
import { AttachButton } from "./attach_button.js";
import { useAttaching } from "./attaching.js";
import { StopButton } from "./stop_button.js";
import { useSuggesting } from "./suggesting.js";
import "./composer.css";

const attachments = onDemand(() => import("./attachments.js"));
const commands = onDemand(() => import("./commands.js"));
const queue = onDemand(() => import("./queue.js"));
const mentions = onDemand(() => import("./mentions.js"));

export function Composer({ session, shown }: { session: Conversation; shown: Shown }) {
  const app = useApp();
  const key = sessionKey(shown.serverId, session.sessionId);
  const composer = useAppState(({ composers }) => composers[key] ?? emptyComposer);
  const isCut = useAppState(({ daemon }) => whyNoSending(daemon));
  const why = isCut ?? whyNot(session, shown);
  const unsent = useAppState((state) => state.unsent[key]);
  const field = useRef<HTMLTextAreaElement>(null);
  const compose = (news: ComposerNews) => app.store.dispatch({ type: "compose", session: key, news });
  const attaching = useAttaching({ key, field, takes: shown.view.introduction?.prompts, compose });
  const folder = session.settings.cwd ?? app.notes.find(shown.serverId, session.sessionId)?.cwd;
  const suggesting = useSuggesting({ draft: composer.draft, field, commands: session.settings.commands, folder, compose });
  const { mention } = suggesting;
  const Commands = commands.use(suggesting.commands.length > 0)?.Commands;
  const Mentions = mentions.use(mention !== undefined)?.Mentions;
  const hasExtras = composer.attachments !== undefined || composer.lost !== undefined || attaching.refused.length > 0;
  const Attachments = attachments.use(hasExtras)?.Attachments;
  const isRunning = session.running !== undefined;
  const hasQueue = composer.queue.length > 0;
  const Queue = queue.use(isRunning || hasQueue)?.Queue; // there before something is queued
  useEffect(() => {
    if (!document.querySelector("dialog[open]")) field.current?.focus();
    return onKeyWish((wanted) => {
      if (wanted === "focus composer") field.current?.focus();
    });
  }, [key]);
  // The field may be ahead of what was drawn last.
  const send = () => {
    if (attaching.hold(send)) return;
    attaching.forgive();
    app.turns.send(session);
    wish("latest");
    if (field.current) field.current.value = app.store.state.composers[key]?.draft ?? "";
  };
  const isEditing = composer.editing !== undefined;
  const leaveEditing = () => {
    compose({ type: "left editing" });
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || suggesting.takeKey(event)) return;
    if (event.key === "Escape" && isEditing) leaveEditing();
    else if (event.key === "Escape" && !isRunning && isEmpty(composer))
      document.querySelector<HTMLElement>(".chat [role=log]")?.focus(); // where letters are keys
    else if (event.key === "Enter" && !event.shiftKey) {
      if (!event.repeat) send(); // one that is held was meant for what had the focus before
    } else return;
    event.preventDefault();
  };
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
      {hasQueue &&
        (Queue ? (
          <Queue
            composer={composer}
            onRelease={composer.isHeld && !isRunning && why === undefined ? () => app.turns.release(session) : undefined}
            onEdit={(id) => {
              compose({ type: "edit", id });
              field.current?.focus();
            }}
            onLeaveEditing={leaveEditing}
            onRemove={(id) => compose({ type: "took", id })}
          />
        ) : (
          <p class="quiet">{composer.queue.map(({ text }) => text).join(" · ")}</p>
        ))}
      {hasExtras &&
        (Attachments ? (
          <Attachments composer={composer} attaching={attaching} compose={compose} />
        ) : (
          <p class="quiet">{[...(composer.attachments ?? []).map(({ name }) => name), ...attaching.refused].join(" · ")}</p>
        ))}
      {Commands && <Commands commands={suggesting.commands} active={suggesting.command} onTake={suggesting.takeCommand} />}
      {mention &&
        (Mentions ? (
          <Mentions folder={folder} query={mention.query} suggesting={suggesting} />
        ) : (
          <p class="quiet">Looking …</p>
        ))}
      <div class="composer-row">
        <textarea
          id="composer"
          ref={field}
          class="field composer-field"
          aria-label="Message"
          placeholder={isRunning ? "Write what comes next" : "Write a message, / for commands, @ for files"}
          rows={1}
          dir="auto"
          value={composer.draft}
          {...suggesting.aria}
          onInput={suggesting.onInput}
          onKeyDown={onKeyDown}
          onKeyUp={suggesting.onCaret}
          onClick={suggesting.onCaret}
          onPaste={attaching.onPaste}
        />
        <div class="composer-buttons">
          <AttachButton attaching={attaching} />
          <button
            type="submit"
            class="button button-main"
            aria-disabled={((isRunning ? isCut : why) !== undefined && !isEditing) || (isEmpty(composer) && !attaching.word)}
          >
            <Icon name={isEditing ? "check" : "send"} /> {isEditing ? "Save" : isRunning ? "Queue" : "Send"}
          </button>
          {isRunning && <StopButton session={session} serverId={shown.serverId} />}
        </div>
      </div>
      {attaching.word && (
        <p class="quiet composer-why" role="status">
          {attaching.word}
        </p>
      )}
      {why !== undefined && (
        <p class="quiet composer-why">
          {why}{" "}
          {shown.stream === "gone" && (
            <button type="button" class="button" onClick={() => void app.restart(session)}>
              Restart
            </button>
          )}
        </p>
      )}
    </form>
  );
}

function whyNot(session: Conversation, { stream }: Shown): string | undefined {
  if (stream === "gone") return "This process is gone, and takes nothing any more.";
  if (stream === "ended" || session.ended) return "The agent has exited; restart it to go on.";
  return stream === "connecting" ? "Connecting …" : undefined;
}
