// Messages that wait for the turn to end.
import { Icon } from "../../parts/icon.js";
import type { Queued } from "../../state/composer.js";

export interface QueueProps {
  readonly queue: readonly Queued[];
  readonly onEdit: (id: number) => void;
  readonly onRemove: (id: number) => void;
  /** Given when the queue is held. */
  readonly onRelease: (() => void) | undefined;
}

export function Queue({ queue, onEdit, onRemove, onRelease }: QueueProps) {
  if (queue.length === 0) return null;
  return (
    <>
      {onRelease && (
        <p class="queue-held quiet">
          Held, because the turn was stopped.{" "}
          <button type="button" class="button" onClick={onRelease}>
            Send queued
          </button>
        </p>
      )}
      <ul class="queue" aria-label="Queued messages">
        {queue.map(({ id, text }) => (
          <li key={id}>
            <Icon name="clock" />
            <span class="queue-text">{text}</span>
            <button type="button" class="icon-button" aria-label="Edit queued message" title="Edit" onClick={() => onEdit(id)}>
              <Icon name="edit" />
            </button>
            <button
              type="button"
              class="icon-button"
              aria-label="Remove queued message"
              title="Remove"
              onClick={() => onRemove(id)}
            >
              <Icon name="cross" />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
