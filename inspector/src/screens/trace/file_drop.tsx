// A trace file comes in: by a button, or dropped anywhere on the screen.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { openTraceFile } from "../../lib/trace_file.js";
import "./file_drop.css";

export function FileDrop({ children }: { children: ComponentChildren }) {
  const app = useApp();
  const [isOver, setOver] = useState(false);
  const has = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  return (
    <div
      class="file-drop"
      data-over={isOver}
      onDragOver={(event) => {
        if (!has(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!has(event)) return;
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file) void openTraceFile(app, file);
      }}
    >
      {children}
      {isOver && <p class="file-drop-word">Drop a trace file to replay it</p>}
    </div>
  );
}

export function OpenFileButton({ isMain = false }: { isMain?: boolean }) {
  const app = useApp();
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class={isMain ? "button button-main" : "trace-button"}
        title="Replay a file that was exported"
        onClick={() => field.current?.click()}
      >
        Open trace file
      </button>
      <input
        ref={field}
        type="file"
        hidden
        accept=".ndjson,.jsonl,.json,application/x-ndjson"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = ""; // the same file again is a choice, too
          if (file) void openTraceFile(app, file);
        }}
      />
    </>
  );
}
