// A driver that does something else before, or instead of, what it is asked for.
import type { SessionPersistDriver } from "../../src/persist/driver.js";

export type Call = keyof SessionPersistDriver;

/** `before` is awaited before each call of the real driver; what it throws is the call's failure. */
export function disturbed(
  driver: SessionPersistDriver,
  before: (call: Call, args: unknown[]) => unknown,
): SessionPersistDriver {
  return new Proxy(driver, {
    get(target, name) {
      const method = Reflect.get(target, name) as ((...args: unknown[]) => Promise<unknown>) | undefined;
      if (typeof method !== "function") return method;
      return async (...args: unknown[]) => {
        await before(name as Call, args);
        return method.apply(target, args);
      };
    },
  });
}

/** Something that happens once, and can be waited for. */
export function happening() {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => (happen = resolve));
  return { happen, happened };
}
