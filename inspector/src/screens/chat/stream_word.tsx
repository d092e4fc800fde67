// How far behind the process the page is, in a word.
import type { Shown, StreamWord } from "../../state/app.js";
import { Icon, type IconName } from "../../parts/icon.js";

const icons: Record<StreamWord, IconName> = {
  connecting: "clock",
  "catching up": "clock",
  live: "check",
  reconnecting: "warn",
  ended: "cross",
  gone: "cross",
};

export function StreamWordView({ shown: { stream, behind } }: { shown: Shown }) {
  return (
    <span class="stream-word" role="status" aria-label="Stream" data-word={stream.replace(" ", "-")}>
      <Icon name={icons[stream]} /> {stream}
      {stream === "catching up" && ` (${behind} behind)`}
    </span>
  );
}
