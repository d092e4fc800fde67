// What can be done in the folder that is shown.
import { useRef } from "preact/hooks";
import type { UploadItem } from "../../lib/file_upload.js";
import { Icon, type IconName } from "../../parts/icon.js";
import { shownName, shownNameOf } from "../../state/file_paths.js";
import type { Asked } from "./file_dialogs.js";

export interface FolderToolsProps {
  readonly folder: string;
  /** The folder is known: nothing is made in the one that was left. */
  readonly isReady: boolean;
  readonly onAsk: (asked: Asked) => void;
  readonly onUpload: (items: readonly UploadItem[]) => void;
  readonly onRefresh: () => void;
}

export function FolderTools({ folder, isReady, onAsk, onUpload, onRefresh }: FolderToolsProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const tool = (name: string, icon: IconName, act: () => void) => (
    <button
      type="button"
      class="icon-button"
      aria-label={name}
      title={name}
      aria-disabled={!isReady}
      onClick={() => isReady && act()}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="files-tools" role="group" aria-label={`Folder ${shownNameOf(folder)}`}>
      <span class="files-tools-name" title={shownName(folder)}>
        {shownNameOf(folder)}
      </span>
      {tool("New file", "new-file", () => onAsk({ kind: "new file", folder }))}
      {tool("New folder", "new-folder", () => onAsk({ kind: "new folder", folder }))}
      {tool("Upload files", "upload", () => chooser.current?.click())}
      {tool("Refresh", "retry", onRefresh)}
      <input
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        ref={chooser}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = ""; // the same file may be chosen again
          if (files.length > 0) onUpload(files.map((file) => ({ path: file.name, file })));
        }}
      />
    </div>
  );
}
