// A field that hides what it has until somebody asks.
import { useState } from "preact/hooks";
import { Icon } from "../../parts/icon.js";

export interface SecretProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isSecret?: boolean;
}

export function Secret({ label, value, onChange, isSecret = true }: SecretProps) {
  const [isShown, setShown] = useState(!isSecret);
  return (
    <span class="config-secret">
      <input
        class="field"
        {...(isShown ? ({ type: "text" } as const) : ({ type: "password" } as const))}
        aria-label={label}
        autoComplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {isSecret && (
        <button
          type="button"
          class="icon-button"
          aria-label={`Show ${label.charAt(0).toLowerCase()}${label.slice(1)}`}
          aria-pressed={isShown}
          title={isShown ? "Hide" : "Show"}
          onClick={() => setShown(!isShown)}
        >
          <Icon name={isShown ? "hide" : "read"} />
        </button>
      )}
    </span>
  );
}
