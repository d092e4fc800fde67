// The whole page: the frame, and in it the screen that the address names.
import { useEffect, useRef } from "preact/hooks";
import { useAppState } from "../lib/context.js";
import { preloadMarkdown } from "../parts/markdown.js";
import { usePhone } from "../parts/use_media.js";
import { screenName } from "../state/sections.js";
import { ChatScreen } from "./chat/chat_screen.js";
import { AskedAloud } from "./frame/asked_aloud.js";
import { Bars } from "./frame/bars.js";
import { Header } from "./frame/header.js";
import { Rail } from "./frame/rail.js";
import { Sessions } from "./frame/sessions.js";
import { useFocusOnRoute } from "./frame/use_focus_on_route.js";
import { useSheet } from "./frame/use_sheet.js";
import { NewSession } from "./new_session/new_session.js";
import { NotFound } from "./not_found.js";
import { dialogOnDemand, screenOnDemand } from "./screen_on_demand.js";
import "./frame/details.css";
import "./frame/frame.css";

const TraceScreen = screenOnDemand("Trace", async () => (await import("./trace/trace_screen.js")).TraceScreen);
const AgentsScreen = screenOnDemand("Agents", async () => (await import("./agents/agents_screen.js")).AgentsScreen);
const FilesScreen = screenOnDemand("Files", async () => (await import("./files/files_screen.js")).FilesScreen);
const ConfigScreen = screenOnDemand("Config", async () => (await import("./config/config_screen.js")).ConfigScreen);
const LogScreen = screenOnDemand("Log", async () => (await import("./log/log_screen.js")).LogScreen);
const ReplayScreen = screenOnDemand("Replay", async () => (await import("./replay/replay_screen.js")).ReplayScreen);
const Details = screenOnDemand("Details", async () => (await import("./side/side.js")).Side);
const KeysDialog = dialogOnDemand("Keys", async () => (await import("./frame/keys_dialog.js")).KeysDialog);
const TokenPrompt = dialogOnDemand("Token needed", async () => (await import("./frame/token_prompt.js")).TokenPrompt);
const RenameHere = dialogOnDemand("Rename session", async () => (await import("./frame/rename_here.js")).RenameHere);
const Palette = dialogOnDemand("Search", async () => (await import("./palette/palette.js")).Palette);

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
  const isSheet = usePhone() && isSideOpen; // it covers everything else
  const main = useRef<HTMLElement>(null);
  useFocusOnRoute(main, isHome ? "home" : screen);
  useSheet(isSheet);
  if (needsToken && !wasThere) return <TokenPrompt />;
  return (
    <div class={`frame${isSideOpen ? " frame-with-side" : ""}${isHome ? " frame-home" : ""}`}>
      <div class="frame-rest" inert={isSheet}>
        <a class="skip" href="#main">
          {screen === "chat" ? "Skip to the conversation" : "Skip to the content"}
        </a>
        <Header />
        <Bars />
        <Rail />
        <Sessions />
        <main ref={main} id="main" class="frame-main" tabIndex={-1} aria-label={screenName(screen)}>
          {screen === "chat" && <ChatScreen />}
          {screen === "trace" && <TraceScreen />}
          {screen === "agents" && <AgentsScreen />}
          {screen === "files" && <FilesScreen />}
          {screen === "config" && <ConfigScreen />}
          {screen === "log" && <LogScreen />}
          {screen === "replay" && <ReplayScreen />}
          {screen === "unknown" && <NotFound />}
        </main>
      </div>
      {isSideOpen && (
        <aside class="side" aria-label="Details" tabIndex={-1}>
          <Details />
        </aside>
      )}
      <AskedAloud />
      {dialog === "new" && <NewSession />}
      {dialog === "keys" && <KeysDialog />}
      {dialog === "rename" && <RenameHere />}
      {dialog === "palette" && <Palette />}
      {needsToken && <TokenPrompt />}
    </div>
  );
}
