// One request of the page to the API in full. Its headers are not kept, and so neither is the token.
import { outcomeWord, type HttpRecord } from "../../state/http_record.js";
import { sizeWords } from "../../state/size_words.js";
import { PaneHead } from "./pane_head.js";
import { durationText, timeText } from "./trace_words.js";

export function HttpPane({ record, onClose }: { record: HttpRecord; onClose: () => void }) {
  const { method, path, at, ms, sent, received } = record;
  const words: readonly (readonly [string, string])[] = [
    ["Request", `${method} ${path}`],
    ["Answer", outcomeWord(record)],
    ["First asked", timeText(at)],
    ["Took", ms === undefined ? "" : `${durationText(ms)} until the answer began`],
    ["Sent", sent === undefined ? "" : sizeWords(sent)],
    ["Received", received === undefined ? "" : sizeWords(received)],
  ];
  return (
    <section class="envelope" aria-label="HTTP request">
      <PaneHead name="HTTP" what={`${method} ${path}`} onClose={onClose} />
      <div class="envelope-decoded">
        <dl class="envelope-words">
          {words
            .filter(([, value]) => value !== "")
            .map(([label, value]) => (
              <div key={label} class="envelope-said">
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
      </div>
    </section>
  );
}
