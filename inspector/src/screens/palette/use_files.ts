// The files of the folder that is worked in, looked for while the palette is open.
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import type { FileSearch } from "../../lib/file_search.js";
import type { FoundFiles } from "../../lib/palette_entries.js";
import { filesBelow, workFolder } from "../../lib/palette_files.js";

export interface Files {
  readonly found?: FoundFiles;
  readonly isLooking: boolean;
  /** What one has to know of what was found. */
  readonly said: string;
  /** Why there are none. */
  readonly failure?: string;
  readonly lookAgain: () => void;
}

type Looked = Omit<Files, "lookAgain">;

/** `words`: what was typed; a folder that they name is looked into. */
export function useFiles(words: string): Files {
  const app = useApp();
  const [folder] = useState(() => workFolder(app));
  const [looked, setLooked] = useState<Looked>({ isLooking: folder !== undefined, said: "" });
  const search = useRef<FileSearch>(undefined);
  const typed = useRef(words);
  typed.current = words;
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (folder === undefined) return undefined;
    let isLeft = false;
    let leave = () => {};
    void filesBelow(app, folder).then((found) => {
      if (isLeft) return;
      search.current = found;
      if (!found) return setLooked({ isLooking: false, said: "" });
      const tell = () =>
        setLooked({
          found: { folder, names: [...found.files] },
          isLooking: found.isLooking,
          said: found.said,
          ...(found.failure && { failure: found.failure.message }),
        });
      leave = found.onNews(tell);
      tell();
      void found.lookInto(typed.current);
    });
    return () => {
      isLeft = true;
      leave();
    };
  }, [tries]);
  useEffect(() => void search.current?.lookInto(words), [words]);
  const lookAgain = () => {
    setLooked({ isLooking: true, said: "" });
    setTries(tries + 1);
  };
  return { ...looked, lookAgain };
}
