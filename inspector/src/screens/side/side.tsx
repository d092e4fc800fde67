// The panel beside the conversation: Trace, Changes, Stderr.
import { useEffect } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { Icon } from "../../parts/icon.js";
import { Tabs } from "../../parts/tabs.js";
import type { Shown, SideTab } from "../../state/app.js";
import { Changes } from "./changes.js";
import { Trace } from "./trace.js";
import "./side.css";

const tabs: { id: SideTab; name: string }[] = [
  { id: "trace", name: "Trace" },
  { id: "changes", name: "Changes" },
  { id: "stderr", name: "Stderr" },
];

export function Side() {
  const app = useApp();
  const { tab, seq } = useAppState(({ side }) => side);
  const shown = useAppState((state) => state.shown);
  if (!shown) return null;
  return (
    <aside class="side" aria-label="Details">
      <Tabs label="Details" tabs={tabs} shown={tab} onShow={(id) => app.side(true, id as SideTab)}>
        {tab === "trace" && (
          <Trace
            shown={shown}
            compact
            selected={seq === "" ? undefined : seq}
            onSelect={(next) => app.side(true, "trace", next ?? "")}
          />
        )}
        {tab === "changes" && <Changes session={app.conversation} version={shown.version} />}
        {tab === "stderr" && <Stderr shown={shown} />}
      </Tabs>
      <button
        type="button"
        class="icon-button side-close"
        aria-label="Close details"
        title="Close (.)"
        onClick={() => app.side(false)}
      >
        <Icon name="close" />
      </button>
    </aside>
  );
}

function Stderr({ shown: { serverId, stderr, stream } }: { shown: Shown }) {
  const app = useApp();
  const isGone = stream === "gone";
  useEffect(() => {
    if (isGone) return undefined;
    const look = () => void app.shown.lookAtStderr(serverId);
    look();
    const timer = setInterval(look, 2_000);
    return () => clearInterval(timer);
  }, [serverId, isGone]);
  if (stderr === undefined) return <p class="quiet pad">{isGone ? "It went with the process." : "Loading …"}</p>;
  if (stderr === "") return <p class="quiet pad">The agent wrote nothing to its error output.</p>;
  return (
    <pre class="side-stderr" tabIndex={0}>
      {stderr}
    </pre>
  );
}
