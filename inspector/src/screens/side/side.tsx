// The panel beside the conversation: Trace, Changes, Files, Stderr.
import { useEffect, useLayoutEffect } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { Ansi } from "../../parts/ansi.js";
import { Icon } from "../../parts/icon.js";
import { onDemand } from "../../parts/on_demand.js";
import { Tabs } from "../../parts/tabs.js";
import { usePhone } from "../../parts/use_media.js";
import type { Shown, SideTab } from "../../state/app.js";
import type { Conversation } from "../../state/conversation.js";
import { Trace } from "./trace.js";
import "./side.css";

const tabs: { id: SideTab; name: string }[] = [
  { id: "trace", name: "Trace" },
  { id: "changes", name: "Changes" },
  { id: "files", name: "Files" },
  { id: "stderr", name: "Stderr" },
];

export function Side() {
  const app = useApp();
  const { tab, seq } = useAppState(({ side }) => side);
  const shown = useAppState((state) => state.shown);
  const isSheet = usePhone();
  useEffect(() => {
    if (isSheet) document.querySelector<HTMLElement>(".side [role=tab][aria-selected=true]")?.focus();
  }, [isSheet]);
  useLayoutEffect(() => giveFocusBack, []);
  if (!shown) return null;
  return (
    <>
      <Tabs label="Details" tabs={tabs} shown={tab} onShow={(id) => app.side(true, id as SideTab)}>
        {tab === "trace" && (
          <Trace
            shown={shown}
            selected={seq === "" ? undefined : seq}
            onSelect={(next) => app.side(true, "trace", next ?? "")}
          />
        )}
        {tab === "changes" && <SideChanges session={app.conversation} version={shown.version} />}
        {tab === "files" && <SideFiles session={app.conversation} />}
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
    </>
  );
}

/** To the button that opens the details again, if it is in them while they go. */
function giveFocusBack(): void {
  if (document.activeElement?.closest(".side")) document.querySelector<HTMLElement>(".head [aria-label=Details]")?.focus();
}

const changes = onDemand(() => import("./changes.js"));

function SideChanges(props: { session: Conversation | undefined; version: number }) {
  const Shown = changes.use()?.Changes;
  return Shown ? <Shown {...props} /> : <p class="quiet pad">Loading …</p>;
}

const files = onDemand(() => import("../files/side_files.js"));

function SideFiles({ session }: { session: Conversation | undefined }) {
  const Shown = files.use()?.SideFiles;
  if (!Shown) return <p class="quiet pad">Loading …</p>;
  return <Shown turns={session?.turns.filter(({ phase }) => phase !== "running").length ?? 0} />;
}

function Stderr({ shown: { serverId, stderr, stream } }: { shown: Shown }) {
  const app = useApp();
  const isListed = useAppState(({ instances }) => instances.some((instance) => instance.serverId === serverId));
  const isGone = stream === "gone" || (stream === "ended" && !isListed);
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
    <div class="side-stderr">
      <Ansi text={stderr} />
    </div>
  );
}
