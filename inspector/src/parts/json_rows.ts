// The rows of a JSON value as a tree: what is open is there, what is closed is not, long lists come in pages. Pure.

export interface JsonRow {
  /** Names it among the rows: the keys from the top, as JSON. */
  readonly id: string;
  readonly keys: readonly (string | number)[];
  /** "more": the rest of a long list or object, `rest` of them. */
  readonly kind: "object" | "array" | "string" | "number" | "boolean" | "null" | "more";
  readonly value: unknown;
  readonly level: number;
  readonly position: number;
  readonly size: number;
  /** undefined: nothing to open. */
  readonly open?: boolean;
  /** How many are in it; of "more": how many are left. */
  readonly count?: number;
}

export interface JsonShown {
  /** Up to which level all is open at the start. */
  readonly depth: number;
  /** What was opened or closed since. */
  readonly toggled: ReadonlyMap<string, boolean>;
  /** How many children of a row are shown, when it is more than a page. */
  readonly pages: ReadonlyMap<string, number>;
}

export const pageSize = 100;
export const longString = 200;

export function jsonRows(value: unknown, shown: JsonShown): JsonRow[] {
  const rows: JsonRow[] = [];
  add(rows, value, [], 1, 1, shown);
  return rows;
}

function add(
  rows: JsonRow[],
  value: unknown,
  keys: (string | number)[],
  position: number,
  size: number,
  shown: JsonShown,
): void {
  const id = JSON.stringify(keys);
  const kind = kindOf(value);
  const level = keys.length + 1;
  const names = childrenOf(value);
  if (names === undefined || names.length === 0) {
    const long = typeof value === "string" && value.length > longString;
    rows.push({
      id,
      keys,
      kind,
      value,
      level,
      position,
      size,
      ...(long && { open: shown.toggled.get(id) ?? false }),
      ...(names && { count: 0 }),
    });
    return;
  }
  const open = shown.toggled.get(id) ?? level <= shown.depth;
  rows.push({ id, keys, kind, value, level, position, size, open, count: names.length });
  if (!open) return;
  const end = Math.min(names.length, shown.pages.get(id) ?? pageSize);
  const siblings = end < names.length ? end + 1 : end;
  for (let at = 0; at < end; ++at) {
    const name = names[at]!;
    add(rows, (value as Record<string | number, unknown>)[name], [...keys, name], at + 1, siblings, shown);
  }
  if (end < names.length) {
    const count = names.length - end;
    rows.push({ id: `${id}…`, keys, kind: "more", value, level: level + 1, position: siblings, size: siblings, count });
  }
}

function childrenOf(value: unknown): (string | number)[] | undefined {
  if (Array.isArray(value)) return Array.from(value.keys());
  return typeof value === "object" && value !== null ? Object.keys(value) : undefined;
}

function kindOf(value: unknown): JsonRow["kind"] {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "object" || type === "string" || type === "number" || type === "boolean" ? type : "null";
}

/** How a place in a value is written: $.name["other name"][0]. */
export function jsonPath(keys: readonly (string | number)[]): string {
  const step = (key: string | number) => {
    if (typeof key === "number") return `[${key}]`;
    return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
  };
  return "$" + keys.map(step).join("");
}

/** Where a key moves the focus to from this row; the same row when there is no such place. */
export function jsonMove(
  rows: readonly JsonRow[],
  at: number,
  key: "up" | "down" | "first" | "last" | "parent" | "child",
): number {
  const row = rows[at];
  if (key === "up") return Math.max(0, at - 1);
  if (key === "down") return Math.min(rows.length - 1, at + 1);
  if (key === "first") return 0;
  if (key === "last") return rows.length - 1;
  if (key === "child") return row?.open && rows[at + 1] && rows[at + 1]!.level > row.level ? at + 1 : at;
  for (let above = at - 1; above >= 0; --above) if (rows[above]!.level < row!.level) return above;
  return at;
}
