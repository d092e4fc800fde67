// What a key does in a tree: the number of the row to go to, or what to do with the one it is on.

interface Row {
  readonly level: number;
  readonly isOpen?: boolean;
}

export function nextRow(
  key: string,
  rows: readonly Row[],
  at: number,
  page: number,
): number | "open" | "close" | "choose" | undefined {
  const last = rows.length - 1;
  if (last < 0) return undefined;
  const within = (index: number) => Math.max(0, Math.min(index, last));
  const row = rows[at];
  switch (key) {
    case "ArrowDown":
    case "j":
      return within(at + 1);
    case "ArrowUp":
    case "k":
      return within(at - 1);
    case "PageDown":
      return within(at + page);
    case "PageUp":
      return within(at - page);
    case "Home":
      return 0;
    case "End":
      return last;
    case "ArrowRight":
      if (row?.isOpen === false) return "open";
      return row?.isOpen && (rows[at + 1]?.level ?? 0) > row.level ? at + 1 : undefined;
    case "ArrowLeft": {
      if (row?.isOpen) return "close";
      const parent = rows.slice(0, Math.max(0, at)).findLastIndex(({ level }) => level < (row?.level ?? 0));
      return parent < 0 ? undefined : parent;
    }
    case "Enter":
    case " ":
      return row ? "choose" : undefined;
    default:
      return undefined;
  }
}
