// Puts a text on the clipboard. Pages on plain http that do not come from this machine have no `navigator.clipboard`; there a hidden
// field and the old command do it.

/** Whether the text is on the clipboard now. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // not allowed here: the old way may be
  }
  return copyByField(text);
}

function copyByField(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.setAttribute("aria-hidden", "true");
  field.className = "copy-field";
  // Within an open dialog only what is in the dialog can have the focus.
  (focused?.closest("dialog") ?? document.body).append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
