// Where each program of an install came from, with its hash, as the daemon recorded it.
import { Fragment } from "preact";
import type { AgentInfo } from "sandbox-agent/daemon";
import { sourceWord } from "../../state/agent_words.js";

type Artifact = AgentInfo["install"]["artifacts"][number];

const kinds: Record<Artifact["kind"], string> = {
  agent_process: "The program that speaks ACP",
  native_agent: "The tool it needs",
};

export function Artifacts({ artifacts }: { artifacts: readonly Artifact[] }) {
  const known = artifacts.filter(({ source }) => source !== "builtin");
  if (known.length === 0) return null;
  return (
    <section aria-label="Provenance">
      <h2>Provenance</h2>
      {known.map((artifact) => (
        <Fragment key={artifact.kind}>
          <h3>
            {kinds[artifact.kind] ?? artifact.kind} <span class="quiet">– {sourceWord(artifact.source)}</span>
          </h3>
          <dl class="agent-facts agent-artifact">
            <Row name="Version" value={artifact.version} />
            <Row name="Package" value={artifact.package} isCode />
            <Row name="Archive" value={artifact.url} isCode />
            <Row name="SHA-256" value={artifact.sha256} isCode />
            <Row name="Integrity" value={artifact.integrity} isCode />
            <Row name="Path" value={artifact.path} isCode />
          </dl>
        </Fragment>
      ))}
    </section>
  );
}

function Row({ name, value, isCode = false }: { name: string; value: string | undefined; isCode?: boolean }) {
  if (value === undefined) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{isCode ? <code>{value}</code> : value}</dd>
    </div>
  );
}
