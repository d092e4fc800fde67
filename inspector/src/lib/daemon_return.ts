// When the daemon answers again after nobody could reach it: what failed meanwhile is asked again.
import { useEffect, useRef } from "preact/hooks";
import { useAppState } from "./context.js";

export function useDaemonReturn(act: () => void): void {
  const isAway = useAppState(({ daemon }) => daemon.word === "unreachable");
  const wasAway = useRef(isAway);
  useEffect(() => {
    if (wasAway.current && !isAway) act();
    wasAway.current = isAway;
  }, [isAway]);
}
