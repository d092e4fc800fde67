// Asked before something that is not saved is left.
import { useState } from "preact/hooks";
import { Modal } from "./frame/modal.js";
import "./leave_dialog.css";

export interface LeaveDialogProps {
  readonly what: string;
  readonly onSave: () => Promise<void>;
  readonly onDiscard: () => void;
  readonly onStay: () => void;
}

export function LeaveDialog({ what, onSave, onDiscard, onStay }: LeaveDialogProps) {
  const [isSaving, setSaving] = useState(false);
  const save = () => {
    if (isSaving) return;
    setSaving(true);
    void onSave();
  };
  return (
    <Modal title="Unsaved changes" onClose={onStay}>
      <div class="form">
        <p class="leave-what">What you changed in {what} is not saved.</p>
        <div class="form-end">
          <button type="button" class="button" onClick={onStay}>
            Keep editing
          </button>
          <button type="button" class="button button-bad" onClick={onDiscard}>
            Discard changes
          </button>
          <button type="button" class="button button-main" data-first aria-disabled={isSaving} onClick={save}>
            Save and leave
          </button>
        </div>
      </div>
    </Modal>
  );
}
