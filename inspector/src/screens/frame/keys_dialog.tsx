// All keys, as lib/commands has them, and what the page may do by itself.
import { useState } from "preact/hooks";
import { commands } from "../../lib/commands.js";
import { useApp } from "../../lib/context.js";
import { hasCommandKey } from "../../lib/keyboard.js";
import { keep, kept } from "../../lib/kept.js";
import { canNotify, startNotifying, stopNotifying } from "../../lib/notifications.js";
import { keysInWords, keysOfFields } from "../../state/command_keys.js";
import { Modal } from "./modal.js";

const ofCommands = commands.flatMap(({ keys, name }) => (keys === undefined ? [] : [[keysInWords(keys, hasCommandKey), name]]));

export function KeysDialog() {
  const app = useApp();
  const [letters, setLetters] = useState(kept("letters") ?? true);
  return (
    <Modal title="Keys" onClose={() => app.closeDialog()}>
      <label class="check">
        <input
          type="checkbox"
          checked={letters}
          onChange={(event) => {
            setLetters(event.currentTarget.checked);
            keep("letters", event.currentTarget.checked);
          }}
        />
        Single letters and signs act as keys
      </label>
      <Notifications />
      <dl class="keys">
        {[...ofCommands, ...keysOfFields].map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">Esc closes first what is open.</p>
    </Modal>
  );
}

function Notifications() {
  const app = useApp();
  const [isOn, setOn] = useState((kept("notify") ?? false) && canNotify() === "granted");
  const [why, setWhy] = useState("");
  const change = async (wanted: boolean) => {
    setWhy("");
    if (!wanted) stopNotifying();
    const isAllowed = wanted && (await startNotifying(app));
    if (wanted && !isAllowed) setWhy("This browser does not allow it for this page: change that in its settings for the site.");
    setOn(isAllowed);
    keep("notify", isAllowed);
  };
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          disabled={canNotify() === "never"}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
        Notify me when an agent waits for me and this page is hidden
      </label>
      {canNotify() === "never" && <p class="quiet">This browser has no notifications for this page.</p>}
      {why !== "" && (
        <p class="bad" role="alert">
          {why}
        </p>
      )}
    </>
  );
}
