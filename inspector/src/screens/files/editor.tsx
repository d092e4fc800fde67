// A text being edited. It is saved only over the version that was opened; if the file is another by now, both can be compared. What
// is not saved is not left without a word.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SandboxAgentError } from "sandbox-agent/daemon";
import { useApp } from "../../lib/context.js";
import type { FileDesk } from "../../lib/file_desk.js";
import { guardLeaving } from "../../lib/leave_guard.js";
import type { Look } from "../../lib/file_look.js";
import { problemOf } from "../../lib/problem.js";
import { shownNameOf } from "../../state/file_paths.js";
import { bytesOf } from "../../state/file_text.js";
import type { Problem } from "../../state/problem.js";
import type { Route } from "../../state/route.js";
import { LeaveDialog } from "../leave_dialog.js";
import { ProblemCard } from "../problem_card.js";
import { Conflict } from "./conflict.js";

export interface EditorProps {
  readonly path: string;
  /** As it was when it was opened. */
  readonly opened: Extract<Look, { kind: "text" }>;
  readonly desk: FileDesk;
  readonly onClose: () => void;
  readonly onSaid: (said: string) => void;
}

export function Editor({ path, opened, desk, onClose, onSaid }: EditorProps) {
  const app = useApp();
  const [saved, setSaved] = useState({ text: opened.content.text, etag: opened.etag });
  const [text, setText] = useState(saved.text);
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Problem | "conflict">();
  const [leaving, setLeaving] = useState<{ readonly goOn: () => void }>();
  const field = useRef<HTMLTextAreaElement>(null);
  const isChanged = text !== saved.text;
  useEffect(() => field.current?.focus(), []);
  useLayoutEffect(() => {
    const isHere = (route: Route) => route.screen === "files" && route.path === path;
    return isChanged ? guardLeaving(app, (goOn) => setLeaving({ goOn }), isHere) : undefined;
  }, [path, isChanged]);

  const save = async (etag: string | undefined = saved.etag): Promise<boolean> => {
    if (isSaving) return false;
    setSaving(true);
    setProblem(undefined);
    try {
      const written = text; // more may be typed meanwhile
      const next = await desk.save(path, bytesOf({ ...opened.content, text: written }), etag === "" ? undefined : etag);
      setSaved({ text: written, etag: next });
      onSaid(`Saved ${shownNameOf(path)}.`);
      return true;
    } catch (error) {
      setProblem((error as SandboxAgentError).code === "precondition_failed" ? "conflict" : problemOf(error));
      return false;
    } finally {
      setSaving(false);
    }
  };
  const leave = (goOn: () => void) => {
    setLeaving(undefined);
    goOn();
  };
  const saveAndLeave = async (goOn: () => void) => {
    if (await save()) leave(goOn);
    else setLeaving(undefined);
  };
  // At once: who types and saves is quicker than effects.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      if (isChanged && leaving === undefined) void save();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
  return (
    <section class="files-shown" aria-label={`Editing ${shownNameOf(path)}`}>
      <header class="files-shown-head">
        <div class="files-shown-words">
          <h2>{shownNameOf(path)}</h2>
          <p class="quiet">
            {isSaving ? "saving …" : isChanged ? "not saved" : "saved"}
            {opened.content.ends === "mixed" && " · its line ends are mixed, and will be LF when it is saved"}
          </p>
        </div>
        <div class="buttons">
          <button
            type="button"
            class="button button-main"
            aria-disabled={!isChanged || isSaving}
            title="Save (Ctrl S)"
            onClick={() => isChanged && void save()}
          >
            Save
          </button>
          <button type="button" class="button" onClick={() => (isChanged ? setLeaving({ goOn: onClose }) : onClose())}>
            Close editor
          </button>
        </div>
      </header>
      {problem === "conflict" && (
        <Conflict path={path} mine={text} onOverwrite={(etag) => void save(etag)} onDiscard={() => leave(onClose)} />
      )}
      {problem !== undefined && problem !== "conflict" && <ProblemCard problem={problem} onRetry={() => void save()} />}
      <textarea
        class="files-editor"
        aria-label={`Text of ${shownNameOf(path)}`}
        ref={field}
        value={text}
        spellcheck={false}
        autoCapitalize="off"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {leaving !== undefined && (
        <LeaveDialog
          what={shownNameOf(path)}
          onSave={() => saveAndLeave(leaving.goOn)}
          onDiscard={() => leave(leaving.goOn)}
          onStay={() => setLeaving(undefined)}
        />
      )}
    </section>
  );
}
