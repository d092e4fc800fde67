// The part of the form that is about a remote MCP server: its address, its headers, and how to sign in.
import type { McpForm } from "../../state/config_form.js";
import { Pairs } from "./field_lists.js";
import { Row, TextRow } from "./fields.js";
import { Secret } from "./secret.js";

export interface PartProps {
  readonly form: McpForm;
  readonly set: (change: Partial<McpForm>) => void;
  readonly faultAt: (field: string) => string | undefined;
}

export function Remote({ form, set, faultAt }: PartProps) {
  return (
    <>
      <TextRow
        label="URL"
        placeholder="https://"
        value={form.url}
        fault={faultAt("url")}
        help="The agent connects to it when a session starts. This page may speak to its daemon only, and cannot try it."
        onChange={(url) => set({ url })}
      />
      <Row label="Transport">
        {(given) => (
          <select
            {...given}
            class="field"
            value={form.transport}
            onChange={({ currentTarget }) => set({ transport: currentTarget.value as McpForm["transport"] })}
          >
            <option value="">not said (http)</option>
            <option value="http">http</option>
            <option value="sse">sse</option>
          </select>
        )}
      </Row>
      <Pairs
        legend="Headers"
        one="header"
        pairs={form.headers}
        faultAt={(at) => faultAt(`headers[${at}]`)}
        onChange={(headers) => set({ headers })}
      />
      <Pairs
        legend="Headers from variables"
        one="header from a variable"
        help="The value is the name of the environment variable that has it."
        isSecret={false}
        pairs={form.envHeaders}
        faultAt={(at) => faultAt(`envHeaders[${at}]`)}
        onChange={(envHeaders) => set({ envHeaders })}
      />
      <TextRow
        label="Variable with the bearer token"
        placeholder="API_TOKEN"
        value={form.bearerTokenEnvVar}
        onChange={(bearerTokenEnvVar) => set({ bearerTokenEnvVar })}
      />
      <Oauth form={form} set={set} />
    </>
  );
}

function Oauth({ form, set }: Omit<PartProps, "faultAt">) {
  return (
    <>
      <Row label="Sign-in (OAuth)">
        {(given) => (
          <select
            {...given}
            class="field"
            value={form.oauth}
            onChange={({ currentTarget }) => set({ oauth: currentTarget.value as McpForm["oauth"] })}
          >
            <option value="">not said</option>
            <option value="on">yes</option>
            <option value="off">no</option>
            <option value="client">yes, as a registered client</option>
          </select>
        )}
      </Row>
      {form.oauth === "client" && (
        <fieldset class="config-set">
          <legend>Registered client</legend>
          <TextRow label="Client id" value={form.clientId} onChange={(clientId) => set({ clientId })} />
          <div class="form-row">
            <span aria-hidden="true">Client secret</span>
            <Secret label="Client secret" value={form.clientSecret} onChange={(clientSecret) => set({ clientSecret })} />
          </div>
          <TextRow label="Scope" value={form.scope} onChange={(scope) => set({ scope })} />
        </fieldset>
      )}
    </>
  );
}
