// The cases of conformance.ts as tests of vitest.
import { it } from "vitest";
import { cases, type Store } from "./conformance.js";

export function runCases(makeStore: () => Promise<Store>): void {
  for (const [name, run] of Object.entries(cases))
    it(name, async () => {
      const store = await makeStore();
      try {
        await run(store);
      } finally {
        await store.end();
      }
    });
}
