// A tool call: what it is, how it stands, and what it did.
import type { ContentPart, UniversalItem } from "sandbox-agent/transcript";
import { Ansi } from "../../../parts/ansi.js";
import { Diff } from "../../../parts/diff.js";
import { Icon, type IconName } from "../../../parts/icon.js";
import { toolWord, type ItemBlock } from "../../../state/blocks.js";
import { fieldsOf, textOf } from "../../../state/json_rpc.js";
import { durationWord } from "./duration.js";
import { Parts } from "./parts.js";

const kinds = new Set(["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode"]);
export type Call = Extract<ContentPart, { type: "tool_call" }>;

export function callOf({ content }: UniversalItem): Call | undefined {
  const [first] = content;
  return first?.type === "tool_call" ? first : undefined;
}

export function ToolCard({ block: { item, startedAt, endedAt } }: { block: ItemBlock }) {
  const call = callOf(item);
  const word = toolWord(item.status, call?.state);
  const title = call?.title ?? "a tool";
  const kind = call?.tool_kind ?? "other";
  const places = placesOf(call);
  return (
    <article class="tool" aria-label={`Tool: ${title}`} data-word={word}>
      <div class="tool-head">
        <Icon name={(kinds.has(kind) ? kind : "other") as IconName} />
        <span class="tool-title">{title}</span>
        <span class="tool-word">
          <Icon name={word === "done" ? "check" : word === "failed" || word === "interrupted" ? "cross" : "spinner"} /> {word}
        </span>
        <span class="quiet">{durationWord(startedAt, endedAt)}</span>
      </div>
      {places.length > 0 && <p class="tool-places">{places.join(", ")}</p>}
      {item.content.map((part, index) => (
        <ToolPart key={index} part={part} />
      ))}
      {call?.input !== undefined && <Raw name="Input" value={call.input} />}
    </article>
  );
}

export function ToolPart({ part }: { part: ContentPart }) {
  switch (part.type) {
    case "tool_call":
      return null;
    case "file_ref":
      return <Diff path={part.path} oldText={part.diff.old_text} newText={part.diff.new_text} />;
    case "terminal":
      return <p class="quiet">Runs in the terminal {part.terminal_id}.</p>;
    case "tool_result":
      return (
        <>
          {part.output !== "" && <Ansi text={part.output} />}
          {part.raw_output !== undefined && <Raw name="Output" value={part.raw_output} />}
        </>
      );
    default:
      return <Parts parts={[part]} />;
  }
}

export const placesOf = (call: Call | undefined): string[] =>
  (call?.locations ?? []).map(fieldsOf).flatMap(({ path, line }) => {
    const name = textOf(path);
    return name === undefined ? [] : [typeof line === "number" ? `${name}:${line}` : name];
  });

function Raw({ name, value }: { name: string; value: unknown }) {
  return (
    <details class="tool-raw">
      <summary>{name}</summary>
      <pre tabIndex={0}>{typeof value === "string" ? value : JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}
