// The page's own requests to the API: what the Trace shows of them. Headers, and so the token, are never kept.
import { mostRecords, withAnswer, type HttpRecord } from "../state/http_record.js";

let records: readonly HttpRecord[] = [];
let made = 0;
const listeners = new Set<() => void>();

export const httpRecords = (): readonly HttpRecord[] => records;

/** Called after each change; returns the function that ends it. */
export function onHttp(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** fetch() that is noted. */
export const notedFetch: typeof fetch = async (input, init) => {
  const { url, method = "GET" } = input instanceof Request ? input : { url: String(input), ...init };
  const { pathname, search } = new URL(url, location.href);
  const sent = typeof init?.body === "string" ? init.body.length : undefined;
  const asked: HttpRecord = {
    id: ++made,
    method,
    path: pathname + search,
    at: Date.now(),
    times: 1,
    ...(sent !== undefined && { sent }),
  };
  tell([...records, asked].slice(-mostRecords));
  const began = performance.now();
  const answered = (status: number, length: string | null) => {
    const received = length === null ? {} : { received: Number(length) };
    tell(withAnswer(records, { ...asked, status, ms: performance.now() - began, ...received }));
  };
  try {
    const response = await fetch(input, init);
    answered(response.status, response.headers.get("content-length"));
    return response;
  } catch (error) {
    answered(0, null);
    throw error;
  }
};

function tell(changed: readonly HttpRecord[]): void {
  records = changed;
  for (const listener of [...listeners]) listener();
}
