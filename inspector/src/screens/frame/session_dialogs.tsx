// What is asked before a session gets another name, ends, or is deleted.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import type { SessionRow } from "../../state/session_list.js";
import { Modal } from "./modal.js";

interface DialogProps {
  readonly row: SessionRow;
  readonly onClose: () => void;
}

interface RenameProps extends DialogProps {
  readonly session: { readonly serverId: string; readonly sessionId: string };
}

export function RenameSession({ row: { title, ownTitle }, session, onClose }: RenameProps) {
  const app = useApp();
  const [name, setName] = useState(title);
  return (
    <Modal title="Rename session" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          app.notes.change(session, { name: name.trim() === ownTitle ? "" : name });
          onClose();
        }}
      >
        <label class="form-row">
          <span>Name</span>
          <input
            class="field"
            data-first
            value={name}
            maxLength={120}
            placeholder={ownTitle}
            onFocus={(event) => event.currentTarget.select()}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <span class="quiet">Only this browser knows it. Leave it empty to use “{ownTitle}”.</span>
        </label>
        <div class="form-end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button button-main">
            Rename
          </button>
        </div>
      </form>
    </Modal>
  );
}

const somebodyElse = "Somebody else started this process, and may be working with it.";

export function EndProcess({ row: { serverId, title, isForeign }, onClose }: DialogProps) {
  const app = useApp();
  return (
    <Sure title="End this process?" verb="End it" doIt={() => app.endProcess(serverId)} onClose={onClose}>
      {title} ({serverId}) is ended with everything it started. {isForeign && `${somebodyElse} `}The daemon forgets what was
      said in it.
    </Sure>
  );
}

export function DeleteSession({ row: { serverId, sessionId, title, group, isForeign }, onClose }: DialogProps) {
  const app = useApp();
  const isLive = group !== "Ended";
  const others = useAppState(({ notes }) => {
    const instanceId = notes.find((note) => note.serverId === serverId && note.sessionId === sessionId)?.instanceId;
    return notes.filter((note) => note.instanceId === instanceId).length - 1;
  });
  const doIt = async () => {
    const { route } = app.store.state;
    if (isLive && route.screen === "chat" && route.serverId === serverId) app.go({ screen: "chat" }); // nobody reads it any more
    const why = isLive || sessionId === undefined ? await app.endProcess(serverId) : undefined;
    if (why === undefined && sessionId !== undefined) app.forget(serverId, sessionId);
    return why;
  };
  return (
    <Sure title="Delete this session?" verb="Delete" doIt={doIt} onClose={onClose}>
      {title} goes from this list{isLive && ", and its process is ended with everything it started"}.{" "}
      {isLive && isForeign && somebodyElse}
      {isLive &&
        others > 0 &&
        ` That ends ${others === 1 ? "another session" : `${others} other sessions`} of the process too.`}{" "}
      The daemon forgets what was said; files stay as they are.
    </Sure>
  );
}

interface SureProps {
  readonly title: string;
  readonly verb: string;
  /** Answers why it could not be done. */
  readonly doIt: () => Promise<string | undefined>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

function Sure({ title, verb, doIt, onClose, children }: SureProps) {
  const [why, setWhy] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const go = async () => {
    if (isBusy) return;
    setBusy(true);
    const failure = await doIt();
    setBusy(false);
    if (failure !== undefined) return setWhy(failure);
    onClose();
    // The row may be gone, or goes soon. While the dialog is there nothing else takes the focus.
    setTimeout(() => document.querySelector<HTMLElement>(".sessions-new")?.focus());
  };
  return (
    <Modal title={title} onClose={onClose}>
      <div class="form">
        <p>{children}</p>
        {why !== undefined && (
          <p class="bad" role="alert">
            {why}
          </p>
        )}
        <div class="form-end">
          <button type="button" class="button" data-first onClick={onClose}>
            Cancel
          </button>
          <button type="button" class="button button-bad" aria-disabled={isBusy} onClick={() => void go()}>
            {verb}
          </button>
        </div>
      </div>
    </Modal>
  );
}
