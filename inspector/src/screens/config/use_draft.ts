// What the editor of one entry does: writing, switching views, saving, deleting; and what is wrong at the moment.
import { useEffect, useRef, useState } from "preact/hooks";
import type { SandboxAgentError } from "sandbox-agent/daemon";
import { problemOf } from "../../lib/problem.js";
import {
  draftAfterSave,
  faultAfter,
  isChanged,
  markedFault,
  readDraft,
  shownAs,
  withText,
  type Draft,
  type DraftFault,
  type DraftView,
} from "../../state/config_draft.js";
import type { Fields } from "../../state/config_shape.js";
import type { OpenEntryProps } from "./open_entry.js";
import { words } from "./words.js";

export interface EditorProps extends OpenEntryProps {
  readonly first: Draft;
  /** As the file had it. */
  readonly before: Fields | undefined;
  /** What the daemon says of it as it is. */
  readonly problem: string | undefined;
}

export function useDraft({ store, kind, first, before, problem, guard, onTouched, onSaved, onRemoved }: EditorProps) {
  const [draft, setDraft] = useState(first);
  const [fault, setFault] = useState<DraftFault | undefined>(
    problem === undefined ? undefined : { detail: problem, isDaemons: true },
  );
  const [known, setKnown] = useState(before);
  const [isBusy, setBusy] = useState(false);
  const [tries, setTries] = useState(0);
  const { one } = words[kind];
  const changed = isChanged(draft);

  const saveNow = useRef(async () => false);
  useEffect(() => {
    const what = draft.name === "" ? `the new ${one}` : `“${draft.name}”`;
    guard.setUnsaved(changed ? { what, save: () => saveNow.current(), leadToFault } : undefined);
  }, [changed, draft.name]);
  useEffect(() => () => guard.setUnsaved(undefined), []);

  const leadToFault = () => setTries((count) => count + 1);
  const complain = (fault: DraftFault) => {
    onTouched();
    setFault(fault);
    leadToFault();
  };
  const write = (change: Partial<Draft>) => become({ ...draft, ...change });
  const writeText = (text: string) => become(withText(draft, text));
  const become = (next: Draft) => {
    onTouched();
    setDraft(next);
    setFault(faultAfter(fault, draft, next));
  };
  const show = (view: DraftView) => {
    const next = shownAs(draft, view);
    setDraft(next.draft);
    if (next.fault) complain(next.fault);
    else setFault(undefined);
  };
  const lookAgain = async () => {
    const listing = await store.list();
    setKnown(listing.state === "ready" ? listing.entries[draft.name] : undefined);
  };
  const saved = async () => {
    const entry = await store.read(draft.name);
    await lookAgain();
    setDraft((now) => draftAfterSave(draft, now, entry));
    setFault(undefined);
    await onSaved(draft.name);
  };
  // Answers what keeps it from being saved.
  const send = async (): Promise<DraftFault | undefined> => {
    if (draft.name.trim() === "") return { field: "name", detail: `Give the ${one} a name.` };
    const read = readDraft(draft);
    if ("fault" in read) return read.fault;
    const outcome = await store.save(draft.name, read.value, known);
    if (outcome === "taken") return { field: "name", detail: `There is a “${draft.name}” already; choose another name.` };
    if (outcome === "saved") return void (await saved());
    await lookAgain();
    return { detail: "Somebody changed it in the file meanwhile. Save again to replace what is there.", isDaemons: true };
  };
  /** Whether it is saved. */
  const save = async (): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    const found = await send().catch((error: unknown) => faultOf(error));
    setBusy(false);
    if (found) complain(found);
    return found === undefined;
  };
  saveNow.current = save;
  const remove = async () => {
    try {
      await store.remove(draft.name);
      guard.setUnsaved(undefined);
      await onRemoved(draft.name);
    } catch (error) {
      complain(faultOf(error, "Not deleted: "));
    }
  };
  // `tries` counts how often somebody was stopped by a fault.
  return { draft, fault: fault && markedFault(draft, fault), tries, isBusy, changed, write, writeText, show, save, remove };
}

function faultOf(error: unknown, what = ""): DraftFault {
  const { message, ...hint } = problemOf(error);
  const field = (error as SandboxAgentError).problem?.field;
  return { detail: `${what}${message}`, isDaemons: true, ...hint, ...(field !== undefined && { field }) };
}
