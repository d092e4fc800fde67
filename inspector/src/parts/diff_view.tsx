// The change of a file, line by line: one column or two, long stretches without change folded.
import { useMemo, useState } from "preact/hooks";
import type { DiffProps } from "./diff.js";
import { changesBetween, linesOf, type DiffLine } from "./diff_lines.js";
import { SplitRows, UnifiedRows } from "./diff_rows.js";

let lastChoice: "unified" | "split" = "unified"; // as long as the page is open

export function DiffView({ path, oldText, newText }: DiffProps) {
  const changes = useMemo(() => changesBetween(oldText, newText), [oldText, newText]);
  const [layout, setLayout] = useState(lastChoice);
  const choose = (choice: typeof layout) => {
    lastChoice = choice;
    setLayout(choice);
  };
  const choice = (name: typeof layout, label: string) => (
    <button type="button" class="diff-choice" aria-pressed={layout === name} onClick={() => choose(name)}>
      {label}
    </button>
  );
  return (
    <figure class="diff" aria-label={`Changes in ${path}`}>
      <figcaption class="diff-head">
        <span class="diff-path">{path}</span>
        {oldText === null ? <span class="diff-new">new file</span> : null}
        {changes ? <Counts added={changes.added} removed={changes.removed} /> : null}
        {changes ? (
          <span class="diff-choices">
            {choice("unified", "Unified")}
            {choice("split", "Split")}
          </span>
        ) : null}
      </figcaption>
      {changes ? (
        <Lines lines={changes.lines} layout={layout} path={path} />
      ) : (
        <Texts oldText={oldText ?? ""} newText={newText} />
      )}
    </figure>
  );
}

function Counts({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="diff-counts">
      <span class="diff-added-count" role="img" aria-label={`${added} lines added`}>
        +{added}
      </span>{" "}
      <span class="diff-removed-count" role="img" aria-label={`${removed} lines removed`}>
        −{removed}
      </span>
    </span>
  );
}

function Lines({ lines, layout, path }: { lines: readonly DiffLine[]; layout: typeof lastChoice; path: string }) {
  const Rows = layout === "unified" ? UnifiedRows : SplitRows;
  if (lines.every(({ kind }) => kind === "same")) return <p class="diff-note">Nothing changed.</p>;
  return (
    <div class="diff-scroll" tabIndex={0} role="group" aria-label={`Lines of ${path}`}>
      <Rows lines={lines} />
    </div>
  );
}

/** Too large to compare: how large both are, and the texts as they are. */
function Texts({ oldText, newText }: { oldText: string; newText: string }) {
  const size = (text: string) => `${linesOf(text).length.toLocaleString("en")} lines`;
  return (
    <>
      <p class="diff-note">
        Too much changed to compare line by line: {size(oldText)} before, {size(newText)} now.
      </p>
      <PlainText title="Before" text={oldText} />
      <PlainText title="Now" text={newText} />
    </>
  );
}

function PlainText({ title, text }: { title: string; text: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="diff-text" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {open ? (
        <pre class="diff-plain" tabIndex={0} role="group" aria-label={title}>
          {text}
        </pre>
      ) : null}
    </details>
  );
}
