// Gives bytes to the browser as a file to keep.
export function saveAs(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser reads it in its own time
}
