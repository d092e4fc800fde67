// The file changed since it was opened: what is there now, and the three ways on.
import { useState } from "preact/hooks";
import { SandboxAgentError } from "sandbox-agent/daemon";
import { useApp } from "../../lib/context.js";
import { problemOf } from "../../lib/problem.js";
import { Diff } from "../../parts/diff.js";
import { textIn } from "../../state/file_text.js";
import type { Problem } from "../../state/problem.js";
import { ProblemCard } from "../problem_card.js";

interface Theirs {
  /** Undefined: no text. */
  readonly text: string | undefined;
  /** "": the file is gone. */
  readonly etag: string;
}

export interface ConflictProps {
  readonly path: string;
  readonly mine: string;
  /** Over this version; "": over whatever is there. */
  readonly onOverwrite: (etag: string) => void;
  readonly onDiscard: () => void;
}

export function Conflict({ path, mine, onOverwrite, onDiscard }: ConflictProps) {
  const app = useApp();
  const [theirs, setTheirs] = useState<Theirs>();
  const [problem, setProblem] = useState<Problem>();
  const show = async () => {
    setProblem(undefined);
    try {
      const file = await app.daemon.fs.open(path);
      setTheirs({ text: textIn(await file.bytes())?.text, etag: file.etag });
    } catch (error) {
      if (error instanceof SandboxAgentError && error.status === 404) setTheirs({ text: undefined, etag: "" });
      else setProblem(problemOf(error));
    }
  };
  return (
    <div class="files-conflict">
      <div role="alert" class="problem problem-gap">
        <p>
          <strong>This file changed since it was opened.</strong> Nothing was saved.
        </p>
        <div class="buttons">
          <button type="button" class="button" onClick={() => void show()}>
            Show what is there now
          </button>
          <button type="button" class="button button-bad" onClick={() => onOverwrite(theirs?.etag ?? "")}>
            Overwrite
          </button>
          <button type="button" class="button" onClick={onDiscard}>
            Discard mine
          </button>
        </div>
      </div>
      {problem && <ProblemCard problem={problem} onRetry={() => void show()} />}
      {theirs?.text !== undefined && (
        <>
          <p class="quiet">Lines with − are there now, lines with + are yours.</p>
          <Diff path={path} oldText={theirs.text} newText={mine} />
        </>
      )}
      {theirs && theirs.text === undefined && (
        <p>{theirs.etag === "" ? "The file is gone. Overwrite makes it anew." : "What is there now is no text."}</p>
      )}
    </div>
  );
}
