// Config: the MCP servers and the skills of a folder. The address says which folder and which of the two.
import { useEffect, useState } from "preact/hooks";
import { useAskedHome } from "../../lib/asked_home.js";
import { useApp, useAppState } from "../../lib/context.js";
import { sessionFolder } from "../../lib/session_folder.js";
import { Tabs } from "../../parts/tabs.js";
import type { ConfigKind } from "../../state/route.js";
import { FolderField } from "../new_session/folder_field.js";
import { Entries } from "./entries.js";
import { Trouble } from "./trouble.js";
import "./config.css";

const tabs = [
  { id: "mcp", name: "MCP servers" },
  { id: "skills", name: "Skills" },
] as const;

export function ConfigScreen() {
  const app = useApp();
  const asked = useAppState(({ route }) => (route.screen === "config" ? route : undefined));
  const own = useAppState(({ home }) => sessionFolder(app) ?? home);
  const [begun, setBegun] = useState<string>(); // the folder of its own stays while the screen is shown
  useEffect(() => setBegun((before) => before ?? own), [own]);
  const folder = asked?.folder ?? begun;
  const kind = asked?.kind ?? "mcp";
  const go = (kind: ConfigKind, folder: string | undefined) =>
    app.go({ screen: "config", kind, ...(folder !== undefined && { folder }) });
  return (
    <div class="config">
      <div class="config-head">
        <h1>Config</h1>
        <p class="quiet">MCP servers and skills that belong to a folder. Sessions that start there can use them.</p>
        <FolderChoice key={folder} folder={folder ?? ""} onChoose={(folder) => go(kind, folder)} />
      </div>
      <Tabs label="What to configure" tabs={tabs} shown={kind} onShow={(id) => go(id as ConfigKind, folder)}>
        {folder === undefined ? <NoFolder /> : <Entries key={`${kind} ${folder}`} folder={folder} kind={kind} />}
      </Tabs>
    </div>
  );
}

/** The daemon has not said where it works. */
function NoFolder() {
  const { problem, ask } = useAskedHome();
  return problem ? <Trouble problem={problem} onRetry={ask} /> : <p class="quiet pad">Loading …</p>;
}

function FolderChoice({ folder, onChoose }: { folder: string; onChoose: (folder: string) => void }) {
  const [written, setWritten] = useState(folder);
  return (
    <form
      class="config-folder"
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(written.replace(/(.)\/+$/, "$1"));
      }}
    >
      <FolderField value={written} onChange={setWritten} />
      <button type="submit" class="button" disabled={written === "" || written === folder}>
        Show
      </button>
    </form>
  );
}
