// Messages that wait for the turn to end. One that is being changed keeps its place. Loaded while a turn runs.
import { Icon } from "../../parts/icon.js";
import type { Composer, Queued } from "../../state/composer.js";

export interface QueueProps {
  readonly composer: Composer;
  readonly onEdit: (id: number) => void;
  readonly onLeaveEditing: () => void;
  readonly onRemove: (id: number) => void;
  /** Given when the queue is held. */
  readonly onRelease: (() => void) | undefined;
}

export function Queue({ composer: { queue, editing, lost }, onEdit, onLeaveEditing, onRemove, onRelease }: QueueProps) {
  return (
    <>
      {onRelease && (
        <p class="queue-held quiet">
          {lost ? "Held, because an attachment was lost." : "Held, because what ran before it was stopped."}{" "}
          <button type="button" class="button" onClick={onRelease}>
            Send queued
          </button>
        </p>
      )}
      <ul class="queue" aria-label="Queued messages">
        {queue.map((queued) => (
          <li key={queued.id}>
            <Icon name={editing?.id === queued.id ? "edit" : "clock"} />
            <span class="queue-text">{wordsOf(queued)}</span>
            {editing?.id === queued.id ? (
              <>
                <span class="quiet">being edited</span>
                <button type="button" class="link-button" onClick={onLeaveEditing}>
                  Cancel
                </button>
              </>
            ) : (
              <button
                type="button"
                class="icon-button"
                aria-label="Edit queued message"
                title="Edit"
                onClick={() => onEdit(queued.id)}
              >
                <Icon name="edit" />
              </button>
            )}
            <button
              type="button"
              class="icon-button"
              aria-label="Remove queued message"
              title="Remove"
              onClick={() => onRemove(queued.id)}
            >
              <Icon name="cross" />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function wordsOf({ text, attachments = [] }: Queued): string {
  const names = attachments.map(({ name }) => name).join(", ");
  return [text, names && `with ${names}`].filter(Boolean).join(" · ");
}
