// The tree of the shown session's folder, beside the conversation. A file that is chosen is shown in Files.
import { useEffect, useMemo } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { useDaemonReturn } from "../../lib/daemon_return.js";
import { FileTrees } from "../../lib/file_trees.js";
import { Icon } from "../../parts/icon.js";
import { shownName } from "../../state/file_paths.js";
import { RouteLink } from "../route_link.js";
import { sessionFolder } from "../../lib/session_folder.js";
import { TreePane } from "./tree_pane.js";
import "./files.css";

/** `turns`: how many ended; the agent may have changed files in each. */
export function SideFiles({ turns }: { turns: number }) {
  const folder = sessionFolder(useApp());
  if (folder === undefined) return <p class="quiet pad">The folder of this session is not known.</p>;
  return <FilesBelow folder={folder} turns={turns} />;
}

function FilesBelow({ folder, turns }: { folder: string; turns: number }) {
  const app = useApp();
  const trees = useMemo(() => new FileTrees(() => app.daemon, folder), [folder]);
  useEffect(() => {
    if (turns > 0) void trees.refresh();
  }, [trees, turns]);
  useDaemonReturn(() => void trees.refresh());
  return (
    <div class="files-side">
      <div class="files-tools">
        <RouteLink class="files-tools-name" route={{ screen: "files", path: folder }}>
          <bdi>{shownName(folder)}</bdi>
        </RouteLink>
        <button
          type="button"
          class="icon-button"
          aria-label="Refresh files"
          title="Refresh"
          onClick={() => void trees.refresh()}
        >
          <Icon name="retry" />
        </button>
      </div>
      <TreePane trees={trees} />
    </div>
  );
}
