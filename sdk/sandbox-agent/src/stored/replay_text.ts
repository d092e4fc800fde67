// The last resort: what a session said, as text for an agent that has never heard of it.
import type { ContentPart } from "../client/protocol.js";
import { metadataKey } from "../client/session_records.js";
import type { StoredSession } from "../persist/driver.js";
import type { Store } from "./store.js";

const defaultMaxChars = 12_000;
const preface = "This is how the conversation went before; it goes on below.\n\n";

type Message = {
  method?: string;
  params?: {
    prompt?: { type?: string; text?: string; _meta?: Record<string, { replayed?: boolean }> | null }[];
    update?: { sessionUpdate?: string; content?: { type?: string; text?: string } };
  } | null;
};

/** The end of the conversation, at most `maxChars` of it, marked as what it is; empty when nothing was said. */
export async function replayedText(
  store: Store,
  { id, eventCount }: StoredSession,
  maxChars = defaultMaxChars,
): Promise<ContentPart[]> {
  let text = "";
  let speaker = "";
  const say = (who: string, words: string) => {
    text += speaker === who ? words : `${text && "\n\n"}${who}: ${words}`;
    speaker = who;
    if (text.length > 2 * maxChars) text = text.slice(-maxChars);
  };
  for await (const { json } of store.events(id, 0, eventCount)) {
    const { method, params } = JSON.parse(json) as Message;
    if (method === "session/prompt") {
      speaker = "";
      const parts = params?.prompt?.filter(({ _meta }) => !_meta?.[metadataKey]?.replayed) ?? [];
      say("User", parts.map((part) => part.text ?? `[${part.type}]`).join("\n"));
    }
    const { sessionUpdate, content } = params?.update ?? {};
    if (method === "session/update" && sessionUpdate === "agent_message_chunk" && content?.text) say("You", content.text);
  }
  if (text === "") return [];
  const cut = text.length > maxChars ? `[…] ${text.slice(-maxChars)}` : text;
  return [{ type: "text", text: preface + cut, _meta: { [metadataKey]: { replayed: true } } }];
}
