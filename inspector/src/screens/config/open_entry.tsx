// One entry, once it was read: loading, why it cannot be read, or the editor.
import { useEffect, useState } from "preact/hooks";
import type { SandboxAgentError } from "sandbox-agent/daemon";
import type { ConfigEntries } from "../../lib/config_entries.js";
import { problemOf } from "../../lib/problem.js";
import { draftOf, newDraft, type Draft } from "../../state/config_draft.js";
import type { Fields } from "../../state/config_shape.js";
import type { ConfigKind } from "../../state/route.js";
import { ProblemCard } from "../problem_card.js";
import { Editor } from "./editor.js";
import type { LeaveGuard } from "./leave.js";

export interface OpenEntryProps {
  readonly store: ConfigEntries;
  readonly kind: ConfigKind;
  /** Undefined: a new one. */
  readonly name: string | undefined;
  /** As the file has it. */
  readonly raw: Fields | undefined;
  readonly guard: LeaveGuard;
  /** Something is written in it, or wrong with it: what was said before is over. */
  readonly onTouched: () => void;
  readonly onSaved: (name: string) => Promise<void>;
  readonly onRemoved: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

type Now =
  | { readonly state: "loading" }
  | { readonly state: "open"; readonly draft: Draft; readonly raw: Fields | undefined; readonly problem?: string }
  | { readonly state: "failed"; readonly error: SandboxAgentError };

export function OpenEntry(props: OpenEntryProps) {
  const { store, kind, name, raw } = props;
  const [tries, setTries] = useState(0);
  const [now, setNow] = useState<Now>(() =>
    name === undefined ? { state: "open", draft: newDraft(kind), raw: undefined } : { state: "loading" },
  );
  useEffect(() => {
    if (name === undefined) return undefined;
    let isWanted = true;
    const tell = (next: Now) => isWanted && setNow(next);
    store.read(name).then(
      (entry) => tell({ state: "open", draft: draftOf(kind, name, entry), raw }),
      (error: SandboxAgentError) =>
        // The file can be read, so the entry can be mended.
        error.code === "config_corrupt" && raw
          ? tell({ state: "open", draft: draftOf(kind, name, raw), raw, problem: error.message })
          : tell({ state: "failed", error }),
    );
    return () => {
      isWanted = false;
    };
  }, [tries]);
  if (now.state === "loading") return <p class="quiet pad">Loading …</p>;
  if (now.state === "failed")
    return (
      <ProblemCard
        problem={problemOf(now.error)}
        onRetry={() => {
          setNow({ state: "loading" });
          setTries(tries + 1);
        }}
      />
    );
  return <Editor {...props} first={now.draft} before={now.raw} problem={now.problem} />;
}
