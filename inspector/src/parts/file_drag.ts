// Files that are dragged over a place: it has data-dropping while they are, and takes them when they are dropped.

/** For dragover, dragleave and drop. */
export function fileDrag(onFiles: (files: File[]) => void) {
  return (event: DragEvent) => {
    const place = event.currentTarget as HTMLElement;
    const { type, dataTransfer, relatedTarget } = event;
    if (type === "dragleave" && place.contains(relatedTarget as Node | null)) return; // to a part of it
    const hasFiles = dataTransfer?.types.includes("Files") === true;
    place.toggleAttribute("data-dropping", type === "dragover" && hasFiles);
    if (!hasFiles || type === "dragleave") return;
    event.preventDefault();
    if (type === "drop") onFiles([...dataTransfer!.files]);
  };
}
