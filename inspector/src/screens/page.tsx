// The whole page: the frame, and in it the screen that the address names.
import { useEffect } from "preact/hooks";
import { useAppState } from "../lib/context.js";
import { preloadMarkdown } from "../parts/markdown.js";
import { ChatScreen } from "./chat/chat_screen.js";
import { Bars } from "./frame/bars.js";
import { Header } from "./frame/header.js";
import { KeysDialog } from "./frame/keys_dialog.js";
import { Rail } from "./frame/rail.js";
import { Sessions } from "./frame/sessions.js";
import { TokenPrompt } from "./frame/token_prompt.js";
import { NewSession } from "./new_session/new_session.js";
import { NotFound } from "./not_found.js";
import { Side } from "./side/side.js";
import { TraceScreen } from "./trace_screen.js";
import "./frame/frame.css";

export function Page() {
  const screen = useAppState(({ route }) => route.screen);
  const isSideOpen = useAppState(({ side, shown, route }) => side.open && shown !== undefined && route.screen === "chat");
  const isHome = useAppState(({ route }) => route.screen === "chat" && route.serverId === undefined);
  const dialog = useAppState((state) => state.dialog);
  const mayTalk = useAppState(({ shown }) => shown !== undefined);
  useEffect(() => {
    if (mayTalk) void preloadMarkdown(); // the first answer finds it
  }, [mayTalk]);
  const needsToken = useAppState(({ daemon }) => daemon.word === "token needed" || daemon.word === "token wrong");
  const wasThere = useAppState(({ daemon }) => daemon.wasThere);
  if (needsToken && !wasThere) return <TokenPrompt />;
  return (
    <div class={`frame${isSideOpen ? " frame-with-side" : ""}${isHome ? " frame-home" : ""}`}>
      <a class="skip" href="#main">
        Skip to the conversation
      </a>
      <Header />
      <Bars />
      <Rail />
      <Sessions />
      <main id="main" class="frame-main" tabIndex={-1}>
        {screen === "chat" && <ChatScreen />}
        {screen === "trace" && <TraceScreen />}
        {screen === "unknown" && <NotFound />}
      </main>
      {isSideOpen && <Side />}
      {dialog === "new" && <NewSession />}
      {dialog === "keys" && <KeysDialog />}
      {needsToken && <TokenPrompt />}
    </div>
  );
}
