// Gives a file to the browser to keep.
import { useState } from "preact/hooks";
import type { FileDesk } from "../../lib/file_desk.js";
import { problemOf } from "../../lib/problem.js";
import { Icon } from "../../parts/icon.js";
import { shownNameOf } from "../../state/file_paths.js";
import type { Problem } from "../../state/problem.js";
import { ProblemCard } from "../problem_card.js";

export function DownloadButton({ path, desk, onSaid }: { path: string; desk: FileDesk; onSaid: (said: string) => void }) {
  const [abort, setAbort] = useState<AbortController>();
  const [problem, setProblem] = useState<Problem>();
  const download = async () => {
    const own = new AbortController();
    setAbort(own);
    setProblem(undefined);
    try {
      await desk.download(path, own.signal);
      onSaid(`Downloaded ${shownNameOf(path)}.`);
    } catch (error) {
      if (!own.signal.aborted) setProblem(problemOf(error));
    }
    setAbort(undefined);
  };
  return (
    <>
      <button type="button" class="button" onClick={() => (abort ? abort.abort() : void download())}>
        <Icon name={abort ? "spinner" : "fetch"} /> {abort ? "Cancel download" : "Download"}
      </button>
      {problem && <ProblemCard problem={problem} onRetry={() => void download()} onClose={() => setProblem(undefined)} />}
    </>
  );
}
