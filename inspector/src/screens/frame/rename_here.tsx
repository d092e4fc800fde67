// The dialog that gives the shown session another name, wherever it was asked for.
import { useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { isRowOf, sessionRows } from "../../state/session_list.js";
import { RenameSession } from "./session_dialogs.js";

export function RenameHere() {
  const app = useApp();
  const [row] = useState(() => sessionRows(app.store.state).find((known) => isRowOf(known, app.here)));
  if (row?.sessionId === undefined) return null;
  const { serverId, sessionId } = row;
  return <RenameSession row={row} session={{ serverId, sessionId }} onClose={() => app.closeDialog()} />;
}
