// The title of what is shown in full beside the table, and the way to close it.
import { Icon } from "../../parts/icon.js";

export function PaneHead({ name, what, onClose }: { name: string; what: string; onClose: () => void }) {
  return (
    <div class="envelope-head">
      <h2 class="envelope-title">
        {name} <span class="envelope-method">{what}</span>
      </h2>
      <button type="button" class="icon-button" aria-label="Close envelope" title="Close (Esc)" onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}
