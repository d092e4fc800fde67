// The Trace of the shown process, loaded when it is first looked at.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { copyText } from "../../parts/copy_text.js";
import type { Shown } from "../../state/app.js";
import type { TraceView, TraceViewProps } from "../trace/trace_view.js";

export interface TraceProps {
  readonly shown: Shown;
  readonly compact: boolean;
  readonly selected: string | undefined;
  readonly onSelect: (seq: string | undefined) => void;
}

export function Trace({ shown, compact, selected, onSelect }: TraceProps) {
  const app = useApp();
  const [View, setView] = useState<ComponentType<TraceViewProps>>();
  useEffect(() => {
    void import("../trace/trace_view.js").then(({ TraceView: Loaded }: { TraceView: typeof TraceView }) =>
      setView(() => Loaded),
    );
  }, []);
  const { serverId, view, version } = shown;
  if (!View) return <p class="quiet pad">Loading …</p>;
  const { baseUrl, token } = app.daemon;
  return (
    <View
      log={view.log}
      version={version}
      serverId={serverId}
      agent={app.agentOf(serverId)}
      baseUrl={baseUrl}
      hasToken={token !== undefined}
      compact={compact}
      selected={selected}
      onSelect={onSelect}
      copy={(text: string) => void copyText(text)}
    />
  );
}
