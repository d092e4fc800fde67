// What the agent waits for, above the composer: the oldest question first.
import { useEffect, useState } from "preact/hooks";
import type { Shown } from "../../state/app.js";
import type { Conversation } from "../../state/conversation.js";
import { seldom } from "./seldom.js";

export function AskBar({ session, shown }: { session: Conversation; shown: Shown }) {
  const [first, ...others] = session.asks;
  const isAsked = first !== undefined && shown.stream !== "ended" && shown.stream !== "gone";
  const cards = seldom.use(isAsked);
  const [, draw] = useState(0);
  useEffect(() => {
    if (!isAsked || cards) return undefined;
    const again = () => void seldom.preload().then(() => draw((count) => count + 1));
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
