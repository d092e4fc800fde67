// The editor of one entry: its name, the form or the JSON, saving and deleting. What is wrong is said at its field or line.
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../../parts/icon.js";
import { Tabs } from "../../parts/tabs.js";
import type { Draft, DraftView } from "../../state/config_draft.js";
import { Modal } from "../frame/modal.js";
import { Row } from "./fields.js";
import { JsonEditor } from "./json_editor.js";
import { McpFields } from "./mcp_fields.js";
import { SkillsFields } from "./skills_fields.js";
import { useDraft, type EditorProps } from "./use_draft.js";
import { words } from "./words.js";

const views = [
  { id: "form", name: "Form" },
  { id: "json", name: "JSON" },
] as const;

export function Editor(props: EditorProps) {
  const { draft, fault, tries, isBusy, changed, write, writeText, show, save, remove } = useDraft(props);
  const { store, kind, first, onClose } = props;
  const [isAsking, setAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => (first.isNew ? form.current?.querySelector("input")?.focus() : heading.current?.focus()), []);
  // Whoever wanted to go on is led to what is wrong.
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [tries]);
  const title = draft.isNew ? `New ${words[kind].one}` : draft.name;
  const faultAt = (field: string) => (fault?.field === field ? fault.detail : undefined);
  const isElsewhere = fault && fault.field !== "name" && fault.mark === undefined && !isInForm(draft, fault.field);

  return (
    <section class="config-editor" aria-label={title}>
      <div class="config-editor-head">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <form
        ref={form}
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {draft.isNew && (
          <Row label="Name" fault={faultAt("name")}>
            {(given) => (
              <input
                {...given}
                class="field"
                autoComplete="off"
                spellcheck={false}
                readOnly={isBusy}
                value={draft.name}
                onInput={({ currentTarget }) => write({ name: currentTarget.value })}
              />
            )}
          </Row>
        )}
        <Tabs label="View" tabs={views} shown={draft.view} onShow={(id) => show(id as DraftView)}>
          <div class="config-view">
            {draft.view === "json" && <JsonEditor draft={draft} fault={fault} onText={writeText} jump={tries} />}
            {draft.view === "form" && draft.form.kind === "mcp" && (
              <McpFields form={draft.form} faultAt={faultAt} onChange={(form) => write({ form })} />
            )}
            {draft.view === "form" && draft.form.kind === "skills" && (
              <SkillsFields form={draft.form} faultAt={faultAt} onChange={(form) => write({ form })} />
            )}
          </div>
        </Tabs>
        {isElsewhere && (
          <div class="problem" role="alert">
            <p>{fault.detail}</p>
            {fault.hint !== undefined && <p class="quiet">{fault.hint}</p>}
          </div>
        )}
        <div class="buttons">
          <button type="submit" class="button button-main" aria-disabled={isBusy}>
            {isBusy ? "Saving …" : "Save"}
          </button>
          {!draft.isNew && (
            <button type="button" class="button button-bad" onClick={() => setAsking(true)}>
              <Icon name="delete" /> Delete
            </button>
          )}
          <span class="quiet">{changed ? "Unsaved changes" : ""}</span>
        </div>
      </form>
      {isAsking && (
        <Modal title={`Delete “${draft.name}”?`} onClose={() => setAsking(false)}>
          <p class="config-ask">It is removed from {store.path}.</p>
          <div class="form-end">
            <button type="button" class="button" data-first onClick={() => setAsking(false)}>
              Keep it
            </button>
            <button
              type="button"
              class="button button-bad"
              onClick={() => {
                setAsking(false);
                void remove();
              }}
            >
              Delete it
            </button>
          </div>
        </Modal>
      )}
    </section>
  );
}

// Whether the form shows what is wrong at a field of its own.
function isInForm({ view, form }: Draft, field: string | undefined): boolean {
  if (view !== "form" || field === undefined) return false;
  if (form.kind === "skills") return /^sources\[\d+\]\.(?:type|source)$/.test(field);
  return /^(?:command|url|timeoutMs|(?:env|headers|envHeaders)\[\d+\])$/.test(field);
}
