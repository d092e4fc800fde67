// The tree of files with a filter for names. Choosing a file goes to it; choosing a folder goes there and opens it.
import type { ComponentChildren, Ref } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { useFileTree, type FileTrees } from "../../lib/file_trees.js";
import { onKeyWish } from "../../lib/keys.js";
import { FileTreeView, type TreeHandle } from "../../parts/file_tree.js";
import { Icon } from "../../parts/icon.js";
import { shownName } from "../../state/file_paths.js";
import { rowsOf, type FileRow } from "../../state/file_tree.js";

export interface TreePaneProps {
  readonly trees: FileTrees;
  /** What is shown beside; undefined: nothing, and folders only open. */
  readonly path?: string;
  readonly handle?: Ref<TreeHandle>;
}

export function TreePane({ trees, path, handle }: TreePaneProps) {
  const app = useApp();
  const tree = useFileTree(trees);
  const [filter, setFilter] = useState("");
  const [active, setActive] = useState<string | undefined>(path);
  const field = useRef<HTMLInputElement>(null);
  const rows = useMemo(() => rowsOf(tree, filter), [tree, filter]);
  useEffect(() => setActive(path), [path]);
  useEffect(() => onKeyWish((wish) => wish === "focus composer" && path !== undefined && field.current?.focus()), [path]);
  const shownActive = rows.some(({ id }) => id === active) ? active : nearestRow(rows, active);
  const choose = (row: FileRow) => {
    if (row.kind === "problem") return void trees.load(row.path);
    if (row.kind === "loading" || row.kind === "empty" || row.isDead) return;
    if (row.kind === "folder" && (path === undefined || path === row.path)) {
      return row.isOpen ? trees.close(row.path) : trees.open(row.path);
    }
    app.go({ screen: "files", path: row.path });
  };
  return (
    <div class="files-tree">
      <div class="files-filter">
        <input
          type="search"
          class="field"
          aria-label="Filter names"
          placeholder="Filter names"
          ref={field}
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </div>
      {rows.length === 0 && (
        <div class="files-none" role="status">
          <p>No name in the open folders has “{filter}”.</p>
          <button type="button" class="button" onClick={() => setFilter("")}>
            Clear filter
          </button>
        </div>
      )}
      <FileTreeView
        label="Files"
        rows={rows}
        active={shownActive}
        onActive={setActive}
        selected={path}
        draw={drawRow}
        onChoose={choose}
        onOpen={({ path: folder }, isOpen) => (isOpen ? trees.open(folder) : trees.close(folder))}
        {...(handle && { handle })}
      />
    </div>
  );
}

// Where the keys go on when their row is gone: what is above it.
function nearestRow(rows: readonly FileRow[], active: string | undefined): string | undefined {
  return rows.findLast(({ id }) => active?.startsWith(`${id}/`))?.id;
}

function drawRow({ kind, isOpen, name, note, isLink, isDead }: FileRow) {
  const isEntry = kind === "folder" || kind === "file";
  return (
    <>
      <span class="file-tree-twist">{isOpen !== undefined && <Icon name={isOpen ? "chevron-down" : "chevron-right"} />}</span>
      {isEntry && <Icon name={isLink ? "link" : kind === "folder" ? "files" : "file"} />}
      {kind === "problem" && <Icon name="warn" />}
      <span class={isEntry && !isDead ? "file-tree-name" : "file-tree-name quiet"} title={isEntry ? undefined : name}>
        {shownName(name)}
      </span>
      {isDead ? (
        <span class="file-tree-note">
          <Aside /> name is no text
        </span>
      ) : isLink ? (
        <span class="file-tree-note">
          <Aside>link to</Aside> <span aria-hidden="true">→</span> {shownName(note)}
        </span>
      ) : (
        note !== "" && (
          <span class="file-tree-note">
            <Aside /> {note}
          </span>
        )
      )}
    </>
  );
}

/** Said, not shown: what parts a name from what is noted of it. */
const Aside = ({ children }: { children?: ComponentChildren }) => <span class="visually-hidden">, {children}</span>;
