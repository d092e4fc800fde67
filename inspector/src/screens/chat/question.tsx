// A question of the agent as a form: the fields it asks for, or the choices it offers.
import { useRef, useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { Icon } from "../../parts/icon.js";
import type { QuestionBlock } from "../../state/blocks.js";
import { plainly } from "../../state/plain_signs.js";
import {
  answerOfForm,
  faultOf,
  fieldsOfForm,
  firstValues,
  type FormField,
  type FormValues,
} from "../../state/question_form.js";
import { useAskDraft } from "./ask_drafts.js";
import { useHandsFocusOn } from "./hand_focus_on.js";
import { useComesIntoSight } from "./in_sight.js";
import { Words } from "./words.js";

export function Question({ ask, place }: { ask: QuestionBlock; place: string }) {
  const app = useApp();
  const card = useRef<HTMLDivElement>(null);
  useHandsFocusOn(card);
  useComesIntoSight(card);
  const fields = fieldsOfForm(ask);
  const [values, setValues] = useAskDraft(ask, () => firstValues(ask, fields));
  const [isTried, setTried] = useState(false);
  const valueOf = ({ name }: FormField) => (Object.hasOwn(values, name) ? values[name] : undefined);
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
    <div ref={card} class="ask" role="alertdialog" aria-label={`Question: ${plainly(ask.prompt)}`}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const wrong = fields.findIndex((field) => faultOf(field, valueOf(field)) !== undefined);
          setTried(true);
          if (wrong >= 0)
            return event.currentTarget
              .querySelectorAll(".ask-field")
              [wrong]?.querySelector<HTMLElement>("input, select")
              ?.focus();
          send(answerOfForm(ask, fields, values));
        }}
      >
        <div class="ask-head">
          <Icon name="question" />{" "}
          <b>
            <Words text={ask.prompt} />
          </b>{" "}
          <span class="quiet">{place}</span>
        </div>
        {ask.url !== undefined && <Address url={ask.url} />}
        {fields.map((field, index) => (
          <Field
            key={field.name}
            id={`ask-field-${index}`}
            field={field}
            value={valueOf(field)}
            fault={isTried ? faultOf(field, valueOf(field)) : undefined}
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

// Only what leads to a page can be followed.
function Address({ url }: { url: string }) {
  const words = <Words text={url} />;
  return (
    <p>
      {/^https?:/.test(url) ? (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {words}
        </a>
      ) : (
        <code>{words}</code>
      )}
    </p>
  );
}

interface FieldProps {
  readonly id: string;
  readonly field: FormField;
  readonly value: FormValues[string] | undefined;
  readonly fault: string | undefined;
  readonly onChange: (value: FormValues[string]) => void;
}

function Field(props: FieldProps) {
  const { id, field, fault } = props;
  const description = field.description !== undefined && (
    <span class="quiet" id={`${id}-about`}>
      <Words text={field.description} />
    </span>
  );
  return (
    <div class="ask-field form-row">
      <Control {...props} />
      {description}
      {fault !== undefined && (
        <span class="bad" id={`${id}-fault`} role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}

function Control({ id, field, value, fault, onChange }: FieldProps) {
  const { kind, choices, isRequired } = field;
  const title = <Words text={field.title} />;
  const ids = [field.description !== undefined && `${id}-about`, fault !== undefined && `${id}-fault`].filter(Boolean);
  const about = ids.length > 0 && { "aria-describedby": ids.join(" ") };
  const entry = { ...about, id, class: "field", required: isRequired, "aria-invalid": fault !== undefined };
  if (kind === "boolean") {
    return (
      <label class="check">
        <input
          type="checkbox"
          {...about}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />{" "}
        <span>{title}</span>
      </label>
    );
  }
  if (kind === "choices") {
    const chosen = Array.isArray(value) ? value : [];
    return (
      <fieldset class="form-set" {...about}>
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
            <span>
              <Words text={choice.label} />
            </span>
          </label>
        ))}
      </fieldset>
    );
  }
  return (
    <>
      <label for={id}>{title}</label>
      {kind === "choice" ? (
        <select {...entry} value={String(value ?? "")} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">choose …</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {plainly(choice.label)}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...entry}
          inputMode={kind === "number" ? "decimal" : "text"}
          value={String(value ?? "")}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </>
  );
}
