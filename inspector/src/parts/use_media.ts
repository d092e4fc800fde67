// Whether a media query holds, now and as it changes.
import { useEffect, useState } from "preact/hooks";

export function useMedia(query: string): boolean {
  const [media] = useState(() => matchMedia(query));
  const [holds, setHolds] = useState(media.matches);
  useEffect(() => {
    const look = () => setHolds(media.matches);
    media.addEventListener("change", look);
    return () => media.removeEventListener("change", look);
  }, [media]);
  return holds;
}

/** One column, and a bar at the bottom; frame.css has the same number. */
export const usePhone = (): boolean => useMedia("(max-width: 760px)");
