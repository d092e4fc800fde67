// Asks before an agent is removed: says what goes, what stays, and whether processes of it run.
import type { ComponentChildren } from "preact";
import type { AgentInfo } from "sandbox-agent/daemon";
import { useAppState } from "../../lib/context.js";
import { Modal } from "../frame/modal.js";

export interface RemoveDialogProps {
  readonly agent: AgentInfo;
  readonly title: string;
  /** On the button that does it. */
  readonly word: string;
  readonly children?: ComponentChildren;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

export function RemoveDialog({ agent, title, word, children, onRemove, onClose }: RemoveDialogProps) {
  const running = useAppState(({ instances }) =>
    instances
      .filter((instance) => instance.agent === agent.id && instance.status !== "exited")
      .map(({ serverId }) => serverId)
      .join(", "),
  );
  const count = running === "" ? 0 : running.split(", ").length;
  const ours = agent.install.artifacts.filter(({ source }) => source !== "local_path");
  return (
    <Modal title={title} onClose={onClose}>
      <div class="form">
        {children}
        <p>The daemon deletes what it installed:</p>
        <ul class="agent-goes">
          {ours.map(({ kind, path, version }) => (
            <li key={kind}>
              {version !== undefined && <>version {version}, </>}
              <code>{path}</code> and the files behind it
            </li>
          ))}
        </ul>
        <p class="quiet">Keys, the agent’s own settings, and sessions stay.</p>
        {count > 0 && (
          <p class="problem problem-gap">
            {count === 1 ? "One process of it runs" : `${count} processes of it run`} now: {running}. What runs is not ended,
            but may fail when it needs a file that is gone.
          </p>
        )}
        <div class="form-end">
          <button type="button" class="button" data-first onClick={onClose}>
            Keep it
          </button>
          <button
            type="button"
            class="button button-bad"
            onClick={() => {
              onClose();
              onRemove();
            }}
          >
            {word}
          </button>
        </div>
      </div>
    </Modal>
  );
}
