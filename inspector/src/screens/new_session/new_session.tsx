// A new session: an agent, a folder, and what was found in it. The last choice is the default, so Enter starts.
import { useEffect, useRef, useState } from "preact/hooks";
import type { AgentInfo } from "sandbox-agent/daemon";
import { mcpServersOf } from "sandbox-agent/transcript";
import { useApp, useAppState } from "../../lib/context.js";
import { folderConfig, type FolderConfig } from "../../lib/folder_config.js";
import { kept } from "../../lib/kept.js";
import { onDemand } from "../../parts/on_demand.js";
import { agentsInOrder, agentWord, defaultAgent } from "../../state/agent_choice.js";
import { Modal } from "../frame/modal.js";
import { FolderField } from "./folder_field.js";
import "./new_session.css";

const progress = onDemand(() => import("./progress.js"));

export function NewSession() {
  const app = useApp();
  const agents = useAppState((state) => state.agents);
  const starting = useAppState((state) => state.starting);
  const Progress = progress.use(starting !== undefined)?.Progress;
  return (
    <Modal title="New session" onClose={() => app.closeDialog()}>
      {agents.state === "loading" && !starting && <p class="quiet">Asking for the agents …</p>}
      {agents.state === "failed" && !starting && (
        <div role="alert" class="problem">
          <p>{agents.message}</p>
          {agents.hint !== undefined && <p class="quiet">{agents.hint}</p>}
          <button type="button" class="button" onClick={() => void app.loadAgents()}>
            Retry
          </button>
        </div>
      )}
      {agents.state === "ready" && !starting && <Choices agents={agents.value} />}
      {starting && (Progress ? <Progress starting={starting} /> : <p role="status">Starting …</p>)}
    </Modal>
  );
}

const noConfig: FolderConfig = { mcp: {}, skills: [] };

function Choices({ agents }: { agents: readonly AgentInfo[] }) {
  const app = useApp();
  const last = kept("last");
  const [agent, setAgent] = useState(() => defaultAgent(agents, last?.agent) ?? "");
  const home = useAppState((state) => state.home);
  const [written, setWritten] = useState(last?.cwd);
  const cwd = written ?? home ?? "";
  const [config, setConfig] = useState(noConfig);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const radios = useRef<HTMLDivElement>(null);
  useEffect(() => radios.current?.querySelector<HTMLInputElement>("input:checked")?.focus(), []);
  useEffect(() => {
    let isWanted = true;
    const look = () => void folderConfig(app.folders, app.daemon, cwd).then((found) => isWanted && setConfig(found));
    const timer = setTimeout(look, 200);
    setConfig(noConfig);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [cwd]);
  const isStarting = useRef(false);
  const isHere = useRef(true);
  useEffect(() => () => void (isHere.current = false), []);
  const start = async () => {
    if (agent === "" || cwd === "" || isStarting.current) return;
    isStarting.current = true;
    const isInstalled = agents.some(({ id, installed }) => id === agent && installed);
    const found = await folderConfig(app.folders, app.daemon, cwd); // who is quick has not seen it
    const mcp = Object.fromEntries(Object.entries(found.mcp).filter(([name]) => !left.has(name)));
    if (isHere.current) await app.startSession({ agent, cwd, isInstalled, mcpServers: mcpServersOf(mcp) });
  };
  useEffect(() => {
    if (!app.isHurried || agent === "" || cwd === "") return;
    app.isHurried = false;
    void start();
  });
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
      onKeyDown={({ key }) => {
        if (key === "Enter" && cwd === "" && written === undefined) app.isHurried = true; // where the daemon works is said soon
      }}
    >
      <div class="agents" role="radiogroup" aria-label="Agent" ref={radios}>
        {agentsInOrder(agents).map((info) => (
          <label key={info.id} class="agents-row">
            <input
              type="radio"
              name="agent"
              aria-label={info.name}
              checked={info.id === agent}
              onChange={() => setAgent(info.id)}
            />
            <span class="agents-name">{info.name}</span>
            <span class="agents-word" data-word={agentWord(info)}>
              {agentWord(info)}
            </span>
          </label>
        ))}
      </div>
      <FolderField value={cwd} onChange={setWritten} />
      <Found config={config} left={left} onChange={setLeft} />
      <div class="form-end">
        <button type="submit" class="button button-main" disabled={agent === "" || cwd === ""}>
          Start
        </button>
      </div>
    </form>
  );
}

interface FoundProps {
  readonly config: FolderConfig;
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
}

function Found({ config: { mcp, skills }, left, onChange }: FoundProps) {
  const names = Object.keys(mcp);
  if (names.length === 0 && skills.length === 0) return null;
  return (
    <fieldset class="form-set">
      <legend>Found in this folder</legend>
      {names.map((name) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={!left.has(name)}
            onChange={() => onChange(new Set(left.has(name) ? [...left].filter((other) => other !== name) : [...left, name]))}
          />
          MCP server {name}
        </label>
      ))}
      {skills.length > 0 && <p class="quiet">Skills set up for this folder: {skills.join(", ")}</p>}
    </fieldset>
  );
}
