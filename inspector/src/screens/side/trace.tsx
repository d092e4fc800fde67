// The Trace of the shown process, loaded when it is first looked at.
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { copyText } from "../../parts/copy_text.js";
import type { Shown } from "../../state/app.js";

export interface TraceProps {
  readonly shown: Shown;
  readonly compact: boolean;
  readonly selected: string | undefined;
  readonly onSelect: (seq: string | undefined) => void;
}

// Both are needed together, and by nobody who only talks.
async function load() {
  const [{ TraceView }, { JsonTree }] = await Promise.all([
    import("../trace/trace_view.js"),
    import("../../parts/json_tree.js"),
  ]);
  return { TraceView, JsonTree };
}
type Loaded = Awaited<ReturnType<typeof load>>;

export function Trace({ shown, compact, selected, onSelect }: TraceProps) {
  const app = useApp();
  const [loaded, setLoaded] = useState<Loaded>();
  const [isMissing, setMissing] = useState(false);
  useEffect(() => void load().then(setLoaded, () => setMissing(true)), []);
  const { serverId, view, version } = shown;
  if (isMissing)
    return (
      <p class="bad pad" role="alert">
        The Trace could not be loaded. Reload the page when the daemon answers; it may be of another version now.
      </p>
    );
  if (!loaded) return <p class="quiet pad">Loading …</p>;
  const { TraceView, JsonTree } = loaded;
  const { baseUrl, token } = app.daemon;
  return (
    <TraceView
      log={view.log}
      version={version}
      serverId={serverId}
      agent={app.notes.agentOf(serverId)}
      baseUrl={baseUrl}
      hasToken={token !== undefined}
      compact={compact}
      selected={selected}
      onSelect={onSelect}
      copy={(text) => void copyText(text)}
      drawJson={(value) => <JsonTree value={value} open={1} />}
    />
  );
}
