// Rows of forms: a label, a control, and what is wrong with it.
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon } from "../../parts/icon.js";

/** What the control of a row is given. */
export interface Given {
  readonly id: string;
  readonly "aria-invalid"?: "true";
  readonly "aria-describedby"?: string;
}

export interface RowProps {
  readonly label: string;
  readonly help?: ComponentChildren;
  readonly fault?: string | undefined;
  readonly children: (given: Given) => ComponentChildren;
}

export function Row({ label, help, fault, children }: RowProps) {
  const id = useId();
  const about = [help !== undefined && `${id}-help`, fault !== undefined && `${id}-fault`].filter(Boolean).join(" ");
  return (
    <div class="form-row">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(fault !== undefined && { "aria-invalid": "true" }),
        ...(about !== "" && { "aria-describedby": about }),
      })}
      {fault !== undefined && <Wrong id={`${id}-fault`}>{fault}</Wrong>}
      {help !== undefined && (
        <span class="quiet" id={`${id}-help`}>
          {help}
        </span>
      )}
    </div>
  );
}

export function Wrong({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <p class="config-wrong" id={id}>
      <Icon name="warn" /> <span>{children}</span>
    </p>
  );
}

export interface TextRowProps extends Omit<RowProps, "children"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly options?: readonly string[];
  readonly isNumber?: boolean;
}

export function TextRow({ value, onChange, placeholder, options, isNumber, ...row }: TextRowProps) {
  const list = useId();
  return (
    <Row {...row}>
      {(given) => (
        <>
          <input
            {...given}
            class="field"
            autoComplete="off"
            spellcheck={false}
            value={value}
            placeholder={placeholder}
            inputMode={isNumber ? "numeric" : undefined}
            list={options && list}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
          {options && (
            <datalist id={list}>
              {options.map((option) => (
                <option key={option} value={option} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Row>
  );
}
