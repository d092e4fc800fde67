// What is asked before files are made, moved or removed. A dialog stays, with what went wrong, until it is done or closed.
import type { FileDesk } from "../../lib/file_desk.js";
import { DeleteDialog } from "./loss_dialogs.js";
import { MoveDialog, NewDialog } from "./place_dialogs.js";

export type Asked =
  | { readonly kind: "new file" | "new folder"; readonly folder: string }
  | { readonly kind: "move"; readonly path: string }
  | { readonly kind: "delete"; readonly path: string; readonly isFolder: boolean; readonly link?: string };

export interface FileDialogsProps {
  readonly asked: Asked;
  readonly desk: FileDesk;
  readonly onClose: () => void;
  readonly onSaid: (said: string) => void;
  /** A file was made, to be written. */
  readonly onFresh: (path: string) => void;
}

export function FileDialogs(props: FileDialogsProps) {
  const { asked } = props;
  if (asked.kind === "move") return <MoveDialog {...props} from={asked.path} />;
  if (asked.kind === "delete") return <DeleteDialog {...props} {...asked} />;
  return <NewDialog {...props} folder={asked.folder} kind={asked.kind} />;
}

export type Shared = Pick<FileDialogsProps, "desk" | "onClose" | "onSaid" | "onFresh">;
