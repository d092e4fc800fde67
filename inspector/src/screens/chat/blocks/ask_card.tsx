// What the agent asked, at its place in the turn. It is answered in the bar above the composer.
import { useAppState, useIsLive } from "../../../lib/context.js";
import { askKey } from "../../../lib/instance_link.js";
import { Icon } from "../../../parts/icon.js";
import type { Ask } from "../../../state/blocks.js";

const words: Record<NonNullable<Ask["closing"]>["status"], string> = {
  approved: "approved",
  approved_always: "approved, always",
  denied: "denied",
  cancelled: "cancelled",
  expired: "closed: the agent exited",
  unknown: "answered with an option that was not offered",
  answered: "answered",
  rejected: "declined",
};

export function AskCard({ ask, serverId }: { ask: Ask; serverId: string }) {
  const by = useAppState(({ answered }) => answered.get(askKey(serverId, ask.requestId)));
  const isLive = useIsLive();
  const { closing } = ask;
  const isPermission = ask.kind === "permission";
  const what = isPermission ? ask.action : ask.prompt;
  const chosen = isPermission ? ask.options.find(({ option_id }) => option_id === closing?.chosen)?.name : undefined;
  const isAnswered = closing && !["cancelled", "expired"].includes(closing.status);
  return (
    <article class="asked" aria-label={isPermission ? "Permission" : "Question"} data-open={closing === undefined}>
      <Icon name={isPermission ? "lock" : "question"} />
      <span class="asked-what">{what}</span>
      <span class="asked-word">
        {closing ? words[closing.status] : isLive ? "waiting for you" : "not answered up to here"}
        {chosen !== undefined && ` (${chosen})`}
        {closing?.said !== undefined && `: ${closing.said}`}
        {isAnswered && ` · ${by === "rule" ? "allowed automatically" : `answered ${by ? "here" : "elsewhere"}`}`}
      </span>
    </article>
  );
}
