// What happens when somebody is about to leave something unsaved: the question, and what goes on after it.
import { useLayoutEffect, useState } from "preact/hooks";
import { guardLeaving } from "../../lib/leave_guard.js";
import { useApp } from "../../lib/context.js";
import { LeaveDialog } from "../leave_dialog.js";

export interface Unsaved {
  readonly what: string;
  /** Whether it is saved then. */
  readonly save: () => Promise<boolean>;
  /** To what keeps it from being saved. */
  readonly leadToFault: () => void;
}

export interface LeaveGuard {
  /** What would be lost; undefined: nothing. */
  readonly unsaved: Unsaved | undefined;
  readonly setUnsaved: (what: Unsaved | undefined) => void;
  /** Goes on at once, or after the question. */
  readonly leave: (goOn: () => void) => void;
  readonly asked: (() => void) | undefined;
  readonly stay: () => void;
}

export function useLeaveGuard(): LeaveGuard {
  const app = useApp();
  const [unsaved, setUnsaved] = useState<Unsaved>();
  const [asked, setAsked] = useState<{ goOn: () => void }>();
  const isUnsaved = unsaved !== undefined;
  useLayoutEffect(() => (isUnsaved ? guardLeaving(app, (goOn) => setAsked({ goOn })) : undefined), [isUnsaved]);
  const leave = (goOn: () => void) => (isUnsaved ? setAsked({ goOn }) : goOn());
  return { unsaved, setUnsaved, leave, asked: asked?.goOn, stay: () => setAsked(undefined) };
}

export function LeaveQuestion({ guard: { unsaved, setUnsaved, asked, stay } }: { guard: LeaveGuard }) {
  if (!asked || !unsaved) return null;
  return (
    <LeaveDialog
      what={unsaved.what}
      onSave={async () => {
        const isSaved = await unsaved.save();
        stay();
        if (isSaved) asked();
        else unsaved.leadToFault(); // the dialog had the focus until now
      }}
      onDiscard={() => {
        stay();
        setUnsaved(undefined);
        asked();
      }}
      onStay={stay}
    />
  );
}
