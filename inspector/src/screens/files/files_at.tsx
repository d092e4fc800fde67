// The screen at one path: path bar, tools, tree, and what is at the path. Joins them; owns what is asked.
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { useDaemonReturn } from "../../lib/daemon_return.js";
import { FileDesk } from "../../lib/file_desk.js";
import { lookAt, type Look } from "../../lib/file_look.js";
import type { UploadItem } from "../../lib/file_upload.js";
import { useUploads } from "../../lib/file_uploads.js";
import type { TreeHandle } from "../../parts/file_tree.js";
import { isWithin, parentOf, shownName } from "../../state/file_paths.js";
import { ProblemCard } from "../problem_card.js";
import { FileDialogs, type Asked } from "./file_dialogs.js";
import { FilePane } from "./file_pane.js";
import { FolderTools } from "./folder_tools.js";
import { PathBar } from "./path_bar.js";
import { TreePane } from "./tree_pane.js";
import { UploadRows } from "./upload_rows.js";
import { useDrop } from "./use_drop.js";

export function FilesAt({ path, start }: { path: string; start: string }) {
  const app = useApp();
  const [desk, setDesk] = useState<FileDesk>();
  const [asked, setAsked] = useState<Asked>();
  const [said, setSaid] = useState("");
  const [fresh, setFresh] = useState<string>(); // just made: it is opened to be written
  const tree = useRef<TreeHandle>(null);
  const place = useRef<HTMLDivElement>(null);
  const isMoved = useRef(false); // since the screen was opened
  const { look, isLoading, again } = useLook(path);
  const isLeft = look !== undefined && look.path !== path; // what is shown is still that of before
  useEffect(() => {
    if (look?.path !== path) return;
    const near = placeOf(look);
    const isBelow = isWithin(near, start);
    if (!desk) {
      const made = new FileDesk(() => app.daemon, isBelow ? start : near);
      made.trees.reveal(near);
      return setDesk(made);
    }
    if (look.kind === "failed" && !look.isMissing && path === desk.trees.tree.root) return; // the tree stays as it was
    if (look.kind === "folder") desk.trees.knowFolderLink(path);
    if (!isWithin(near, desk.trees.tree.root)) desk.trees.setRoot(isBelow ? start : near);
    desk.trees.reveal(near);
    desk.trees.compare(look.path, look.kind === "failed" ? undefined : look.stat);
  }, [look, path, desk]);
  useEffect(() => {
    if (fresh === look?.path) setFresh(undefined);
  }, [look]);
  useEffect(() => {
    if (look && isMoved.current) keepFocus(place.current!, tree.current);
    isMoved.current ||= look !== undefined;
  }, [look?.path]);
  const folder = look ? placeOf(look) : parentOf(path);
  const uploads = useUploads(app, ({ folder, what }, how) => {
    const said =
      how === "done"
        ? `Uploaded ${shownName(what)}.`
        : how === "stopped"
          ? `The upload of ${shownName(what)} was cancelled.`
          : "";
    void Promise.resolve(desk?.uploaded(folder)).then(() => setSaid(said));
  });
  const begin = (items: readonly UploadItem[]) => void uploads.begin(folder, items);
  const drop = useDrop(begin);
  useDaemonReturn(() => {
    again();
    void desk?.trees.refresh();
  });
  const refresh = async () => {
    again();
    await desk?.trees.refresh();
    setSaid("Read again.");
  };
  return (
    <div
      class="files"
      ref={place}
      data-shows={look?.kind === "folder" || look?.kind === "failed" ? "folder" : "file"}
      {...drop.handlers}
    >
      <div class="files-head">
        <h1>Files</h1>
        <PathBar path={path} />
      </div>
      <div class="files-left">
        <FolderTools
          folder={folder}
          onAsk={setAsked}
          onUpload={begin}
          onRefresh={() => void refresh()}
          isReady={desk !== undefined && !isLeft}
        />
        <UploadRows uploads={uploads} />
        {drop.problem && <ProblemCard title="What was dropped cannot be read" problem={drop.problem} onClose={drop.clear} />}
        {desk ? <TreePane trees={desk.trees} path={path} handle={tree} /> : <p class="quiet pad">Loading …</p>}
      </div>
      {/* What is left can no longer be acted on: an editor that was opened in it would be gone with it. */}
      <div class="files-pane" aria-busy={isLoading} inert={isLeft}>
        {look && desk ? (
          <FilePane
            key={look.path}
            look={look}
            desk={desk}
            isFresh={fresh === look.path}
            start={start}
            onAsk={setAsked}
            onAgain={again}
            onSaid={setSaid}
          />
        ) : (
          <p class="quiet pad">Loading …</p>
        )}
      </div>
      {drop.isOver && (
        <div class="files-drop" aria-hidden="true">
          <p>Drop to upload to {shownName(folder)}</p>
        </div>
      )}
      <p class="visually-hidden" role="status" aria-label="Files">
        {said}
      </p>
      {asked && desk && (
        <FileDialogs asked={asked} desk={desk} onSaid={setSaid} onFresh={setFresh} onClose={() => setAsked(undefined)} />
      )}
    </div>
  );
}

/** What had the focus went with the place that was left: the tree has it then; where that is not shown, the name of what is. */
function keepFocus(place: HTMLElement, tree: TreeHandle | null): void {
  const { activeElement } = document;
  if (activeElement && activeElement !== document.body && activeElement.checkVisibility()) return;
  if (place.querySelector("[role=tree]")?.checkVisibility()) tree?.focus();
  else place.querySelector("h2")?.focus();
}

/** The folder that new things go to. */
function placeOf(look: Look): string {
  if (look.kind === "folder") return look.path;
  return look.kind === "failed" && look.isMissing ? (look.nearest ?? "/") : parentOf(look.path);
}

/** What is at a path. What was there before stays until the answer comes. */
function useLook(path: string) {
  const app = useApp();
  const [look, setLook] = useState<Look>();
  const [times, setTimes] = useState(0);
  const [isLoading, setLoading] = useState(true);
  useEffect(() => {
    const abort = new AbortController();
    setLoading(true);
    void lookAt(app.daemon, path, abort.signal).then((found) => {
      if (abort.signal.aborted) return;
      setLook(found);
      setLoading(false);
    });
    return () => abort.abort();
  }, [path, times]);
  return { look, isLoading, again: () => setTimes((count) => count + 1) };
}
