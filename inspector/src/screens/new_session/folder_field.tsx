// The folder, with the folders below it and those used last as suggestions.
import { useEffect, useId, useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { kept } from "../../lib/kept.js";

const mostShown = 30;

export function FolderField({ value, onChange }: { value: string; onChange: (folder: string) => void }) {
  const app = useApp();
  const list = useId();
  const [folders, setFolders] = useState<string[]>([]);
  const parent = value.slice(0, value.lastIndexOf("/") + 1) || "/";
  useEffect(() => {
    let isWanted = true;
    void app.folders.list(parent).then((entries) => {
      if (isWanted) setFolders(entries.flatMap(({ path, isFolder }) => (isFolder ? [path] : [])).slice(0, mostShown));
    });
    return () => {
      isWanted = false;
    };
  }, [parent]);
  const [isThere, setThere] = useState(true);
  useEffect(() => {
    let isWanted = true;
    const timer = setTimeout(() => void app.folders.exists(value).then((found) => isWanted && setThere(found)), 300);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [value]);
  return (
    <label class="form-row">
      Folder
      <input
        class="field"
        aria-label="Folder"
        list={list}
        value={value}
        required
        autoComplete="off"
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={list}>
        {[...new Set([...(kept("folders") ?? []), ...folders])].map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
      {!isThere && value !== "" && <span class="quiet">There is no such folder; most agents want one.</span>}
    </label>
  );
}
