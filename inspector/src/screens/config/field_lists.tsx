// Lists in forms: of texts, and of names with values that may be secret.
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../../parts/icon.js";
import type { Pair } from "../../state/config_form.js";
import { Wrong } from "./fields.js";
import { Secret } from "./secret.js";

// The row that was just added gets the focus; when one is removed, the button that adds.
function useRows(count: number) {
  const set = useRef<HTMLFieldSetElement>(null);
  const before = useRef(count);
  useLayoutEffect(() => {
    const rows = set.current!.querySelectorAll<HTMLElement>(".config-row");
    if (count > before.current) rows[rows.length - 1]?.querySelector("input")?.focus();
    if (count < before.current) set.current!.querySelector<HTMLElement>(":scope > button")?.focus();
    before.current = count;
  }, [count]);
  return set;
}

interface SetProps {
  readonly legend: string;
  /** What one is called: "argument". */
  readonly one: string;
  readonly help?: string;
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const replaced = <T,>(list: readonly T[], at: number, item: T) => list.map((old, index) => (index === at ? item : old));
const without = <T,>(list: readonly T[], at: number) => list.filter((_, index) => index !== at);

export interface TextsProps extends SetProps {
  readonly texts: readonly string[];
  readonly onChange: (texts: readonly string[]) => void;
}

export function Texts({ legend, one, help, texts, onChange }: TextsProps) {
  const set = useRows(texts.length);
  return (
    <fieldset class="config-set" ref={set}>
      <legend>{legend}</legend>
      {help !== undefined && <p class="quiet">{help}</p>}
      {texts.map((text, at) => (
        <div class="config-row" key={at}>
          <input
            class="field"
            aria-label={`${capital(one)} ${at + 1}`}
            autoComplete="off"
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => onChange(replaced(texts, at, currentTarget.value))}
          />
          <Remove name={`${one} ${at + 1}`} onClick={() => onChange(without(texts, at))} />
        </div>
      ))}
      <Add one={one} onClick={() => onChange([...texts, ""])} />
    </fieldset>
  );
}

export interface PairsProps extends SetProps {
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
  readonly faultAt: (at: number) => string | undefined;
  /** Values are shown only to those who ask. */
  readonly isSecret?: boolean;
}

export function Pairs({ legend, one, help, pairs, onChange, faultAt, isSecret = true }: PairsProps) {
  const set = useRows(pairs.length);
  return (
    <fieldset class="config-set" ref={set}>
      <legend>{legend}</legend>
      {help !== undefined && <p class="quiet">{help}</p>}
      {pairs.map((pair, at) => (
        <PairRow
          key={at}
          called={`${one} ${at + 1}`}
          pair={pair}
          fault={faultAt(at)}
          isSecret={isSecret}
          onChange={(pair) => onChange(replaced(pairs, at, pair))}
          onRemove={() => onChange(without(pairs, at))}
        />
      ))}
      <Add one={one} onClick={() => onChange([...pairs, { name: "", value: "" }])} />
    </fieldset>
  );
}

interface PairRowProps {
  readonly called: string;
  readonly pair: Pair;
  readonly fault: string | undefined;
  readonly isSecret: boolean;
  readonly onChange: (pair: Pair) => void;
  readonly onRemove: () => void;
}

function PairRow({ called, pair, fault, isSecret, onChange, onRemove }: PairRowProps) {
  const id = useId();
  const name = pair.name || called;
  return (
    <>
      <div class="config-row config-pair">
        <input
          class="field"
          aria-label={`Name of ${called}`}
          placeholder="NAME"
          autoComplete="off"
          spellcheck={false}
          value={pair.name}
          {...(fault !== undefined && { "aria-invalid": "true" as const, "aria-describedby": id })}
          onInput={({ currentTarget }) => onChange({ ...pair, name: currentTarget.value })}
        />
        <Secret
          label={`Value of ${name}`}
          isSecret={isSecret}
          value={pair.value}
          onChange={(value) => onChange({ ...pair, value })}
        />
        <Remove name={name} onClick={onRemove} />
      </div>
      {fault !== undefined && <Wrong id={id}>{fault}</Wrong>}
    </>
  );
}

function Remove({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button type="button" class="icon-button" aria-label={`Remove ${name}`} title="Remove" onClick={onClick}>
      <Icon name="close" />
    </button>
  );
}

function Add({ one, onClick }: { one: string; onClick: () => void }) {
  return (
    <button type="button" class="link-button" onClick={onClick}>
      <Icon name="new" /> Add {one}
    </button>
  );
}
