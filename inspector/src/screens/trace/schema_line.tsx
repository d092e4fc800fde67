// Whether a message keeps to the protocol's schema, in a line. The schema and what compares with it come when they are first wanted.
import { useMemo } from "preact/hooks";
import { Icon, type IconName } from "../../parts/icon.js";
import { onDemand } from "../../parts/on_demand.js";
import type { SchemaResult } from "../../state/schema.js";
import type { TraceRow } from "../../state/trace.js";

const demand = onDemand(async () => {
  const [{ SchemaCheck }, { schema }] = await Promise.all([import("../../state/schema.js"), import("virtual:acp-schema")]);
  return new SchemaCheck(schema);
});
const icons: Record<SchemaResult["state"], IconName> = { valid: "check", invalid: "cross", none: "more" };

export function SchemaLine({ row }: { row: TraceRow }) {
  const checker = demand.use();
  const result = useMemo(() => checker?.check(row), [checker, row]);
  if (!result) return <p class="envelope-schema quiet">Schema: loading …</p>;
  return (
    <p class="envelope-schema" data-schema={result.state}>
      <Icon name={icons[result.state]} /> <span>Schema: {wordsOf(result)}</span>
    </p>
  );
}

function wordsOf(result: SchemaResult) {
  if (result.state === "none") return result.why;
  if (result.state === "valid")
    return (
      <>
        valid <span class="quiet">{result.name}</span>
      </>
    );
  return (
    <>
      not valid: <code>{result.path}</code> {result.why} <span class="quiet">{result.name}</span>
    </>
  );
}
