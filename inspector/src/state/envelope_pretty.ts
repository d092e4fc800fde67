// JSON with line breaks, its numbers, strings and names spelled as they were. Text that is no JSON comes out harmless too.

/** Ends early when the result is longer than `limit`. */
export function prettyJson(json: string, limit = Infinity): string {
  const parts: string[] = [];
  let length = 0;
  let depth = 0;
  let wasOpened = false;
  const write = (text: string) => {
    parts.push(text);
    length += text.length;
  };
  const breakLine = () => write(`\n${"  ".repeat(Math.min(depth, 100))}`);
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\[^])*"?|[{}[\],:]|[^\s"{}[\],:]+/g)) {
    if (length > limit) break;
    const isClosing = token === "}" || token === "]";
    if (isClosing) {
      depth = Math.max(0, depth - 1);
      if (!wasOpened) breakLine();
    } else if (wasOpened) breakLine();
    wasOpened = token === "{" || token === "[";
    if (wasOpened) ++depth;
    write(token);
    if (token === ",") breakLine();
    else if (token === ":") write(" ");
  }
  return parts.join("");
}
