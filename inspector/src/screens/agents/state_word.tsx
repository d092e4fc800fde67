// An agent's state: a word with an icon.
import type { AgentInfo } from "sandbox-agent/daemon";
import { Icon, type IconName } from "../../parts/icon.js";
import { isUnderWay, type Install } from "../../state/agent_install.js";
import { stateWord } from "../../state/agent_words.js";

const icons: Record<string, IconName> = {
  ready: "check",
  "built in": "check",
  "needs key": "lock",
  "not installed": "fetch",
};

export function StateWord({ agent, install }: { agent: AgentInfo; install: Install | undefined }) {
  const word = stateWord(agent, install);
  const icon = isUnderWay(install) ? "spinner" : (icons[word] ?? "cross");
  return (
    <span class="agent-state" data-icon={icon}>
      <Icon name={icon} /> {word}
    </span>
  );
}
