// Says things to screen readers, politely and not too often.
import { useEffect, useRef, useState } from "preact/hooks";

const everyMs = 1_500;

export function Announcer({ text }: { text: string }) {
  const [said, setSaid] = useState("");
  const next = useRef(text);
  next.current = text;
  useEffect(() => {
    const timer = setInterval(() => setSaid(next.current), everyMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="visually-hidden" role="status" aria-label="Spoken">
      {said}
    </div>
  );
}
