// The files this session touched, each with what was changed in it.
import { Diff } from "../../parts/diff.js";
import { changedFiles } from "../../state/changes.js";
import type { Conversation } from "../../state/conversation.js";

export function Changes({ session }: { session: Conversation | undefined; version: number }) {
  const files = session ? changedFiles(session) : [];
  if (files.length === 0) return <p class="quiet pad">No file was changed in this session.</p>;
  return (
    <ul class="changes" aria-label="Changed files">
      {files.map(({ path, edits }) => (
        <li key={path}>
          <details open={files.length < 4}>
            <summary>
              <span class="changes-path">{path}</span>
              <span class="quiet">{edits.length === 1 ? "1 edit" : `${edits.length} edits`}</span>
            </summary>
            {edits.map(({ key, turn, oldText, newText }) => (
              <div key={key}>
                {turn !== undefined && <p class="quiet changes-turn">turn {turn}</p>}
                <Diff path={path} oldText={oldText} newText={newText} />
              </div>
            ))}
          </details>
        </li>
      ))}
    </ul>
  );
}
