// Files: the folder or file that the address names. Without a path: the folder of the session that was shown, else the daemon's.
import { useEffect, useState } from "preact/hooks";
import { useAskedHome } from "../../lib/asked_home.js";
import { useApp, useAppState } from "../../lib/context.js";
import { useDaemonReturn } from "../../lib/daemon_return.js";
import { plainPath } from "../../state/file_paths.js";
import { ProblemCard } from "../problem_card.js";
import { FilesAt } from "./files_at.js";
import { sessionFolder } from "../../lib/session_folder.js";
import "./files.css";

export function FilesScreen() {
  const app = useApp();
  const path = useAppState(({ route }) => (route.screen === "files" ? route.path : undefined));
  const home = useAppState((state) => state.home);
  const [base] = useState(() => sessionFolder(app));
  const start = base ?? home;
  const plain = path?.startsWith("/") ? plainPath(path) : start && plainPath(path ?? "", start);
  useEffect(() => {
    const isHere = app.store.state.route.screen === "files";
    if (isHere && plain !== undefined && plain !== path) app.go({ screen: "files", path: plain }, "replace");
  }, [path, plain]);
  return plain === undefined ? <NoStart /> : <FilesAt path={plain} start={start ?? plain} />;
}

/** The daemon has not said where it works. */
function NoStart() {
  const { problem, ask } = useAskedHome();
  useDaemonReturn(ask);
  return (
    <div class="empty">
      <h1>Files</h1>
      {problem ? <ProblemCard problem={problem} onRetry={ask} /> : <p class="quiet">Loading …</p>}
    </div>
  );
}
