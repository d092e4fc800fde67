// Another version of an agent, by its number. The daemon does not list versions; it refuses one that its source does not have.
import { useState } from "preact/hooks";
import type { AgentInfo } from "sandbox-agent/daemon";
import { useDesk } from "../../lib/agent_desk.js";
import { useApp } from "../../lib/context.js";
import { Modal } from "../frame/modal.js";

export function VersionDialog({ agent, onClose }: { agent: AgentInfo; onClose: () => void }) {
  const [desk] = useDesk(useApp());
  const [version, setVersion] = useState(agent.version ?? "");
  const tool = agent.install.artifacts.find(({ kind, source }) => kind === "native_agent" && source !== "local_path");
  const [toolVersion, setToolVersion] = useState("");
  const start = () => {
    const [process, native] = [version.trim(), toolVersion.trim()];
    if (process === "" && native === "") return;
    onClose();
    void desk.install(agent, {
      ...(process !== "" && { agentProcessVersion: process }),
      ...(native !== "" && { agentVersion: native }),
    });
  };
  return (
    <Modal title={`Version of ${agent.name}`} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <label class="form-row">
          Version
          <input
            class="field"
            data-first
            value={version}
            placeholder="1.2.3"
            autoComplete="off"
            spellcheck={false}
            onInput={(event) => setVersion(event.currentTarget.value)}
          />
        </label>
        {tool && (
          <label class="form-row">
            Version of its tool{tool.version === undefined ? "" : `, now ${tool.version}`}
            <input
              class="field"
              value={toolVersion}
              placeholder="as it is"
              autoComplete="off"
              spellcheck={false}
              onInput={(event) => setToolVersion(event.currentTarget.value)}
            />
          </label>
        )}
        <p class="quiet">
          An exact version or a tag. From the registry only the version that it lists can be had; of a package, any that was
          published.
        </p>
        <div class="form-end">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="button button-main" disabled={version.trim() === "" && toolVersion.trim() === ""}>
            Install this version
          </button>
        </div>
      </form>
    </Modal>
  );
}
