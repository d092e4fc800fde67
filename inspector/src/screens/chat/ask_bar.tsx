// What the agent waits for, above the composer: the oldest question first. The cards are loaded when a conversation is shown, so that
// they are there when they are needed.
import { useEffect, useState } from "preact/hooks";
import { onDemand } from "../../parts/on_demand.js";
import type { Shown } from "../../state/app.js";
import type { Conversation } from "../../state/conversation.js";

const asks = onDemand(() => import("./asks.js"));

export function AskBar({ session, shown }: { session: Conversation; shown: Shown }) {
  const [first, ...others] = session.asks;
  const isAsked = first !== undefined && shown.stream !== "ended" && shown.stream !== "gone";
  const cards = asks.use(isAsked);
  const [, draw] = useState(0);
  useEffect(() => void asks.preload(), []);
  useEffect(() => {
    if (!isAsked || cards) return undefined;
    const again = () => void asks.preload().then(() => draw((count) => count + 1));
    const timer = setInterval(again, 1_000);
    return () => clearInterval(timer);
  }, [isAsked, cards]);
  if (!isAsked) return null;
  if (!cards) return <p class="ask">The agent waits for an answer. Loading …</p>;
  const place = others.length === 0 ? "" : `1 of ${others.length + 1}`;
  return first.kind === "permission" ? (
    <cards.Permission key={first.key} ask={first} place={place} session={session} shown={shown} />
  ) : (
    <cards.Question key={first.key} ask={first} place={place} />
  );
}
