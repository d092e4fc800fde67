// Files that are dragged over the screen and dropped there.
import { useState } from "preact/hooks";
import { droppedItems, type UploadItem } from "../../lib/file_upload.js";
import { problemOf } from "../../lib/problem.js";
import type { Problem } from "../../state/problem.js";

export function useDrop(onItems: (items: readonly UploadItem[]) => void) {
  const [isOver, setOver] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const handlers = {
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent & { currentTarget: HTMLElement }) => {
      if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(false);
      setProblem(undefined);
      droppedItems(event.dataTransfer!).then(onItems, (error: unknown) => setProblem(problemOf(error)));
    },
  };
  return { isOver, problem, handlers, clear: () => setProblem(undefined) };
}
