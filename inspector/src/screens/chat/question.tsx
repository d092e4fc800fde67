// A question of the agent as a form: the fields it asks for, or the choices it offers.
import { useRef, useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { Icon } from "../../parts/icon.js";
import type { QuestionBlock } from "../../state/blocks.js";
import { answerOfForm, fieldsOfForm, firstValues, type FormField } from "../../state/question_form.js";
import { useHandsFocusOn } from "./hand_focus_on.js";

export function Question({ ask, place }: { ask: QuestionBlock; place: string }) {
  const app = useApp();
  const card = useRef<HTMLDivElement>(null);
  useHandsFocusOn(card);
  const fields = fieldsOfForm(ask);
  const [values, setValues] = useState(() => firstValues(ask, fields));
  const [isSent, setSent] = useState(false);
  const [failure, setFailure] = useState("");
  const send = (result: object) => {
    if (isSent) return;
    setSent(true);
    app.turns.answer(ask, result).catch((error: Error) => {
      setSent(false);
      setFailure(`Not answered: ${error.message}`);
    });
  };
  const isForm = ask.method === "elicitation/create";
  return (
    <div ref={card} class="ask" role="alertdialog" aria-label={`Question: ${ask.prompt}`}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          send(answerOfForm(ask, fields, values));
        }}
      >
        <div class="ask-head">
          <Icon name="question" /> <b>{ask.prompt}</b> <span class="quiet">{place}</span>
        </div>
        {ask.url !== undefined && /^https?:/.test(ask.url) && (
          <p>
            <a href={ask.url} target="_blank" rel="noopener noreferrer">
              {ask.url}
            </a>
          </p>
        )}
        {fields.map((field) => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name]}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        <div class="buttons">
          <button type="submit" class="button button-main" aria-disabled={isSent}>
            Answer
          </button>
          <button
            type="button"
            class="button"
            aria-disabled={isSent}
            onClick={() => send(isForm ? { action: "decline" } : { outcome: "rejected" })}
          >
            Decline
          </button>
        </div>
        {failure !== "" && (
          <p class="bad" role="alert">
            {failure}
          </p>
        )}
      </form>
    </div>
  );
}

interface FieldProps {
  readonly field: FormField;
  readonly value: string | boolean | string[] | undefined;
  readonly onChange: (value: string | boolean | string[]) => void;
}

function Field({ field, value, onChange }: FieldProps) {
  const { title, kind, choices, isRequired, description } = field;
  if (kind === "boolean") {
    return (
      <label class="check">
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} /> {title}
      </label>
    );
  }
  if (kind === "choices") {
    const chosen = Array.isArray(value) ? value : [];
    return (
      <fieldset class="form-set">
        <legend>{title}</legend>
        {choices.map((choice) => (
          <label key={choice.value} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(choice.value)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked ? [...chosen, choice.value] : chosen.filter((other) => other !== choice.value),
                )
              }
            />
            {choice.label}
          </label>
        ))}
      </fieldset>
    );
  }
  return (
    <label class="form-row">
      {title}
      {kind === "choice" ? (
        <select
          class="field"
          required={isRequired}
          value={String(value ?? "")}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <option value="">choose …</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          class="field"
          inputMode={kind === "number" ? "decimal" : "text"}
          pattern={kind === "number" ? "-?[0-9]+([.][0-9]+)?" : undefined}
          required={isRequired}
          value={String(value ?? "")}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {description !== undefined && <span class="quiet">{description}</span>}
    </label>
  );
}
