// Server-sent events, as the HTML standard reads them. Takes text in pieces of any size; time is linear in its length.

export interface ServerSentEvent {
  event: string;
  /** The last id the stream named, as the standard has it. */
  id: string;
  data: string;
}

export class SseParser {
  #parts: string[] = []; // of a line that has not ended yet
  #afterReturn = false; // the last piece ended with CR: an LF that follows belongs to it
  #first = true;
  #event = "";
  #id = "";
  #data: string[] = [];

  *feed(text: string): Generator<ServerSentEvent> {
    if (text === "") return;
    if (this.#first && text.startsWith("\uFEFF")) text = text.slice(1);
    this.#first = false;
    let from = this.#afterReturn && text.startsWith("\n") ? 1 : 0;
    this.#afterReturn = text.endsWith("\r");
    const ends = /\r\n|\n|\r/g;
    ends.lastIndex = from;
    for (let end = ends.exec(text); end; end = ends.exec(text)) {
      let line = text.slice(from, end.index);
      if (this.#parts.length > 0) line = this.#parts.splice(0).join("") + line;
      from = ends.lastIndex;
      const event = this.#line(line);
      if (event) yield event;
    }
    if (from < text.length) this.#parts.push(text.slice(from));
  }

  #line(line: string): ServerSentEvent | undefined {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return undefined;
  }

  #dispatch(): ServerSentEvent | undefined {
    const event =
      this.#data.length > 0 ? { event: this.#event || "message", id: this.#id, data: this.#data.join("\n") } : undefined;
    this.#event = "";
    this.#data = [];
    return event;
  }
}
