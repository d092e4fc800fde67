// A name for something new, and a new path for what is there.
import { useState } from "preact/hooks";
import type { SandboxAgentError } from "sandbox-agent/daemon";
import { useApp } from "../../lib/context.js";
import { isWithin, moveFault, movedPath, nameFault, parentOf, plainPath, shownName } from "../../state/file_paths.js";
import { Modal } from "../frame/modal.js";
import type { Shared } from "./file_dialogs.js";
import { End, Form, NameField, useDoing } from "./file_form.js";
import { ProblemCard } from "../problem_card.js";

export function NewDialog({
  desk,
  folder,
  kind,
  onClose,
  onSaid,
  onFresh,
}: Shared & { folder: string; kind: "new file" | "new folder" }) {
  const app = useApp();
  const [name, setName] = useState("");
  const { problem, isBusy, act } = useDoing();
  const path = plainPath(name.trim(), folder);
  const make = async () => {
    refuse(nameFault(name));
    if (kind === "new file") {
      await desk.newFile(path);
      onFresh(path);
    } else await desk.newFolder(path);
    onSaid(`Made ${shownName(path)}.`);
    onClose();
    app.go({ screen: "files", path });
  };
  return (
    <Modal title={kind === "new file" ? "New file" : "New folder"} onClose={onClose}>
      <Form onSubmit={() => name.trim() !== "" && void act(make)}>
        <NameField label="Name" hint={`In ${shownName(folder)}`} value={name} onInput={setName} isBad={problem !== undefined} />
        {problem && <ProblemCard problem={problem} />}
        <End label="Create" isOff={isBusy || name.trim() === ""} onClose={onClose} />
      </Form>
    </Modal>
  );
}

export function MoveDialog({ desk, from, onClose, onSaid }: Shared & { from: string }) {
  const app = useApp();
  const [value, setValue] = useState(from);
  const [taken, setTaken] = useState<string>(); // where something is in the way
  const { problem, isBusy, act } = useDoing();
  const to = plainPath(value.trim(), parentOf(from));
  const move = (overwrite: boolean) => async () => {
    refuse(nameFault(value) ?? moveFault(from, to));
    try {
      await desk.move(from, to, overwrite);
    } catch (error) {
      const isConflict = (error as SandboxAgentError).code === "conflict";
      setTaken(isConflict && (await desk.isTaken(to)) ? to : undefined);
      throw error;
    }
    onSaid(`Moved to ${shownName(to)}.`);
    onClose();
    const { route } = app.store.state;
    const shown = route.screen === "files" ? (route.path ?? from) : from;
    if (isWithin(shown, from)) app.go({ screen: "files", path: movedPath(shown, from, to) }, "replace");
  };
  const isSame = to === from || value.trim() === "";
  return (
    <Modal title="Rename or move" onClose={onClose}>
      <Form onSubmit={() => !isSame && void act(move(false))}>
        <NameField
          label="New path"
          hint="Folders that are missing are made."
          value={value}
          onInput={setValue}
          isBad={problem !== undefined}
          selectFrom={from.lastIndexOf("/") + 1}
        />
        {problem && (
          <ProblemCard problem={problem}>
            {taken === to && (
              <button type="button" class="button button-bad" disabled={isBusy} onClick={() => void act(move(true))}>
                Replace what is there
              </button>
            )}
          </ProblemCard>
        )}
        <End label="Move" isOff={isBusy || isSame} onClose={onClose} />
      </Form>
    </Modal>
  );
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new Error(fault);
}
