// The button for those who neither paste nor drop.
import { useRef } from "preact/hooks";
import { Icon } from "../../parts/icon.js";
import type { Attaching } from "./attaching.js";

export function AttachButton({ attaching: { takesSome, attach } }: { attaching: Attaching }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="icon-button"
        aria-label="Attach"
        title="Attach a picture of up to 5 MB, or a text of up to 1 MB"
        onClick={() => (takesSome ? input.current?.click() : void attach([]))}
      >
        <Icon name="attach" />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="Files to attach"
        onChange={({ currentTarget }) => {
          void attach([...(currentTarget.files ?? [])]);
          currentTarget.value = ""; // the same file may be chosen again
        }}
      />
    </>
  );
}
