// Where we are: each folder on the way as a link, or the path as text to be changed.
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { CopyButton } from "../../parts/copy_button.js";
import { Icon } from "../../parts/icon.js";
import { plainPath, shownNameOf, wayDown } from "../../state/file_paths.js";
import { RouteLink } from "../route_link.js";

export function PathBar({ path }: { path: string }) {
  const [isEdited, setEdited] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    if (wasEdited.current && !isEdited) button.current?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  if (isEdited) return <PathField path={path} onDone={() => setEdited(false)} />;
  const way = wayDown("/", path);
  return (
    <div class="files-path">
      <nav aria-label="Path" class="files-crumbs">
        <ol>
          {way.map((step) => (
            <li key={step}>
              <RouteLink route={{ screen: "files", path: step }} {...(step === path && { "aria-current": "page" })}>
                {shownNameOf(step)}
              </RouteLink>
            </li>
          ))}
        </ol>
      </nav>
      <button
        type="button"
        class="icon-button"
        aria-label="Edit path"
        title="Edit path"
        ref={button}
        onClick={() => setEdited(true)}
      >
        <Icon name="edit" />
      </button>
      <CopyButton text={path} label="Copy path" bare />
    </div>
  );
}

function PathField({ path, onDone }: { path: string; onDone: () => void }) {
  const app = useApp();
  const [value, setValue] = useState(path);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <form
      class="files-path"
      onSubmit={(event) => {
        event.preventDefault();
        onDone();
        app.go({ screen: "files", path: plainPath(value.trim(), path) });
      }}
    >
      <input
        class="field"
        aria-label="Path"
        ref={field}
        value={value}
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setValue(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          onDone();
        }}
      />
      <button type="submit" class="button">
        Go
      </button>
      <button type="button" class="button" onClick={onDone}>
        Cancel
      </button>
    </form>
  );
}
