// One request of the page to the API, and how the Trace tells of it. Questions that are asked again and again are one record.

export interface HttpRecord {
  readonly id: number;
  readonly method: string;
  /** With its query; it never holds the token. */
  readonly path: string;
  /** When it was first asked. */
  readonly at: number;
  /** Undefined: no answer yet. 0: there was none. */
  readonly status?: number;
  /** Until the answer began. */
  readonly ms?: number;
  readonly sent?: number;
  readonly received?: number;
  readonly times: number;
}

export const mostRecords = 1_000;
const nearest = 4; // so many records back a question counts as asked again

/** The list with one more request that was answered; a question that was just asked with the same outcome is counted instead. */
export function withAnswer(records: readonly HttpRecord[], answered: HttpRecord): HttpRecord[] {
  const isSame = (one: HttpRecord) =>
    one.id !== answered.id &&
    answered.method === "GET" &&
    one.method === "GET" &&
    one.path === answered.path &&
    one.status === answered.status;
  const others = records.filter(({ id }) => id !== answered.id);
  const known = others.slice(-nearest).find(isSame);
  if (known === undefined) return records.map((record) => (record.id === answered.id ? answered : record)).slice(-mostRecords);
  const again = { ...known, ms: answered.ms, received: answered.received, times: known.times + 1 } as HttpRecord;
  return others.map((record) => (record === known ? again : record));
}

export function isHttpError({ status }: HttpRecord): boolean {
  return status !== undefined && (status === 0 || status >= 400);
}

/** "200", "no answer", "waiting", "200 · 14 times". */
export function outcomeWord({ status, times }: HttpRecord): string {
  const word = status === undefined ? "waiting" : status === 0 ? "no answer" : String(status);
  return times > 1 ? `${word} · ${times} times` : word;
}
