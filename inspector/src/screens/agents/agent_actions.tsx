// What can be done with an agent.
import { useState } from "preact/hooks";
import type { AgentInfo } from "sandbox-agent/daemon";
import { useDesk } from "../../lib/agent_desk.js";
import { useApp } from "../../lib/context.js";
import { keep, kept } from "../../lib/kept.js";
import { CopyButton } from "../../parts/copy_button.js";
import { Icon } from "../../parts/icon.js";
import { isUnderWay, type Install } from "../../state/agent_install.js";
import type { Trial } from "../../state/agent_trial.js";
import { commandLine, installCommand, isInstallable, isOurs } from "../../state/agent_words.js";
import { RemoveDialog } from "./remove_dialog.js";
import { VersionDialog } from "./version_dialog.js";

export interface AgentActionsProps {
  readonly agent: AgentInfo;
  readonly install: Install | undefined;
  readonly trial: Trial | undefined;
  readonly isRemoving: boolean;
}

export function AgentActions({ agent, install, trial, isRemoving }: AgentActionsProps) {
  const app = useApp();
  const [desk] = useDesk(app);
  const [dialog, setDialog] = useState<"remove" | "version">();
  const { id, installed } = agent;
  const isBusy = isUnderWay(install) || isRemoving;
  const startSession = () => {
    keep("last", { agent: id, cwd: kept("last")?.cwd ?? app.store.state.home ?? "/" });
    app.openNew();
  };
  return (
    <div class="agent-actions" role="group" aria-label="Actions">
      {installed && (
        <button type="button" class="button button-main" disabled={isBusy} onClick={startSession}>
          <Icon name="chat" /> Start a session
        </button>
      )}
      {!installed && isInstallable(agent) && (
        <button
          type="button"
          class={install?.state === "failed" ? "button" : "button button-main"}
          disabled={isBusy}
          onClick={() => void desk.install(agent)}
        >
          <Icon name="fetch" /> Install
        </button>
      )}
      {installed && (
        <button type="button" class="button" disabled={isBusy || trial?.state === "working"} onClick={() => desk.test(id)}>
          <Icon name="execute" /> Test
        </button>
      )}
      {isOurs(agent) && (
        <button type="button" class="button" disabled={isBusy} onClick={() => void desk.install(agent, { reinstall: true })}>
          <Icon name="retry" /> Reinstall
        </button>
      )}
      {isInstallable(agent) && (
        <button type="button" class="button" disabled={isBusy} onClick={() => setDialog("version")}>
          Version …
        </button>
      )}
      {isOurs(agent) && (
        <button type="button" class="button button-bad" disabled={isBusy} onClick={() => setDialog("remove")}>
          <Icon name={isRemoving ? "spinner" : "delete"} /> {isRemoving ? "Removing …" : "Remove …"}
        </button>
      )}
      <CopyButton text={commandLine(agent) ?? installCommand(id)} label="Copy command line" />
      {dialog === "remove" && (
        <RemoveDialog
          agent={agent}
          title={`Remove ${agent.name}?`}
          word="Remove"
          onRemove={() => void desk.remove(id)}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === "version" && <VersionDialog agent={agent} onClose={() => setDialog(undefined)} />}
    </div>
  );
}
