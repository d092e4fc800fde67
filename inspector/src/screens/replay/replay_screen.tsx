// A trace file, read-only: the conversation and the Trace as they were, played again. Nothing is sent from here.
import { useEffect } from "preact/hooks";
import { useApp, useAppState } from "../../lib/context.js";
import { useDaemonReturn } from "../../lib/daemon_return.js";
import { openTraceAt } from "../../lib/trace_file.js";
import { Icon } from "../../parts/icon.js";
import { FileDrop, OpenFileButton } from "../trace/file_drop.js";
import { ReplayView } from "./replay_view.js";

export function ReplayScreen() {
  const app = useApp();
  const replay = useAppState((state) => state.replay);
  const named = useAppState(({ route }) => (route.screen === "replay" ? route.file : undefined));
  const open = () => named !== undefined && void openTraceAt(app, named);
  useEffect(() => void open(), [named]);
  useDaemonReturn(() => replay?.state === "failed" && open());
  useEffect(() => app.store.dispatch({ type: "side", change: { seq: "" } }), []); // what was selected elsewhere is not in the file
  if (replay?.state === "open")
    return (
      <FileDrop>
        <ReplayView replay={replay} />
      </FileDrop>
    );
  return (
    <FileDrop>
      <div class="empty">
        <h1>Replay</h1>
        {replay === undefined && <p>No trace file is open. The file is not kept: open it again after a reload.</p>}
        {replay?.state === "reading" && <p role="status">Reading {replay.name} …</p>}
        {replay?.state === "failed" && (
          <p class="problem" role="alert">
            <Icon name="warn" /> <b>{replay.name}</b> cannot be replayed. {replay.message}
          </p>
        )}
        {replay?.state === "failed" && named !== undefined && (
          <button type="button" class="button" onClick={open}>
            Retry
          </button>
        )}
        {replay?.state !== "reading" && <OpenFileButton isMain />}
      </div>
    </FileDrop>
  );
}
