// The JSON of an entry, with its lines numbered and the bad one marked.
import { useEffect, useId, useRef } from "preact/hooks";
import { notKept, readDraft, saidOfText, type Draft, type DraftFault } from "../../state/config_draft.js";
import { offsetOf, type Mark } from "../../state/json_mark.js";
import { Wrong } from "./fields.js";

export interface JsonEditorProps {
  readonly draft: Draft;
  /** What was said of it when somebody wanted to go on. */
  readonly fault: DraftFault | undefined;
  readonly onText: (text: string) => void;
  /** Changes when the caret is to go to the mark. */
  readonly jump: number;
}

const fewest = 10; // rows

export function JsonEditor({ draft, fault: told, onText, jump }: JsonEditorProps) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const read = readDraft(draft);
  const fault = "fault" in read ? read.fault : told?.isDaemons && told.mark ? told : undefined;
  const mark = fault?.mark;
  const lines = draft.text.split("\n").length;
  const left = notKept(draft);
  const said = saidOfText(draft);
  const goTo = ({ line, column }: Mark) => {
    const at = offsetOf(draft.text, { line, column });
    area.current?.focus();
    area.current?.setSelectionRange(at, at);
  };
  useEffect(() => {
    if (jump > 0 && mark) goTo(mark);
  }, [jump]);
  return (
    <div class="form-row">
      <div class="json-edit">
        <ol class="json-edit-lines" aria-hidden="true">
          {Array.from({ length: lines }, (_, at) => (
            <li key={at} data-bad={mark?.line === at + 1 ? "" : undefined}>
              {mark?.line === at + 1 && "! "}
              {at + 1}
            </li>
          ))}
        </ol>
        <textarea
          ref={area}
          class="json-edit-text"
          aria-label="JSON"
          spellcheck={false}
          autoComplete="off"
          wrap="off"
          rows={Math.max(lines, fewest)}
          value={draft.text}
          {...(fault && { "aria-invalid": "true" as const, "aria-describedby": id })}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      </div>
      {fault && (
        <Wrong id={id}>
          {mark && (
            <button type="button" class="json-edit-place" onClick={() => goTo(mark)}>
              Line {mark.line}, column {mark.column}
            </button>
          )}
          {mark && ": "}
          {fault.detail}
        </Wrong>
      )}
      {said !== "" && <p class="quiet">{said}</p>}
      {left.length > 0 && <p class="quiet">The daemon does not know {left.join(", ")}, and does not keep it.</p>}
      <p class="quiet">Values stand here as they are kept, secrets too.</p>
    </div>
  );
}
