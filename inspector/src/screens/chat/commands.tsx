// The agent's own commands, while the first word of a message begins with a slash. Loaded with the first one.
import { useEffect, useRef } from "preact/hooks";
import type { Command } from "../../state/settings.js";

export interface CommandsProps {
  readonly commands: readonly Command[];
  readonly active: Command | undefined;
  readonly onTake: (command: Command) => void;
}

export function Commands({ commands, active, onTake }: CommandsProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [active]);
  return (
    <ul class="commands" id="commands" role="listbox" aria-label="Commands" ref={list}>
      {commands.map((command) => (
        <li
          key={command.name}
          id={`command-${command.name}`}
          role="option"
          aria-selected={command === active}
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(command);
          }}
        >
          <b>/{command.name}</b> {command.hint !== undefined && <code>{command.hint}</code>}{" "}
          <span class="quiet">{command.description}</span>
        </li>
      ))}
    </ul>
  );
}
