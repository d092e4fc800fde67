// Play, pause, how fast, and where.
import { currentPlayer } from "../../lib/replay.js";
import { speeds } from "../../state/replay.js";
import type { OpenReplay } from "./replay_view.js";

export function ReplayControls({ replay: { played, total, isPlaying, speed } }: { replay: OpenReplay }) {
  const at = played.entries.length;
  return (
    <div class="replay-controls" role="group" aria-label="Playing">
      <button
        type="button"
        class="button button-main replay-play"
        disabled={total === 0}
        onClick={() => (isPlaying ? currentPlayer()?.pause() : currentPlayer()?.play())}
      >
        {isPlaying ? "Pause" : "Play"}
      </button>
      <span class="replay-speeds" role="group" aria-label="Speed">
        {speeds.map((one) => (
          <button
            key={one}
            type="button"
            class="trace-button"
            aria-pressed={one === speed}
            onClick={() => currentPlayer()?.setSpeed(one)}
          >
            {one}×
          </button>
        ))}
        <button type="button" class="trace-button" onClick={() => void currentPlayer()?.jump(total)}>
          All at once
        </button>
      </span>
      <input
        type="range"
        class="replay-position"
        aria-label="Position"
        aria-valuetext={`${at} of ${total} messages`}
        min={0}
        max={total}
        value={at}
        onInput={(event) => void currentPlayer()?.jump(event.currentTarget.valueAsNumber)}
      />
      <span class="replay-count quiet" data-played={at}>
        {at} of {total}
      </span>
    </div>
  );
}
