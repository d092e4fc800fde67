// The conversation: head, plan, blocks, questions of the agent, composer.
import { useApp, useAppState } from "../../lib/context.js";
import { sessionKey, type Shown } from "../../state/app.js";
import type { Conversation } from "../../state/conversation.js";
import { AskBar } from "./ask_bar.js";
import { Composer } from "./composer.js";
import { Head } from "./head.js";
import { seldom } from "./seldom.js";
import { Transcript } from "./transcript.js";
import { TurnNow } from "./turn_now.js";
import { Welcome, Absent } from "./welcome.js";
import { RouteLink } from "../route_link.js";
import "./chat.css";

export function ChatScreen() {
  const app = useApp();
  const serverId = useAppState(({ route }) => (route.screen === "chat" ? route.serverId : undefined));
  const shown = useAppState((state) => state.shown);
  useAppState(({ route }) => route);
  const session = app.conversation;
  if (serverId === undefined) return <Welcome />;
  if (!session || !shown) return <Absent serverId={serverId} shown={shown} />;
  return <Session key={sessionKey(shown.serverId, session.sessionId)} session={session} shown={shown} />;
}

function Session({ session, shown }: { session: Conversation; shown: Shown }) {
  const approvals = useAppState((state) => state.approvals[sessionKey(shown.serverId, session.sessionId)] ?? "ask");
  const continues = useAppState(
    ({ notes }) => notes.find((note) => note.serverId === shown.serverId && note.sessionId === session.sessionId)?.continues,
  );
  const cards = seldom.use();
  return (
    <div class="chat" data-approvals={approvals}>
      <Head session={session} shown={shown} />
      {continues && <Continued from={continues} />}
      {cards && <cards.Plan entries={session.plan} isCurrent={session.planTurns === session.turns.length} />}
      <Transcript session={session} shown={shown} />
      <TurnNow session={session} serverId={shown.serverId} />
      <AskBar session={session} shown={shown} />
      <Composer session={session} shown={shown} />
    </div>
  );
}

// What was said before its process ended.
function Continued({ from }: { from: { serverId: string; sessionId: string } }) {
  const route = { screen: "chat", ...from } as const;
  return (
    <p class="continued quiet">
      An earlier process of this conversation ended. <RouteLink route={route}>What was said before</RouteLink>
    </p>
  );
}
