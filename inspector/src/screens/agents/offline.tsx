// How an agent gets onto a machine that has no network.
import { Fragment } from "preact";
import { CopyButton } from "../../parts/copy_button.js";
import { bundleCommands } from "../../state/agent_words.js";

export function Offline({ id }: { id: string }) {
  const [there, here] = bundleCommands(id);
  return (
    <section class="agent-card" aria-label="Without a network">
      <p>
        <b>No network?</b> Take the agent from a machine that has one, of the same kind as this: make a bundle there, copy the
        file, install it here.
      </p>
      <Line words="There" command={there} />
      <Line words="Here" command={here} />
      <p class="quiet">The list follows within seconds; the daemon need not be started again.</p>
    </section>
  );
}

function Line({ words, command }: { words: string; command: string }) {
  return (
    <p class="agent-command">
      <span class="quiet">{words}</span>
      <code>
        {command.split(" ").map((word) => (
          <Fragment key={word}>
            <span>{word}</span>{" "}
          </Fragment>
        ))}
      </code>
      <CopyButton bare text={command} label={`Copy command for ${words.toLowerCase()}`} />
    </p>
  );
}
