// The Trace of the shown process beside the conversation, loaded when it is first looked at.
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import type { Shown } from "../../state/app.js";

export interface TraceProps {
  readonly shown: Shown;
  readonly selected: string | undefined;
  readonly onSelect: (seq: string | undefined) => void;
}

const load = () => import("../trace/trace_view.js");
type Loaded = Awaited<ReturnType<typeof load>>;

export function Trace({ shown, selected, onSelect }: TraceProps) {
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
  const { baseUrl, token } = app.daemon;
  const session = app.conversation;
  return (
    <loaded.TraceView
      log={view.log}
      version={version}
      serverId={serverId}
      sessionId={session?.sessionId}
      agent={app.notes.agentOf(serverId)}
      cwd={session?.settings.cwd}
      baseUrl={baseUrl}
      hasToken={token !== undefined}
      compact
      isLive
      isGone={shown.stream === "gone"}
      selected={selected}
      onSelect={onSelect}
    />
  );
}
