// What can be done with a session of the list: a menu, and a dialog for what has to be asked. Loaded when it is first opened.
import { useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { exportTrace } from "../../lib/trace_file.js";
import { Menu, type MenuItem } from "../../parts/menu.js";
import type { IconName } from "../../parts/icon.js";
import type { SessionRow } from "../../state/session_list.js";
import { DeleteSession, EndProcess, RenameSession } from "./session_dialogs.js";

export interface SessionMenuProps {
  readonly row: SessionRow;
  readonly anchor: () => HTMLElement | null;
  readonly onClose: () => void;
}

type Asked = "rename" | "end" | "delete";

export function SessionMenu({ row, anchor, onClose }: SessionMenuProps) {
  const app = useApp();
  const [asked, ask] = useState<Asked>();
  const { serverId, sessionId, isArchived, group } = row;
  const known = sessionId === undefined ? undefined : { serverId, sessionId };
  if (asked === "rename" && known) return <RenameSession row={row} session={known} onClose={onClose} />;
  if (asked === "end") return <EndProcess row={row} onClose={onClose} />;
  if (asked === "delete") return <DeleteSession row={row} onClose={onClose} />;
  const dialog = (name: string, which: Asked, icon: IconName): MenuItem => ({ name, icon, onChoose: () => ask(which) });
  const archive: MenuItem = {
    name: isArchived ? "Unarchive" : "Archive",
    icon: "archive",
    onChoose() {
      app.notes.change(known!, { isArchived: !isArchived });
      onClose();
      document.querySelector<HTMLElement>(".sessions-new")?.focus(); // the row went elsewhere
    },
  };
  const save: MenuItem = {
    name: "Export",
    icon: "fetch",
    onChoose() {
      onClose();
      exportTrace(app, serverId).catch(({ message }: Error) =>
        app.store.dispatch({ type: "notice", notice: `Not exported: ${message}` }),
      );
    },
  };
  const items = [
    ...(known ? [dialog("Rename", "rename", "edit"), archive] : []),
    save,
    ...(group === "Ended" ? [] : [dialog("End process", "end", "stop")]),
    dialog("Delete", "delete", "delete"),
  ];
  return (
    <Menu
      label={`Actions for ${row.title}`}
      items={items}
      anchor={anchor}
      onClose={(isChosen) => isChosen || onClose()} // what was chosen says itself when it is done
    />
  );
}
