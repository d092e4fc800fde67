// What was filled in on a card, while one looks at something else. It is forgotten when its question is closed.
import { useLayoutEffect, useState } from "preact/hooks";
import { useApp } from "../../lib/context.js";
import type { Ask } from "../../state/blocks.js";
import { keyOf } from "../../state/json_rpc.js";

const mostKept = 100; // questions can be closed while nobody looks
const kept = new Map<string, unknown>();

export function useAskDraft<T>({ key, seq, requestId }: Ask, first: () => T): [T, (draft: T) => void] {
  const app = useApp();
  const name = `${app.store.state.shown?.serverId} ${seq} ${keyOf(requestId)}`;
  const [draft, setDraft] = useState(() => (kept.has(name) ? (kept.get(name) as T) : first()));
  useLayoutEffect(() => {
    const session = app.conversation;
    return () => {
      if (!session?.asks.some((other) => other.key === key)) kept.delete(name);
    };
  }, []);
  const change = (changed: T) => {
    kept.delete(name);
    kept.set(name, changed);
    if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
    setDraft(changed);
  };
  return [draft, change];
}
