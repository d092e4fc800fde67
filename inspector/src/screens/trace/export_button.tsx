// Saves the messages of a process as a file: all, or what the filter lets through.
import { useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { exportTrace } from "../../lib/trace_file.js";
import type { LogEntry } from "../../state/log.js";

export function ExportButton({ serverId, shown }: { serverId: string; shown: (() => LogEntry[]) | undefined }) {
  const app = useApp();
  const [failure, setFailure] = useState("");
  const save = (entries?: LogEntry[]) =>
    exportTrace(app, serverId, entries).then(
      () => setFailure(""),
      (error: unknown) => setFailure((error as Error).message),
    );
  return (
    <>
      <button type="button" class="trace-button" title="All messages, as JSON lines" onClick={() => void save()}>
        Export
      </button>
      {shown && (
        <button type="button" class="trace-button" title="Only what the filter shows" onClick={() => void save(shown())}>
          Export shown
        </button>
      )}
      {failure !== "" && (
        <span class="bad" role="alert">
          Not exported: {failure}
        </span>
      )}
    </>
  );
}
