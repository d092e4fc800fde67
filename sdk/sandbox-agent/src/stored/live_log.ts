// The log of a session that is not stored: what the daemon still has of it, and what comes.
import { toSandboxAgentError } from "../errors.js";
import { TimeLimit } from "../http/time_limit.js";
import { messagesOf, type Source } from "../session/session_events.js";
import { EventList } from "./event_list.js";
import { entryOf, type LogOptions, type SessionLogEntry } from "./log_entry.js";
import { Recorder } from "./recorder.js";

/** `upTo`: the number of the message at which it ends, unless it follows. */
export async function* liveLog(
  source: Source,
  sessionId: string,
  upTo: number,
  { offset = 0, follow = false, signal }: LogOptions,
): AsyncGenerator<SessionLogEntry, void> {
  const recorder = new Recorder();
  const heard = new EventList(true);
  recorder.track(sessionId, heard);
  let wake = () => {};
  const waking = () => new Promise<void>((resolve) => (wake = resolve));
  const reading = new TimeLimit(0, signal);
  const messages = messagesOf(source, reading.signal, {
    streamQuery: { include: "client" },
    onClientMessage: (message, json) => {
      recorder.client(message, json);
      wake();
    },
  });
  try {
    for (let index = 0, woken = waking(), next = messages.next(), ended = false; !ended;) {
      const step = await Promise.race([next, woken]);
      woken = waking(); // before anybody is given anything, for who takes it may take long
      if (step) {
        if (step.done) return;
        if (step.value.type === "gap") recorder.gap(step.value);
        else recorder.agent(step.value);
        ended = isEnd(step.value as { message?: object }) || (!follow && recorder.place.eventId >= upTo);
        if (!ended) next = messages.next();
        next.catch(() => {}); // it may fail while the reader of this log does something else
      }
      for (const event of heard.take()) if (index++ >= offset) yield entryOf({ ...event, index: index - 1, epoch: 0 });
    }
  } catch (error) {
    throw toSandboxAgentError(error, { url: source.baseUrl });
  } finally {
    reading.end();
    void messages.return().catch(() => {}); // which may be between two messages, where no signal ends it
  }
}

function isEnd(item: { message?: object }): boolean {
  return (item.message as { method?: string } | undefined)?.method === "_adapter/agent_exited";
}
