// Server-sent events of a short stream, such as the progress of an install.

export interface ServerSentEvent {
  event: string;
  data: string;
}

/** The events of `stream`, as the HTML standard reads them. An unfinished one at the end is dropped. Leaving cancels it. */
export async function* serverSentEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent, void> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest = "";
  let event = "";
  let data: string[] = [];
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      rest += decoder.decode(next.value, { stream: true });
      const lines = rest.split(/\r\n|\n|\r(?!$)/); // a CR at the very end may be half of a CRLF
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line !== "") {
          const [, field, value = ""] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
          if (field === "event") event = value;
          if (field === "data") data.push(value);
          continue;
        }
        if (data.length > 0) yield { event: event || "message", data: data.join("\n") };
        event = "";
        data = [];
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
