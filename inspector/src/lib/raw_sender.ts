// Sends an envelope to a process as it was written. What comes of it is in the stream like everything else; only a refusal of the
// daemon is told here.
import { notedFetch } from "./http_log.js";
import { randomHex } from "./random_hex.js";

/** Resolves when the daemon took it. Rejects with what the daemon said, and its hint. */
export async function sendRaw(
  { baseUrl, token }: { baseUrl: string; token: string | undefined },
  serverId: string,
  envelope: string,
): Promise<void> {
  const response = await notedFetch(`${baseUrl}/v1/acp/${encodeURIComponent(serverId)}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      prefer: "respond-async",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: envelope,
  }).catch(() => {
    throw new Error("The daemon does not answer. What you wrote is kept.");
  });
  const text = await response.text().catch(() => "");
  if (!response.ok) throw new Error(wordsOf(text) ?? `The daemon answered ${response.status}.`);
}

function wordsOf(problem: string): string | undefined {
  try {
    const { detail, title, hint } = JSON.parse(problem) as { detail?: string; title?: string; hint?: string };
    return [detail ?? title, hint].filter((word) => typeof word === "string" && word !== "").join(" ") || undefined;
  } catch {
    return undefined;
  }
}

/** An id that is not one of the page's own, which are numbers. */
export function idByHand(): string {
  return `by-hand-${randomHex(4)}`;
}
