// The files this session touched, each with what was changed in it: of all turns or of one, to be opened, or copied as a patch.
import { useMemo, useState } from "preact/hooks";
import { CopyButton } from "../../parts/copy_button.js";
import { Diff } from "../../parts/diff.js";
import { changesBetween } from "../../parts/diff_lines.js";
import { Icon } from "../../parts/icon.js";
import { changedFiles, filesOfTurn, turnsOf, type ChangedFile, type Edit } from "../../state/changes.js";
import type { Conversation } from "../../state/conversation.js";
import { RouteLink } from "../route_link.js";
import { useCopiedPatch } from "./copied_patch.js";
import "./changes_view.css";

const mostOpen = 3; // files that are shown unfolded

export function ChangesView({ session, version }: { session: Conversation | undefined; version: number }) {
  const all = useMemo(() => (session ? changedFiles(session) : []), [session, version]);
  const turns = turnsOf(all);
  const [chosen, choose] = useState<number>();
  const turn = chosen !== undefined && turns.includes(chosen) ? chosen : undefined;
  const files = filesOfTurn(all, turn);
  const counts = files.map(countsOf);
  const { patch, said } = useCopiedPatch(all, turn, session?.settings.cwd);
  if (files.length === 0) {
    return <p class="quiet pad">No file was changed in this session. What the agent edits is listed here.</p>;
  }
  const sum = (which: "added" | "removed") => counts.reduce((total, count) => total + count[which], 0);
  const hasEdits = files.some(({ edits }) => edits.length > 0);
  return (
    <div class="changes-view">
      <div class="changes-head">
        <span>{files.length === 1 ? "1 file" : `${files.length} files`}</span>
        <Counts added={sum("added")} removed={sum("removed")} />
        {turns.length > 0 && (
          <label class="picker">
            <span>Turn</span>
            <select
              aria-label="Turn"
              value={turn ?? ""}
              onChange={({ currentTarget: { value } }) => choose(value === "" ? undefined : Number(value))}
            >
              <option value="">all</option>
              {turns.map((number) => (
                <option key={number} value={number}>
                  {number}
                </option>
              ))}
            </select>
          </label>
        )}
        {hasEdits && <CopyButton label="Copy patch" text={() => patch()} />}
      </div>
      {said !== "" && (
        <p class="quiet changes-said" role="status">
          {said}
        </p>
      )}
      <ul class="changes" aria-label="Changed files">
        {files.map((file, at) => (
          <li key={file.path}>
            <File file={file} counts={counts[at]!} cwd={session?.settings.cwd} isOpen={files.length <= mostOpen} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface FileProps {
  readonly file: ChangedFile;
  readonly counts: Counted;
  readonly cwd: string | undefined;
  readonly isOpen: boolean;
}

function File({ file: { path, edits, touches }, counts, cwd = "", isOpen }: FileProps) {
  const shown = cwd !== "" && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
  return (
    <details open={isOpen}>
      <summary>
        <span class="changes-path" title={path}>
          {shown}
        </span>
        {edits.length > 0 ? <Counts {...counts} /> : <span class="quiet">{touches.at(-1)?.how}</span>}
      </summary>
      <p class="changes-about">
        <span class="quiet">{edits.length === 1 ? "1 edit" : `${edits.length} edits`}</span>
        <RouteLink route={{ screen: "files", path }} class="changes-open">
          <Icon name="files" /> Open in Files
        </RouteLink>
      </p>
      {touches.map(({ key, turn, how }) => (
        <p key={key} class="quiet changes-turn">
          {how}
          {turn !== undefined && ` in turn ${turn}`}; the agent did not tell what changed.
        </p>
      ))}
      {edits.map(({ key, turn, oldText, newText }, at) => (
        <div key={`${key} ${at}`}>
          {turn !== undefined && <p class="quiet changes-turn">turn {turn}</p>}
          <Diff path={path} oldText={oldText} newText={newText} />
        </div>
      ))}
    </details>
  );
}

interface Counted {
  readonly added: number;
  readonly removed: number;
}

function Counts({ added, removed }: Counted) {
  return (
    <span class="changes-counts">
      <span class="visually-hidden">
        {added} lines added, {removed} removed
      </span>
      <span aria-hidden="true" class="changes-added">
        +{added}
      </span>{" "}
      <span aria-hidden="true" class="changes-removed">
        −{removed}
      </span>
    </span>
  );
}

// Of a change that is too large to compare all lines count.
const counted = new WeakMap<Edit, Counted>();

function countOf(edit: Edit): Counted {
  const known = counted.get(edit);
  if (known) return known;
  const { oldText, newText } = edit;
  const lines = (text: string) => text.split("\n").length;
  const { added, removed } = changesBetween(oldText, newText) ?? { added: lines(newText), removed: lines(oldText ?? "") };
  counted.set(edit, { added, removed });
  return { added, removed };
}

function countsOf({ edits }: ChangedFile): Counted {
  const counts = edits.map(countOf);
  const sum = (which: keyof Counted) => counts.reduce((total, count) => total + count[which], 0);
  return { added: sum("added"), removed: sum("removed") };
}
