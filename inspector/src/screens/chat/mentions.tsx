// The files of the agent's folder that "@" and a few letters may mean. Loaded with the first "@".
import { useEffect, useMemo, useState } from "preact/hooks";
import { SandboxAgentError } from "sandbox-agent/daemon";
import { useApp } from "../../lib/context.js";
import { searchIn, type FileSearch } from "../../lib/file_search.js";
import { matching } from "../../state/mention_match.js";
import type { Suggesting } from "./suggesting.js";
import "./mentions.css";

const mostShown = 8; // the best, without scrolling

export interface MentionsProps {
  readonly folder: string | undefined;
  readonly query: string;
  readonly suggesting: Suggesting;
}

export function Mentions({ folder, query, suggesting }: MentionsProps) {
  const app = useApp();
  const [, draw] = useState(0);
  const [tries, tryAgain] = useState(0);
  const search = useMemo(
    () => (folder === undefined ? undefined : searchIn(folder, (path) => app.daemon.fs.list(path))),
    [folder, tries],
  );
  useEffect(() => {
    const look = () => draw((count) => count + 1);
    look(); // it may have ended before this was drawn
    return search?.onNews(look);
  }, [search]);
  useEffect(() => void search?.lookInto(query), [search, query]);
  const paths = matching(search?.files ?? [], query, mostShown);
  const { path: active, onListed, takePath } = suggesting;
  useEffect(() => onListed(paths.length, (wanted) => matching(search?.files ?? [], wanted, mostShown)), [paths.length, search]);
  useEffect(() => () => onListed(0, () => []), []);
  return (
    <div class="mentions">
      {paths.length > 0 && (
        <ul class="commands" id="mentions" role="listbox" aria-label="Files">
          {paths.map((path, at) => (
            <li
              key={path}
              id={`mention-${at}`}
              role="option"
              aria-selected={at === active}
              onMouseDown={(event) => {
                event.preventDefault();
                takePath(path);
              }}
            >
              <Path path={path} />
            </li>
          ))}
        </ul>
      )}
      <p class="quiet mentions-note" role="status">
        {noteOf(search, paths.length)}
      </p>
      {search?.failure && (
        <p class="bad mentions-note" role="alert">
          {search.failure.message} {search.failure instanceof SandboxAgentError && search.failure.hint}{" "}
          <button type="button" class="button" onClick={() => tryAgain(tries + 1)}>
            Retry
          </button>
        </p>
      )}
    </div>
  );
}

// The end of a long path is what tells files apart.
function Path({ path }: { path: string }) {
  const cut = path.lastIndexOf("/") + 1;
  return (
    <>
      <span class="quiet">{path.slice(0, cut)}</span>
      <b>{path.slice(cut)}</b>
    </>
  );
}

function noteOf(search: FileSearch | undefined, count: number): string {
  if (!search) return "The folder of this session is not known.";
  if (search.failure) return "";
  const said: string[] = [];
  if (search.isLooking) said.push("Looking …");
  else if (count === 0) said.push(search.files.length === 0 ? "There are no files in this folder." : "No file matches.");
  if (search.said !== "") said.push(search.said);
  return said.join(" ");
}
