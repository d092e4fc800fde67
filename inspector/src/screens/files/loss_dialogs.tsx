// Asked before something is lost: deleted, or replaced by an upload.
import { useApp } from "../../lib/context.js";
import { counted, parentOf, shownName, shownNameOf } from "../../state/file_paths.js";
import { Modal } from "../frame/modal.js";
import type { Shared } from "./file_dialogs.js";
import { End, Form, useDoing } from "./file_form.js";
import { ProblemCard } from "../problem_card.js";

export function DeleteDialog({
  desk,
  path,
  isFolder,
  link,
  onClose,
  onSaid,
}: Shared & { path: string; isFolder: boolean; link?: string }) {
  const app = useApp();
  const { problem, isBusy, act } = useDoing();
  const remove = async () => {
    await desk.remove(path, isFolder && link === undefined);
    onSaid(`Deleted ${shownName(path)}.`);
    onClose();
    app.go({ screen: "files", path: parentOf(path) });
  };
  const about =
    link !== undefined
      ? `Only the link goes; what it leads to (${shownName(link)}) stays.`
      : isFolder
        ? "The folder goes with everything in it. This cannot be undone."
        : "This cannot be undone.";
  return (
    <Modal title={`Delete ${shownNameOf(path)}?`} onClose={onClose}>
      <Form onSubmit={() => void act(remove)}>
        <p class="files-full">{shownName(path)}</p>
        <p>{about}</p>
        {problem && <ProblemCard problem={problem} />}
        <End label={isFolder && link === undefined ? "Delete folder" : "Delete"} isBad isOff={isBusy} onClose={onClose} />
      </Form>
    </Modal>
  );
}

const mostNames = 20;

export interface ReplaceDialogProps {
  readonly folder: string;
  readonly names: readonly string[];
  /** How many names are not there already. */
  readonly others: number;
  readonly onReplace: () => void;
  readonly onSkip: () => void;
  readonly onClose: () => void;
}

export function ReplaceDialog({ folder, names, others, onReplace, onSkip, onClose }: ReplaceDialogProps) {
  return (
    <Modal title={`Replace ${names.length === 1 ? shownName(names[0]!) : counted(names.length, "item")}?`} onClose={onClose}>
      <Form onSubmit={onReplace}>
        {names.length === 1 ? (
          <p class="files-hint">It is in {shownName(folder)} already. Of a folder, only files of the same name are replaced.</p>
        ) : (
          <>
            <p class="files-hint">
              These are in {shownName(folder)} already. Of folders, only files of the same name are replaced.
            </p>
            <ul class="files-names">
              {names.slice(0, mostNames).map((name) => (
                <li key={name}>{shownName(name)}</li>
              ))}
              {names.length > mostNames && <li>and {names.length - mostNames} more</li>}
            </ul>
          </>
        )}
        <End label="Replace" isBad isOff={false} onClose={onClose}>
          {others > 0 && (
            <button type="button" class="button" onClick={onSkip}>
              Upload only the {others === 1 ? "other one" : `${others} others`}
            </button>
          )}
        </End>
      </Form>
    </Modal>
  );
}
