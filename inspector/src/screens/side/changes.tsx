// The tab of what the session changed. What shows and counts it is loaded when it is first looked at.
import { onDemand } from "../../parts/on_demand.js";
import type { Conversation } from "../../state/conversation.js";

const view = onDemand(() => import("./changes_view.js"));

export function Changes({ session, version }: { session: Conversation | undefined; version: number }) {
  const ChangesView = view.use()?.ChangesView;
  if (!ChangesView) return <p class="quiet pad">Loading …</p>;
  return <ChangesView session={session} version={version} />;
}
