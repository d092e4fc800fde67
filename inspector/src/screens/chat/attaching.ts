// How files come to a message: pasted, dropped on the conversation, or chosen. What reads them is loaded with the first one. A message
// is not sent before they are read.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import { fileDrag } from "../../parts/file_drag.js";
import type { Takes } from "../../state/attachment.js";
import type { ComposerNews } from "../../state/composer.js";

interface Wants {
  readonly key: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly takes: Takes | undefined;
  readonly compose: (news: ComposerNews) => void;
}

export type Attaching = ReturnType<typeof useAttaching>;

const none: Takes = { image: false, embeddedContext: false };

export function useAttaching({ key, field, takes = none, compose }: Wants) {
  const app = useApp();
  const [refused, refuse] = useState<readonly string[]>([]);
  const [, draw] = useState({});
  const reads = useRef<readonly string[]>([]); // the sessions for which something is being read, one by one
  const held = useRef<{ readonly key: string; readonly go: () => void }>(undefined); // what is done when all is read
  const isReading = reads.current.includes(key);
  const attach = async (files: readonly File[]) => {
    if (!reads.current.includes(key)) refuse([]);
    reads.current = [...reads.current, key];
    draw({});
    let why: string[];
    try {
      const { readFiles } = await import("../../lib/attachment_reading.js");
      const there = app.store.state.composers[key]?.attachments ?? [];
      why = await readFiles(files, { takes, there, onRead: (attachment) => compose({ type: "attached", attachment }) });
    } catch {
      why = ["What reads files could not be loaded: the daemon did not answer. Try again."];
    }
    reads.current = reads.current.toSpliced(reads.current.indexOf(key), 1);
    const waits = held.current;
    if (waits?.key === key && (why.length > 0 || !reads.current.includes(key))) {
      held.current = undefined;
      if (why.length > 0) why.push("The message was not sent. Send it as it is, or attach again.");
      else waits.go();
    }
    refuse((before) => [...before, ...why]);
    draw({});
    field.current?.focus();
  };
  useEffect(() => {
    const place = field.current?.closest<HTMLElement>(".chat");
    if (!place) return undefined;
    const onDrag = fileDrag((files) => void attach(files));
    const kinds = ["dragover", "dragleave", "drop"] as const;
    for (const kind of kinds) place.addEventListener(kind, onDrag);
    return () => {
      for (const kind of kinds) place.removeEventListener(kind, onDrag);
    };
  }, [key, takes.image, takes.embeddedContext]);
  useEffect(
    () => () => {
      held.current = undefined; // the user went elsewhere
      refuse([]);
    },
    [key],
  );
  return {
    /** What was not attached, and why. */
    refused,
    forgive: () => refuse([]),
    /** Says that something is being read, and what comes then. */
    word: isReading ? (held.current ? "Reading …, then it is sent." : "Reading …") : undefined,
    /** Whether something is being read: `go` is called when it is, unless something could not be. */
    hold(go: () => void): boolean {
      if (!reads.current.includes(key)) return false;
      held.current = { key, go };
      draw({});
      return true;
    },
    /** Without files: says what the agent does not take. */
    attach,
    takesSome: takes.image || takes.embeddedContext,
    // Programs that copy words often copy a picture of them too.
    onPaste(event: ClipboardEvent) {
      const { files, types } = event.clipboardData ?? {};
      if (!files?.length || types?.includes("text/plain")) return;
      event.preventDefault();
      void attach([...files]);
    },
  };
}
