// What the dialogs for files are made of: a form, a field for a name, its buttons, and doing it.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { problemOf } from "../../lib/problem.js";
import type { Problem } from "../../state/problem.js";

/** Does what a dialog is for; what fails is shown in it. */
export function useDoing() {
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const act = async (what: () => Promise<void>) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await what();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return { problem, isBusy, act };
}

export function Form({ onSubmit, children }: { onSubmit: () => void; children: ComponentChildren }) {
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

interface NameFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly isBad: boolean;
  readonly onInput: (value: string) => void;
  /** What is selected in the beginning. */
  readonly selectFrom?: number;
}

export function NameField({ label, hint, value, isBad, onInput, selectFrom }: NameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (selectFrom !== undefined) field.current?.setSelectionRange(selectFrom, value.length);
  }, []);
  return (
    <label class="form-row">
      {label}
      <input
        class="field"
        aria-label={label}
        data-first
        ref={field}
        value={value}
        aria-invalid={isBad}
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <span class="quiet files-hint">{hint}</span>
    </label>
  );
}

interface EndProps {
  readonly label: string;
  readonly isOff: boolean;
  readonly isBad?: boolean;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

export function End({ label, isOff, isBad = false, onClose, children }: EndProps) {
  return (
    <div class="form-end">
      <button type="button" class="button" onClick={() => onClose()}>
        Cancel
      </button>
      {children}
      <button type="submit" class={isBad ? "button button-bad" : "button button-main"} disabled={isOff}>
        {label}
      </button>
    </div>
  );
}
