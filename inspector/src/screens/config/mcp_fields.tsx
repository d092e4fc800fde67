// The form of an MCP server: a program that the agent starts, or an address that it connects to.
import { useState } from "preact/hooks";
import { lookForCommand } from "../../lib/config_command.js";
import { useApp } from "../../lib/context.js";
import { Icon } from "../../parts/icon.js";
import { argumentsHint, type McpForm } from "../../state/config_form.js";
import { Pairs, Texts } from "./field_lists.js";
import { TextRow } from "./fields.js";
import { Remote, type PartProps } from "./mcp_remote.js";

export interface McpFieldsProps {
  readonly form: McpForm;
  readonly onChange: (form: McpForm) => void;
  readonly faultAt: (field: string) => string | undefined;
}

const types = [
  ["local", "Local program", "The agent starts it and speaks to it over standard input and output."],
  ["remote", "Remote address", "The agent connects to it over HTTP."],
] as const;

export function McpFields({ form, onChange, faultAt }: McpFieldsProps) {
  const set = (change: Partial<McpForm>) => onChange({ ...form, ...change });
  return (
    <div class="form">
      <fieldset class="config-types">
        <legend>Type</legend>
        {types.map(([type, name, help]) => (
          <label key={type} class="config-type">
            <input type="radio" name="type" aria-label={name} checked={form.type === type} onChange={() => set({ type })} />
            <span>
              {name}
              <span class="quiet">{help}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {form.type === "local" ? <Local {...{ form, set, faultAt }} /> : <Remote {...{ form, set, faultAt }} />}
      <TextRow
        label="Time limit (ms)"
        help="How long the agent waits for it; without it, the agent decides."
        isNumber
        value={form.timeoutMs}
        fault={faultAt("timeoutMs")}
        onChange={(timeoutMs) => set({ timeoutMs })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={form.enabled}
          onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
        />
        Enabled
      </label>
    </div>
  );
}

function Local({ form, set, faultAt }: PartProps) {
  return (
    <>
      <div class="form-row">
        <TextRow
          label="Command"
          placeholder="npx"
          value={form.command}
          fault={faultAt("command")}
          onChange={(command) => set({ command })}
        />
        <CommandCheck key={form.command} command={form.command} />
      </div>
      <Texts legend="Arguments" one="argument" texts={form.args} onChange={(args) => set({ args })} />
      <Pairs
        legend="Environment"
        one="variable"
        pairs={form.env}
        faultAt={(at) => faultAt(`env[${at}]`)}
        onChange={(env) => set({ env })}
      />
      <TextRow
        label="Working folder"
        help="Where the program runs; without it, the agent decides."
        value={form.cwd}
        onChange={(cwd) => set({ cwd })}
      />
    </>
  );
}

// Nothing is started: whether the program is there is all that can be told.
function CommandCheck({ command }: { command: string }) {
  const app = useApp();
  const [said, setSaid] = useState("");
  if (command === "") return null;
  if (!command.startsWith("/"))
    return (
      <p class="quiet">
        {argumentsHint(command) ||
          "The agent looks it up on its PATH and starts it when a session starts; this page cannot try it."}
      </p>
    );
  const look = async () => {
    setSaid("Looking …");
    setSaid(await lookForCommand(app, command).catch(({ message }: Error) => message));
  };
  return (
    <p class="config-look">
      <button type="button" class="link-button" onClick={() => void look()}>
        <Icon name="search" /> Look for it
      </button>
      <span class="quiet" role="status">
        {said}
      </span>
    </p>
  );
}
