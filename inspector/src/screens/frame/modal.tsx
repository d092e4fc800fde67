// A dialog of the browser's own kind: it keeps the focus inside, and gives it back.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../../parts/icon.js";

export interface ModalProps {
  readonly title: string;
  /** Undefined: it cannot be closed. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

export function Modal({ title, onClose, children }: ModalProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const name = useId();
  useLayoutEffect(() => {
    const dialog = ref.current!;
    const before = document.activeElement;
    dialog.showModal();
    (dialog.querySelector<HTMLElement>("[data-first]") ?? dialog.querySelector("h2"))?.focus();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class="modal"
      aria-labelledby={name}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return; // it was closed by us
        if (onClose) onClose();
        else currentTarget.showModal(); // browsers let nobody prevent it twice
      }}
    >
      <div class="modal-head">
        <h2 id={name} tabIndex={-1}>
          {title}
        </h2>
        {onClose && (
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {children}
    </dialog>
  );
}
