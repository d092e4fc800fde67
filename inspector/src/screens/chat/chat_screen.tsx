// The conversation: head, plan, blocks, questions of the agent, composer.
import { useApp, useAppState } from "../../lib/context.js";
import type { Shown } from "../../state/app.js";
import type { Conversation } from "../../state/conversation.js";
import { AskBar } from "./ask_bar.js";
import { Composer } from "./composer.js";
import { Head } from "./head.js";
import { Plan } from "./plan.js";
import { Transcript } from "./transcript.js";
import { Welcome, Absent } from "./welcome.js";
import "./chat.css";

export function ChatScreen() {
  const app = useApp();
  const serverId = useAppState(({ route }) => (route.screen === "chat" ? route.serverId : undefined));
  const shown = useAppState((state) => state.shown);
  useAppState(({ route }) => route);
  const session = app.conversation;
  if (serverId === undefined) return <Welcome />;
  if (!session || !shown) return <Absent serverId={serverId} shown={shown} />;
  return <Session key={session.sessionId} session={session} shown={shown} />;
}

function Session({ session, shown }: { session: Conversation; shown: Shown }) {
  return (
    <div class="chat">
      <Head session={session} shown={shown} />
      <Plan entries={session.plan} />
      <Transcript session={session} shown={shown} />
      <AskBar session={session} shown={shown} />
      <Composer session={session} shown={shown} />
    </div>
  );
}
