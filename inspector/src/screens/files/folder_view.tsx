// A folder that was chosen: how much is in it, and where files can be dropped.
import { useFileTree, type FileTrees } from "../../lib/file_trees.js";
import { Icon } from "../../parts/icon.js";
import { counted } from "../../state/file_paths.js";
import { sizeWords } from "../../state/size_words.js";
import type { Asked } from "./file_dialogs.js";
import { ProblemCard } from "../problem_card.js";

export function FolderView({ path, trees, onAsk }: { path: string; trees: FileTrees; onAsk: (asked: Asked) => void }) {
  const content = useFileTree(trees).folders.get(path);
  if (content?.problem) return <ProblemCard problem={content.problem} onRetry={() => void trees.load(path)} />;
  if (!content?.entries) return <p class="quiet pad">Loading …</p>;
  const folders = content.entries.filter(({ entryType }) => entryType === "directory").length;
  const files = content.entries.length - folders;
  const size = content.entries.reduce((sum, { entryType, size }) => sum + (entryType === "file" ? size : 0), 0);
  return (
    <div class="files-folder">
      <p>
        {content.entries.length === 0
          ? "This folder is empty."
          : `${counted(folders, "folder")}, ${counted(files, "file")} (${sizeWords(size)})`}
      </p>
      {content.entries.length === 0 && (
        <p>
          <button type="button" class="button" onClick={() => onAsk({ kind: "new file", folder: path })}>
            <Icon name="new-file" /> Make a file
          </button>
        </p>
      )}
      <p class="files-target quiet">
        <Icon name="upload" /> Drop files or folders here to upload them
      </p>
    </div>
  );
}
