// One thing that was found: what it is, its name with the letters that were meant, and its keys.
import type { JSX } from "preact";
import { hasCommandKey } from "../../lib/keyboard.js";
import type { PaletteEntry } from "../../lib/palette_entries.js";
import { Icon, type IconName } from "../../parts/icon.js";
import { keysInWords } from "../../state/command_keys.js";

const icons: Record<PaletteEntry["group"], IconName> = {
  Actions: "execute",
  Sessions: "chat",
  "Go to": "chevron-right",
  Agents: "agents",
  Files: "files",
};

export interface PaletteRowProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly marks: readonly number[];
  readonly isActive: boolean;
  readonly onChoose: () => void;
}

export function PaletteRow({ id, entry: { group, name, about, keys }, marks, isActive, onChoose }: PaletteRowProps) {
  return (
    <div id={id} class="palette-row" role="option" aria-selected={isActive} onClick={onChoose}>
      <Icon name={icons[group]} />
      <span class="palette-name">{marked(name, marks)}</span>
      {about !== undefined && <span class="palette-about quiet">{about}</span>}
      {keys !== undefined && <kbd>{keysInWords(keys, hasCommandKey)}</kbd>}
    </div>
  );
}

// Letters that follow each other are marked together.
function marked(text: string, marks: readonly number[]): (string | JSX.Element)[] {
  const parts: (string | JSX.Element)[] = [];
  let from = 0;
  for (let at = 0; at < marks.length;) {
    const start = marks[at]!;
    let end = start + 1;
    while (marks[++at] === end) ++end;
    parts.push(text.slice(from, start), <b key={start}>{text.slice(start, end)}</b>);
    from = end;
  }
  return [...parts, text.slice(from)];
}
