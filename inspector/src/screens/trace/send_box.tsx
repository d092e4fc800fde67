// A box for protocol authors: an envelope written by hand, sent to the process as it is. What comes of it is in the table.
import { useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { idByHand, sendRaw } from "../../lib/raw_sender.js";
import { Icon } from "../../parts/icon.js";
import { envelopeFault } from "../../state/envelope_fault.js";
import { templateNames, templateOf, type Known, type TemplateName } from "../../state/envelope_templates.js";
import { markAt, readJson } from "../../state/json_mark.js";
import "./send_box.css";

export interface SendBoxProps {
  readonly serverId: string;
  readonly known: Known;
  readonly onClose: () => void;
}

export function SendBox({ serverId, known, onClose }: SendBoxProps) {
  const app = useApp();
  const [text, setText] = useState(() => templateOf("session/prompt", known, idByHand()));
  const [isOwn, setOwn] = useState(false); // somebody wrote in it
  const [wanted, want] = useState<TemplateName>(); // a template that would replace it
  const [word, setWord] = useState("");
  const [refusal, setRefusal] = useState("");
  const [isSending, setSending] = useState(false);
  const fault = faultOf(text);
  const write = (next: string) => {
    setText(next);
    setWord("");
    setRefusal("");
  };
  const begin = (name: TemplateName) => {
    write(templateOf(name, known, idByHand()));
    setOwn(false);
    want(undefined);
  };
  const send = async () => {
    if (fault !== undefined || isSending) return;
    setSending(true);
    setRefusal("");
    setWord("");
    try {
      await sendRaw(app.daemon, serverId, text);
      setWord("Sent. It is in the Trace.");
      setText(withNewId); // of what was written meanwhile
    } catch (error) {
      setRefusal((error as Error).message);
    }
    setSending(false);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    }
  };
  return (
    <section class="send" aria-label="Send envelope">
      <div class="send-head">
        <h2>Send envelope</h2>
        <label class="send-template">
          <span class="quiet">Template</span>
          <select
            class="trace-select"
            aria-label="Template"
            onChange={({ currentTarget: { value } }) => (isOwn ? want : begin)(value as TemplateName)}
          >
            {templateNames.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <button type="button" class="icon-button" aria-label="Close send envelope" title="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {wanted !== undefined && (
        <p class="send-ask" role="status">
          <span>What is written here is yours.</span>
          <button type="button" class="button" onClick={() => begin(wanted)}>
            Replace what is written
          </button>
        </p>
      )}
      <textarea
        class="field send-text"
        aria-label="Envelope to send"
        aria-invalid={fault !== undefined}
        aria-describedby="send-fault"
        spellcheck={false}
        rows={9}
        value={text}
        onInput={(event) => {
          write(event.currentTarget.value);
          setOwn(event.currentTarget.value.trim() !== "");
          want(undefined);
        }}
        onKeyDown={press}
      />
      <div class="send-end">
        <p id="send-fault" class={fault === undefined ? "quiet" : "bad"}>
          {fault ?? "It goes to the agent as it is written here."}
        </p>
        <span role="status" class="quiet">
          {word}
        </span>
        <button
          type="button"
          class="button button-main"
          aria-disabled={fault !== undefined || isSending}
          title="Ctrl Enter"
          onClick={() => void send()}
        >
          Send
        </button>
      </div>
      {refusal !== "" && (
        <p class="problem" role="alert">
          <Icon name="warn" /> {refusal}
        </p>
      )}
    </section>
  );
}

function faultOf(text: string): string | undefined {
  const read = readJson(text);
  if (!("fault" in read)) return envelopeFault(read.value);
  const { line, column } = markAt(text, read.offset);
  return `No JSON at ${line}:${column}: ${read.fault}`;
}

// The same request can be sent again: its id was used.
function withNewId(text: string): string {
  return text.replace(/"by-hand-[0-9a-f]{8}"/, `"${idByHand()}"`);
}
