import { useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { keep, kept } from "../../lib/kept.js";
import { keyList } from "../../lib/keys.js";
import { Modal } from "./modal.js";

export function KeysDialog() {
  const app = useApp();
  const [letters, setLetters] = useState(kept("letters") ?? true);
  return (
    <Modal title="Keys" onClose={() => app.closeDialog()}>
      <dl class="keys">
        {keyList.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
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
    </Modal>
  );
}
