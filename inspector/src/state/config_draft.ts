// One entry while it is edited: two views of one value, the form and the JSON. Who switches takes along what is written. The JSON shows
// also what is no entry yet; when the form cannot show what is in the JSON, the view stays, and says why.
import { formOf, newEntry, valueOf, uncheckedValueOf, type EntryForm } from "./config_form.js";
import { pasted } from "./config_paste.js";
import { isFields, shapeFault, unknownMembers, type Fields } from "./config_shape.js";
import { markAt, placeOf, readJson, type Mark } from "./json_mark.js";
import type { ConfigKind } from "./route.js";

export type DraftView = "form" | "json";

export interface Draft {
  readonly kind: ConfigKind;
  readonly name: string;
  /** It is not in the file yet. */
  readonly isNew: boolean;
  readonly view: DraftView;
  /** As it is in the file; for a new one, as it began. */
  readonly saved: Fields;
  /** What the form was made from. */
  readonly base: Fields;
  readonly form: EntryForm;
  readonly text: string;
}

/** Something that is wrong with what is written: in the form at a field, in the JSON at a place. */
export interface DraftFault {
  readonly field?: string;
  readonly detail: string;
  readonly hint?: string;
  readonly mark?: Mark;
  /** The daemon said so, and is asked again when it is saved. Else it is known at once when it is mended. */
  readonly isDaemons?: boolean;
}

export type DraftRead = { readonly value: Fields } | { readonly fault: DraftFault };

export const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

export function newDraft(kind: ConfigKind): Draft {
  return { ...draftOf(kind, "", newEntry[kind]), isNew: true };
}

/** One whose shape is wrong can be mended in its JSON. */
export function draftOf(kind: ConfigKind, name: string, saved: Fields): Draft {
  const isWrong = shapeFault(kind, saved) !== undefined;
  const base = isWrong ? newEntry[kind] : saved;
  const form = formOf(kind, base);
  return { kind, name, isNew: false, view: isWrong ? "json" : "form", saved, base, form, text: jsonText(saved) };
}

/** What is written, as far as it is an entry. The daemon is asked in the end. */
export function readDraft(draft: Draft): DraftRead {
  if (draft.view === "form") return valueOf(draft.form, draft.base);
  const read = readJson(draft.text);
  if ("fault" in read) return { fault: { detail: read.fault, mark: markAt(draft.text, read.offset) } };
  const { value, fault: unclear } = pasted(draft.kind, read.value);
  const fault = unclear === undefined ? shapeFault(draft.kind, value) : { field: "body", detail: unclear };
  if (fault) return { fault: markedFault(draft, fault) };
  return { value: value as Fields };
}

/** The same in the other view; with a fault, when it cannot be shown there. */
export function shownAs(draft: Draft, view: DraftView): { readonly draft: Draft; readonly fault?: DraftFault } {
  if (view === draft.view) return { draft };
  const inForm = jsonText(uncheckedValueOf(draft.form, draft.base));
  if (view === "json") return { draft: { ...draft, view, text: inForm } };
  if (draft.text === inForm) return { draft: { ...draft, view } }; // also what an entry cannot hold is there as it was
  const read = readDraft(draft);
  if ("fault" in read) return { draft, fault: read.fault };
  return { draft: { ...draft, view, base: read.value, form: formOf(draft.kind, read.value) } };
}

/** With this JSON. A new entry without a name takes the one that is written around it. */
export function withText(draft: Draft, text: string): Draft {
  const next = { ...draft, text };
  if (!draft.isNew || draft.name !== "") return next;
  return { ...next, name: pastedIn(next)?.name ?? "" };
}

/** What was made of the JSON before it was taken as an entry. */
export const saidOfText = (draft: Draft): string => pastedIn(draft)?.said ?? "";

/** What is still wrong after something was written. */
export function faultAfter(fault: DraftFault | undefined, before: Draft, draft: Draft): DraftFault | undefined {
  if (fault === undefined || fault.isDaemons) return fault;
  if (fault.field === "name") return draft.name === before.name ? fault : undefined;
  const read = readDraft(draft);
  return "fault" in read ? read.fault : undefined;
}

export function isChanged(draft: Draft): boolean {
  if (draft.isNew && draft.name !== "") return true;
  if (draft.view === "json" && draft.text === jsonText(draft.saved)) return false;
  const read = readDraft(draft);
  if ("fault" in read) return !isUntouched(draft);
  return sorted(read.value) !== sorted(draft.saved);
}

/** After it was saved. It goes on as the daemon has it now; what was written meanwhile stays, and is not saved. */
export function draftAfterSave(sent: Draft, now: Draft, entry: Fields): Draft {
  if (writtenIn(now) === writtenIn(sent)) return { ...draftOf(now.kind, sent.name, entry), view: now.view };
  return { ...now, name: sent.name, isNew: false, saved: entry };
}

/** With the place in the JSON that it is about. */
export function markedFault(draft: Draft, fault: DraftFault): DraftFault {
  if (draft.view !== "json" || fault.field === undefined) return fault;
  const read = readJson(draft.text);
  if ("fault" in read) return fault;
  const { way } = pasted(draft.kind, read.value);
  const path = [...way, ...(fault.field === "body" ? [] : [fault.field])].join(".");
  return { ...fault, mark: markAt(draft.text, placeOf(read.offsets, path)) };
}

/** What is written and would not be kept. */
export function notKept(draft: Draft): string[] {
  const found = pastedIn(draft);
  return found && found.fault === undefined ? unknownMembers(draft.kind, found.value) : [];
}

function pastedIn({ view, kind, text }: Draft) {
  const read = view === "json" ? readJson(text) : undefined;
  return read && "value" in read ? pasted(kind, read.value) : undefined;
}

// Whichever view shows it.
function writtenIn(draft: Draft): string {
  const read = readDraft(draft);
  return "fault" in read ? sorted([draft.view, draft.view === "json" ? draft.text : draft.form]) : sorted(read.value);
}

// A new form is not right before something is written, and nothing is lost with it.
const isUntouched = ({ view, form, base, saved, kind }: Draft) =>
  view === "form" && sorted(base) === sorted(saved) && sorted(form) === sorted(formOf(kind, base));

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    isFields(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
