// A button that copies a text, says that it did for a moment, and tells so politely.
import { useEffect, useRef, useState } from "preact/hooks";
import "./copy_button.css";
import { copyText } from "./copy_text.js";
import { Icon } from "./icon.js";

const saysFor = 1500; // ms

export interface CopyButtonProps {
  /** The text, or what makes it when it is asked for. */
  text: string | (() => string | Promise<string>);
  label: string;
  /** Only the icon is shown; the label is still its name. */
  bare?: boolean;
}

export function CopyButton({ text, label, bare }: CopyButtonProps) {
  const [said, setSaid] = useState<"" | "Copied" | "Could not copy">("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = async () => {
    const done = await copyText(typeof text === "string" ? text : await text());
    setSaid(done ? "Copied" : "Could not copy");
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSaid(""), saysFor);
  };

  return (
    <span class="copy">
      <button
        type="button"
        class="copy-button"
        aria-label={bare ? label : undefined}
        title={bare ? label : undefined}
        onClick={() => void copy()}
      >
        <Icon name={said === "" ? "copy" : said === "Copied" ? "check" : "cross"} />
        {bare ? null : <span class="copy-label">{said || label}</span>}
      </button>
      <span class="copy-said" role="status">
        {said}
      </span>
    </span>
  );
}
